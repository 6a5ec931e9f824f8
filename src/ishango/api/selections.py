"""Needs that are files: one name must mean one need wherever runs are compared, with each other or with what is new."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.analysis.comparable import group_columns, modifies, settled, uses_agents, without_copies
from ishango.api.frontiers import Shown
from ishango.errors import RequestError, RunWarning, require
from ishango.extensions import needs
from ishango.lab import RunView
from ishango.lab.tables import named_runs
from ishango.languages.catalogue import last_lexicons
from ishango.numerals import Need
from ishango.numerals.need import NEEDS


def refuse_two_needs_of_one_name(directories: Sequence[Path]) -> None:
    """Refuse runs of one need's name that was not one need: a file may have changed between them."""
    first: dict[str, tuple[str, Path]] = {}
    for view in _views(directories):
        for name, digest in view.inputs.items():
            known, where = first.setdefault(name, (digest, view.directory))
            if known != digest and name.partition(":")[0] in NEEDS:
                raise RequestError(
                    f"What {name} holds was changed between the runs in {where} and in {view.directory}, which cannot"
                    " be compared; leave one of them out."
                )


def refuse_changed_needs(directories: Sequence[Path]) -> None:
    """Refuse runs that were measured by a need which is another one today.

    What they recorded would stand beside what is computed now.
    """
    today: dict[str, dict[str, str]] = {}  # each file is read once, however many runs it was given to
    for view in _views(directories):
        need = view.config.get("eval_need") or view.config.get("need")
        if isinstance(need, str):
            today[need] = today.get(need) or Need.parse(need).inputs
            view.refuse_changed(today[need])


def _views(directories: Sequence[Path]) -> Iterator[RunView]:
    """The runs that can be read: who reads their rounds tells of the others."""
    views = (RunView.look(run) for run in named_runs(directories).values())
    return (view for view in views if view is not None)


# `ishango.selection`: do runs select, and do they end nearer the frontier than a coin's?

FIGURES = ("size", "average_complexity", "gap", "delta_average", "delta_size", "changed")
"""What is compared: columns of numbers."""
COPIES = "runs that are copies of others, which count once"


@dataclass(frozen=True, repr=False)
class Selection(Shown):
    """What runs show of selection, as tables by name: `selection["against_coin"]`."""

    rounds: pd.DataFrame
    """All rounds of all runs that were compared."""
    tables: Mapping[str, pd.DataFrame]
    """`ends`, `lexicons`, `selection`, `two_axes`, `at_equal_novelty`, `restoring_force`, `against_coin`, `judges`,
    `selection_by_run`; and `against`, where a group was named."""
    copies: int = 0
    """Runs that were left out because they are copies of others."""

    def __getitem__(self, name: str) -> pd.DataFrame:
        return self.tables[name]

    def facts(self) -> dict[str, str]:
        """How many runs were compared, and the tables there are."""
        shown = {name: len(table) for name, table in self.tables.items() if len(table)}
        return {
            "selection": f"{self.rounds['run'].nunique()} runs",
            **({"left out": f"{self.copies} {COPIES}"} if self.copies else {}),
            "tables": ", ".join(f"{name} ({rows} {'row' if rows == 1 else 'rows'})" for name, rows in shown.items()),
        }

    def to_frame(self) -> pd.DataFrame:
        """The strength of selection of each group of runs; `selection[NAME]` has the other tables."""
        return self.tables["selection"]


def selection(
    *directories: Path | str, against: Mapping[str, Any] | None = None, rounds: int | None = None
) -> Selection:
    """Compare runs: where they end, how strongly they select, and whether a coin does as well.

    Runs are pooled that differ only in start, seed and rounds. `ishango selection` prints the same; docs/evolution.md
    explains it.

    Args:
        directories: directories of runs or sweeps; a run counts once, however many copies of it are found.
        against: fields of the config and their values, which name a group of runs, such as `{"learners": "same"}`: all
            others are compared with it as they are with the coin.
        rounds: how many rounds of each run are looked at; all if not given. Runs that have played fewer are left out.

    Returns:
        Tables by name. They need the extra `report`.

    >>> from tempfile import TemporaryDirectory
    >>> from ishango import evolve
    >>> with TemporaryDirectory() as directory:
    ...     for choose in ("coin", "shorter"):
    ...         _ = evolve(7, f"{directory}/{choose}", rounds=20, choose=choose)
    ...     found = selection(directory)
    >>> found["ends"]["choose"].tolist()
    ['coin', 'shorter']
    """
    needs("report", "Comparisons of runs")
    found, copies = read_runs([Path(each) for each in directories])
    return replace(compare(first_rounds(found, rounds), against), copies=copies)


