"""The answer in a picture: where agents end among the frontier, human languages and drift; and how well they talk."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, COLUMN, GREY, HUMAN, INK, SPAN, Panel

_TOP, _HIGHEST = 2.2, 3.2
"""Average complexity up to which the plane is shown at least and at most; what lies above is drawn at the edge."""
_LEAST = 3
"""Ends of a size from which on their range is drawn."""
_SIZE = "lexicon size |D| + |M|"
_HALF = 0.25
"""Half the width of a bar, in words: it is narrower where the plane is, so that bars stay apart on a phone."""
_COIN, _AGENTS, _PEOPLE = "coin: four fifths of its ends", "agents: where they end", "human languages"


def hero_figure(frontier: pd.DataFrame, languages: pd.DataFrame, agents: pd.DataFrame, drift: pd.DataFrame) -> Panel:
    """The frontier above what cannot be had, human languages, where agents end, and where most runs of a coin do.

    All tables: size, average_complexity; `agents` also start and seed.
    """
    right = int(max(languages["size"].max(), agents["size"].max(), drift["size"].quantile(0.95))) + 1
    scale = alt.Scale(domain=[2, right], nice=False, padding=12)
    x = alt.X("size:Q", title=_SIZE, scale=scale, axis=alt.Axis(tickMinStep=1, grid=False))
    height = _height(agents)
    y = alt.Y("average_complexity:Q", title="average complexity (symbols)", scale=height)
    line = alt.Chart(frontier[frontier["size"] <= right])
    region = line.mark_area(color=GREY, interpolate="step", clip=True).encode(x=x, y=y, y2=alt.datum(1))
    edge = line.mark_line(color=INK, interpolate="step", strokeWidth=1.2, clip=True).encode(x=x, y=y)
    band = _band(drift[drift["size"] <= right], scale, height)
    layers = (band, region, edge, _people(languages, x, y), _ends(agents, x, y))
    chart = alt.layer(*layers, width=COLUMN, height=280)
    return chart.resolve_scale(stroke="independent")  # pyright: ignore[reportUnknownMemberType]


def _height(agents: pd.DataFrame) -> alt.Scale:
    top = max(_TOP, float(agents["average_complexity"].max()) + 0.05)
    return alt.Scale(domain=[1, min(top, _HIGHEST)], clamp=True, nice=False)


def _legend() -> alt.Legend:
    return alt.Legend(title=None, orient="top", symbolOpacity=1)


def _band(drift: pd.DataFrame, scale: alt.Scale, height: alt.Scale) -> alt.Chart:
    """Bars that hold four fifths of the ends at each size."""
    grouped = drift.groupby("size")["average_complexity"]
    spans = pd.DataFrame({"low": grouped.quantile(0.1), "high": grouped.quantile(0.9), "runs": grouped.size()})
    spans = spans[spans["runs"] >= _LEAST].reset_index().assign(kind=_COIN)
    spans = spans.assign(left=spans["size"] - _HALF, right=spans["size"] + _HALF)
    low = alt.Y("low:Q", scale=height, title="average complexity (symbols)")
    left = alt.X("left:Q", title=_SIZE, scale=scale)
    return alt.Chart(spans).mark_rect(clip=True).encode(x=left, x2="right:Q", y=low, y2="high:Q", color=_kind())


def _kind() -> alt.Color:
    return alt.Color("kind:N", scale=alt.Scale(domain=[_COIN, _AGENTS], range=[SPAN, COLOURS[1]]), legend=_legend())


def _people(languages: pd.DataFrame, x: alt.X, y: alt.Y) -> alt.Chart:
    points = languages[["size", "average_complexity"]].drop_duplicates().assign(kind=_PEOPLE)
    mark = {name: value for name, value in HUMAN.items() if name != "color"}
    stroke = alt.Stroke("kind:N", scale=alt.Scale(domain=[_PEOPLE], range=[INK]), legend=_legend())
    return alt.Chart(points).mark_point(**mark, size=44, opacity=1).encode(x=x, y=y, stroke=stroke)


def _ends(agents: pd.DataFrame, x: alt.X, y: alt.Y) -> alt.Chart:
    tooltip = ["start", "seed", "size", alt.Tooltip("average_complexity", format=".3f")]
    points = alt.Chart(agents.assign(kind=_AGENTS)).mark_point(filled=True, size=80, opacity=1)
    return points.encode(x=x, y=y, color=_kind(), tooltip=tooltip)


def accuracy_figure(rounds: pd.DataFrame) -> Panel:
    """Games won over the rounds, a line for each run and a thick one for their mean.

    `rounds`: run, start, round, accuracy.
    """
    known = rounds.dropna(subset="accuracy")
    few = alt.Axis(tickCount=5)
    x = alt.X("round:Q", title="round (0: after pre-training)", scale=alt.Scale(nice=False), axis=few)
    axis, scale = alt.Axis(format="%"), alt.Scale(zero=False)
    y = alt.Y("accuracy:Q", title="games won in the last 500 steps", axis=axis, scale=scale)
    lines = alt.Chart(known).mark_line(color=SPAN, strokeWidth=1.2)
    lines = lines.encode(x=x, y=y, detail="run:N", tooltip=["start", "round"])
    mean = known.groupby("round", as_index=False)[["accuracy"]].mean()
    thick = alt.Chart(mean).mark_line(color=COLOURS[1], strokeWidth=2.5).encode(x=x, y=y)
    return alt.layer(lines, thick, width=COLUMN, height=260)
