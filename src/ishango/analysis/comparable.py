"""Which runs count, which may be pooled or compared, and which of them share their luck.

Tables are of `ishango.lab.rounds_table`: a row a round, with the fields of the config (at least `run`, `start`, `seed`,
`choose` and `add`) beside those of the record. Runs are pooled and compared by those fields that mattered to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd

from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, LEARNERS, SAME, EvolutionOptions
from ishango.game import GameOptions
from ishango.lab import config_of, flatten
from ishango.registry import OUTSIDE

ALWAYS = ["add", "choose"]
"""What groups of runs are always told apart by: the reading of m0 and m1, and who decides."""

_CHANCE = ("start", "seed", "rounds", "streams")
"""In these, runs of one group may differ."""

FRONTIER = ["grammar", "eval_need", "range"]
"""What determines the frontier that a run's gaps are measured from."""

_NUMBERS_OF_THE_GAME = "game.range"

_OF_AGENTS = [
    "steps", "pretraining", "notation", "reset_optimiser", "players", "learners", "judge", "arms",
    "contest", "config.practice", "criterion",
    *(name for each in fields(GameOptions)
      if (name := f"game.{OUTSIDE.get(each.name, each.name)}") != _NUMBERS_OF_THE_GAME),
]  # fmt: skip
"""What matters to those who decide by letting agents talk, and to others only if they say so."""

_OF_DECISIONS = [*_OF_AGENTS, "word", "judge_noise", "keep"]
"""What matters to some of those who decide; to drift, none of it."""

_DEFAULTS = flatten(config_of(EvolutionOptions()))

_ONCE = "before round 1 only"
"""Practice that those who join later do not have."""

_SAME_AS = {"eval_need": "need", "pretraining": "steps"}
"""Fields that, where they are left open, are as others."""

SHARED = "seed"
"""The option `streams` of runs whose random numbers come from the seed alone."""

_TOLD = ("digits", "multipliers", "alternative", "accepted")
"""Fields of records that tell one run from another of the same config."""


def units(rounds: pd.DataFrame) -> pd.Series:
    """The unit of each row: its run, or the whole seed where runs of one seed share their random numbers.

    A table without the column `streams` is of runs that did. Where there is no `seed` either, nothing can be shared.

    >>> table = pd.DataFrame({"run": ["a", "b", "c"], "seed": [0, 0, 0], "streams": ["seed", "seed", "run"]})
    >>> units(table).tolist()
    ['seed 0', 'seed 0', 'c']
    """
    runs = rounds["run"].astype(str)
    if "seed" not in rounds:
        return runs
    shared = rounds["streams"].fillna(SHARED) == SHARED if "streams" in rounds else pd.Series(True, rounds.index)
    return runs.where(~shared.astype(bool), "seed " + rounds["seed"].astype(str))


def under_start(rows: pd.DataFrame, value: pd.Series) -> pd.Series:
    """A number for each run (a row each), under its start and its unit."""
    starts = pd.MultiIndex.from_arrays([rows["start"].astype(str), units(rows)], names=["start", "unit"])
    return pd.Series(value.to_numpy(float), index=starts)


