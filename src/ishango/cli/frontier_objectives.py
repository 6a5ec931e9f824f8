"""`ishango frontier --objectives ...`: a front of any costs, estimated."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from rich.table import Table

from ishango.cli.frontier_progress import FrontierReporter
from ishango.cli.output import console, print_json
from ishango.cli.outputs import ready
from ishango.costs import COSTS, TradeOff, TradeOffs, estimate_tradeoffs
from ishango.errors import RequestError
from ishango.frontiers import Problem, frontier_value
from ishango.numerals import Need, as_grammar, format_set
from ishango.safe_files import write

POPULATION = 200
FILE = "objectives"
ABOVE = "above_proved_length"
"""How far a system is above the proved least length of its size."""
LABEL = "An estimate by NSGA-II: nothing here is proved, and better systems may exist."


def show_tradeoffs(asked: TradeOffs, out: Path | None, as_json: bool) -> int:
    """Estimate, write, print."""
    described = _described(asked)
    if out is not None:
        ready(out)
        _check_directory(out, described)
    with FrontierReporter(asked.generations, None) as reporter:
        found = estimate_tradeoffs(asked, reporter.tradeoffs)
    if not found:
        raise RequestError("No system of these sizes that covers the range was found; allow more generations or sizes.")
    points = [_record(asked, each) for each in found]
    document = {"problem": described, "estimate": True, "note": LABEL, "points": points}
    if out is not None:
        write(out / f"{FILE}.json", (json.dumps(document, indent=1) + "\n").encode(), goes_on=False)
        write(out / f"{FILE}.csv", _csv(points).encode(), goes_on=False)
    if as_json:
        print_json(document)
    else:
        console().print(_table(points))
        console().print(LABEL)
    return 0


def _described(asked: TradeOffs) -> dict[str, Any]:
    return {
        "grammar": asked.grammar,
        "rules": as_grammar(asked.grammar).record,
        "need": str(asked.need),
        "range": asked.upto,
        "sizes": list(asked.sizes),
        "objectives": list(asked.objectives),
        "method": "nsga2",
        "population": asked.population,
        "generations": asked.generations,
        "seed": asked.seed,
    }


def _check_directory(directory: Path, described: dict[str, Any]) -> None:
    """Refuse to write over the front of something else."""
    existing = directory / f"{FILE}.json"
    if existing.is_file():
        try:
            other = json.loads(existing.read_text(encoding="utf-8"))["problem"]
        except (ValueError, KeyError, TypeError):
            other = None
        if other != described:
            raise RequestError(f"{existing} is something else; choose another directory for --out.")


def _record(asked: TradeOffs, found: TradeOff) -> dict[str, Any]:
    record: dict[str, Any] = {
        "digits": list(found.system.digits),
        "multipliers": list(found.system.multipliers),
        **{name: int(value) if value == int(value) else value for name, value in found.costs.items()},
    }
    if {"size", "length"} <= set(asked.objectives):
        least = frontier_value(found.system.size, Problem(asked.grammar, Need.parse(asked.need), asked.upto))
        record[ABOVE] = None if least is None else max(0.0, found.costs["length"] - least)
    return record


def _csv(points: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(points[0]), lineterminator="\n")
    writer.writeheader()
    for point in points:
        words = {name: " ".join(map(str, point[name])) for name in ("digits", "multipliers")}
        writer.writerow(point | words)
    return text.getvalue()


def _table(points: list[dict[str, Any]]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    costs = [name for name in points[0] if name not in ("digits", "multipliers")]
    for name in costs:
        heading = "above the proved length" if name == ABOVE else COSTS[name].label
        table.add_column(heading, justify="right")
    for name in ("digits", "multipliers"):
        table.add_column(name)
    for point in points:
        figures = [_figure(point[name]) for name in costs]
        table.add_row(*figures, format_set(point["digits"]), format_set(point["multipliers"]))
    return table


def _figure(value: float | None) -> str:
    return "unknown" if value is None else str(value) if isinstance(value, int) else f"{value:.4f}"
