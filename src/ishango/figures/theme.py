"""The look that all figures share: plain, for print, and readable in grey."""

from __future__ import annotations

from typing import Any, cast

import altair as alt

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
