"""Charts as the page takes them: a specification for a light and for a dark page, and the data that both share.

Figures of the explorer name their data instead of holding it. So a specification, which takes Altair a tenth of a
second, is made once for all runs, systems and exchanges that are drawn by it; only rows differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.save import dark, shown_through, specification

PLACES = 5
"""Decimals of what is drawn: more than a screen has pixels for."""
GREATEST = 1e12
"""What is larger is not drawn."""


def picture(
    figure: Callable[..., alt.TopLevelMixin], tables: Mapping[str, pd.DataFrame], **options: Any
) -> dict[str, Any]:
    """A figure with these tables, by the names that it has for them; options must be hashable."""
    light, night = _specifications(figure, **options)
    return {"light": light, "dark": night, "datasets": {name: rows(table) for name, table in tables.items()}}


def rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as JSON has them: rounded, and null for what is not a number."""
    names = [str(name) for name in table.columns]
    columns = [_values(table[name]) for name in table.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _values(column: pd.Series) -> list[Any]:
    if column.dtype.kind == "f":  # what nobody can have measured would be infinite when it is rounded
        column = column.where(column.abs() < GREATEST).round(PLACES)
    values = column.tolist()
    return [None if each is None or each != each else each for each in values]  # NaN is not even itself


@lru_cache(maxsize=256)
def _specifications(figure: Callable[..., alt.TopLevelMixin], **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    light = shown_through(specification(figure(**options)))
    return light, dark(light)
