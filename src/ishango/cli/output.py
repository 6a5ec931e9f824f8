"""What commands print: one JSON document, or tables for people."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from ishango.numerals import format_set

if TYPE_CHECKING:
    import pandas as pd

NOISE = 1e-9
"""What is smaller comes from rounding."""
FILE_WIDTH = 120
"""Columns of text that goes to a file or a pipe, where there is no terminal to ask."""


class _Output(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@cache
def console() -> Console:
    """Standard output for people; text is printed as it is, since names and paths may hold brackets."""
    return _Output(highlight=False, markup=False, width=None if sys.stdout.isatty() else FILE_WIDTH)


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


def figures_table(names: Sequence[str], figures: Sequence[str]) -> Table:
    """An empty table: columns of names, which fold rather than lose anything, then columns of numbers."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for i, heading in enumerate(names):
        table.add_column(heading, overflow="fold", no_wrap=i == 0)
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def spaced(words: Sequence[int]) -> str:
    """A set with room to break lines after its commas."""
    return format_set(words).replace(",", ", ")


def data_table(data: pd.DataFrame) -> Table:
    """A data frame for people: three decimals, names to the left."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for column in data.columns:
        table.add_column(
            str(column).replace("_", " "), justify="right" if data[column].dtype.kind in "biuf" else "left"
        )
    for row in data.itertuples(index=False):
        table.add_row(*map(_cell, row))
    return table


def _cell(value: object) -> str:
    """Three decimals, or the first figure of a smaller number: a p-value of 0.0001 is not 0.

    >>> _cell(0.12345), _cell(0.0001), _cell(-1e-17), _cell(float("inf")), _cell(7)
    ('0.123', '0.0001', '0.000', '–', '7')
    """
    if not isinstance(value, float):
        return str(value)
    if NOISE < abs(value) < 0.0005:
        return f"{value:.1g}"
    return decimals(value if math.isfinite(value) else None, 3)


def records(data: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON has them: infinities and missing numbers are null."""
    finite = data.replace([float("inf"), float("-inf")], float("nan")).astype(object)
    rows = finite.where(finite.notna(), None).to_dict("records")
    return [
        {str(name): value.item() if hasattr(value, "item") else value for name, value in row.items()} for row in rows
    ]
