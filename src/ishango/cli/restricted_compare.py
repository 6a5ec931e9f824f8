"""`ishango restricted compare`: where runs end, beside random systems and human ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import tyro

from ishango.api.selections import read_runs, refuse_changed_needs, with_numbers
from ishango.cli.output import console, data_table, print_json, records
from ishango.cli.outputs import ready
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.errors import RequestError
from ishango.game.options import EXACT
from ishango.restricted.against_chance import restricted_ends, summary

EXPLANATION = """Shares of runs of intervals and of exact restricted systems, and medians (of ranks: means).
regret: reward lost against the best use of the words offered; gap: bits above the least cost of the same complexity;
rewarded: the gap of that best use; random: the median gap of 1,000 random systems of as many intervals; rank: the share
of these that are better; ideal gap: for a listener who weighs numbers by need alone; variation: bits from the most
similar human system of as many words, with its rank among random ones. --json has more."""

SHOWN = {
    "runs": "runs", "silent": "silent", "words": "words", "intervals": "intervals", "exact": "exact",
    "regret": "regret", "gap": "gap", "gap_rewarded": "rewarded", "gap_random": "random", "gap_rank": "rank",
    "ideal_gap": "ideal gap", "variation": "variation", "variation_rank": "its rank",
}  # fmt: skip
"""Columns of the tables for people, and their headings."""


PLANE = ["range", "need", "weber"]
"""What a plane and its frontier depend on: runs that differ in it cannot be put together."""


@dataclass(frozen=True)
class RestrictedCompare:
    """Compare the runs below directories: which systems agents learned, and whether random ones are as good.

    Example: ishango restricted compare out/restricted
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIR ...")]
    """Directories of runs or sweeps."""
    figures: Path | None = None
    """Also write figures and the tables behind them into this directory."""
    json: bool = False
    """Print one JSON document instead of tables."""


def main(arguments: list[str]) -> int:
    """Parse, read, compare, print."""
    command = parse(RestrictedCompare, "restricted compare", arguments)
    rounds = _read(command.directories)
    refuse_changed_needs(command.directories)  # what is random and what is best are computed anew
    ready(command.figures)
    with waiting("comparing the runs"):
        finals = restricted_ends(rounds)
        by = (*_told(finals), "reward")
        tables = {"rewards": summary(finals, by), "vocabularies": summary(finals, (*by, "vocabulary"))}
        if command.figures:
            _write_figures(rounds, finals, command.figures)
    if command.json:
        print_json({**{name: records(table) for name, table in tables.items()}, "runs": records(_shown(finals))})
        return 0
    out = console()
    for table in tables.values():
        groups = [name for name in (*PLANE, "reward", "vocabulary") if name in table]
        out.print(data_table(table[[*groups, *SHOWN]].rename(columns=SHOWN)))
        out.print()
    out.print(EXPLANATION)
    return 0


def _told(finals: pd.DataFrame) -> list[str]:
    """What is told of a plane: its range, and whatever else varies."""
    return [name for name in PLANE if name == "range" or finals[name].nunique() > 1]


def _read(directories: tuple[Path, ...]) -> pd.DataFrame:
    rounds, _ = read_runs(directories)
    known = {"vocabulary", "complexity", "variation"} <= set(rounds.columns)
    strange = rounds[rounds["complexity"].isna()] if known else rounds
    if len(strange):
        raise RequestError(f"The run {strange['run'].iloc[0]} is not of ishango restricted train; give those that are.")
    return with_numbers(rounds, ["size", "complexity", "cost", "gap", "ideal_gap", "variation"], needed=["size"])


def _shown(finals: pd.DataFrame) -> pd.DataFrame:
    columns = (
        "run range need weber reward vocabulary seed words size kind contiguous complexity cost ideal_cost"
        " gap gap_random gap_rank gap_rewarded ideal_gap ideal_gap_random ideal_gap_rank"
        " nearest variation variation_random variation_rank variation_by_need mean_reward regret accuracy"
    )
    return finals[columns.split()]


def _write_figures(rounds: pd.DataFrame, finals: pd.DataFrame, directory: Path) -> None:
    # Drawing libraries take a second to load, and most calls draw nothing.
    from ishango.figures.restricted_figures import (
        restricted_ends_figure,
        restricted_learning_figure,
        restricted_plane_figure,
    )
    from ishango.figures.save import figure_name, save
    from ishango.restricted.against_chance import restricted_frontier_table, restricted_language_table

    shown, taken = _shown(finals), set[str]()
    for (upto, need, weber), here in shown.groupby(PLANE):
        setting: dict[str, Any] = {"need": need, "upto": upto, "weber": weber}
        name = figure_name((str(here[part].iloc[0]).replace(":", "-") for part in _told(finals)), taken)
        by_distance = here[here["reward"] != EXACT.name]
        chart = restricted_plane_figure(
            restricted_frontier_table(**setting), restricted_language_table(**setting), by_distance
        )
        save(chart, directory, f"restricted-agents-{name}", by_distance)
        save(restricted_ends_figure(here), directory, f"restricted-ends-{name}", here)
        columns = ["run", "reward", "vocabulary", "round", "steps", "gap", "size"]
        curves = rounds.loc[rounds["run"].isin(here["run"]), columns]
        save(restricted_learning_figure(curves), directory, f"restricted-learning-{name}", curves)
