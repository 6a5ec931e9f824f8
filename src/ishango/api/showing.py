"""How results show themselves in a terminal and in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

SHOWN_ROWS = 12
"""Rows of a table that a notebook shows before it leaves some out."""


class Shown:
    """A result with facts and a table: a readable `repr`, the same as HTML for notebooks, and `to_frame()`."""

    def facts(self) -> dict[str, str]:
        """What there is to say, name by name; the first is the title."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """The result as a pandas table."""
        raise NotImplementedError

    def __repr__(self) -> str:
        facts = self.facts()
        width = max(map(len, facts))
        return "\n".join(f"{name:<{width}}  {value}" for name, value in facts.items())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
            for name, value in self.facts().items()
        )
        table = self.to_frame().to_html(max_rows=SHOWN_ROWS, index=False, border=0)
        return f"<table>{rows}</table>{table}"


def decimal(value: float | None, places: int = 6) -> str:
    """A number for people, or what stands for none."""
    return "none" if value is None else f"{value:.{places}f}"
