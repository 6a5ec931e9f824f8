"""Where runs end: how near the frontier, beside drift or another group, and whether lexicons return to some size.

A pair of groups is compared start by start, after as many rounds as both have played: drift of 300 rounds serves runs
of 100 as well, and runs that are not done are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats  # pyright: ignore[reportMissingTypeStubs] - SciPy has no types

from ishango.analysis import comparable, statistics
from ishango.analysis.selection import decisions, with_holm
from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, DRIFT

_stats: Any = stats


def ends(rounds: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """One row a run: gap, size and average complexity before the first and after the last round."""
    return _ends(*comparable.grouped(rounds, by))


def _ends(rounds: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    keys = ["run", "start", "seed", *(["streams"] if "streams" in rounds and "streams" not in by else []), *by]
    figures = ["gap", "size", "average_complexity"]
    ordered = rounds.sort_values(["run", "round"])
    first, last = (ordered.groupby("run", sort=False)[[*keys, *figures]].nth(i) for i in (0, -1))
    before = first.set_index("run")[figures].add_suffix("_before")
    return last.set_index("run").join(before).reset_index()


def by_start(rounds: pd.DataFrame) -> pd.DataFrame:
    """For each group and start: how many runs, their final gaps (least, median, greatest) and median final size."""
    rounds, by = comparable.grouped(rounds, None)
    by = [*by, *comparable.rounds_if_they_vary(rounds)]
    runs = _ends(rounds, by).groupby([*by, "start"], dropna=False)
    return runs.agg(
        runs=("run", "size"),
        gap_before=("gap_before", "first"),
        gap_least=("gap", "min"),
        gap=("gap", "median"),
        gap_greatest=("gap", "max"),
        size_before=("size_before", "first"),
        size=("size", "median"),
    ).reset_index()


# ---- against drift, or against a group that is named ----------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """Final gaps of one group against those of others from the same starts, under the same reading."""

    starts: int
    after: int
    """Rounds after which both were looked at."""
    difference: float
    """Mean over starts of the mean gap minus that of the others; negative means nearer the frontier."""
    low: float
    high: float
    equivalent_within: float
    """The difference is not larger than this in either direction, at 95 %."""
    over: Literal["starts", "seeds", "runs"]
    """What `low`, `high`, `p` and the interval of the rank are over: starts; seeds where runs from several starts share
    their random numbers; runs where there is one start."""
    p: float
    """Wilcoxon's signed-rank test over starts; Welch's t over seeds or runs."""
    permutation_p: float
    """The permutation test of that difference: who decided is shuffled among the runs from each start, or among whole
    seeds."""
    within_low: float
    within_high: float
    """The differences that this test does not reject: what holds of these very starts, while `low` and `high`, where
    they are over starts, tell what may be expected of others like them."""
    rank: float
    """Mean share of the others' runs from a start that are nearer the frontier; 0.5 if there is no difference."""
    rank_low: float
    rank_high: float


def against_coin(rounds: pd.DataFrame) -> pd.DataFrame:
    """Every other group compared with drift, paired over starts, where all agrees that the way of drift depends on."""
    rounds = comparable.settled(rounds).reset_index(drop=True)  # tables that were put together may repeat it
    return _against(rounds, rounds["choose"] == DRIFT.name)


def against(rounds: pd.DataFrame, others: Mapping[str, Any]) -> pd.DataFrame:
    """Every group compared with the one whose configs have these values, where drift would take the same way.

    >>> played = [{"choose": who, "start": start, "round": i, "gap": gap, "run": who + start, "seed": 0, "add": "any"}
    ...           for who, gaps in (("coin", (1, 3, 4)), ("law", (1, 0)))
    ...           for start in "12" for i, gap in enumerate(gaps)]
    >>> against(pd.DataFrame(played), {"choose": "coin"})[["choose", "starts", "after", "difference"]].values.tolist()
    [['law', 2, 1, -3.0]]
    """
    rounds = comparable.settled(rounds).reset_index(drop=True)
    chosen = _having(rounds, others)
    wanted = ", ".join(f"{name}={value}" for name, value in others.items())
    reference = _comparable(rounds[chosen])
    if reference.empty:
        raise RequestError(f"No run that is done has {wanted}, so nothing can be compared with it.")
    by = comparable.group_columns(rounds)
    for _, alike in reference.groupby(comparable.path_columns(rounds), dropna=False):
        _refuse_several(alike.drop_duplicates(by), by, wanted)
    return _against(rounds, chosen)