def without_copies(rounds: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The rounds of runs that are not copies of others, and how many runs were left out.

    A run is what it is, wherever it lies: two of one config (how many rounds it is to have aside) and seed, whose
    records agree as far as both have come, are one run. The one with more rounds counts.
    """
    columns = list(rounds.columns)
    configs = columns[1 : columns.index("round")] if columns[0] == "run" else config_columns(rounds)
    configs = [*(name for name in configs if name != "rounds"), *(n for n in ("start", "seed") if n not in configs)]
    runs = rounds.drop_duplicates("run").set_index("run")
    known = runs[[name for name in configs if name in runs]]
    alike = pd.Series([repr(row) for row in known.itertuples(index=False, name=None)], runs.index, dtype=object)
    doubtful = alike[alike.duplicated(keep=False)]
    told = [name for name in _TOLD if name in rounds] or [name for name in columns[columns.index("round") :]
                                                         if name not in ("seconds", "steps_per_second")]  # fmt: skip
    paths = {
        str(run): rows.sort_values("round")[told].astype(str).to_numpy().tolist()
        for run, rows in rounds[rounds["run"].isin(doubtful.index)].groupby("run", sort=False)
    }
    copies = [
        run for _, names in doubtful.groupby(doubtful) for run in _copies([str(each) for each in names.index], paths)
    ]
    return (rounds[~rounds["run"].isin(copies)].reset_index(drop=True) if copies else rounds), len(copies)


def _copies(names: Sequence[str], paths: Mapping[str, list[list[str]]]) -> list[str]:
    """Those of some runs of one config whose records are the beginning of another's."""
    counted, copies = list[str](), list[str]()
    for name in sorted(names, key=lambda each: -len(paths[each])):  # the longest first; of equal ones the first found
        mine = paths[name]
        begun = any(paths[other][: len(mine)] == mine for other in counted)
        (copies if begun else counted).append(name)
    return copies


def of_each_group(
    rounds: pd.DataFrame, measured: Callable[[pd.DataFrame], Mapping[str, Any]], modified: bool = True
) -> pd.DataFrame:
    """One row a group of those in which systems are modified, or of those in which they never are."""
    rounds, by = grouped(rounds, None)
    chosen = rounds[modifies(rounds) == modified]
    rows = [{**dict(zip(by, key, strict=True)), **measured(runs)} for key, runs in chosen.groupby(by, dropna=False)]
    return pd.DataFrame(rows)


def grouped(rounds: pd.DataFrame, by: Sequence[str] | None) -> tuple[pd.DataFrame, list[str]]:
    """The rounds with settled configs, and the columns to group them by."""
    rounds = settled(rounds)
    return rounds, group_columns(rounds) if by is None else list(by)


def settled(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds with configs that can be compared: what was left open is filled in, what did not matter is blank.

    Runs of another experiment are refused.
    """
    _refuse_others(rounds)
    known: dict[str, Any] = {}
    for name in config_columns(rounds):
        known[name] = rounds[name]
        if (default := _DEFAULTS[name]) is not None:  # runs recorded before there was the field have its default
            known[name] = _filled(rounds[name], default)
    for name, other in _SAME_AS.items():
        if other in known:
            known[name] = _filled(known.get(name, known[other]), _meant(name, known))
    for name in _OF_DECISIONS:
        mattered = matters(rounds, name)
        if name in known and not mattered.all():
            known[name] = known[name].astype(object).where(mattered, np.nan)
    return rounds.assign(**known)


def _meant(name: str, known: Mapping[str, pd.Series] | pd.DataFrame) -> pd.Series:
    """What a field that was left open stands for.

    Where practice before round 1 would be lost, there is none; where some of it lasts and new agents come with each
    round, these practise only if a number is given.
    """
    other = known[_SAME_AS[name]]
    if name != "pretraining" or "learners" not in known:
        return other
    unpractised = [each for each, learners in LEARNERS.items() if not learners.practised]
    joined = [each for each in LEARNERS if each not in (SAME.name, *unpractised)]
    other = other.mask(known["learners"].isin(unpractised), 0)
    once = known["learners"].isin(joined)
    return other.astype(object).mask(once, _ONCE) if once.any() else other


def group_columns(rounds: pd.DataFrame) -> list[str]:
    """The columns of settled rounds by which runs are grouped: every field that varies where it matters."""
    runs = rounds.drop_duplicates("run")
    varying = [name for name in config_columns(runs) if _varies(runs.loc[matters(runs, name), name])]
    # A field that only repeats what another says tells nothing.
    repeated = [name for name in _SAME_AS if name in runs and _same(runs[name], _meant(name, runs))]
    return [*ALWAYS, *(name for name in varying if name not in (*ALWAYS, *repeated))]


def mechanism_columns(rounds: pd.DataFrame) -> list[str]:
    """The columns that tell mechanisms apart, of runs of any experiment: what varies in their configs, but chance.

    Configs of other experiments than Algorithm 1 have other fields; nothing of theirs is left out for not mattering.
    """
    if of_algorithm_1(rounds).all():
        return group_columns(rounds)
    columns = list(rounds.columns)
    runs = rounds.drop_duplicates("run")
    configs = [name for name in columns[1 : columns.index("round")] if name not in _CHANCE]
    return [name for name in configs if _varies(runs.loc[matters(runs, name), name].astype(str))]


def path_columns(rounds: pd.DataFrame) -> list[str]:
    """The columns of settled rounds in which a run must agree with one that drifts, to be compared with it."""
    return [name for name in config_columns(rounds) if name not in ("choose", "need", *_OF_DECISIONS)]


def uses_agents(rounds: pd.DataFrame) -> pd.Series:
    """Whether agents talked; also where it is not known here who decided."""
    return ~_decided_by(rounds, [name for name, chooser in CHOOSERS.items() if not chooser.uses_agents])


def modifies(rounds: pd.DataFrame) -> pd.Series:
    """Whether there were alternatives to decide about; also where it is not known here who decided."""
    return ~_decided_by(rounds, [name for name, chooser in CHOOSERS.items() if not chooser.modifies])


def matters(rounds: pd.DataFrame, name: str) -> pd.Series:
    """Whether a field of the config mattered to those who decided; also where it is not known here who did."""
    if name not in _OF_DECISIONS:
        return pd.Series(True, rounds.index)
    unmoved = [
        each for each, chooser in CHOOSERS.items()
        if name not in chooser.reads and not (chooser.uses_agents and name in _OF_AGENTS)
    ]  # fmt: skip
    return ~_decided_by(rounds, unmoved)


def _decided_by(rounds: pd.DataFrame, choosers: Sequence[str]) -> pd.Series:
    """Whether one of some choosers decided; in experiments without choosers none did."""
    return rounds["choose"].isin(choosers) if "choose" in rounds else pd.Series(False, rounds.index)


def of_algorithm_1(rounds: pd.DataFrame) -> pd.Series:
    """Which rounds are of Algorithm 1: somebody decided in them, and not about systems of several kinds."""
    decided = rounds["choose"].notna() if "choose" in rounds else pd.Series(False, rounds.index)
    return decided & rounds["kind"].isna() if "kind" in rounds else decided


def _refuse_others(rounds: pd.DataFrame) -> None:
    strange = rounds[~of_algorithm_1(rounds)]
    if len(strange):
        raise RequestError(
            f"The run {strange['run'].iloc[0]} was not played by Algorithm 1 (ishango evolve), and only such runs"
            " are compared here; ishango typology and ishango table take others, too."
        )


def config_columns(rounds: pd.DataFrame) -> list[str]:
    """The fields of the config that runs of one group share."""
    return [name for name in _DEFAULTS if name in rounds and name not in _CHANCE]


def rounds_if_they_vary(rounds: pd.DataFrame) -> list[str]:
    """The column that tells runs apart which played for longer than others, where it matters how far they came."""
    return ["rounds"] if "rounds" in rounds and _varies(rounds["rounds"]) else []


def _filled(column: pd.Series, value: Any) -> pd.Series:
    """The column with a value, or those of another column, where it has none."""
    return column.astype(object).where(column.notna(), value) if column.isna().any() else column


def _varies(values: pd.Series) -> bool:
    return values.nunique(dropna=False) > 1


def _same(one: pd.Series, other: pd.Series) -> bool:
    return bool(((one == other) | (one.isna() & other.isna())).all())
