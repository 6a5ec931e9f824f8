"""Pictures of learning from scratch: which systems are learned well, and what helps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from ishango.figures.look import COLOURS, COLUMN, GREY, INK, NOTE, SPAN, Panel, name_layers, panel_width, place_names


def learnability_figure(table: pd.DataFrame) -> Panel:
    """Share of games won over the whole of learning against the average complexity of what is learned, a seed a point.

    `table`: kind (start or optimum), system, seed, average_complexity, won.
    """
    x = alt.X("average_complexity:Q", title="average complexity over the game range", scale=alt.Scale(zero=False))
    y = alt.Y("won:Q", title="games won over the whole of learning", axis=alt.Axis(format="%"))
    kinds = ["start", "optimum"]
    points = alt.Chart(table).mark_point(filled=True, size=45, opacity=0.75).encode(
        x=x,
        y=y.scale(zero=False),
        color=alt.Color("kind:N", title=None, scale=alt.Scale(domain=kinds, range=[COLOURS[1], COLOURS[0]])),
        shape=alt.Shape("kind:N", title=None, scale=alt.Scale(domain=kinds, range=["triangle-up", "circle"])),
        tooltip=["system", "seed", alt.Tooltip("won", format=".1%")],
    )  # fmt: skip
    medians = table.groupby(["system", "kind"], as_index=False)[["average_complexity", "won"]].median()
    ticks = alt.Chart(medians).mark_tick(color=INK, thickness=1.5, size=14, orient="horizontal").encode(x=x, y=y)
    return alt.layer(points, ticks, width=COLUMN, height=300)


def settings_figure(table: pd.DataFrame) -> alt.VConcatChart:
    """Share of games won under each setting, every seed a tick and the median a dot; one panel for what is learned.

    `table`: setting, system, accuracy; settings are shown in the order of the table.
    """
    return alt.vconcat(
        *(_settings(rows, str(system)) for system, rows in table.groupby("system", sort=False)), spacing=18
    )


def _settings(rows: pd.DataFrame, title: str) -> Panel:
    order = list(dict.fromkeys(rows["setting"]))
    axis = alt.Axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    x = alt.X("accuracy:Q", title="games won in the last 500 steps", axis=axis, scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("setting:N", sort=order, title=None, axis=alt.Axis(labelLimit=260))
    seeds = alt.Chart(rows).mark_tick(thickness=2, size=14, color=COLOURS[0], opacity=0.7).encode(x=x, y=y)
    medians = rows.groupby("setting", sort=False, as_index=False)[["accuracy"]].median()
    dots = alt.Chart(medians).mark_point(filled=True, color=INK, size=50, opacity=1).encode(x=x, y=y)
    return alt.layer(seeds, dots, width=COLUMN - 200, height=20 * len(order), title=title)


# Pictures of calibration: does a factor change how well agents communicate?


def factor_figure(table: pd.DataFrame, factor: str) -> alt.HConcatChart:
    """Games won under each value of a factor: every run a point, joined across values, and the mean; one panel a time.

    `table`: time (such as "after pre-training"), value, run (start and seed), start, accuracy; values are shown in
    the order of the table.
    """
    panels = [_panel(rows, str(time), factor) for time, rows in table.groupby("time", sort=False)]
    return alt.hconcat(*panels, spacing=30).resolve_scale(y="shared")  # pyright: ignore[reportUnknownMemberType]


def _panel(rows: pd.DataFrame, title: str, factor: str) -> Panel:
    order = list(dict.fromkeys(rows["value"]))
    x = alt.X("value:N", sort=order, title=factor, axis=alt.Axis(labelAngle=0))
    y = alt.Y("accuracy:Q", title="games won in the last 500 steps", axis=alt.Axis(format="%"))
    y = y.scale(zero=False)
    colour = alt.Color("start:N", title="start", scale=alt.Scale(range=list(COLOURS)))
    base = alt.Chart(rows).encode(x=x, y=y, color=colour)
    lines = base.mark_line(strokeWidth=1, opacity=0.45).encode(detail="run:N")
    points = base.mark_point(filled=True, size=36, opacity=0.8).encode(tooltip=["run", "accuracy"])
    means = rows.groupby("value", sort=False, as_index=False)[["accuracy"]].mean()
    ticks = alt.Chart(means).mark_tick(color=INK, thickness=2.5, size=22).encode(x=x, y=y)
    return alt.layer(lines, points, ticks, width=max(150, 70 * len(order)), height=220, title=title)


# Pictures of a study of pressures: where runs end under each, and what each lets communication select for.

_ROW = 19
"""Pixels of height for a cell."""
_KINDS = ("drift", "costs alone", "agents")


def pressures_figure(cells: pd.DataFrame, ends: pd.DataFrame) -> alt.HConcatChart:
    """Every cell a row: the final gap of each run with the middle half and the median, and selection on both axes.

    `cells`: cell, kind (drift, costs alone, agents), gap_low, gap, gap_high, and length and size with `_low` and
    `_high`. `ends`: cell, kind, gap.
    """
    order = list(cells["cell"])
    rows = alt.Scale(domain=order)  # also those of which an axis has no number
    silent = alt.Axis(labels=False, ticks=False, domain=False, grid=True)
    y = alt.Y("cell:N", scale=rows, title=None, axis=alt.Axis(labelLimit=480, grid=True))
    bare = alt.Y("cell:N", scale=rows, title=None, axis=silent)
    colours = alt.Scale(domain=list(_KINDS), range=[INK, COLOURS[2], COLOURS[1]])
    colour = alt.Color("kind:N", scale=colours, title=None, legend=alt.Legend(orient="top"))
    panels = [
        _gaps(cells, ends, y, colour, len(order)),
        *(
            _strengths(cells, axis, title, bare, colour, len(order))
            for axis, title in (("length", "for shorter languages"), ("size", "for smaller lexicons"))
        ),
    ]
    return alt.hconcat(*panels, spacing=14)


def _gaps(cells: pd.DataFrame, ends: pd.DataFrame, y: alt.Y, colour: alt.Color, rows: int) -> Panel:
    # Linear near 0, logarithmic above: gaps of 0.01 and of 10 are both of interest.
    scale = alt.Scale(type="symlog", constant=0.05)
    axis = alt.Axis(values=[0, 0.1, 1, 10], format=".1~f")
    x = alt.X("gap:Q", title="final gap (symbols)", scale=scale, axis=axis)
    base = alt.Chart(cells)
    half = base.mark_bar(color=SPAN, size=9).encode(y=y, x=alt.X("gap_low:Q", scale=scale, axis=axis), x2="gap_high:Q")
    runs = alt.Chart(ends[["cell", "kind", "gap"]]).mark_point(filled=True, size=9, opacity=0.6)
    median = base.mark_tick(thickness=2, size=13).encode(y=y, x=x, color=colour)
    return alt.layer(half, runs.encode(y=y, x=x, color=colour), median, width=250, height=_ROW * rows)


def _strengths(cells: pd.DataFrame, axis: str, title: str, y: alt.Y, colour: alt.Color, rows: int) -> Panel:
    scale = alt.Scale(type="symlog", constant=0.3)
    ticks = alt.Axis(values=[-10, -1, -0.3, 0, 0.3, 1, 10, 100], format=".1~f")
    x = alt.X(f"{axis}:Q", title=title, scale=scale, axis=ticks)
    known = alt.Chart(cells[cells[f"{axis}_low"].notna()])
    zero = alt.Chart(pd.DataFrame({axis: [0.0]})).mark_rule(color=INK, strokeDash=[3, 3]).encode(x=x)
    span = known.mark_rule(strokeWidth=2).encode(
        y=y, x=alt.X(f"{axis}_low:Q", scale=scale, axis=ticks), x2=f"{axis}_high:Q", color=colour
    )
    point = known.mark_point(filled=True, size=34, opacity=1).encode(y=y, x=x, color=colour)
    return alt.layer(zero, span, point, width=150, height=_ROW * rows)


# Pictures of generations: how many words a bottleneck lets through, and what takes languages to the frontier.


def bottleneck_figure(sizes: pd.DataFrame, humans: pd.DataFrame, gaps: pd.DataFrame) -> alt.HConcatChart:
    """Left, words against the bottleneck with what theory expects; right, how far from the frontier chains end.

    `sizes`: bottleneck, size, low, high (which most generations lie between), expected.
    `humans`: low, high: one row, the sizes that most human languages lie between.
    `gaps`: mechanism, gap: a row for each chain; mechanisms are shown in the order of the table.
    """
    return alt.hconcat(_sizes(sizes, humans), _generation_gaps(gaps), spacing=36)


def _sizes(sizes: pd.DataFrame, humans: pd.DataFrame) -> Panel:
    x = alt.X("bottleneck:Q", title="numbers that a generation hears", scale=alt.Scale(type="log", nice=False))
    x = x.axis(values=sizes["bottleneck"].tolist(), labelOverlap=True)
    base = alt.Chart(sizes).encode(x=x)
    band = base.mark_area(opacity=0.18, color=COLOURS[0])
    band = band.encode(y=alt.Y("low:Q", title="words in the lexicon"), y2="high:Q")
    dots = alt.OverlayMarkDef(filled=True, size=40, color=COLOURS[0])
    line = base.mark_line(strokeWidth=2, point=dots, color=COLOURS[0]).encode(y="size:Q")
    theory = base.mark_line(strokeWidth=1.5, strokeDash=[5, 3], color=INK).encode(y="expected:Q")
    between = alt.Chart(humans).mark_rect(color=GREY, opacity=0.5).encode(y="low:Q", y2="high:Q")
    layers = (between, band, line, theory, *_names(sizes, humans))
    return alt.layer(*layers, width=330, height=250, title="A bottleneck sets the size")


def _names(sizes: pd.DataFrame, humans: pd.DataFrame) -> list[alt.Chart]:
    """Names beside the lines instead of a legend: at their middle, and in the band's far corner."""
    middle = sizes.iloc[[len(sizes) // 2]]
    learners = alt.Chart(middle).mark_text(align="right", dx=-14, dy=-12, text="ideal learners", color=COLOURS[0])
    theory = alt.Chart(middle).mark_text(align="left", dx=14, dy=10, text="theory", color=INK)
    band = alt.Chart(humans.assign(bottleneck=sizes["bottleneck"].max()))
    people = band.mark_text(align="right", dx=-4, dy=9, text="most human languages", color=NOTE)
    return [
        learners.encode(x="bottleneck:Q", y="size:Q"),
        theory.encode(x="bottleneck:Q", y="expected:Q"),
        people.encode(x="bottleneck:Q", y="high:Q"),
    ]


def _generation_gaps(gaps: pd.DataFrame) -> Panel:
    order = list(dict.fromkeys(gaps["mechanism"]))
    x = alt.X(
        "gap:Q", title="symbols above the frontier, mean of a chain", scale=alt.Scale(type="symlog", constant=0.05)
    )
    x = x.axis(values=[0, 0.05, 0.2, 0.5, 1, 2, 5, 10, 20], format="~g")
    y = alt.Y("mechanism:N", sort=order, title=None, axis=alt.Axis(labelLimit=260))
    ticks = alt.Chart(gaps).mark_tick(thickness=1.2, size=16, opacity=0.35, color=COLOURS[0]).encode(x=x, y=y)
    medians = gaps.groupby("mechanism", sort=False, as_index=False)[["gap"]].median()
    dots = alt.Chart(medians).mark_point(filled=True, size=60, color=INK, opacity=1).encode(x=x, y=y)
    return alt.layer(ticks, dots, width=330, height=50 * len(order), title="What takes a language to the frontier")


def learners_figure(cells: pd.DataFrame, runs: pd.DataFrame) -> alt.HConcatChart:
    """For each bottleneck, who passed a language on: left how far from the frontier runs end, right how many words.

    `cells`: cell, bottleneck, and gap and size with `_low` and `_high`, the middle half. `runs`: cell, bottleneck, gap,
    size, a row for each run that is drawn as a point.
    """
    gaps = alt.Scale(type="symlog", constant=0.05)
    near = {"scale": gaps, "axis": alt.Axis(values=[0, 0.05, 0.2, 1, 5, 20], format="~g")}
    words = {"scale": alt.Scale(type="log", nice=False), "axis": alt.Axis(values=[5, 10, 20, 50])}
    table = pd.concat([cells.assign(point=False), runs.assign(point=True)], ignore_index=True)
    left = _learners(table, "gap", "symbols above the frontier", near, alt.Axis(labelLimit=330))
    bare = alt.Axis(labels=False, ticks=False, domain=False)
    return alt.hconcat(left, _learners(table, "size", "words in the lexicon", words, bare), spacing=20)


def _learners(table: pd.DataFrame, measure: str, title: str, drawn: dict[str, Any], names: alt.Axis) -> Panel:
    y = alt.Y("cell:N", sort=list(dict.fromkeys(table["cell"])), title=None, axis=names)
    x = alt.X(f"{measure}:Q", title=title, **drawn)
    cell, run = (alt.Chart(table).transform_filter(which) for which in ("!datum.point", "datum.point"))
    low = alt.X(f"{measure}_low:Q", title=title, **drawn)
    half = cell.mark_bar(color=SPAN, size=9).encode(y=y, x=low, x2=f"{measure}_high:Q")
    points = run.mark_point(filled=True, size=9, opacity=0.6, color=COLOURS[1]).encode(y=y, x=x)
    median = cell.mark_tick(thickness=2, size=13, color=INK).encode(y=y, x=x)
    panel = alt.layer(half, points, median, width=250, height=alt.Step(17))
    header = alt.Header(title=None, labelExpr="datum.value + ' heard'", labelOrient="top", labelAnchor="start")
    bottlenecks = list(dict.fromkeys(table["bottleneck"]))
    rows = alt.Row("bottleneck:N", sort=bottlenecks, header=header)
    facets = panel.facet(row=rows)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return facets.resolve_scale(y="independent")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


# Pictures of restricted systems: the plane of complexity and cost, what agents learn, and how near they come.

_RESTRICTED_KINDS = ["approximate", "exact restricted", "recursive"]
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
        layers += _restricted_names(languages, x, y, (largest, top))
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
    domain, colours = (
        ([*_RESTRICTED_KINDS, _AGENTS], [*COLOURS[:3], INK]) if with_agents else (_RESTRICTED_KINDS, list(COLOURS[:3]))
    )
    return alt.Color("kind:N", title=None, scale=alt.Scale(domain=domain, range=colours))


def _kind_shape(with_agents: bool) -> alt.Shape:
    domain = [*_RESTRICTED_KINDS, _AGENTS] if with_agents else _RESTRICTED_KINDS
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


def _restricted_names(languages: pd.DataFrame, x: alt.X, y: alt.Y, ends: tuple[float, float]) -> Sequence[alt.Chart]:
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
