"""What commands print: one JSON document, or tables for people."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

from rich.console import Console

FILE_WIDTH = 120
"""Columns of text that goes to a file or a pipe, where there is no terminal to ask."""


@cache
def console() -> Console:
    """Standard output for people."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else FILE_WIDTH)


def print_json(document: dict[str, Any] | list[Any]) -> None:
    """One JSON document on standard output and nothing else."""
    json.dump(document, sys.stdout, allow_nan=False, indent=2)
    sys.stdout.write("\n")


def plural(count: int, noun: str) -> str:
    """`1 word`, `2 words`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def decimals(value: float | None, places: int) -> str:
    """A number with so many decimals, or a dash where there is none; never minus zero."""
    return "–" if value is None else f"{value:.{places}f}".replace("-0." + "0" * places, "0." + "0" * places)
