"""The frontier on disk: `frontier.json` and `frontier.csv`, written beside and renamed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ishango.frontiers.exact import FrontierPoint
from ishango.frontiers.problem import Problem
from ishango.safe_files import write

JSON, CSV = "frontier.json", "frontier.csv"
COLUMNS: tuple[str, ...] = (
    "size",
    "average_complexity",
    "digits",
    "multipliers",
    "proved",
    "lower_bound",
    "nodes",
    "seconds",
)


def as_record(point: FrontierPoint) -> dict[str, Any]:
    """A point as it stands in JSON; `optima` is there when every optimum was asked for."""
    record: dict[str, Any] = {
        "size": point.size,
        "average_complexity": float(point.average),
        "digits": list(point.system.digits),
        "multipliers": list(point.system.multipliers),
        "proved": point.proved,
        "lower_bound": point.lower_bound,
        "nodes": point.nodes,
        "seconds": round(point.seconds, 6),
    }
    if point.optima:
        record["optima"] = [
            {
                "digits": list(optimum.system.digits),
                "multipliers": list(optimum.system.multipliers),
                "fewest_multipliers": optimum.fewest_multipliers,
                "most_multipliers": optimum.most_multipliers,
            }
            for optimum in point.optima
        ]
    return record


def as_document(problem: Problem, points: Iterable[FrontierPoint]) -> dict[str, object]:
    """The JSON document of a frontier."""
    return {"problem": problem.describe(), "points": [as_record(point) for point in points]}


def describes(record: object, problem: Problem) -> bool:
    """Whether a recorded problem is this one; records of earlier versions have no rules beside the grammar's name."""
    here = problem.describe()
    return isinstance(record, dict) and {"rules": here["rules"], **record} == here


def write_frontier(
    directory: Path,
    problem: Problem,
    points: Iterable[FrontierPoint],
    estimate: Mapping[str, object] | None = None,
) -> None:
    """Write the frontier as JSON and as CSV instead of what is there; the directory is made if there is none.

    What an estimate depends on is recorded with it.
    """
    directory.mkdir(parents=True, exist_ok=True)
    document = as_document(problem, points)
    write_document(directory, document if estimate is None else {**document, "estimate": estimate})


def write_document(directory: Path, document: Mapping[str, Any]) -> None:
    """Write a frontier as JSON and as CSV; there is no CSV for the moment in which it would say otherwise."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for record in document["points"]:
        words = {name: " ".join(map(str, record[name])) for name in ("digits", "multipliers")}
        writer.writerow({**record, **words})
    (directory / CSV).unlink(missing_ok=True)
    write(directory / JSON, (json.dumps(document, indent=1) + "\n").encode(), goes_on=False)
    write(directory / CSV, text.getvalue().encode(), goes_on=False)
