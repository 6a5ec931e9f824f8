"""What a terminal shows of a run whose system may become any kind."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, TextIO

from ishango.cli.output import decimals
from ishango.cli.run_view import view
from ishango.cli.text_plane import plane
from ishango.lab import Reporter
from ishango.numerals import format_set


def kinds_view(stream: TextIO) -> AbstractContextManager[Reporter]:
    """The system of the last round, its kind and its cost, and where it was in the plane of size and length."""
    return view(stream, _summary, _figures, _picture)


def _summary(record: Mapping[str, Any]) -> str:
    return "  ".join(f"{name} {value}" for name, value in _figures(record).items())


def _figures(record: Mapping[str, Any]) -> dict[str, str]:
    return {
        "D": format_set(record["digits"]),
        "M": format_set(record["multipliers"]),
        "kind": f"{record['kind']}, exact up to {record['exact_upto']}",
        "cost": f"{decimals(record['cost'], 4)} at precision {record['precision']:.3g}",
    }


def _picture(records: list[Mapping[str, Any]], columns: int) -> str:
    return plane(records, columns, "size", "length", "length")
