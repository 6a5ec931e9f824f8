"""`ishango selection`: do runs select, and do they end nearer the frontier than a coin's?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pandas as pd
import tyro

from ishango.cli.output import console, data_table, print_json, records
from ishango.cli.parsing import parse
from ishango.evolution.against_drift import against_coin, by_start, ends, selection, selection_by_run
from ishango.evolution.choosers import CHOOSERS, DRIFT
from ishango.frontier import Problem, frontier_value
from ishango.lab import rounds_table


@dataclass(frozen=True)
class Selection:
    """Compare the runs below directories: where they end, how strongly they select, and whether a coin does as well.

    Runs are pooled by the reading of m0 and m1 (add) and by who decides (choose). The strength of selection is the
    change in the log odds of keeping an alternative for each symbol by which it is shorter on average.

    Example: ishango selection out/agents out/drift out/oracle
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """Directories of runs or sweeps."""
    figures: Path | None = None
    """Also write figures and the tables behind them into this directory."""
    json: bool = False
    """Print one JSON document instead of tables."""


def main(arguments: list[str]) -> int:
    """Parse, read, compare, print."""
    command = parse(Selection, "selection", arguments)
    rounds = pd.concat([_read(directory) for directory in command.directories], ignore_index=True)
    tables = {
        "ends": by_start(rounds),
        "selection": selection(rounds),
        "against_coin": against_coin(rounds),
        "selection_by_run": selection_by_run(rounds[rounds["choose"] == "bandit"]),
    }
    if command.figures:
        _write_figures(rounds, tables["selection"], command.figures)
    if command.json:
        print_json({name: records(table) for name, table in tables.items()})
        return 0
    out = console()
    for name, heading in HEADINGS.items():
        if len(tables[name]):
            out.print(heading, style="bold")
            out.print(data_table(tables[name]))
            out.print()
    return 0


HEADINGS = {
    "ends": "Where runs end (gap to the proved frontier: least, median, greatest)",
    "selection": "Strength of selection, pooled (95 % intervals from resampling runs)",
    "against_coin": "Final gaps against the coin's, paired over starts (rank: share of coin runs that end nearer)",
    "selection_by_run": "Strength of selection of each run of agents",
}


def _write_figures(rounds: pd.DataFrame, strengths: pd.DataFrame, directory: Path) -> None:
    # Drawing libraries take a second to load, and most calls draw nothing.
    from ishango.figures.evolution_figures import ends_figure, selection_figure, trajectories_figure
    from ishango.figures.save import save

    table = ends(rounds)[["add", "choose", "start", "seed", "gap", "gap_before", "size", "size_before"]]
    table = table.assign(who=[CHOOSERS[name].label for name in table["choose"]])
    drifted = table["choose"] == DRIFT.name
    save(ends_figure(table[~drifted], table[drifted]), directory, "ends", table)
    named = strengths.assign(group=strengths["choose"] + ", " + strengths["add"])
    save(selection_figure(named), directory, "selection", named)
    agents = rounds[(rounds["choose"] == "bandit") & (rounds["add"] == "lowest") & rounds["gap"].notna()]
    if len(agents):
        paths = agents[["run", "start", "seed", "round", "size", "average_complexity", "gap"]]
        paths = paths[paths["seed"] == paths["seed"].min()]
        sizes = range(2, int(paths["size"].max()) + 2)
        frontier = pd.DataFrame(
            {"size": sizes, "average_complexity": [frontier_value(size, Problem()) for size in sizes]}
        )
        save(trajectories_figure(paths, frontier), directory, "trajectories", paths)


def _read(directory: Path) -> pd.DataFrame:
    rounds = rounds_table(directory)
    # Names of runs are unique within a directory only.
    return rounds.assign(run=f"{directory.name}/" + rounds["run"].astype(str))
