"""The look that all figures share: plain, for print, and readable in grey."""

from __future__ import annotations

from typing import Any, cast

import altair as alt

INK = "#1a1a1a"
"""Text, axes and the marks that matter."""
GREY = "#d4d4d4"
"""What cannot be had."""
COLOURS = ("#00429d", "#c4501b", "#4b9b8e", "#8a5aa8")
"""Series colours whose greys differ too: dark, middle, light, middle."""


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
                "axis": {**text, "gridColor": "#ececec", "domainColor": INK, "tickColor": INK},
                "legend": {**text, "symbolSize": 70},
                "header": {**text, "labelFontSize": 13},
                "title": {"color": INK, "fontSize": 13, "fontWeight": "normal", "anchor": "start"},
                "range": {"category": list(COLOURS)},
            }
        },
    )
