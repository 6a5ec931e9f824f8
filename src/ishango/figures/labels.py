"""Names beside points, placed so that they do not cover one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, cast

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, INK, NOTE

Align = Literal["left", "center", "right"]
_Place = tuple[Align, int, int]
"""Alignment and distance from a point."""

_SIZE = 10
_LETTER = 5.8
"""Mean width of a letter at that size, in pixels."""
_POINT = 8.0
"""Half the width of what is kept free around a point."""
_APART = 22
"""Pixels from which on a name is joined to its point by a line."""
_LOWEST = -_APART - 2
"""Where names stand that are placed above: high enough for a line, since circles of several languages are large."""
_PLACES: tuple[_Place, ...] = (
    ("left", 10, -8), ("left", 12, 2), ("center", 0, -18), ("left", 10, 12), ("right", -10, 12), ("right", -10, -8),
    ("center", 0, 20), ("left", 14, -20), ("right", -4, -20), ("center", 0, -32), ("right", -14, 24), ("left", 14, 24),
)  # fmt: skip
"""Where a name may stand: alignment and distance from its point, in the order of preference."""


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def place_names(points: pd.DataFrame, width: float, height: float) -> pd.DataFrame:
    """Add `align`, `dx` and `dy` to a table with `label` and the pixels `px` and `py` of each point.

    Names are placed one after the other inside the picture where they meet no point and no name; where all places
    are taken, the first.
    """
    taken = [_Box(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points[["px", "py"]].to_numpy()]
    chosen: list[_Place] = []
    for label, x, y in zip(points["label"], points["px"], points["py"], strict=True):
        boxes = [_box(label, x, y, *place) for place in _PLACES]
        inside = [box.left >= 0 and box.top >= 0 and box.right <= width and box.bottom <= height for box in boxes]
        free = [i for i, box in enumerate(boxes) if inside[i] and not any(box.meets(other) for other in taken)]
        best = free[0] if free else 0
        taken.append(boxes[best])
        chosen.append(_PLACES[best])
    return _placed(points, chosen)


def place_above(points: pd.DataFrame, width: float) -> pd.DataFrame:
    """The same for points above a region that names must not enter: each stands as high as it must to be free.

    Points without a name, whose `label` is empty, are only kept clear of.
    """
    taken = [_Box(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points[["px", "py"]].to_numpy()]
    # From the right, so that no line to a point crosses a name.
    points = points[points["label"] != ""].sort_values("px", ascending=False, kind="stable")
    chosen: list[_Place] = []
    for label, x, y in zip(points["label"], points["px"], points["py"], strict=True):
        align: Align = "left" if x + len(label) * _LETTER + 10 <= width else "right"
        side = 6 if align == "left" else -6
        heights = (
            dy for dy in range(_LOWEST, -140, -2) if not any(_box(label, x, y, align, side, dy).meets(b) for b in taken)
        )
        dy = next(heights, _LOWEST)
        taken.append(_box(label, x, y, align, side, dy))
        chosen.append((align, side, dy))
    return _placed(points, chosen)


def _placed(points: pd.DataFrame, chosen: Sequence[_Place]) -> pd.DataFrame:
    align, dx, dy = zip(*chosen, strict=True) if chosen else ((), (), ())
    return points.assign(align=align, dx=dx, dy=dy)


def name_layers(placed: pd.DataFrame, x: alt.X, y: alt.Y) -> Sequence[alt.Chart]:
    """One layer of text for each place that is used: places are properties of a mark, not of a row.

    A name that stands apart from its point has a line to it; one of the reader's own (`own`) has its colour.
    """
    if "own" not in placed:
        placed = placed.assign(own=False)
    layers: list[alt.Chart] = []
    for key, rows in placed.groupby(["align", "dx", "dy"], sort=False):
        align, dx, dy = cast(_Place, key)
        base = alt.Chart(rows).encode(x=x, y=y)
        if abs(dy) > _APART:
            line = base.mark_rule(
                color=NOTE, strokeWidth=0.8, yOffset=-_POINT, y2Offset=dy + _SIZE / 2, xOffset=dx / 2, x2Offset=dx / 2
            )
            layers.append(line.encode(x2=str(cast(Any, x).shorthand), y2=str(cast(Any, y).shorthand)))
        for own, names in rows.groupby("own"):
            colour = COLOURS[1] if own else INK
            text = alt.Chart(names).mark_text(
                align=align, dx=dx, dy=dy, fontSize=_SIZE, baseline="middle", color=colour
            )
            layers.append(text.encode(x=x, y=y, text="label:N"))
    return layers


def _box(label: str, x: float, y: float, align: str, dx: int, dy: int) -> _Box:
    width = len(label) * _LETTER
    left = x + dx - {"left": 0.0, "center": width / 2, "right": width}[align]
    return _Box(left, y + dy - _SIZE / 2 - 1, left + width, y + dy + _SIZE / 2 + 1)
