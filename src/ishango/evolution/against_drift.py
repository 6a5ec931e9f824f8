"""Do runs end nearer the frontier than others: than a coin's, or than those of a group that is named?

Tables are those of `ishango.evolution.groups`. A pair is compared start by start, after as many rounds as both have
played: a coin of 300 rounds serves runs of 100 as well, and runs that are not done are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats  # pyright: ignore[reportMissingTypeStubs]

from ishango.errors import RequestError
from ishango.evolution.choosers import DRIFT
from ishango.evolution.comparable import (
    config_columns,
    group_columns,
    modifies,
    path_columns,
    rounds_if_they_vary,
    settled,
)
from ishango.evolution.stratified import LEVEL, contrast

_stats: Any = stats


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
    p: float
    """Wilcoxon's signed-rank test over starts."""
    permutation_p: float
    """The permutation test of that difference: who decided is shuffled among the runs from each start."""
    within_low: float
    within_high: float
    """The differences that this test does not reject: what holds of these very starts, while `low` and `high` tell what
    may be expected of others like them."""
    rank: float
    """Mean share of the others' runs from a start that are nearer the frontier; 0.5 if there is no difference."""
    rank_low: float
    rank_high: float


def against_coin(rounds: pd.DataFrame) -> pd.DataFrame:
    """Every other group compared with the coin, paired over starts, where all agrees that the coin's way depends on."""
    rounds = settled(rounds)
    return _against(rounds, rounds["choose"] == DRIFT.name)


def against(rounds: pd.DataFrame, others: Mapping[str, Any]) -> pd.DataFrame:
    """Every group compared with the one whose configs have these values, where a coin's way would be the same.

    >>> played = [{"choose": who, "start": start, "round": i, "gap": gap, "run": who + start, "seed": 0, "add": "any"}
    ...           for who, gaps in (("coin", (1, 3, 4)), ("law", (1, 0)))
    ...           for start in "12" for i, gap in enumerate(gaps)]
    >>> against(pd.DataFrame(played), {"choose": "coin"})[["choose", "starts", "after", "difference"]].values.tolist()
    [['law', 2, 1, -3.0]]
    """
    rounds = settled(rounds)
    chosen = _having(rounds, others)
    wanted = ", ".join(f"{name}={value}" for name, value in others.items())
    reference = _comparable(rounds[chosen])
    if reference.empty:
        raise RequestError(f"No run that is done has {wanted}, so nothing can be compared with it.")
    by = group_columns(rounds)
    for _, alike in reference.groupby(path_columns(rounds), dropna=False):
        _refuse_several(alike.drop_duplicates(by), by, wanted)
    return _against(rounds, chosen)


def _against(rounds: pd.DataFrame, chosen: pd.Series) -> pd.DataFrame:
    """All groups but the chosen compared with the chosen runs that are like them in what a coin's way depends on."""
    by = [*group_columns(rounds), *rounds_if_they_vary(rounds)]
    rows: list[dict[str, Any]] = []
    for _, alike in _comparable(rounds).groupby(path_columns(rounds), dropna=False):
        others = alike[chosen[alike.index]]
        for key, group in alike[~chosen[alike.index]].groupby(by, dropna=False):
            after, mine, theirs = _after_as_many_rounds(group, others)
            if mine["start"].nunique() > 1:
                rows.append({**dict(zip(by, key, strict=True)), **vars(_compare(mine, theirs, after))})
    return pd.DataFrame(rows, columns=[*by, *Comparison.__dataclass_fields__])


def _comparable(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds of runs in which there was something to decide, and which have played all that they were to play."""
    rounds = rounds[modifies(rounds)]
    if "rounds" not in rounds:
        return rounds
    return rounds[rounds.groupby("run")["round"].transform("max") >= rounds["rounds"]]


def _having(rounds: pd.DataFrame, values: Mapping[str, Any]) -> pd.Series:
    """Which rounds are of runs whose configs have these values."""
    chosen = pd.Series(True, rounds.index)
    for name, value in values.items():
        if name not in (known := config_columns(rounds)):
            raise RequestError(
                f"There is no field {name!r} in the configs of these runs; there are {', '.join(known)}."
            )
        chosen &= pd.Series([_equal(each, value) for each in rounds[name]], rounds.index, dtype=bool)
    return chosen


def _equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, also where one of them is written as text."""
    try:
        return float(one) == float(other)
    except (TypeError, ValueError):
        return str(one) == str(other)


def _refuse_several(groups: pd.DataFrame, by: list[str], wanted: str) -> None:
    """Refuse to compare with more than one group; `groups` has one row of each."""
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
    shared = set(mine["start"]) & set(theirs["start"])
    return after, mine[mine["start"].isin(shared)], theirs[theirs["start"].isin(shared)]


def _compare(group: pd.DataFrame, others: pd.DataFrame, after: int) -> Comparison:
    differences = group.groupby("start")["gap"].mean() - others.groupby("start")["gap"].mean()
    ranks = pd.Series(
        [
            _rank(gap, others.loc[others["start"] == start, "gap"])
            for gap, start in zip(group["gap"], group["start"], strict=True)
        ],
        index=group.index,
    )
    low, high = student_interval(differences.to_numpy())
    # Runs from one start share their luck, so ranks are averaged within a start before they are compared.
    rank_means = ranks.groupby(group["start"]).mean().to_numpy()
    rank_low, rank_high = (min(max(end, 0.0), 1.0) for end in student_interval(rank_means))  # a share is in 0..1
    shuffled = contrast(*(runs.set_index("start")["gap"] for runs in (group, others)))
    return Comparison(
        starts=len(differences),
        after=after,
        difference=float(differences.mean()),
        low=low,
        high=high,
        p=_signed_rank(differences.to_numpy()),
        permutation_p=shuffled.p,
        within_low=shuffled.low,
        within_high=shuffled.high,
        rank=float(rank_means.mean()),
        rank_low=rank_low,
        rank_high=rank_high,
    )


def _signed_rank(differences: np.ndarray) -> float:
    """The p-value of Wilcoxon's test that differences are symmetric about 0."""
    if not differences.any():
        return 1.0
    return float(_stats.wilcoxon(differences).pvalue)


def _rank(gap: float, others: pd.Series) -> float:
    """The share of the others that are smaller, equal ones counting half."""
    return float(((others < gap).sum() + 0.5 * (others == gap).sum()) / len(others))


def student_interval(values: np.ndarray) -> tuple[float, float]:
    """Student's interval for the mean."""
    error = float(_stats.sem(values))
    margin = float(_stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)) * error
    return float(values.mean()) - margin, float(values.mean()) + margin
