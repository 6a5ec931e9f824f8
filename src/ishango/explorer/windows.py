"""What part of a plane is seen: fitted to what matters, or all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ishango.explorer.paths import NEVER

Ends = tuple[float, float]
_AIR = 0.06
"""Share of an axis that is left free around what is seen."""
_MOST_ENDS = 0.9
"""Share of the places where runs are now that are seen at least."""
_NOTHING: Ends = (0.0, 1.0)


def fitted(tables: Mapping[str, pd.DataFrame], groups: Sequence[str] = ()) -> tuple[Ends, Ends]:
    """Human languages, where the runs of these groups are now, and the lower bands; not the ways there.

    Below them is as much of the unattainable as shows that they lie close to it.
    """
    paths, bands = tables.get("paths"), tables.get("bands")
    ends = paths[(paths["until"] == NEVER) & paths["group"].isin(groups)] if paths is not None else None
    if ends is not None and len(ends):
        ends = ends[ends["y"] <= ends["y"].quantile(_MOST_ENDS)]
    seen = [each for each in (tables["languages"], ends) if each is not None and len(each)]
    xs, ys = _values(seen, "x"), _values(seen, "y")
    if bands is not None and len(bands):
        xs, ys = [*xs, *bands["x"].quantile([0.05, 0.9])], [*ys, *bands["median"].quantile([0, 0.5])]
    if not xs:
        return whole(tables)
    right = _spread(xs, 0.5)
    near = tables["frontier"][tables["frontier"]["x"].between(*right)]
    return right, _spread([*ys, *near["y"].clip(upper=max(ys))], 0)


def whole(tables: Mapping[str, pd.DataFrame]) -> tuple[Ends, Ends]:
    """Everything that is drawn; of the frontier, which goes on and on, the part below it."""
    drawn = [tables[name] for name in ("languages", "paths", "bands") if name in tables and len(tables[name])]
    shown = drawn or [tables["frontier"]]
    right = _spread(_values(shown, "x"), 0.5)
    near = tables["frontier"][tables["frontier"]["x"].between(*right)]
    ys = _values([*shown, near], "y") + (_values(drawn, "high") if drawn else [])
    return right, _spread(ys, 0)


def _values(tables: Sequence[pd.DataFrame], name: str) -> list[float]:
    return [float(each) for table in tables if name in table for each in table[name].dropna()]


def _spread(values: Sequence[float], least: float) -> Ends:
    """From the least to the greatest, with some air; a single value stands in the middle."""
    found = np.array(values)
    if not len(found):
        return _NOTHING
    low, high = float(found.min()), float(found.max())
    air = max(_AIR * (high - low), least) or 0.5
    return low - air, high + air
