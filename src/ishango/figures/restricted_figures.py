"""Pictures of restricted systems: the plane of complexity and cost, what agents learn, and how near they come."""

from __future__ import annotations

import math
from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from ishango.figures.look import COLOURS, INK, Panel, name_layers, panel_width, place_names

_KINDS = ["approximate", "exact restricted", "recursive"]
_AGENTS = "agents"
_SHAPES = ["circle", "circle", "circle", "cross"]
"""Human languages are circles, whatever their kind."""
_WIDTH, _HEIGHT = 640, 440
_TOP, _LARGEST = 3.5, 200
"""Bits and nodes that the plane shows at least; more where something lies beyond."""
_TICKS = [3, 5, 10, 20, 50, 100, 200]
_REGIONS = {"approximate": COLOURS[0], "exact restricted": COLOURS[1]}


def restricted_plane_figure(
    frontier: pd.DataFrame, languages: pd.DataFrame, agents: pd.DataFrame | None = None
) -> Panel:
    """The paper's Figure 2: complexity against communicative cost, both frontiers over what systems can be.

    `frontier`: kind, complexity, cost, worst_cost. `languages`: kind, complexity, cost, languages (how many share the
    point), label. `agents`, if there are any, in place of names: kind, complexity, cost.
    """
    agents = agents if agents is not None else pd.DataFrame(columns=["kind", "complexity", "cost"])
    with_agents = len(agents) > 0
    largest = _reaching(_LARGEST, languages["complexity"], agents["complexity"])
    known = frontier[frontier["complexity"] <= largest]
    top = _reaching(_TOP, languages["cost"], agents["cost"], known["cost"], known["worst_cost"])
    x = _complexity(largest)
    y = alt.Y("cost:Q", title="communicative cost (bits)", scale=alt.Scale(domain=[0, top]))
    layers = [_region(known[known["kind"] == kind], colour, x, y) for kind, colour in _REGIONS.items()]
    layers.append(_frontiers(known, x, y, with_agents))
    if with_agents:
        layers.append(_agents(agents, x, y))
    layers.append(_humans(languages, x, y, with_agents))
    if not with_agents:  # whose crosses leave no room for names
        layers += _names(languages, x, y, (largest, top))
    return alt.layer(*layers, width=_WIDTH, height=_HEIGHT)


def restricted_ends_figure(ends: pd.DataFrame) -> alt.ConcatChart:
    """How far above the frontier agents end, every run a point, with random systems beside them, one panel a reward.

    `ends`: reward, vocabulary, gap, gap_random (the median of random systems of as many words as the run uses) and
    contiguous (whether every word is an interval).
    """
    top = float(max(ends["gap"].max(), ends["gap_random"].max()))
    rewards = list(ends.groupby("reward", sort=False))
    panels = [_ends(rows, str(reward), top, panel_width(min(2, len(rewards)))) for reward, rows in rewards]
    return alt.concat(*panels, columns=2, spacing=18)


def _ends(rows: pd.DataFrame, title: str, top: float, width: int) -> Panel:
    offered = sorted(set(rows["vocabulary"]))
    scale = alt.Scale(domain=[offered[0] - 0.5, offered[-1] + 0.5], nice=False)
    x = alt.X("place:Q", title="words offered", scale=scale, axis=alt.Axis(values=offered, format="d", grid=False))
    # Linear near 0, logarithmic above: gaps of 0 and of 1 are both of interest.
    scale = alt.Scale(type="symlog", constant=0.02, domain=[-0.005, top])
    axis = alt.Axis(values=[0, 0.01, 0.03, 0.1, 0.3, 1, 3], format="~g")
    y = alt.Y("gap:Q", title="bits above the least cost of its complexity", scale=scale, axis=axis)
    random = rows.groupby("vocabulary")["gap_random"].median().rename("gap").rename_axis("place").reset_index()
    tick = alt.Chart(random).mark_tick(color=INK, size=15, thickness=2, orient="horizontal").encode(x=x, y=y)
    beside = rows.groupby("vocabulary").cumcount() - (rows.groupby("vocabulary")["gap"].transform("size") - 1) / 2
    kinds = rows.assign(
        place=rows["vocabulary"] + 0.13 * beside,
        words=rows["contiguous"].map({True: "intervals", False: "not intervals"}),
    )
    names = ["intervals", "not intervals"]
    points = alt.Chart(kinds).mark_point(size=38, opacity=0.8, strokeWidth=1.6).encode(
        x=x,
        y=y,
        color=alt.Color("words:N", title="words", scale=alt.Scale(domain=names, range=list(COLOURS[:2]))),
        shape=alt.Shape("words:N", title="words", scale=alt.Scale(domain=names, range=["circle", "cross"])),
    )  # fmt: skip
    return alt.layer(tick, points, width=width, height=260, title=f"{title} reward")


def restricted_learning_figure(curves: pd.DataFrame) -> alt.HConcatChart:
    """Learning curves: the distance from the frontier and the words in use, medians and middle halves over runs.

    `curves`: reward, vocabulary, round, steps (of a round), gap, size.
    """
    table = curves.assign(step=curves["round"] * curves["steps"], used=curves["size"] / curves["vocabulary"])
    rewards = list(dict.fromkeys(table["reward"]))
    colour = alt.Color("reward:N", title="reward", scale=alt.Scale(domain=rewards, range=list(COLOURS)))
    gaps = _curve(table, "gap", "bits above the least cost of its complexity", colour, alt.Axis())
    used = _curve(table, "used", "share of the words offered that are used", colour, alt.Axis(format="%"))
    return alt.hconcat(gaps, used, spacing=30)