def comparable(rounds: pd.DataFrame) -> pd.DataFrame:
    """Rounds with settled configs and with numbers where numbers are compared."""
    rounds = settled(rounds)
    for name in ("delta_size", "changed"):
        if name not in rounds:  # no run is from after it began to be recorded
            rounds = rounds.assign(**{name: math.nan})
    return with_numbers(rounds, FIGURES, needed=["size"])


def compare(rounds: pd.DataFrame, others: Mapping[str, Any] | None = None) -> Selection:
    """The tables of runs whose rounds are there."""
    from ishango.analysis import ends, selection  # SciPy is an extra

    rounds = comparable(rounds)
    tables = {
        "ends": ends.by_start(rounds),
        "lexicons": _lexicons(rounds),
        "selection": _known(selection.selection(rounds)),
        "two_axes": selection.selection_on_two_axes(rounds),
        "at_equal_novelty": selection.selection_at_equal_novelty(rounds),
        "restoring_force": ends.restoring_forces(rounds),
        "against_coin": ends.against_coin(rounds),
        **({"against": ends.against(rounds, others)} if others else {}),
        "judges": ends.judges_noise(rounds),
        "selection_by_run": _known(selection.selection_by_run(_decided_by_agents(rounds), group_columns(rounds))),
    }
    return Selection(rounds, tables)


def read_runs(directories: Sequence[Path]) -> tuple[pd.DataFrame, int]:
    """All rounds of all runs below the directories, and how many runs were left out because they are copies of others.

    A run counts once, wherever its copies lie (`ishango.analysis.comparable.without_copies`); a warning says how many
    were left out.
    `run` is the run's name below the directory that was given, with that directory's name before it, or the whole path
    where two runs would have one name.
    """
    if not directories:
        raise RequestError("There is nothing to compare; give directories of runs.")
    from ishango.lab import rounds_table  # what it needs is an extra

    refuse_two_needs_of_one_name(directories)
    rounds, copies = without_copies(rounds_table(directories))
    if copies:
        warnings.warn(f"Left out: {copies} {COPIES}.", RunWarning, stacklevel=2)
    if len(directories) > 1:
        return rounds, copies  # with their directories' names, which tell them apart
    return rounds.assign(run=f"{directories[0].resolve().name}/" + rounds["run"].astype(str)), copies


def first_rounds(rounds: pd.DataFrame, count: int | None) -> pd.DataFrame:
    """The rounds up to that one of runs that have played it; all rounds where no number is given."""
    if count is None:
        return rounds
    require(count >= 1, "rounds", count, "1 or more")
    played = rounds.groupby("run")["round"].transform("max") >= count
    if not played.any():
        raise RequestError(f"No run has played {count:,} rounds; give fewer.")
    return rounds[played & (rounds["round"] <= count)].assign(rounds=count)


def with_numbers(rounds: pd.DataFrame, columns: Sequence[str], needed: Sequence[str] = ()) -> pd.DataFrame:
    """The table with these columns as numbers; text in one of them, or nothing where one is needed, is damage."""
    for name in columns:
        try:
            numbers = pd.to_numeric(rounds[name])
        except (ValueError, TypeError, KeyError):
            raise RequestError(f"What the runs recorded as {name} are not numbers; leave damaged runs out.") from None
        if name in needed and numbers.isna().any():
            run = rounds.loc[numbers.isna(), "run"].iloc[0]
            raise RequestError(f"The run {run} has rounds without {name}, so it is damaged; leave it out.")
        rounds = rounds.assign(**{name: numbers})
    return rounds


def _decided_by_agents(rounds: pd.DataFrame) -> pd.DataFrame:
    return rounds[uses_agents(rounds) & modifies(rounds)]


def _lexicons(rounds: pd.DataFrame) -> pd.DataFrame:
    """Of each group: how like human lexicons those are with which runs end."""
    by = group_columns(rounds)
    return last_lexicons(rounds, by).groupby(by, dropna=False).agg(
        runs=("size", "size"), size=("size", "median"), multipliers=("multipliers", "median"),
        single=("single", "mean"), based=("based", "mean"), distance=("distance", "median"),
    ).reset_index()  # fmt: skip


def _known(strengths: pd.DataFrame) -> pd.DataFrame:
    """Without the numbers of fits that are not determined: their intervals are infinite."""
    if strengths.empty:  # no run decided between two systems
        return strengths
    estimates = ["strength", "low", "high", "equivalent_within", "intercept"]
    known = ~strengths[["low", "high"]].isin([math.inf, -math.inf]).any(axis=1)
    return strengths.assign(**{name: strengths[name].astype(float).where(known) for name in estimates})
