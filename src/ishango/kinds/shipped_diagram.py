"""The diagram of the law as it is by default, which ships with the package: `ishango kinds diagram` writes it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import StringIO

import pandas as pd

from ishango.kinds.law import Law

LAW = Law()
"""What the diagram is of; its own precision and price are not used."""


@cache
def shipped_diagram() -> pd.DataFrame:
    """A row a cell, as `diagram` gives them: precisions ascending, and prices of a word within each."""
    text = files("ishango.kinds").joinpath("diagram.csv").read_text(encoding="utf-8")
    return pd.read_csv(StringIO(text), keep_default_na=False)
