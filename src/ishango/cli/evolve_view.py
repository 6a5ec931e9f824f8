"""What one sees of a run of Algorithm 1."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, TextIO

from ishango.cli import run_view
from ishango.cli.output import decimals
from ishango.cli.text_plane import plane
from ishango.lab import Reporter
from ishango.numerals import format_set


def view(stream: TextIO) -> AbstractContextManager[Reporter]:
    """A reporter that draws on the stream: the current system, its figures, and the path it took in the plane."""
    return run_view.view(stream, _summary, _figures, plane)


def _summary(record: Mapping[str, Any]) -> str:
    accuracy = record["accuracy"]
    return (
        f"D {format_set(record['digits'])}  M {format_set(record['multipliers'])}"
        f"  size {record['size']}  average {decimals(record['average_complexity'], 4)}"
        f"  gap {decimals(record['gap'], 4)}"
        + ("" if accuracy is None else f"  accuracy {accuracy:.3f}  {record['steps_per_second']:,.0f} steps/s")
    )


def _figures(record: Mapping[str, Any]) -> dict[str, str]:
    rows = {
        "D": format_set(record["digits"]),
        "M": format_set(record["multipliers"]),
        "size": str(record["size"]),
        "average": f"{decimals(record['average_complexity'], 4)}   gap {decimals(record['gap'], 4)}",
    }
    if record["accuracy"] is not None:
        rows["accuracy"] = f"{record['accuracy']:.3f}   {record['steps_per_second'] or 0:,.0f} steps a second"
    return rows
