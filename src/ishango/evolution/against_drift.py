"""Comparing runs: where they end, and whether those of agents end elsewhere than those of a coin.

Tables come from `ishango.lab.rounds_table`: a row a round, with the columns `run`, `start`, `seed`, `choose` and `add`
of the config beside the fields of the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ishango.evolution.strength import LEVEL, pooled_strength, strength_by_run

GROUP = ["add", "choose"]
"""Runs that are pooled: one reading of m0 and m1, and one way to decide."""


def ends(rounds: pd.DataFrame) -> pd.DataFrame:
    """One row a run: gap, size and average complexity before the first and after the last round."""
    keys = ["run", "start", "seed", *GROUP]
    figures = ["gap", "size", "average_complexity"]
    ordered = rounds.sort_values(["run", "round"])
    first, last = (ordered.groupby("run", sort=False)[[*keys, *figures]].nth(i) for i in (0, -1))
    before = first.set_index("run")[figures].add_suffix("_before")
    return last.set_index("run").join(before).reset_index()


def by_start(rounds: pd.DataFrame) -> pd.DataFrame:
    """For each group and start: how many runs, their final gaps (least, median, greatest) and median final size."""
    grouped = ends(rounds).groupby([*GROUP, "start"])
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
    rows = [
        {**dict(zip(GROUP, key, strict=True)), "runs": runs["run"].nunique(), **vars(pooled_strength(runs))}
        for key, runs in rounds.groupby(GROUP)
    ]
    return pd.DataFrame(rows)


def selection_by_run(rounds: pd.DataFrame) -> pd.DataFrame:
    """The strength of selection of each run, beside its group, start and seed."""
    runs = rounds.drop_duplicates("run")[["run", *GROUP, "start", "seed"]]
    return runs.merge(strength_by_run(rounds), on="run")


@dataclass(frozen=True)
class Comparison:
    """Final gaps of one group against those of the coin from the same starts, under the same reading."""

    add: str
    choose: str
    starts: int
    difference: float
    """Mean over starts of the mean final gap minus the coin's; negative means nearer the frontier."""
    low: float
    high: float
    p: float
    """Wilcoxon's signed-rank test over starts."""
    rank: float
    """Mean share of the coin's runs from the same start that end nearer the frontier; 0.5 if there is no difference."""
    rank_low: float
    rank_high: float


def against_coin(rounds: pd.DataFrame) -> pd.DataFrame:
    """Every other group compared with the coin under the same reading, paired over starts."""
    finals = ends(rounds).dropna(subset="gap")
    rows: list[dict[str, Any]] = []
    for key, group in finals.groupby(GROUP):
        add, choose = map(str, key)
        coin = finals[(finals["add"] == add) & (finals["choose"] == "coin")]
        shared = sorted(set(group["start"]) & set(coin["start"]))
        if choose != "coin" and len(shared) > 1:
            pairs = group[group["start"].isin(shared)], coin[coin["start"].isin(shared)]
            rows.append(vars(_compare(add, choose, *pairs)))
    return pd.DataFrame(rows, columns=list(Comparison.__dataclass_fields__))


def _compare(add: str, choose: str, group: pd.DataFrame, coin: pd.DataFrame) -> Comparison:
    differences = group.groupby("start")["gap"].mean() - coin.groupby("start")["gap"].mean()
    ranks = group.apply(lambda run: _rank(run["gap"], coin.loc[coin["start"] == run["start"], "gap"]), axis=1)
    low, high = student_interval(differences.to_numpy())
    # Runs from one start share their luck, so ranks are averaged within a start before they are compared.
    rank_means = ranks.groupby(group["start"]).mean().to_numpy()
    rank_low, rank_high = student_interval(rank_means)
    return Comparison(
        add,
        choose,
        len(differences),
        float(differences.mean()),
        low,
        high,
        _signed_rank(differences.to_numpy()),
        float(rank_means.mean()),
        rank_low,
        rank_high,
    )


def _signed_rank(differences: np.ndarray) -> float:
    """The p-value of Wilcoxon's test that differences are symmetric about 0."""
    if not differences.any():
        return 1.0
    result: Any = stats.wilcoxon(differences)
    return float(result.pvalue)


def _rank(gap: float, others: pd.Series) -> float:
    """The share of the others that are smaller, equal ones counting half."""
    return float(((others < gap).sum() + 0.5 * (others == gap).sum()) / len(others))


def student_interval(values: np.ndarray) -> tuple[float, float]:
    """Student's interval for the mean."""
    error = float(stats.sem(values))
    margin = float(stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)) * error
    return float(values.mean()) - margin, float(values.mean()) + margin