def _curve(table: pd.DataFrame, column: str, title: str, colour: alt.Color, axis: alt.Axis) -> Panel:
    grouped = table.groupby(["reward", "step"], sort=False)[column]
    spans = pd.DataFrame(
        {"low": grouped.quantile(0.25), "median": grouped.median(), "high": grouped.quantile(0.75)}
    ).reset_index()
    x = alt.X("step:Q", title="step", axis=alt.Axis(tickCount=5))
    base = alt.Chart(spans)
    half = base.mark_area(opacity=0.15).encode(x=x, y=alt.Y("low:Q", title=title, axis=axis), y2="high:Q", color=colour)
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y="median:Q", color=colour)
    return alt.layer(half, line, width=panel_width(2), height=260)


def _reaching(least: float, *columns: pd.Series) -> float:
    """The end of an axis that nothing lies beyond: what it is usually, or the next half that all values are below."""
    values = pd.concat(columns).astype(float)
    greatest = values[np.isfinite(values)].max()  # NaN where there is none
    return math.ceil(2 * greatest) / 2 if greatest > least else least


def _complexity(largest: float) -> alt.X:
    # Few systems of people have more than 20 nodes, and recursive ones more than 70: a logarithm gives both room.
    return alt.X(
        "complexity:Q",
        title="complexity (nodes of the rules)",
        scale=alt.Scale(type="log", domain=[_TICKS[0], largest], nice=False),
        axis=alt.Axis(values=_TICKS, format="d"),
    )


def _region(points: pd.DataFrame, colour: str, x: alt.X, y: alt.Y) -> alt.Chart:
    return alt.Chart(points).mark_area(color=colour, opacity=0.13, clip=True).encode(x=x, y=y, y2="worst_cost:Q")


def _kind_colour(with_agents: bool) -> alt.Color:
    domain, colours = ([*_KINDS, _AGENTS], [*COLOURS[:3], INK]) if with_agents else (_KINDS, list(COLOURS[:3]))
    return alt.Color("kind:N", title=None, scale=alt.Scale(domain=domain, range=colours))


def _kind_shape(with_agents: bool) -> alt.Shape:
    domain = [*_KINDS, _AGENTS] if with_agents else _KINDS
    return alt.Shape("kind:N", title=None, scale=alt.Scale(domain=domain, range=_SHAPES[: len(domain)]))


def _frontiers(points: pd.DataFrame, x: alt.X, y: alt.Y, with_agents: bool) -> alt.Chart:
    return alt.Chart(points).mark_line(strokeWidth=1.6, clip=True).encode(x=x, y=y, color=_kind_colour(with_agents))


def _agents(agents: pd.DataFrame, x: alt.X, y: alt.Y) -> alt.Chart:
    crosses = alt.Chart(agents.assign(kind=_AGENTS)).mark_point(size=26, strokeWidth=1.2, opacity=0.55, clip=True)
    return crosses.encode(x=x, y=y, color=_kind_colour(True), shape=_kind_shape(True))


def _humans(languages: pd.DataFrame, x: alt.X, y: alt.Y, with_agents: bool) -> alt.Chart:
    size = alt.Size(
        "languages:Q", title="languages", scale=alt.Scale(range=[60, 260]), legend=alt.Legend(values=[1, 4, 8])
    )
    points = alt.Chart(languages).mark_point(strokeWidth=2, opacity=1)
    return points.encode(x=x, y=y, size=size, shape=_kind_shape(with_agents), color=_kind_colour(with_agents))


def _names(languages: pd.DataFrame, x: alt.X, y: alt.Y, ends: tuple[float, float]) -> Sequence[alt.Chart]:
    """Names beside their points; recursive languages that lie close together on the axis share a label.

    `ends`: where the axes end.
    """
    recursive = languages[languages["kind"] == "recursive"].sort_values("complexity")
    apart = (recursive["complexity"] > 1.1 * recursive["complexity"].shift()).cumsum()
    lines = (
        recursive.assign(apart=apart)
        .groupby("apart")
        .agg(complexity=("complexity", "mean"), cost=("cost", "first"), label=("label", _and_others))
    )
    named = pd.concat([languages[languages["kind"] != "recursive"], lines])[["complexity", "cost", "label"]]
    largest, top = ends
    # From the right, where names have least room.
    places = named.sort_values(["complexity", "cost"], ascending=False).assign(
        px=lambda rows: np.log(rows["complexity"] / _TICKS[0]) / np.log(largest / _TICKS[0]) * _WIDTH,
        py=lambda rows: (1 - rows["cost"] / top) * _HEIGHT,
    )
    return name_layers(place_names(places, _WIDTH, _HEIGHT), x, y)


def _and_others(names: pd.Series) -> str:
    first, *others = names
    return f"{first} and {len(others)} others" if len(others) > 1 else ", ".join(names)
