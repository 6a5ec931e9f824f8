"""The plane of irregularity and processing: human languages, random systems, proved optima."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, GREY, HUMAN, INK, Panel, panel_width

_GROUPS = ("human", "random", "optimum")
_SIDE = 300


def costs_figure(rows: pd.DataFrame) -> alt.HConcatChart:
    """Two planes beside each other, the size of the automaton against the bits to follow a numeral.

    `rows`: group (human, random, optimum), rule (said, glossed, shipped, most regular), operators (heard or not),
    irregularity, processing, name. Random systems and optima are drawn by the shipped tie rule as dots, and by the most
    regular minimal language that was found as triangles; human languages as circles, and with all that is glossed as
    crosses.
    """
    panels = [
        _plane(rows[rows["operators"] == heard], title)
        for heard, title in ((False, "words heard"), (True, "words and operators heard"))
    ]
    return alt.hconcat(*panels, spacing=24)


def _plane(rows: pd.DataFrame, title: str) -> Panel:
    axis = alt.Axis(values=[100, 200, 500, 1000, 2000, 5000], format="~s")
    scale = alt.Scale(type="log", nice=False, padding=12)
    x = alt.X("irregularity:Q", title="irregularity (bits)", scale=scale, axis=axis)
    y = alt.Y("processing:Q", title="processing (bits)", scale=alt.Scale(zero=False, padding=12))
    colours = alt.Scale(domain=list(_GROUPS), range=[INK, "#9a9a9a", COLOURS[1]])
    colour = alt.Color("group:N", title=None, scale=colours, legend=alt.Legend(orient="top", symbolOpacity=1))
    others = rows[rows["group"] != "human"]
    shipped = alt.Chart(others[others["rule"] == "shipped"]).mark_circle(size=16, opacity=0.45)
    regular = alt.Chart(others[others["rule"] == "most regular"]).mark_point(
        shape="triangle-down", filled=True, size=42, stroke=GREY, strokeWidth=0.5
    )
    human = alt.Chart(rows[rows["rule"] == "said"]).mark_point(size=45, **HUMAN)
    glossed = alt.Chart(rows[rows["rule"] == "glossed"]).mark_point(shape="cross", size=22, strokeWidth=1)
    told = ["name:N", "group:N", "rule:N", "irregularity:Q", "processing:Q"]
    layers = [each.encode(x=x, y=y, color=colour, tooltip=told) for each in (shipped, regular, glossed, human)]
    return alt.layer(*layers, width=panel_width(2), height=_SIDE, title=alt.TitleParams(title, fontSize=11))
