"""Comparing runs: where they end, and whether those of agents end elsewhere than those of a coin.

Tables come from `ishango.lab.rounds_table`: a row a round, with the fields of the config (at least `run`, `start`,
`seed`, `choose` and `add`) beside those of the record. Runs are grouped by the fields of their configs that vary
(`ishango.evolution.comparable` says how), or by the columns that are given as `by`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats  # pyright: ignore[reportMissingTypeStubs]

from ishango.evolution.choosers import DRIFT
from ishango.evolution.comparable import group_columns, modifies, path_columns, settled
from ishango.evolution.judge_noise import judge_noise
from ishango.evolution.restoring_force import pull
from ishango.evolution.stratified import LEVEL, contrast
from ishango.evolution.strength import pooled_strength, strength_by_run
from ishango.evolution.two_axes import two_axes

_stats: Any = stats


def ends(rounds: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """One row a run: gap, size and average complexity before the first and after the last round."""
    return _ends(*_grouped(rounds, by))


def _ends(rounds: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    keys = ["run", "start", "seed", *by]
    figures = ["gap", "size", "average_complexity"]
    ordered = rounds.sort_values(["run", "round"])
    first, last = (ordered.groupby("run", sort=False)[[*keys, *figures]].nth(i) for i in (0, -1))
    before = first.set_index("run")[figures].add_suffix("_before")
    return last.set_index("run").join(before).reset_index()


def by_start(rounds: pd.DataFrame) -> pd.DataFrame:
    """For each group and start: how many runs, their final gaps (least, median, greatest) and median final size."""
    rounds, by = _grouped(rounds, None)
    grouped = _ends(rounds, by).groupby([*by, "start"], dropna=False)
    return grouped.agg(
        runs=("run", "size"),
        gap_before=("gap_before", "first"),
        gap_least=("gap", "min"),
        gap=("gap", "median"),
        gap_greatest=("gap", "max"),
        size_before=("size_before", "first"),
        size=("size", "median"),
    ).reset_index()


def selection(rounds: pd.DataFrame) -> pd.DataFrame:
    """The pooled strength of selection of each group."""
    return _of_each_group(rounds, lambda runs: {"runs": runs["run"].nunique(), **vars(pooled_strength(runs))})


def selection_on_two_axes(rounds: pd.DataFrame) -> pd.DataFrame:
    """Selection for length and for size in each group."""
    return _of_each_group(rounds, lambda runs: vars(two_axes(runs)))


def restoring_forces(rounds: pd.DataFrame) -> pd.DataFrame:
    """Whether lexicons of each group return to some size."""
    return _of_each_group(rounds, lambda runs: vars(pull(runs)))


def judges_noise(rounds: pd.DataFrame) -> pd.DataFrame:
    """How noisy the judges are of groups in which both arms are the same system."""
    return _of_each_group(rounds, lambda runs: vars(judge_noise(runs)), modified=False)


def _of_each_group(
    rounds: pd.DataFrame, measured: Callable[[pd.DataFrame], Mapping[str, Any]], modified: bool = True
) -> pd.DataFrame:
    """One row a group of those in which systems are modified, or of those in which they never are."""
    rounds, by = _grouped(rounds, None)
    chosen = rounds[modifies(rounds) == modified]
    rows = [{**dict(zip(by, key, strict=True)), **measured(runs)} for key, runs in chosen.groupby(by, dropna=False)]
    return pd.DataFrame(rows)


def selection_by_run(rounds: pd.DataFrame, by: Sequence[str] | None = None) -> pd.DataFrame:
    """The strength of selection of each run, beside its group, start and seed."""
    rounds, by = _grouped(rounds, by)
    runs = rounds.drop_duplicates("run")[["run", *by, "start", "seed"]]
    return runs.merge(strength_by_run(rounds), on="run")


@dataclass(frozen=True)
class Comparison:
    """Final gaps of one group against those of the coin from the same starts, under the same reading."""

    starts: int
    difference: float
    """Mean over starts of the mean final gap minus the coin's; negative means nearer the frontier."""
    low: float
    high: float
    p: float
    """Wilcoxon's signed-rank test over starts."""
    permutation_p: float
    """The permutation test of that difference: who decided is shuffled among the runs from each start."""
    rank: float
    """Mean share of the coin's runs from the same start that end nearer the frontier; 0.5 if there is no difference."""
    rank_low: float
    rank_high: float


def against_coin(rounds: pd.DataFrame) -> pd.DataFrame:
    """Every other group compared with the coin, paired over starts, where all agrees that the coin's way depends on."""
    rounds, by = _grouped(rounds, None)
    shared = path_columns(rounds)
    finals = _ends(rounds[modifies(rounds)], list(dict.fromkeys([*by, *shared]))).dropna(subset="gap")
    rows: list[dict[str, Any]] = []
    for _, alike in finals.groupby(shared, dropna=False):
        coin = alike[alike["choose"] == DRIFT.name]
        for key, group in alike[alike["choose"] != DRIFT.name].groupby(by, dropna=False):
            starts = set(group["start"]) & set(coin["start"])
            if len(starts) > 1:
                pair = (runs[runs["start"].isin(starts)] for runs in (group, coin))
                rows.append({**dict(zip(by, key, strict=True)), **vars(_compare(*pair))})
    return pd.DataFrame(rows, columns=[*by, *Comparison.__dataclass_fields__])


def _grouped(rounds: pd.DataFrame, by: Sequence[str] | None) -> tuple[pd.DataFrame, list[str]]:
    """The rounds with settled configs, and the columns to group them by."""
    rounds = settled(rounds)
    return rounds, group_columns(rounds) if by is None else list(by)


def _compare(group: pd.DataFrame, coin: pd.DataFrame) -> Comparison:
    differences = group.groupby("start")["gap"].mean() - coin.groupby("start")["gap"].mean()
    ranks = pd.Series(
        [
            _rank(gap, coin.loc[coin["start"] == start, "gap"])
            for gap, start in zip(group["gap"], group["start"], strict=True)
        ],
        index=group.index,
    )
    low, high = student_interval(differences.to_numpy())
    # Runs from one start share their luck, so ranks are averaged within a start before they are compared.
    rank_means = ranks.groupby(group["start"]).mean().to_numpy()
    rank_low, rank_high = (min(max(end, 0.0), 1.0) for end in student_interval(rank_means))  # a share is in 0..1
    return Comparison(
        len(differences),
        float(differences.mean()),
        low,
        high,
        _signed_rank(differences.to_numpy()),
        contrast(*(runs.set_index("start")["gap"] for runs in (group, coin))).p,
        float(rank_means.mean()),
        rank_low,
        rank_high,
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
