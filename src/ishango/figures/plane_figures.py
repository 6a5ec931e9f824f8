"""The plane of lexicon size and average complexity, to be looked at closely: hover, click, play."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, GREY, INK, NOTE, STARTS, Panel

_LEAST_RIGHT, _LEAST_TOP = 20, 2.0
_TICKS = [1, 1.1, 1.2, 1.4, 1.6, 2, 2.5, 3, 4, 5, 7, 10]
_LEXICON = [alt.Tooltip("digits:N", title="D"), alt.Tooltip("multipliers:N", title="M")]
_COSTS = [
    alt.Tooltip("size:Q", title="size"),
    alt.Tooltip("average_complexity:Q", title="average complexity", format=".4f"),
]


def plane_figure(frontier: pd.DataFrame, languages: pd.DataFrame, paths: pd.DataFrame, height: int = 440) -> Panel:
    """What is proved unattainable, the optima, human languages, and runs as they were at the round of the parameter.

    The page sets the parameters: `round`, and `here_size` and `here_average` for a system that it marks.
    `frontier`: size, average_complexity, lower_bound, proved, digits, multipliers. `languages`: names, languages (how
    many), size, average_complexity, digits, multipliers. `paths`: run, start, round, until (the round of the next
    change), size, average_complexity, digits, multipliers.
    """
    right, top = _extent(languages, paths)
    x, y = _axes(right, top)
    humans = [_humans(languages, x, y)] if len(languages) else []
    layers = [*_edge(frontier, x, y), *(_paths(paths, x, y) if len(paths) else []), *humans, _here(x, y, right, top)]
    last = int(paths["round"].max()) if len(paths) else 0
    chart = alt.layer(*layers, width="container", height=height)
    here = [alt.param(name=name, value=0) for name in ("here_size", "here_average")]
    return chart.add_params(alt.param(name="round", value=last), *here)


def _extent(*tables: pd.DataFrame) -> tuple[int, float]:
    """How far the plane must reach to show everything; the frontier goes on beyond it."""
    right = max([_LEAST_RIGHT, *(int(table["size"].max()) + 1 for table in tables if len(table))])
    top = max([_LEAST_TOP, *(float(table["average_complexity"].max()) * 1.04 for table in tables if len(table))])
    return right, top


def _axes(right: int, top: float) -> tuple[alt.X, alt.Y]:
    """Equal steps up mean equal factors: human languages lie close together, starts far above them."""
    across = alt.Scale(domain=[1.5, right], nice=False)
    up = alt.Scale(type="log", domain=[1, top], nice=False)
    axis = alt.Axis(values=[tick for tick in _TICKS if tick <= top], format="~g")
    return (
        alt.X("size:Q", title="lexicon size |D| + |M|", scale=across, axis=alt.Axis(format="d", tickMinStep=1)),
        alt.Y("average_complexity:Q", title="average complexity (symbols a numeral)", scale=up, axis=axis),
    )


def _edge(frontier: pd.DataFrame, x: alt.X, y: alt.Y) -> list[Any]:
    """The region below every system, and the best system of each size: filled where it is proved to be best."""
    bound = alt.Chart(frontier[["size"]].assign(average_complexity=frontier["lower_bound"]))
    region = bound.mark_area(color=GREY, interpolate="step-after", clip=True, tooltip=None)
    edge = bound.mark_line(color=INK, interpolate="step-after", strokeWidth=1.2, clip=True, tooltip=None)
    points = alt.Chart(frontier).mark_point(color=INK, size=34, opacity=1, clip=True, cursor="pointer")
    fill = alt.condition("datum.proved", alt.value(INK), alt.value("transparent"))
    note = alt.Chart(pd.DataFrame({"size": [2.1], "average_complexity": [1.045], "text": ["unattainable"]}))
    words = note.mark_text(align="left", fontStyle="italic", fontSize=12, color=NOTE, tooltip=None)
    return [
        region.encode(x=x, y=y, y2=alt.datum(1)),
        edge.encode(x=x, y=y),
        words.encode(x=x, y=y, text="text:N"),
        points.encode(x=x, y=y, fill=fill, tooltip=[alt.Tooltip("kind:N", title=" "), *_LEXICON, *_COSTS]),
    ]


def _humans(languages: pd.DataFrame, x: alt.X, y: alt.Y) -> Any:
    size = alt.Size("languages:Q", legend=None, scale=alt.Scale(range=[50, 320]))
    diamonds = alt.Chart(languages).mark_point(
        shape="diamond", color=COLOURS[1], strokeWidth=1.8, opacity=1, clip=True, cursor="pointer", fill="transparent"
    )
    return diamonds.encode(x=x, y=y, size=size, tooltip=[alt.Tooltip("names:N", title=" "), *_LEXICON, *_COSTS])


def _here(x: alt.X, y: alt.Y, right: int, top: float) -> Any:
    """The system that is looked at; one that is off the chart stays at its edge."""
    nowhere = alt.Chart(pd.DataFrame({"size": [0], "average_complexity": [0]}))
    here = nowhere.transform_calculate(size=f"min(here_size, {right})", average_complexity=f"min(here_average, {top})")
    cross = here.transform_filter("here_average > 0").mark_point(
        shape="cross", size=260, fill=COLOURS[3], stroke=INK, strokeWidth=1.2, opacity=1
    )
    return cross.encode(x=x, y=y, tooltip=_COSTS)


def _paths(paths: pd.DataFrame, x: alt.X, y: alt.Y) -> list[Any]:
    """Where runs began, the way they came, and where they are at the round of the parameter."""
    starts = sorted(set(paths["start"]))
    scale = alt.Scale(domain=starts, range=[_start_colour(start, i) for i, start in enumerate(starts)])
    colour = alt.Color("start:N", title="start", scale=scale, legend=alt.Legend(orient="top-right"))
    base = alt.Chart(paths)
    lines = base.transform_filter("datum.round <= round").mark_line(strokeWidth=1.4, opacity=0.75, tooltip=None)
    begins = base.transform_filter("datum.round == 0").mark_point(size=70, strokeWidth=1.6, fill="transparent")
    heads = base.transform_filter("datum.round <= round && round < datum.until").mark_point(
        filled=True, size=90, opacity=1, cursor="pointer"
    )
    tooltip = [alt.Tooltip("run:N", title=" "), alt.Tooltip("round:Q", title="since round"), *_LEXICON, *_COSTS]
    return [
        lines.encode(x=x, y=y, color=colour, detail="run:N", order="round:Q"),
        begins.encode(x=x, y=y, color=colour, tooltip=tooltip),
        heads.encode(x=x, y=y, color=colour, tooltip=tooltip),
    ]


def _start_colour(start: str, place: int) -> str:
    """The paper's starts keep their colours, whichever of them are there."""
    number = int(start) - 1 if start in set("12345678") else place
    return STARTS[number % len(STARTS)]
