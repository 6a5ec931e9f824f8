"""The ways that one to four runs went, and any measure of theirs over the rounds.

Their data is named, not inside: the page gives the rows, so that one specification serves all runs.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from ishango.figures.theme import COLOURS, GREY, INK, NOTE, Panel

PLACES = (COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[3])
"""A colour for each of the runs that are laid over each other."""
LAST = 10**9
"""After every round that there can be."""
_LEXICON = [alt.Tooltip("digits:N", title="D"), alt.Tooltip("multipliers:N", title="M")]


def trail_figure(x: str, y: str, edge: bool = True, height: int = 380) -> Panel:
    """Where runs went up to the round of the parameter `round`; x and y are the titles of the axes.

    `bound`: x, y of the edge of what is unattainable, and how low that is drawn. `optima`: x, y, digits, multipliers.
    `trail`: run, place (which of the runs, from 0), round, until, step (the order of its rows), x, y, digits,
    multipliers; a row without `until` is the corner of a step. Without an edge only the last is needed.
    """
    whole = alt.Axis(tickCount=10, tickMinStep=1)
    across = alt.X("x:Q", title=x, scale=alt.Scale(zero=False, nice=False, padding=14), axis=whole)
    up = alt.Y("y:Q", title=y, scale=alt.Scale(zero=False, nice=False, padding=6), axis=alt.Axis(tickCount=8))
    costs = [alt.Tooltip("x:Q", title=x, format=".5~g"), alt.Tooltip("y:Q", title=y, format=".5~g")]
    area = _of("bound").mark_area(color=GREY, interpolate="step-after", clip=True, tooltip=None)
    optima = _of("optima").mark_point(color=INK, filled=True, size=26, opacity=1, clip=True)
    so_far = _of("trail").transform_filter("datum.round <= round")
    here = so_far.transform_filter("isValid(datum.until)").transform_filter("round < datum.until")
    begins = _of("trail").transform_filter("datum.step == 0")
    about = [alt.Tooltip("run:N", title=" "), alt.Tooltip("round:Q", title="since round"), *_LEXICON, *costs]
    lines = so_far.mark_line(strokeWidth=1.7, opacity=0.8, clip=True, tooltip=None)
    below = [
        area.encode(x=across, y=up, y2="low:Q"),
        optima.encode(x=across, y=up, tooltip=[*_LEXICON, *costs]),
    ]
    above = [
        lines.encode(x=across, y=up, color=_colour(), detail="run:N", order="step:Q"),
        begins.mark_point(size=80, strokeWidth=1.6, color=NOTE).encode(x=across, y=up, tooltip=about),
        here.mark_point(filled=True, size=90, opacity=1).encode(x=across, y=up, color=_colour(), tooltip=about),
    ]
    chart = alt.layer(*(below if edge else []), *above, width="container", height=height)
    return chart.add_params(alt.param(name="round", value=LAST))


def measure_figure(title: str, height: int = 240) -> alt.Chart:
    """A measure over the rounds of runs. `values`: run, place, round, value."""
    return _of("values").mark_line(strokeWidth=1.6, point={"size": 14}).encode(
        x=alt.X("round:Q", title="round", axis=alt.Axis(format="d", tickMinStep=1), scale=alt.Scale(nice=False)),
        y=alt.Y("value:Q", title=title, scale=alt.Scale(zero=False)),
        color=_colour(),
        detail="run:N",
        tooltip=[alt.Tooltip("run:N", title=" "), "round:Q", alt.Tooltip("value:Q", title=title, format=".5~g")],
    ).properties(width="container", height=height)  # fmt: skip


def _colour() -> Any:
    scale = alt.Scale(domain=list(range(len(PLACES))), range=list(PLACES))
    return alt.Color("place:O", legend=None, scale=scale)


def _of(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name))
