"""Selection: whether alternatives are kept more often because they are shorter, smaller or more familiar.

A lexicon may drift to the frontier without any selection, because of which modifications exist and which of them still
cover the range. Selection shows in each single decision. Log odds of keeping an alternative are modelled as
`intercept + strength * (-delta_average)`, so a positive strength means that shorter alternatives are preferred; a coin
has strength 0. On two axes they are `intercept + length * (-delta_average) + size * (-delta_size)`: a trade-off between
length and size needs both. Estimates are Firth's (`ishango.analysis.statistics`).

Decisions of one unit (a run, or a seed whose runs share their random numbers) have a history in common. Intervals leave
out one unit after the other, with Student's t; p-values shuffle the decisions of each unit among its rounds.
`python -m studies.selection_power` shows how often both are right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.analysis import statistics
from ishango.analysis.comparable import grouped, of_each_group, under_start, units
from ishango.evolution import EvolutionOptions, Spoken, expressions, game_need, share_changed
from ishango.game import GameOptions
from ishango.numerals import NumeralSystem

PERMUTATIONS = (199, 999)
"""Fewest and most permutations for a p-value of a fit: fewer where there are very many decisions."""
_CERTAIN = 1000.0
"""Log odds above which decisions follow a rule without exception, as an oracle's do: their strength has no number."""
SAME = 1e-6
"""Estimates that differ by less, in parts of their size, are of the same decisions."""
_NOVELTY = "changed"
"""The column with the need-weighted share of the talk that an alternative changes."""
EDGES = (0.0, 0.005, 0.02, 0.08, 1.0)
"""Edges of the strata of novelty, each open on the left."""


