"""All fits, intervals and tests: Firth's logistic regression, then what is estimated over units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats  # pyright: ignore[reportMissingTypeStubs] - SciPy has no types

# Firth's logistic regression, for many outcomes or many weights at once.
#
# Estimates maximise the likelihood times the root of the Fisher information's determinant, so they stay finite when the
# data are separated (shorter alternatives always kept) and have less bias than the likelihood's own. Newton's steps are
# taken for all fits together: a permutation test is one call.

Floats = NDArray[np.float64]

CLOSE = 1e-9
"""No logit moves by more in the last step."""
_MOST_STEPS = 100
_SINGULAR = 1e-12
"""A scaled information matrix with a smaller eigenvalue determines nothing."""
_AT_ONCE = 60_000
"""Decisions times fits that are computed at once: about what a processor keeps near."""
_EXACT_FIRTH = 4_000_000
"""Decisions times units up to which leaving one out is fitted anew; beyond, one of Newton's steps will do."""


class _Fits(NamedTuple):
    """Coefficients (fits, columns) and their covariances; infinite where the data do not determine them."""

    beta: Floats
    covariance: Floats


def fit(design: Floats, kept: Floats) -> tuple[Floats, Floats]:
    """The coefficients of 0s and 1s on the columns of a design, and their covariance.

    >>> beta, covariance = fit(np.array([[1.0, -1], [1, 1], [1, 2], [1, -2]]), np.array([0.0, 1, 1, 0]))
    >>> bool(beta[1] > 0), bool(np.isfinite(covariance).all())
    (True, True)
    """
    guess: Floats = np.zeros(int(design.shape[1]))
    found = fits(design, kept[None], guess)
    return found.beta[0], found.covariance[0]


