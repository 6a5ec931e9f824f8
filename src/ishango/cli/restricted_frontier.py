"""`ishango restricted frontier`: the best and the worst system of each number of words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ishango.cli.output import console, decimals, figures_table, print_json
from ishango.cli.outputs import ready
from ishango.cli.parsing import parse, parse_sizes
from ishango.cli.waiting import waiting
from ishango.numerals import Need
from ishango.numerals.need import NeedSpec
from ishango.numerals.system import check_range
from ishango.options import UpTo
from ishango.restricted import NEED, WEBER, restricted_frontier
from ishango.restricted.against_chance import point_record
from ishango.restricted.term_system import KINDS

LONGEST = 40
"""Characters of a system in a table for people; JSON has all of it."""


@dataclass(frozen=True)
class RestrictedFrontier:
    """Find the least and the greatest communicative cost of each number of words, over all systems of intervals.

    Exact restricted systems are determined by their number of words; for approximate ones dynamic programming over
    all partitions of the range into intervals finds the optimum, so it is exact.

    Example: ishango restricted frontier --sizes 2-10
    """

    kind: Literal["both", "approximate", "exact restricted"] = "both"
    """Which frontier."""
    sizes: str = "2-10"
    """Numbers of words, such as 2-10 or 3,5."""
    need: NeedSpec = NEED
    """How often each number is needed."""
    upto: UpTo = 100
    """The largest number."""
    weber: float = WEBER
    """The Weber fraction of approximate words."""
    figures: Path | None = None
    """Also write the plane with both frontiers and human languages into this directory."""
    json: bool = False
    """Print one JSON document instead of tables."""


def main(arguments: list[str]) -> int:
    """Parse, search, print."""
    command = parse(RestrictedFrontier, "restricted frontier", arguments)
    check_range(command.upto)
    sizes = parse_sizes(command.sizes)
    ready(command.figures)
    kinds = KINDS if command.kind == "both" else (command.kind,)
    with waiting("searching the frontiers"):
        points = [
            point_record(point)
            for kind in kinds
            for point in restricted_frontier(kind, sizes, command.need, command.upto, command.weber)
        ]
        if command.figures:
            write_plane(command)
    if command.json:
        problem = {"range": command.upto, "need": str(Need.parse(command.need)), "weber": command.weber}
        print_json({"problem": problem, "points": points})
    else:
        _print(points)
    return 0


def write_plane(command: RestrictedFrontier) -> None:
    """Both frontiers whole, whatever sizes are listed: they are one picture."""
    # Drawing libraries take a second to load, and most calls draw nothing.
    from ishango.figures.restricted_figures import restricted_plane_figure
    from ishango.figures.save import save
    from ishango.restricted.against_chance import restricted_frontier_table, restricted_language_table

    assert command.figures is not None
    table = restricted_frontier_table(need=command.need, upto=command.upto, weber=command.weber)
    languages = restricted_language_table(need=command.need, upto=command.upto, weber=command.weber)
    save(restricted_plane_figure(table, languages), command.figures, "restricted-plane", table)


def _print(points: list[dict[str, Any]]) -> None:
    table = figures_table(("kind", "best", "worst"), ("words", "complexity", "least cost", "greatest cost"))
    for point in points:
        table.add_row(
            point["kind"],
            _short(point["system"]),
            _short(point["worst"]),
            str(point["size"]),
            str(point["complexity"]),
            decimals(point["cost"], 4),
            decimals(point["worst_cost"], 4),
        )
    console().print(table)


def _short(system: str) -> str:
    return system if len(system) <= LONGEST else f"{system[: LONGEST - 1]}…"