def decisions(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds in which there was something to decide."""
    return rounds[rounds["accepted"].notna() & rounds["delta_average"].notna()]


# ---- one axis -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strength:
    """A strength of selection in log odds per symbol of average length, with its interval, and the raw shares."""

    strength: float
    low: float
    high: float
    equivalent_within: float
    """The strength is not larger than this in either direction, at 95 %."""
    intercept: float
    decisions: int
    shorter_kept: float
    """Share of shorter alternatives that were kept; nan if there were none."""
    longer_kept: float
    """Share of longer alternatives that were kept; nan if there were none."""


def selection(rounds: pd.DataFrame) -> pd.DataFrame:
    """The pooled strength of selection of each group."""
    return of_each_group(rounds, lambda runs: {"runs": runs["run"].nunique(), **vars(pooled_strength(runs))})


def selection_by_run(rounds: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """The strength of selection of each run, beside its group, start and seed."""
    rounds, by = grouped(rounds, by)
    runs = rounds.drop_duplicates("run")[["run", *by, "start", "seed"]]
    return runs.merge(strength_by_run(rounds), on="run")


def strength_by_run(rounds: pd.DataFrame) -> pd.DataFrame:
    """The strength of selection of every run, with Wald's intervals.

    `rounds` has a row for each round with the columns `delta_average`, `accepted` and `run`.
    """
    found = {name: _of_decisions(rows) for name, rows in decisions(rounds).groupby("run")}
    columns = ["run", *Strength.__dataclass_fields__]
    return pd.DataFrame([{"run": name, **vars(each)} for name, each in found.items()], columns=columns)


def pooled_strength(rounds: pd.DataFrame) -> Strength:
    """The strength over all runs together; the interval is nan for fewer than four units."""
    table = decisions(rounds)
    found = _of_decisions(table)
    if not np.isfinite(found.low):
        return found
    design, kept = _design(table, ["delta_average"]), table["accepted"].to_numpy(np.float64)
    beta = np.array([found.intercept, found.strength])
    (interval,) = _intervals(design, kept, _codes(table), beta)[1:]
    return replace(found, low=interval.low, high=interval.high, equivalent_within=interval.within)


def fit(x: statistics.Floats, y: statistics.Floats) -> tuple[statistics.Floats, statistics.Floats]:
    """Firth's logistic regression of y (0 or 1) on x: the coefficients (intercept, slope) and their covariance.

    Equal values of x make the slope undetermined and give it the variance infinity.
    """
    if np.ptp(x) == 0:
        return np.zeros(2), np.full((2, 2), np.inf)
    return statistics.fit(np.column_stack([np.ones_like(x), x]), y)


def _of_decisions(rows: pd.DataFrame) -> Strength:
    """The strength with Wald's interval, which takes the decisions for independent."""
    x, y = -rows["delta_average"].to_numpy(np.float64), rows["accepted"].to_numpy(np.float64)
    if not len(y):
        nan, inf = float("nan"), float("inf")
        return Strength(nan, -inf, inf, inf, nan, 0, nan, nan)
    beta, covariance = fit(x, y)
    slope, error = float(beta[1]), float(np.sqrt(covariance[1, 1]))
    wide, narrow = (NormalDist().inv_cdf(q) * error for q in ((1 + statistics.LEVEL) / 2, statistics.LEVEL))
    low, high, within = slope - wide, slope + wide, abs(slope) + narrow
    return Strength(slope, low, high, within, float(beta[0]), len(y), _share(y[x > 0]), _share(y[x < 0]))


def _share(kept: statistics.Floats) -> float:
    return float(kept.mean()) if len(kept) else float("nan")


# ---- two axes, and novelty ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _TwoAxes:
    """Selection for length and for size, in log odds per symbol of average length and per word, with intervals."""

    runs: int
    units: int
    """Independent ones: runs, or seeds whose runs share their random numbers."""
    decisions: int
    length: float
    length_low: float
    length_high: float
    length_within: float
    length_p: float
    size: float
    size_low: float
    size_high: float
    size_within: float
    size_p: float
    intercept: float
    inflation: float
    """How many times larger the variances are than if the predictors had nothing to do with each other."""
    kept: float
    """Share of alternatives that were kept."""


@dataclass(frozen=True)
class _AtEqualNovelty(_TwoAxes):
    """The same among alternatives that change as much of the talk."""

    novelty: float
    """Log odds for each tenth of the talk that an alternative changes; below 0 if what is new is refused."""
    novelty_low: float
    novelty_high: float
    novelty_within: float
    novelty_p: float


_Fit = TypeVar("_Fit", bound=_TwoAxes)


def selection_on_two_axes(rounds: pd.DataFrame) -> pd.DataFrame:
    """Selection for length and for size in each group, with p-values corrected for all of the table."""
    return with_holm(of_each_group(rounds, lambda runs: vars(two_axes(runs))), ["length_p", "size_p"])


def selection_at_equal_novelty(rounds: pd.DataFrame) -> pd.DataFrame:
    """The same among alternatives of equal novelty, and the preference standardised over novelty, of each group.

    Nothing for groups whose runs did not record how much an alternative changes; `with_novelty` completes it.
    """
    if _NOVELTY not in rounds:
        return pd.DataFrame()
    decided = decisions(rounds)
    silent = set(decided.loc[decided[_NOVELTY].isna(), "run"])
    known = rounds[~rounds["run"].isin(silent)]
    if known.empty:
        return pd.DataFrame()

    def measured(runs: pd.DataFrame) -> Mapping[str, Any]:
        return {**standardised_preference(runs)._asdict(), **vars(at_equal_novelty(runs))}

    return with_holm(of_each_group(known, measured), ["length_p", "size_p", "novelty_p"])


def two_axes(rounds: pd.DataFrame, seed: int = 0, permutations: int | None = None) -> _TwoAxes:
    """Selection in some runs; `rounds` has the columns `delta_average`, `delta_size`, `accepted` and `run`.

    Where there is nothing to tell (no decisions, or all changes alike) or no number to tell it by (decisions follow a
    rule without exception), estimates are nan; where there are fewer than four units, so are the intervals. There are
    999 permutations, and fewer where there are very many decisions.
    """
    table = decisions(rounds).dropna(subset="delta_size")  # runs of earlier versions did not record it
    return _fitted(_TwoAxes, table, {"length": "delta_average", "size": "delta_size"}, seed, permutations)


def at_equal_novelty(rounds: pd.DataFrame, seed: int = 0, permutations: int | None = None) -> _AtEqualNovelty:
    """The same with novelty as a third predictor; `rounds` also has the column `changed`."""
    table = decisions(rounds).dropna(subset=["delta_size", _NOVELTY])
    table = table.assign(**{_NOVELTY: -10 * table[_NOVELTY].astype(float)})  # a tenth; predictors are turned round
    axes = {"length": "delta_average", "size": "delta_size", "novelty": _NOVELTY}
    return _fitted(_AtEqualNovelty, table, axes, seed, permutations)


def _fitted(
    record: type[_Fit], table: pd.DataFrame, axes: Mapping[str, str], seed: int, permutations: int | None
) -> _Fit:
    """A fit of the decisions on some columns, by the names that their coefficients have in the record."""
    codes, kept, design = _codes(table), table["accepted"].to_numpy(np.float64), _design(table, [*axes.values()])
    count = int(codes.max()) + 1 if len(codes) else 0
    found: dict[str, Any] = dict.fromkeys([each.name for each in fields(record)], float("nan"))
    found |= {"runs": table["run"].nunique(), "units": count, "decisions": len(kept), "kept": _share(kept)}
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return record(**found)
    beta, _ = statistics.fit(design, kept)
    if np.abs(beta).max() > _CERTAIN:
        return record(**found)
    times = permutations or int(np.clip(5_000_000 // len(kept), *PERMUTATIONS))
    p = _p_values(design, kept, table, beta, np.random.default_rng(seed), times)
    for k, (name, interval) in enumerate(zip(axes, _intervals(design, kept, codes, beta)[1:], strict=True), start=1):
        found |= {name: float(beta[k]), f"{name}_low": interval.low, f"{name}_high": interval.high,
                  f"{name}_within": interval.within, f"{name}_p": float(p[k])}  # fmt: skip
    found |= {"intercept": float(beta[0]), "inflation": _inflation(design)}
    return record(**found)


def _design(table: pd.DataFrame, predictors: list[str]) -> statistics.Floats:
    return np.column_stack([np.ones(len(table)), -table[predictors].to_numpy(np.float64)])


def _codes(table: pd.DataFrame) -> NDArray[np.intp]:
    return pd.factorize(units(table), sort=True)[0]


def _intervals(
    design: statistics.Floats, kept: statistics.Floats, codes: NDArray[np.intp], beta: statistics.Floats
) -> list[statistics.Interval]:
    """The interval of each coefficient, from leaving out one unit after the other."""
    count = int(codes.max()) + 1
    if count < statistics.FEWEST:
        return [statistics.NO_INTERVAL] * len(beta)
    without = statistics.without_each(design, kept, codes, count, beta)
    return [statistics.jackknife(float(value), column) for value, column in zip(beta, without.T, strict=True)]


def _p_values(
    design: statistics.Floats,
    kept: statistics.Floats,
    table: pd.DataFrame,
    beta: statistics.Floats,
    rng: np.random.Generator,
    times: int,
) -> statistics.Floats:
    """How often decisions that are shuffled within each unit give an estimate as far from 0.

    Runs of one unit are shuffled alike, round by round: what they have in common they keep.
    """
    when = table["round"] if "round" in table else table.groupby("run").cumcount()
    moments, names = pd.factorize(units(table) + " " + when.astype(str))
    keys = rng.random((times, len(names)), np.float32)
    outcomes = np.empty((times, len(kept)))
    runs = pd.factorize(table["run"])[0]
    for run in range(int(runs.max()) + 1):
        rows = np.flatnonzero(runs == run)
        outcomes[:, rows] = kept[rows][np.argsort(keys[:, moments[rows]], axis=1)]
    guess = np.concatenate([beta[:1], np.zeros(len(beta) - 1)])
    found = statistics.fits(design, outcomes, guess).beta
    # Two fits of the same decisions may differ in their last digits, and count as equal.
    as_far = np.abs(found) >= np.abs(beta) - SAME * np.maximum(1.0, np.abs(beta))
    return (1 + as_far.sum(axis=0)) / (1 + times)


def _inflation(design: statistics.Floats) -> float:
    """The variance inflation factor of the first predictor, given the others."""
    return float(np.linalg.inv(np.corrcoef(design[:, 1:].T))[0, 0])


def with_holm(table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """The table with each column of p-values corrected, by Holm's method, for all p-values of all these columns."""
    if table.empty:
        return table
    corrected = statistics.holm(table[list(columns)].to_numpy(np.float64).ravel()).reshape(len(table), len(columns))
    return table.assign(**{f"{name}_holm": corrected[:, k] for k, name in enumerate(columns)})


# ---- how much more of what is shorter is kept -----------------------------------------------------------------------


class Preference(NamedTuple):
    """How much more of what is shorter is kept than of what is longer: run by run, then the mean over starts."""

    value: float
    low: float
    """The interval over starts, from flipping signs, unbounded for fewer than six; over seeds where runs share their
    random numbers."""
    high: float
    here_low: float
    """The interval that says nothing of other starts and runs: from the decisions of these alone."""
    here_high: float
    equivalent_within: float
    """The preference is not larger than this in either direction, at 95 %."""
    starts: int
    runs: int
    shorter: int
    shorter_kept: int
    longer: int
    longer_kept: int


def preferences(rounds: pd.DataFrame, by: str = "delta_average") -> pd.Series:
    """For each run that had both, under its start and unit: the share of lesser alternatives kept minus greater ones'.

    Alternatives that are neither tell nothing.
    """
    shares = _counts(rounds, by)["mean"].unstack().reindex(columns=[True, False])
    difference = (shares[True] - shares[False]).dropna().rename("difference").reset_index()
    runs = rounds.drop_duplicates("run").set_index("run", drop=False)
    return under_start(runs.loc[difference["run"]], difference["difference"])


def preference(rounds: pd.DataFrame) -> Preference:
    """The same over all runs, with the mean over starts and its intervals.

    >>> rows = [{"start": "1", "run": "a", "delta_average": d, "accepted": d < 0} for d in (-1.0, 1.0, -2.0, 2.0)]
    >>> preference(pd.DataFrame(rows)).value
    1.0
    """
    each = preferences(rounds)
    value, interval = statistics.over_starts(each)
    half = _half_width(rounds)
    counts = _counts(rounds, "delta_average")
    lesser = counts.index.get_level_values("lesser")
    totals = [int(counts.loc[lesser == kind, name].sum()) for kind in (True, False) for name in ("size", "sum")]
    here = (value - half, value + half)
    starts = each.index.get_level_values(0).nunique()
    return Preference(value, interval.low, interval.high, *here, interval.within, starts, len(each), *totals)


def _counts(rounds: pd.DataFrame, by: str) -> pd.DataFrame:
    """How many alternatives each run had that were lesser (True) and greater (False), and how many of them it kept."""
    decided = rounds[rounds["accepted"].notna() & rounds[by].notna() & (rounds[by] != 0)]
    keys = [decided["start"], decided["run"], (decided[by] < 0).rename("lesser")]
    return decided["accepted"].astype(float).groupby(keys).agg(["size", "sum", "mean"])


def _half_width(rounds: pd.DataFrame) -> float:
    """Of the interval from the decisions alone: binomial in each run, with one of each kind added to every count."""
    counts = _counts(rounds, "delta_average")
    size = counts["size"] + 2
    share = (counts["sum"] + 1) / size
    variances = (share * (1 - share) / size).unstack().reindex(columns=[True, False]).sum(axis=1, skipna=False).dropna()
    if not len(variances):
        return float("inf")
    runs = variances.groupby(level=0)
    of_starts = runs.sum() / runs.size() ** 2
    return NormalDist().inv_cdf((1 + statistics.LEVEL) / 2) * float(np.sqrt(of_starts.sum())) / len(of_starts)


# ---- novelty --------------------------------------------------------------------------------------------------------


class _Standardised(NamedTuple):
    """The share of shorter alternatives kept minus that of longer ones, among those that change as much of the talk."""

    preference: float
    """The mean over strata of novelty, by their shares of all decisions."""
    preference_low: float
    preference_high: float
    preference_within: float
    left_out: float
    """Share of decisions in strata that lack shorter or longer alternatives, and so do not count."""


def standardised_preference(rounds: pd.DataFrame) -> _Standardised:
    """The preference for what is shorter, standardised over novelty; `rounds` has the column `changed`.

    All runs are pooled in each stratum: by runs there would be too few decisions. The interval leaves out one unit
    after the other.
    """
    table = decisions(rounds).dropna(subset=_NOVELTY)
    table = table[table[_NOVELTY] > EDGES[0]]
    if table.empty:
        return _Standardised(*[float("nan")] * 5)
    novelty = table[_NOVELTY].to_numpy(np.float64)
    stratum = (novelty[:, None] > np.array(EDGES[1:-1])).sum(axis=1)
    codes = _codes(table)
    sums = np.zeros((int(codes.max()) + 1, len(EDGES) - 1, 5))  # decisions, shorter, of them kept, longer, of them kept
    delta, kept = table["delta_average"].to_numpy(np.float64), table["accepted"].to_numpy(np.float64)
    parts = [np.ones(len(table)), delta < 0, (delta < 0) * kept, delta > 0, (delta > 0) * kept]
    for k, part in enumerate(parts):
        np.add.at(sums[:, :, k], (codes, stratum), part)
    total = sums.sum(axis=0)
    value, left_out = _over_strata(total[None])
    without, _ = _over_strata(total - sums)
    interval = statistics.jackknife(float(value[0]), without)
    return _Standardised(float(value[0]), interval.low, interval.high, interval.within, float(left_out[0]))


def _over_strata(sums: statistics.Floats) -> tuple[statistics.Floats, statistics.Floats]:
    """The standardised preference of each table of sums (tables, strata, 5), and the weight that was left out."""
    count, shorter, shorter_kept, longer, longer_kept = np.moveaxis(sums, -1, 0)
    both = (shorter > 0) & (longer > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.where(both, shorter_kept / shorter - longer_kept / longer, 0.0)
        weight = np.where(both, count, 0.0)
        value = (weight * difference).sum(axis=1) / weight.sum(axis=1)
        return value, 1 - weight.sum(axis=1) / count.sum(axis=1)


def with_novelty(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds with the column `changed`, computed from systems where it was not recorded.

    The system before a round is the one after the round before it. Need and range are those of the game. A round takes
    some milliseconds, so that thousands of runs take minutes.
    """
    table = rounds.sort_values(["run", "round"])
    known = table[_NOVELTY].astype(float) if _NOVELTY in table else pd.Series(np.nan, table.index)
    before = [pd.Series([_listed(each) for each in table[name]], table.index).groupby(table["run"]).shift()
              for name in ("digits", "multipliers")]  # fmt: skip
    missing = known.isna() & table["alternative"].notna() & before[0].notna()
    systems = (before[0] + " | " + before[1])[missing]
    for index, system, row in zip(systems.index, systems, table[missing].to_dict("records"), strict=True):
        game = str(row.get("need", "power:2")), int(row.get("game.range", 50)), str(row.get("grammar", "modified"))
        known[index] = changed(str(system), str(row["alternative"]), *game)
    return rounds.assign(**{_NOVELTY: known.reindex(rounds.index)})


def changed(one: str, other: str, need: str = "power:2", upto: int = 50, grammar: str = "modified") -> float:
    """The need-weighted share of numbers that two systems, written D | M, express differently.

    >>> changed("1-9 | 10", "1-9 | 10"), changed("1,2 | 3", "1,2 | 4") > 0.1
    (0.0, True)
    """
    talk = _talk(need, upto, grammar)
    before, after = (expressions(Spoken(NumeralSystem.parse(each, grammar)), talk) for each in (one, other))
    return share_changed(before, after, game_need(talk))


@lru_cache
def _talk(need: str, upto: int, grammar: str) -> EvolutionOptions:
    return EvolutionOptions(need=need, grammar=grammar, game=GameOptions(upto=upto))


def _listed(words: Any) -> str:
    """A set of words as text: tables have lists, or texts already."""
    return words if isinstance(words, str) else ",".join(str(int(word)) for word in words)