def _against(rounds: pd.DataFrame, chosen: pd.Series) -> pd.DataFrame:
    """All other groups compared with the chosen runs that are like them in what the way of drift depends on."""
    by = [*comparable.group_columns(rounds), *comparable.rounds_if_they_vary(rounds)]
    rows: list[dict[str, Any]] = []
    for _, alike in _comparable(rounds).groupby(comparable.path_columns(rounds), dropna=False):
        others = alike[chosen[alike.index]]
        for key, group in alike[~chosen[alike.index]].groupby(by, dropna=False):
            after, mine, theirs = _after_as_many_rounds(group, others)
            if len(mine):
                rows.append({**dict(zip(by, key, strict=True)), **vars(_compare(mine, theirs, after))})
    table = pd.DataFrame(rows, columns=[*by, *Comparison.__dataclass_fields__])
    return with_holm(table, ["permutation_p"]) if len(table) else table.assign(permutation_p_holm=np.nan)


def _comparable(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds of runs in which there was something to decide, and which have played all that they were to play."""
    rounds = rounds[comparable.modifies(rounds)]
    if "rounds" not in rounds:
        return rounds
    return rounds[rounds.groupby("run")["round"].transform("max") >= rounds["rounds"]]


def _having(rounds: pd.DataFrame, values: Mapping[str, Any]) -> pd.Series:
    """Which rounds are of runs whose configs have these values."""
    chosen, known = pd.Series(True, rounds.index), comparable.config_columns(rounds)
    for name, value in values.items():
        if name not in known:
            raise RequestError(
                f"There is no field {name!r} in the configs of these runs; there are {', '.join(known)}."
            )
        wanted = CHOOSERS.spelled.get(value, value) if name == "choose" else value
        chosen &= pd.Series([_equal(each, wanted) for each in rounds[name]], rounds.index, dtype=bool)
    return chosen


def _equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, also where one of them is written as text."""
    try:
        return float(one) == float(other)
    except (TypeError, ValueError):
        texts = str(one), str(other)
        if "True" in texts or "False" in texts:  # as Python writes what plans and tables write in small letters
            return texts[0].lower() == texts[1].lower()
        return texts[0] == texts[1]


def _refuse_several(groups: pd.DataFrame, by: list[str], wanted: str) -> None:
    """Refuse more than one group; `groups` has one row of each."""
    if len(groups) > 1:
        telling = [name for name in by if groups[name].nunique(dropna=False) > 1]
        told = "; ".join(", ".join(f"{name}={row[name]}" for name in telling) for row in groups.to_dict("records"))
        raise RequestError(f"There are {len(groups)} groups of runs with {wanted}; say which of these: {told}.")


def _after_as_many_rounds(group: pd.DataFrame, others: pd.DataFrame) -> tuple[int, pd.DataFrame, pd.DataFrame]:
    """How many rounds both have played, and the runs of either from shared starts as they were after them."""
    if others.empty:
        return 0, others, others
    lasts = [runs.groupby("run")["round"].max() for runs in (group, others)]
    after = int(min(lasts[0].min(), lasts[1].max()))
    mine, theirs = (runs[runs["round"] == after].dropna(subset="gap") for runs in (group, others))
    both = set(mine["start"]) & set(theirs["start"])
    return after, mine[mine["start"].isin(both)], theirs[theirs["start"].isin(both)]


def _compare(group: pd.DataFrame, others: pd.DataFrame, after: int) -> Comparison:
    mine, theirs = (comparable.under_start(runs, runs["gap"]) for runs in (group, others))
    differences = mine.groupby(level=0).mean() - theirs.groupby(level=0).mean()
    ranks = _ranks(mine, theirs)
    seeds = statistics.shared(mine) or statistics.shared(theirs)
    if seeds or len(differences) == 1:
        interval, p, ranked = _over_units(mine, theirs)
    else:
        interval, p = statistics.student_interval(differences.to_numpy()), _signed_rank(differences.to_numpy())
        ranked = statistics.student_interval(ranks.to_numpy())
    shuffled = statistics.contrast(mine, theirs)
    return Comparison(
        starts=len(differences),
        after=after,
        difference=float(differences.mean()),
        low=interval.low,
        high=interval.high,
        equivalent_within=interval.within,
        over="seeds" if seeds else "runs" if len(differences) == 1 else "starts",
        p=p,
        permutation_p=shuffled.p,
        within_low=shuffled.low,
        within_high=shuffled.high,
        rank=float(ranks.mean()),
        rank_low=float(np.clip(ranked.low, 0, 1)),  # a share is in 0..1
        rank_high=float(np.clip(ranked.high, 0, 1)),
    )


def _over_units(mine: pd.Series, theirs: pd.Series) -> tuple[statistics.Interval, float, statistics.Interval]:
    """The interval of the difference, its p-value, and the interval of the rank: each unit is left out in turn."""
    without: list[tuple[statistics.Floats, statistics.Floats]] = []
    for which in (mine, theirs):
        names = which.index.get_level_values(1)
        parts = [which[names != unit] for unit in dict.fromkeys(names)]
        pairs = [(part, theirs) if which is mine else (mine, part) for part in parts]
        gaps = [float((a.groupby(level=0).mean() - b.groupby(level=0).mean()).mean()) for a, b in pairs]
        ranks = [float(_ranks(a, b).mean()) if len(a) and len(b) else float("nan") for a, b in pairs]
        without.append((np.array(gaps), np.array(ranks)))
    value = float((mine.groupby(level=0).mean() - theirs.groupby(level=0).mean()).mean())
    error, freedom = statistics.jackknife_of_two(*(each[0] for each in without))
    ranked = statistics.student(
        float(_ranks(mine, theirs).mean()), *statistics.jackknife_of_two(*(each[1] for each in without))
    )
    return statistics.student(value, error, freedom), statistics.student_p(value, error, freedom), ranked


def _ranks(mine: pd.Series, theirs: pd.Series) -> pd.Series:
    """For each start that both have, the mean share of the others' numbers that are smaller; equal ones count half.

    Runs from one start have its difficulty in common, so they are averaged before starts are.
    """
    known: dict[Any, statistics.Floats] = {
        start: np.sort(each.to_numpy(np.float64)) for start, each in theirs.groupby(level=0)
    }
    found: dict[Any, float] = {}
    for start, each in mine.groupby(level=0):
        if start in known:
            others, values = known[start], each.to_numpy(np.float64)
            smaller: statistics.Floats = (values[:, None] > others).mean(axis=1)
            equal: statistics.Floats = (values[:, None] == others).mean(axis=1)
            found[start] = float((smaller + equal / 2).mean())
    return pd.Series(found, dtype=float)


def _signed_rank(differences: np.ndarray) -> float:
    """The p-value of Wilcoxon's test that differences are symmetric about 0."""
    if not differences.any():
        return 1.0
    return float(_stats.wilcoxon(differences).pvalue)


# ---- do lexicons return to some size? -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pull:
    """The change of size in a round as a line over size; intervals leave out one unit after the other."""

    runs: int
    slope: float
    """Words a round for each further word; below 0 where lexicons are drawn back to some size."""
    slope_low: float
    slope_high: float
    slope_within: float
    """The slope is not larger than this in either direction, at 95 %."""
    returns_to: float
    """The size at which the line crosses 0; nan where the slope may as well be 0 or more."""
    returns_low: float
    """Of Fieller's interval: the sizes at which the change may be 0."""
    returns_high: float


def restoring_forces(rounds: pd.DataFrame) -> pd.DataFrame:
    """Whether lexicons of each group return to some size."""
    return comparable.of_each_group(rounds, lambda runs: vars(pull(runs)))


def pull(rounds: pd.DataFrame) -> _Pull:
    """The restoring force of some runs as one line; nan where there are too few units, or only one size."""
    steps = _changes(rounds)
    runs = steps["run"].nunique()
    size, change = (steps[name].to_numpy(np.float64) for name in ("size", "change"))
    centre = float(size.mean()) if len(size) else 0.0
    sums = pd.DataFrame({"count": 1.0, "x": size - centre, "y": change, "xx": (size - centre) ** 2,
                         "xy": (size - centre) * change, "unit": steps["unit"].to_numpy()})  # fmt: skip
    by_unit = sums.groupby("unit").sum().to_numpy()
    if len(by_unit) < statistics.FEWEST or np.ptp(size) == 0:
        return _Pull(runs, *[float("nan")] * 7)
    total = by_unit.sum(axis=0)
    (line,), without = _lines(total[None]), _lines(total - by_unit)
    found = statistics.jackknife(float(line[1]), without[:, 1])
    returns = [float("nan")] * 3
    if found.high < 0:
        freedom = len(by_unit) - 1
        bounds = _fieller(
            line, statistics.jackknife_covariance(without), float(_stats.t.ppf((1 + statistics.LEVEL) / 2, freedom))
        )
        returns = [centre + each for each in (-float(line[0] / line[1]), *bounds)]
    return _Pull(runs, float(line[1]), found.low, found.high, found.within, *returns)


def _lines(sums: statistics.Floats) -> statistics.Floats:
    """Least squares: intercept and slope for each row of sums."""
    count, x, y, xx, xy = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (xy - x * y / count) / (xx - x * x / count)
        return np.stack([(y - slope * x) / count, slope], axis=1)


def _fieller(line: statistics.Floats, covariance: statistics.Floats, t: float) -> tuple[float, float]:
    """Where a line with that covariance may be 0: |a + bx| is at most t of its errors. Bounded if b is surely not 0."""
    a, b = line
    square = b**2 - t**2 * covariance[1, 1]
    half = a * b - t**2 * covariance[0, 1]
    root = float(np.sqrt(max(half**2 - square * (a**2 - t**2 * covariance[0, 0]), 0.0)))
    return float((-half - root) / square), float((-half + root) / square)


def restoring_force(rounds: pd.DataFrame) -> pd.DataFrame:
    """The mean change of size in a round, at each size; negative above a size to which lexicons return.

    One row a size: decisions made at it, the mean change (0 where an alternative is refused), and its standard error
    over units.
    """
    by_unit = _changes(rounds).groupby(["size", "unit"])["change"].agg(total="sum", count="size").reset_index()
    rows = [{"size": size, **_mean_change(here)} for size, here in by_unit.groupby("size")]
    return pd.DataFrame(rows, columns=["size", "decisions", "change", "error"])


def _changes(rounds: pd.DataFrame) -> pd.DataFrame:
    """Of each decision: the size before it, and by how much it was changed."""
    table = decisions(rounds).dropna(subset="delta_size")  # runs of earlier versions did not record it
    gained = table["delta_size"].astype(float).where(table["accepted"].astype(bool), 0.0)
    before = table["size"] - gained
    return pd.DataFrame(
        {"size": before.astype(int), "change": gained, "run": table["run"], "unit": comparable.units(table)}
    )


def _mean_change(by_unit: pd.DataFrame) -> dict[str, float]:
    """The mean over all decisions, with an error that allows for units differing from one another."""
    total, count = by_unit["total"].to_numpy(np.float64), by_unit["count"].to_numpy(np.float64)
    mean = float(total.sum() / count.sum())
    error = float(np.sqrt(((total - mean * count) ** 2).sum()) / count.sum()) if len(count) > 1 else float("nan")
    return {"decisions": int(count.sum()), "change": mean, "error": error}


# ---- how noisy is a judge? ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _JudgeNoise:
    """The difference of two scores of one system, over the rounds of A/A runs."""

    runs: int
    rounds: int
    noise: float
    """Its root mean square: what `judge_noise` has to be for the costs alone to be as noisy."""
    noise_low: float
    noise_high: float
    kept: float
    """Share of rounds in which the second arm would have been kept; 0.5 if the judge favours neither."""


def judges_noise(rounds: pd.DataFrame) -> pd.DataFrame:
    """How noisy the judges are of groups in which both arms are the same system."""
    return comparable.of_each_group(rounds, lambda runs: vars(judge_noise(runs)), modified=False)


def judge_noise(rounds: pd.DataFrame) -> _JudgeNoise:
    """The noise in some A/A runs; the interval leaves out one unit after the other."""
    table = rounds[rounds["accepted"].notna() & rounds["scores"].notna()]
    scores = np.array([[np.nan if each is None else each for each in pair] for pair in table["scores"]], np.float64)
    squared = np.square(scores[:, 1] - scores[:, 0]) if len(table) else np.array([])
    known = ~np.isnan(squared)
    codes, names = pd.factorize(comparable.units(table)[known], sort=True)
    if not len(names):
        return _JudgeNoise(0, 0, *[float("nan")] * 4)
    sums, counts = (np.bincount(codes, weights).astype(np.float64) for weights in (squared[known], None))
    noise, kept = float(np.sqrt(sums.sum() / counts.sum())), float(table["accepted"][known].astype(bool).mean())
    found = statistics.NO_INTERVAL
    if len(names) >= statistics.FEWEST:
        found = statistics.jackknife(noise, np.sqrt((sums.sum() - sums) / (counts.sum() - counts)))
    runs = table["run"][known].nunique()
    return _JudgeNoise(runs, int(counts.sum()), noise, max(found.low, 0.0), found.high, kept)
