"""The look that all figures share: plain, for print, and readable in grey."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, cast

import altair as alt
import pandas as pd

INK = "#1a1a1a"
"""Text, axes and the marks that matter."""
GREY = "#d4d4d4"
"""What cannot be had."""
SPAN = "#bfd0ea"
"""From the least to the greatest, or the middle half: what a range covers."""
COLOURS = ("#00429d", "#c4501b", "#4b9b8e", "#8a5aa8")
"""Series colours whose greys differ too: dark, middle, light, middle."""
STARTS = (*COLOURS, INK, "#b8860b", "#6b8fd6", "#d98a9e")
"""A colour for each of the paper's eight starts."""
SPOKEN, HERE = "#c4501b", "#c2185b"
"""In the explorer's plane: human languages, and the system that is looked at."""
GROUPS = ("#00429d", "#4b9b8e", "#8a5aa8", "#b8860b", "#6b8fd6", "#d0708c", "#5f7a1f", "#7b4a2d")
"""There, a colour for each group of runs; none is that of an optimum, a language, a start or the system looked at."""
SHADES = ("#ffffff", "#e6e6e6", "#c4c4c4", "#999999")
"""From little to much, where text is written on them."""
GRID = "#ececec"
NOTE = "#555555"
"""Text that explains."""

DARK = {
    INK: "#e8e6e1",
    GREY: "#3d4048",
    SPAN: "#34507f",
    GRID: "#2b2e34",
    NOTE: "#a8a8a8",
    "#00429d": "#86aefc",
    "#c4501b": "#f2935f",
    "#4b9b8e": "#63c3b2",
    "#8a5aa8": "#c79fe0",
    "#b8860b": "#e3b94d",
    "#6b8fd6": "#4f7fe0",
    "#d98a9e": "#f3b6c5",
    HERE: "#ff4f93",
    GROUPS[5]: "#f3b6c5",
    GROUPS[6]: "#9fc24a",
    GROUPS[7]: "#b98a68",
    SHADES[0]: "#1b1d21",
    SHADES[1]: "#33363d",
    SHADES[2]: "#4e525b",
    SHADES[3]: "#6d727c",
}
"""What each colour of a figure becomes on a dark page."""

HUMAN: dict[str, Any] = {"shape": "circle", "filled": False, "color": INK, "strokeWidth": 1.2}
"""The mark of a human language: an open circle in every figure."""
Panel = alt.LayerChart | alt.FacetChart
"""A picture of one or of several fields, as Altair makes it."""
COLUMN = 640
"""Pixels that the panels of a figure share, so that it fills a page's column."""


def panel_width(panels: int, spacing: int = 24) -> int:
    """The width of each of several panels beside each other, with room for their axes."""
    return (COLUMN - (panels - 1) * (spacing + 46)) // max(1, panels)


# figures of many runs are drawn here, not sent over a network
alt.data_transformers.disable_max_rows()  # pyright: ignore[reportUnknownMemberType]


@alt.theme.register("ishango", enable=True)
def theme() -> alt.theme.ThemeConfig:
    """Vega-Lite's configuration for every figure."""
    text: dict[str, Any] = {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    return cast(
        alt.theme.ThemeConfig,
        {
            "config": {
                "font": "DejaVu Sans, Arial, sans-serif",
                "view": {"stroke": None},
                "axis": {**text, "gridColor": GRID, "domainColor": INK, "tickColor": INK},
                "legend": {**text, "symbolSize": 70, "symbolOpacity": 1, "labelLimit": 420},
                "header": {**text, "labelFontSize": 13},
                "title": {"color": INK, "fontSize": 13, "fontWeight": "normal", "anchor": "start"},
                "range": {"category": list(COLOURS)},
            }
        },
    )


# Names beside points, placed so that they do not cover one another.

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


# Paths in the plane as steps, which never cross what is unattainable.

Place = tuple[float, float]
"""Across (a size) and up (a cost)."""


def corner(before: Place, after: Place) -> Place:
    """Between two places of a path: the larger size at the cost of the smaller one.

    What a small lexicon costs can be had with a larger one, so the corner is attainable where both ends are. Hence a
    step goes right before it goes down, and up before it goes left.

    >>> corner((5, 1.5), (7, 1.3)), corner((7, 1.3), (5, 1.5))
    ((7, 1.5), (7, 1.5))
    """
    return max(before[0], after[0]), before[1] if before[0] <= after[0] else after[1]


def stepped(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds of runs with a row for the corner of each step between them, in the order of the column `step`.

    `rounds`: run, round, size, average_complexity, and whatever else is kept.
    """
    ordered = rounds.sort_values(["run", "round"], ignore_index=True)
    place = ordered[["size", "average_complexity"]]
    before = place.groupby(ordered["run"]).shift()
    moved = before["size"].notna() & (before != place).any(axis=1)
    cost = before["average_complexity"].where(before["size"] <= place["size"], place["average_complexity"])
    size = before["size"].where(before["size"] >= place["size"], place["size"])
    corners = ordered.assign(size=size, average_complexity=cost, step=2 * ordered["round"] - 1)[moved]
    ends = ordered.assign(step=2 * ordered["round"])
    return pd.concat([ends, corners]).sort_values(["run", "step"], ignore_index=True)
