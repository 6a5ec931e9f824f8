"""Grammars beside each other: human languages, random systems, proved optima and where runs ended, in two planes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, GREY, HUMAN, INK, Panel, panel_width

_COLUMNS, _HEIGHT = 4, 170
_LARGEST, _TOP = 25, 3.0
_GROUPS = {
    "human language": INK,
    "agents": COLOURS[1],
    "coin": COLOURS[2],
    "random system": "#9a9a9a",
    "optimum": COLOURS[0],
}
"""What is drawn, in which colour."""


def lengths_figure(points: pd.DataFrame, frontier: pd.DataFrame) -> alt.VConcatChart:
    """Size against length, a panel a grammar, above what is proved unattainable.

    `points`: grammar, label, group, size, length, irregularity, processing. `frontier`: grammar, size,
    average_complexity.
    """
    return _panels(points, lambda rows, grammar, title: _lengths(rows, frontier[frontier["grammar"] == grammar], title))


def regularity_figure(points: pd.DataFrame) -> alt.VConcatChart:
    """Irregularity against processing, a panel a grammar; `points` as for `lengths_figure`."""
    x = alt.X("irregularity:Q", title="irregularity (bits)", axis=alt.Axis(values=[100, 300, 1000, 3000], format="~s"),
              scale=alt.Scale(type="log", domain=[60, 6000], nice=False))  # fmt: skip
    y = alt.Y("processing:Q", title="processing (bits)", scale=alt.Scale(domain=[2, 9], nice=False))
    return _panels(points, lambda rows, _, title: _layered(_marks(rows, x, y), title))


def _panels(points: pd.DataFrame, draw: Callable[[pd.DataFrame, str, str], Panel]) -> alt.VConcatChart:
    panels: list[Panel] = []
    for grammar in map(str, dict.fromkeys(points["grammar"])):
        rows = points.loc[points["grammar"] == grammar]
        panels.append(draw(rows, grammar, str(rows["label"].iloc[0])))
    rows_of = [alt.hconcat(*panels[i : i + _COLUMNS], spacing=14) for i in range(0, len(panels), _COLUMNS)]
    return alt.vconcat(*rows_of, spacing=14)


def _lengths(rows: pd.DataFrame, frontier: pd.DataFrame, title: str) -> Panel:
    x = alt.X("size:Q", title="size (words)", scale=alt.Scale(domain=[2, _LARGEST], nice=False))
    y = alt.Y("length:Q", title="length (symbols)", axis=alt.Axis(values=[1, 1.2, 1.5, 2, 3], format="~g"),
              scale=alt.Scale(type="log", domain=[1, _TOP], nice=False))  # fmt: skip
    edge = alt.Chart(frontier[["size"]].assign(length=frontier["average_complexity"]))
    region = edge.mark_area(color=GREY, interpolate="step-after", clip=True).encode(x=x, y=y, y2=alt.datum(1))
    return _layered([region, *_marks(rows, x, y)], title)


def _marks(rows: pd.DataFrame, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    scale = alt.Scale(domain=list(_GROUPS), range=list(_GROUPS.values()))
    colour = alt.Color("group:N", title=None, scale=scale, legend=alt.Legend(orient="top", symbolOpacity=1))
    looks: dict[str, dict[str, Any]] = {
        "random system": {"shape": "circle", "filled": True, "size": 7, "opacity": 0.5},
        "coin": {"shape": "cross", "size": 14, "strokeWidth": 1, "opacity": 0.6},
        "optimum": {"shape": "circle", "filled": True, "size": 16, "opacity": 1},
        "human language": {**HUMAN, "size": 30},
        "agents": {"shape": "triangle-up", "filled": True, "size": 42, "opacity": 0.9},
    }
    told = ["name:N", "group:N", "size:Q", "length:Q", "irregularity:Q", "processing:Q"]
    return [
        alt.Chart(rows[rows["group"] == group])
        .mark_point(clip=True, **look)
        .encode(x=x, y=y, color=colour, tooltip=told)
        for group, look in looks.items()
        if (rows["group"] == group).any()
    ]


def _layered(layers: list[alt.Chart], title: str) -> Panel:
    heading = alt.TitleParams(title, fontSize=11)
    return alt.layer(*layers, width=panel_width(3), height=_HEIGHT, title=heading)
