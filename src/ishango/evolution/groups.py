"""What groups of runs did: where they end, how strongly they select, whether their lexicons return to some size.

Tables come from `ishango.lab.rounds_table`: a row a round, with the fields of the config (at least `run`, `start`,
`seed`, `choose` and `add`) beside those of the record. Runs are grouped by the fields of their configs that vary
(`ishango.evolution.comparable` says how), or by the columns that are given as `by`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from ishango.evolution.comparable import group_columns, modifies, rounds_if_they_vary, settled
from ishango.evolution.judge_noise import judge_noise
from ishango.evolution.restoring_force import pull
from ishango.evolution.strength import pooled_strength, strength_by_run
from ishango.evolution.two_axes import two_axes


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
    by = [*by, *rounds_if_they_vary(rounds)]
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


def _grouped(rounds: pd.DataFrame, by: Sequence[str] | None) -> tuple[pd.DataFrame, list[str]]:
    """The rounds with settled configs, and the columns to group them by."""
    rounds = settled(rounds)
    return rounds, group_columns(rounds) if by is None else list(by)