def fits(design: Floats, outcomes: Floats, guess: Floats, weights: Floats | None = None, close: float = CLOSE) -> _Fits:
    """A fit for each row of `outcomes` (or of `weights`, which say how often each decision counts)."""
    count = len(outcomes) if weights is None else len(weights)
    size = design.shape[1]
    beta, covariance = np.empty((count, size)), np.empty((count, size, size))
    rows = max(1, _AT_ONCE // max(1, len(design)))
    for first in range(0, count, rows):
        part = slice(first, min(first + rows, count))
        y = outcomes if len(outcomes) == 1 else outcomes[part]
        beta[part], covariance[part] = _newton(design, y, None if weights is None else weights[part], guess, close)
    return _Fits(beta, covariance)


def without_each(design: Floats, kept: Floats, codes: NDArray[np.intp], units: int, beta: Floats) -> Floats:
    """The coefficients without each unit in turn, (units, columns); nan where the rest does not determine them."""
    if len(kept) * units <= _EXACT_FIRTH:
        weights = (codes[None] != np.arange(units)[:, None]).astype(np.float64)
        found = fits(design, kept[None], beta, weights, close=1e-6)
        told = np.isfinite(found.covariance[:, 0, 0])
        return np.where(told[:, None], found.beta, np.nan)
    return _one_step_without_each(design, kept, codes, units, beta)


def _one_step_without_each(design: Floats, kept: Floats, codes: NDArray[np.intp], units: int, beta: Floats) -> Floats:
    """The same by one step from the whole fit: a unit takes its score and its information with it."""
    p = _expit(design @ beta)
    spread = p * (1 - p)
    products = _products(design)
    size = design.shape[1]
    information = (spread @ products).reshape(size, size)
    leverage = spread * (products @ np.linalg.inv(information).ravel())
    pull = (kept - p + leverage * (0.5 - p))[:, None] * design
    scores = np.stack([np.bincount(codes, pull[:, k], units) for k in range(size)], axis=1)
    parts = np.stack([np.bincount(codes, spread * products[:, k], units) for k in range(size * size)], axis=1)
    return beta - np.linalg.solve(information - parts.reshape(-1, size, size), scores[..., None])[..., 0]


def _newton(
    design: Floats, outcomes: Floats, weights: Floats | None, guess: Floats, close: float
) -> tuple[Floats, Floats]:
    count, size = (len(outcomes) if weights is None else len(weights)), design.shape[1]
    beta, covariance = np.tile(guess, (count, 1)), np.full((count, size, size), np.inf)
    products, active = _products(design), np.arange(count)
    for _ in range(_MOST_STEPS):
        y = outcomes if len(outcomes) == 1 else outcomes[active]
        counts = None if weights is None else weights[active]
        step, covariances, largest, change = _step(design, products, y, counts, beta[active])
        covariance[active] = covariances
        going = np.isfinite(covariances[:, 0, 0]) & ~(change < close)
        # Long steps overshoot where the data are nearly separated.
        with np.errstate(divide="ignore"):
            scale = np.minimum(1.0, (5.0 + 0.5 * largest) / change)
        beta[active[going]] += scale[going, None] * step[going]
        active = active[going]
        if not len(active):
            break
    return beta, covariance


def _step(
    design: Floats, products: Floats, y: Floats, weights: Floats | None, beta: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Of several fits: Newton's step, the covariance, the largest logit, and the largest change of one."""
    size = design.shape[1]
    logit = beta @ design.T
    p = _expit(logit)
    spread = p * (1 - p)
    information = ((spread if weights is None else weights * spread) @ products).reshape(-1, size, size)
    covariance = _inverses(information)
    usable = np.where(np.isfinite(covariance), covariance, 0.0)
    pull = y - p + spread * (usable.reshape(-1, size * size) @ products.T) * (0.5 - p)
    score = (pull if weights is None else weights * pull) @ design
    step = np.einsum("bij,bj->bi", usable, score)
    moved = np.abs(step @ design.T)
    if weights is not None:
        moved = np.where(weights > 0, moved, 0.0)
    return step, covariance, np.abs(logit).max(axis=1), moved.max(axis=1)


def _inverses(information: Floats) -> Floats:
    """The inverse of each matrix; infinite where there is none but for rounding."""
    diagonal = np.einsum("bii->bi", information)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = information / (scale[:, :, None] * scale[:, None, :])
    told = (diagonal > 0).all(axis=1) & (np.linalg.eigvalsh(scaled)[:, 0] > _SINGULAR)
    found = np.full_like(information, np.inf)
    found[told] = np.linalg.inv(scaled[told]) / (scale[told, :, None] * scale[told, None, :])
    return found


def _products(design: Floats) -> Floats:
    """The products of the columns with one another, decision by decision: (decisions, columns squared)."""
    return (design[:, :, None] * design[:, None, :]).reshape(len(design), -1)


def _expit(logit: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-logit))


# Intervals and tests over units: runs, or whole seeds where runs share their random numbers.
#
# Runs whose random numbers come from the seed alone share their luck: what a coin does from one start it does from all.
# So a *unit* is a whole seed there, and a run where streams are its own (`ishango.analysis.comparable.units`). Units
# are what is shuffled between groups and what is left out for an interval. Two groups that used the same seeds still
# count as separate units. That is conservative: luck that both share cancels in their difference, and no test counts on
# it.
#
# Every interval comes with `within`: the smallest difference that can be excluded at 95 % by two one-sided tests, which
# is the larger end of the 90 % interval. It is what a result that shows nothing does show.

_stats: Any = stats


LEVEL = 0.95
"""Confidence of all intervals."""
_EQUIVALENCE = 0.9
"""Confidence of the interval whose larger end is what two one-sided tests at 5 % exclude."""
FEWEST = 4
"""Units below which an interval of a fit says nothing, and none is given."""
PERMUTATIONS = 9999
RESAMPLES = 2000
_EXACT = 12
"""Numbers of values up to which every pattern of signs is tried."""


class Interval(NamedTuple):
    """A 95 % interval, and what can be excluded."""

    low: float
    high: float
    within: float
    """The larger absolute end of the 90 % interval: the effect is not larger than this, at 95 %."""


NO_INTERVAL = Interval(float("nan"), float("nan"), float("nan"))
_UNBOUNDED = Interval(float("-inf"), float("inf"), float("inf"))


class Contrast(NamedTuple):
    """A difference of two groups, mean over starts, with its interval and the p-value of the permutation test."""

    value: float
    low: float
    high: float
    p: float
    within: float


UNKNOWN = Contrast(float("nan"), float("-inf"), float("inf"), float("nan"), float("inf"))
"""Where the two have no start in common."""


def student(value: float, error: float, freedom: float) -> Interval:
    """Student's interval of an estimate, from its standard error.

    >>> [round(each, 2) for each in student(1.0, 0.5, 10)]
    [-0.11, 2.11, 1.91]
    """
    if not np.isfinite(error) or freedom <= 0:
        return NO_INTERVAL
    wide, narrow = (float(_stats.t.ppf((1 + level) / 2, freedom)) * error for level in (LEVEL, _EQUIVALENCE))
    return Interval(value - wide, value + wide, abs(value) + narrow)


def student_p(value: float, error: float, freedom: float) -> float:
    """The p-value of Student's test that the estimate is of 0."""
    if not np.isfinite(error) or freedom <= 0:
        return float("nan")
    if error == 0:
        return 1.0 if value == 0 else 0.0
    return float(2 * _stats.t.sf(abs(value) / error, freedom))


def student_interval(values: Floats) -> Interval:
    """Student's interval for the mean of independent values."""
    if len(values) < 2:
        return _UNBOUNDED
    return student(float(values.mean()), float(_stats.sem(values)), len(values) - 1)


def jackknife_covariance(without: Floats) -> Floats:
    """The covariance of estimates, from those (units, estimates) that leave out one unit each.

    Unlike resampling whole units, this does not promise too much where a few of them decide: leaving one of these out
    moves the estimate by all that it did.
    """
    strayed = without - without.mean(axis=0)
    return (len(without) - 1) / len(without) * strayed.T @ strayed


def jackknife(value: float, without: Floats, fewest: int = FEWEST) -> Interval:
    """The interval of an estimate, from those that leave out one unit each; none for fewer than four units."""
    if len(without) < fewest or not np.isfinite(without).all():
        return NO_INTERVAL
    return student(value, float(np.sqrt(jackknife_covariance(without[:, None])[0, 0])), len(without) - 1)


def jackknife_of_two(*groups: Floats) -> tuple[float, float]:
    """Standard error and degrees of freedom of an estimate from two groups, whose units are left out in turn.

    Of a difference of two means this is Welch's.
    """
    if any(len(each) < 2 or not np.isfinite(each).all() for each in groups):
        return float("nan"), 0.0
    parts = np.array([jackknife_covariance(each[:, None])[0, 0] for each in groups])
    total = float(parts.sum())
    if total == 0:
        return 0.0, float(min(map(len, groups)) - 1)
    freedom = total**2 / float((parts**2 / np.array([len(each) - 1 for each in groups])).sum())
    return float(np.sqrt(total)), freedom


def contrast(mine: pd.Series, others: pd.Series) -> Contrast:
    """The numbers of two groups of runs, the first minus the second, start by start, with a permutation test.

    Series have a number a run, under its start and its unit (an index of two levels; with one level, each run is its
    own unit). Who decided is shuffled among units that have runs from the same starts; where there are none in both
    groups, p is nan. The interval holds the shifts that this test does not reject: gaps are skewed, which Student's
    interval does not forgive.
    """
    runs = _runs(mine, others)
    if runs.empty:
        return UNKNOWN
    weights, swaps = _weights(runs)
    unit, classes = _classes(runs)
    values = runs["value"].to_numpy(np.float64)
    first = runs["first"].to_numpy(bool)
    observed = float((weights * values).sum())
    # The statistic is linear: a unit that changes sides changes it by what all its runs weigh on either side.
    moves, marks = (np.bincount(unit, each * swaps) for each in (values, first.astype(np.float64)))
    rng = np.random.default_rng(0)
    shuffled, labels = np.zeros(PERMUTATIONS), np.zeros(PERMUTATIONS)
    sides = np.zeros(len(classes), bool)
    sides[unit] = first
    mixed = [members for kind in np.unique(classes) if 0 < sides[members := np.flatnonzero(classes == kind)].mean() < 1]
    if not mixed:  # no unit of one group could be of the other
        return UNKNOWN._replace(value=observed)
    for members in mixed:
        before = sides[members]
        order = rng.permuted(np.tile(before, (PERMUTATIONS, 1)), axis=1)
        change = order.astype(np.float64) - before
        shuffled += change @ moves[members]
        labels += change @ marks[members]
    shuffled, labels = observed + shuffled, 1 + labels
    p = (1 + (np.abs(shuffled) >= abs(observed) - 1e-12).sum()) / (1 + PERMUTATIONS)
    return Contrast(
        observed, *_bounds(observed, shuffled, labels, LEVEL), float(p), _within(observed, shuffled, labels)
    )


def _runs(mine: pd.Series, others: pd.Series) -> pd.DataFrame:
    """The runs of both groups from the starts that both have: value, start, unit and whether it is of the first."""
    parts: list[pd.DataFrame] = []
    for first, each in ((True, mine), (False, others)):
        known = each.dropna()
        starts = known.index.get_level_values(0)
        unit = known.index.get_level_values(1) if known.index.nlevels > 1 else range(len(known))
        parts.append(pd.DataFrame({"value": known.to_numpy(np.float64), "start": starts.astype(str),
                                   "unit": [f"{first} {name}" for name in unit], "first": first}))  # fmt: skip
    shared = set(parts[0]["start"]) & set(parts[1]["start"])
    return pd.concat([each[each["start"].isin(shared)] for each in parts], ignore_index=True)


def _weights(runs: pd.DataFrame) -> tuple[Floats, Floats]:
    """What each run weighs in the mean over starts of differences, and by how much more it would on the other side."""
    counts = runs.groupby(["start", "first"]).size().unstack()
    one, other = (
        1 / (len(counts) * counts[first].reindex(runs["start"]).to_numpy(np.float64)) for first in (True, False)
    )
    first = runs["first"].to_numpy(bool)
    weights: Floats = np.array(np.where(first, one, -other), np.float64)
    return weights, one + other


def _classes(runs: pd.DataFrame) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The unit of each run, and the class of each unit: those with runs from the same starts may trade places."""
    factorize: Any = pd.factorize
    unit = np.asarray(factorize(runs["unit"])[0], np.intp)
    profiles = runs.groupby(unit)["start"].agg(lambda starts: " | ".join(sorted(starts)))
    return unit, np.asarray(factorize(profiles.sort_index())[0], np.intp)


def flipped(values: Iterable[float]) -> Interval:
    """The interval of a mean from flipping signs, every pattern of them; unbounded for fewer than six values."""
    array = np.asarray(list(values), np.float64)
    if not len(array):
        return _UNBOUNDED
    if len(array) > _EXACT:
        signs = np.random.default_rng(0).choice(np.array([-1.0, 1.0]), (PERMUTATIONS, len(array)))
    else:
        patterns = np.arange(1, 2 ** len(array), dtype=np.int64)
        signs = 1.0 - 2.0 * ((patterns[:, None] >> np.arange(len(array))) & 1).astype(np.float64)
    observed, shuffled, labels = float(array.mean()), signs @ array / len(array), signs.mean(axis=1)
    return Interval(*_bounds(observed, shuffled, labels, LEVEL), _within(observed, shuffled, labels))


def over_starts(values: pd.Series) -> tuple[float, Interval]:
    """The mean over starts of a number of runs, each under its start and unit, with its interval.

    Where runs are independent, signs of starts are flipped, and the interval is for starts like these. Where units have
    runs from several starts, starts share their luck: then each unit is left out in turn, and it is for these starts.
    """
    known = values.dropna()
    means = known.groupby(level=0).mean()
    value = float(means.mean()) if len(means) else float("nan")
    if not shared(known):
        return value, flipped(means)
    names = known.index.get_level_values(1)
    without = [known[names != unit].groupby(level=0).mean().mean() for unit in dict.fromkeys(names)]
    found = jackknife(value, np.array(without, np.float64), fewest=2)
    return value, found if np.isfinite(found.low) else _UNBOUNDED


def shared(values: pd.Series) -> bool:
    """Whether some unit has runs from several starts."""
    if values.index.nlevels < 2 or values.empty:
        return False
    pairs = values.index.to_frame(index=False).drop_duplicates()
    return bool(pairs.duplicated(pairs.columns[1]).any())


def redrawn(statistic: Callable[..., float], *samples: Sequence[np.ndarray], seed: int = 0) -> tuple[float, Interval]:
    """A statistic of samples that consist of blocks (starts, seeds, families); its interval is from drawing these anew.

    For medians and spans, whose spread leaving one out does not tell. Unbounded for fewer than four blocks.
    """
    rng = np.random.default_rng(seed)

    def of(chosen: Sequence[np.ndarray]) -> float:
        pooled = [
            np.concatenate([blocks[int(i)] for i in which]) for blocks, which in zip(samples, chosen, strict=True)
        ]
        return statistic(*pooled)

    value = of([np.arange(len(each)) for each in samples])
    if min(map(len, samples)) < FEWEST:
        return value, _UNBOUNDED
    drawn = np.array([of([rng.integers(len(each), size=len(each)) for each in samples]) for _ in range(RESAMPLES)])
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return value, _UNBOUNDED
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    inner = np.quantile(known, [(1 - _EQUIVALENCE) / 2, (1 + _EQUIVALENCE) / 2])
    return value, Interval(float(low), float(high), float(np.abs(inner).max()))


def holm(p: Floats) -> Floats:
    """P-values corrected for there being so many, by Holm's method; nan stays nan and does not count.

    >>> holm(np.array([0.01, 0.04, np.nan, 0.03])).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    found = np.full(p.shape, np.nan)
    known = ~np.isnan(p)
    values = p[known]
    order = np.argsort(values, kind="stable")
    raised = np.maximum.accumulate(values[order] * (len(values) - np.arange(len(values))))
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(raised, 1.0)
    found[known] = corrected
    return found


def _bounds(observed: float, shuffled: Floats, labels: Floats, level: float) -> tuple[float, float]:
    """The shifts d of the first group that the test does not reject.

    Shifted by d, the observed statistic is `observed - d` and a shuffled one `shuffled - d * labels`; they are equal
    at (observed - shuffled) / (1 - labels). So each shuffle votes for one d, and the interval is between quantiles.
    The order that was observed is one of all orders: it rejects nothing, on either side.
    """
    moved = labels < 1 - 1e-12
    votes = np.sort((observed - shuffled[moved]) / (1 - labels[moved]))
    unmoved = len(labels) - len(votes) + 1
    outside = int(np.floor((1 - level) / 2 * (len(labels) + 1))) - unmoved
    if outside < 0 or not len(votes):
        return float("-inf"), float("inf")
    return float(votes[outside]), float(votes[-1 - outside])


def _within(observed: float, shuffled: Floats, labels: Floats) -> float:
    return max(map(abs, _bounds(observed, shuffled, labels, _EQUIVALENCE)))
