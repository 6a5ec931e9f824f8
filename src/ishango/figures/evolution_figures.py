"""Pictures of evolution and learning: the paths of runs, where they end beside drift, how strongly they select."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

import altair as alt
import pandas as pd

from ishango.figures import look
from ishango.figures.look import COLOURS, COLUMN, GREY, HUMAN, INK, SPAN, STARTS, Panel, panel_width, stepped

_HEIGHT = 260
_WHO_COLOURS = (COLOURS[1], COLOURS[2], COLOURS[3], COLOURS[0])
_COIN = "drift (middle half, median)"
_WHO_SHAPES = ("circle", "triangle-up", "cross", "diamond")
"""How runs are told apart by who decides, in the order of the table."""


def trajectories_figure(rounds: pd.DataFrame, frontier: pd.DataFrame) -> Panel:
    """The paths of runs in the plane, as steps from an open circle to a filled one, above the unattainable region.

    `rounds`: run, start, round, size, average_complexity and, if some are of drift, drift (these are dashed).
    `frontier`: size, average_complexity.
    """
    x, y, attainable = _plane(rounds, frontier)
    colour = alt.Color("start:N", title="start", scale=_start_scale(rounds))
    ordered = rounds.sort_values(["run", "round"])
    tooltip = ["start", "round", "size", alt.Tooltip("average_complexity", format=".3f")]
    paths = alt.Chart(stepped(ordered)).mark_line(strokeWidth=1.3, opacity=0.8)
    paths = paths.encode(x=x, y=y, color=colour, detail="run:N", order="step:Q")
    if "drift" in rounds and rounds["drift"].any():
        who = alt.Legend(title="who decides", labelExpr="datum.value ? 'drift' : 'agents'")
        paths = paths.encode(strokeDash=alt.StrokeDash("drift:N", scale=_DASHES, legend=who))
    first, last = ordered.drop_duplicates("run"), ordered.drop_duplicates("run", keep="last")
    begins = alt.Chart(first).mark_point(filled=False, size=60, strokeWidth=1.5).encode(x=x, y=y, color=colour)
    finals = alt.Chart(last).mark_point(filled=True, size=60, opacity=1)
    finals = finals.encode(x=x, y=y, color=colour, tooltip=tooltip)
    return alt.layer(*attainable, paths, begins, finals, width=COLUMN, height=360)


_DASHES = alt.Scale(domain=[False, True], range=[[1, 0], [3, 3]])


def finals_figure(ends: pd.DataFrame, frontier: pd.DataFrame, languages: pd.DataFrame) -> Panel:
    """Where runs end, coloured by start, among human languages (open circles), above the unattainable region.

    `ends`: start, seed, size, average_complexity. `frontier` and `languages`: size, average_complexity.
    """
    x, y, attainable = _plane(pd.concat([ends, languages]), frontier)
    colour = alt.Color("start:N", title="start", scale=_start_scale(ends))
    tooltip = ["start", "seed", "size", alt.Tooltip("average_complexity", format=".3f")]
    humans = alt.Chart(languages).mark_point(**HUMAN, size=46, opacity=0.8)
    finals = alt.Chart(ends).mark_point(filled=True, size=80, opacity=0.9)
    finals = finals.encode(x=x, y=y, color=colour, tooltip=tooltip)
    return alt.layer(*attainable, humans.encode(x=x, y=y), finals, width=COLUMN, height=360)


def _plane(points: pd.DataFrame, frontier: pd.DataFrame) -> tuple[alt.X, alt.Y, list[alt.Chart]]:
    """Axes that hold all points, and the frontier above what cannot be had."""
    right, top = int(points["size"].max()) + 1, float(points["average_complexity"].max()) + 0.1
    scale, axis = alt.Scale(domain=[1.5, right], nice=False), alt.Axis(tickMinStep=1, format="d")
    x = alt.X("size:Q", title="lexicon size |D| + |M|", scale=scale, axis=axis)
    y = alt.Y("average_complexity:Q", title="average complexity (symbols)", scale=alt.Scale(domain=[1, top]))
    return x, y, look.unattainable(frontier[frontier["size"] <= right], x, y)


def _start_scale(table: pd.DataFrame) -> alt.Scale:
    """The same colour for a start in every figure, whichever others are shown."""
    starts = sorted(map(str, set(table["start"])))
    colours = dict(zip(map(str, range(1, 9)), STARTS, strict=True))
    return alt.Scale(domain=starts, range=[colours.get(start, INK) for start in starts])


def ends_figure(ends: pd.DataFrame, drift: pd.DataFrame) -> alt.HConcatChart:
    """Final gaps, every run a point, over those of drift (middle half and median), one panel a reading.

    `ends`: add, who (decides, as the legend calls it), start, gap. `drift`: add, start, gap.
    """
    deciding = list(dict.fromkeys(ends["who"]))
    readings = list(map(str, dict.fromkeys([*ends["add"], *drift["add"]])))
    width = panel_width(len(readings))
    panels = [_ends(ends[ends["add"] == add], drift[drift["add"] == add], add, deciding, width) for add in readings]
    return alt.hconcat(*panels, spacing=24).resolve_scale(y="shared")  # pyright: ignore[reportUnknownMemberType] - Altair


def _ends(ends: pd.DataFrame, drift: pd.DataFrame, title: str, deciding: list[str], width: int) -> Panel:
    x = alt.X("start:N", title="start", axis=alt.Axis(labelAngle=0))
    axis = alt.Axis(values=[0, 0.01, 0.1, 1], format="~g")
    # Linear near 0, logarithmic above: gaps of 0.001 and of 1 are both of interest.
    scale = alt.Scale(type="symlog", constant=0.02)
    y = alt.Y("gap:Q", title="final gap to the proved frontier (symbols)", scale=scale, axis=axis)
    gaps = drift.groupby("start")["gap"]
    spans = pd.DataFrame({"low": gaps.quantile(0.25), "gap": gaps.median(), "high": gaps.quantile(0.75)}).reset_index()
    base = alt.Chart(spans.assign(who=_COIN))
    colours = alt.Scale(domain=[_COIN, *deciding], range=[SPAN, *_cycled(_WHO_COLOURS, len(deciding))])
    shapes = alt.Scale(domain=[_COIN, *deciding], range=["square", *_cycled(_WHO_SHAPES, len(deciding))])
    legend = alt.Legend(title=None, orient="top", symbolOpacity=1, columnPadding=18)
    colour = alt.Color("who:N", scale=colours, legend=legend)
    half = base.mark_bar(size=16).encode(x=x, y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q", color=colour)
    median = base.mark_tick(color=INK, size=16, thickness=1.5).encode(x=x, y=y)
    points = alt.Chart(ends[["who", "start", "gap"]]).mark_point(filled=True, size=42, opacity=0.85)
    points = points.encode(x=x, y=y, color=colour, shape=alt.Shape("who:N", scale=shapes, legend=legend))
    # A legend of nobody, where all runs are of the drift, would leave the picture without a size.
    layers = [half, median, points] if deciding else [half, median]
    return alt.layer(*layers, width=width, height=_HEIGHT, title=f"m0 and m1 add the {title} free numeral")


def _cycled(values: Sequence[str], length: int) -> list[str]:
    return list(islice(cycle(values), length))


def selection_figure(table: pd.DataFrame) -> Panel:
    """The strength of selection of each group of runs with its interval; 0 is drift.

    `table`: group, strength, low, high and, if there are any that always keep what is shorter and never what is longer,
    separated: their strength has no bound, which is written in place of a point.
    """
    order = list(table["group"])
    y = alt.Y("group:N", sort=order, title=None, axis=alt.Axis(labelLimit=240), scale=alt.Scale(domain=order))
    separated = table["separated"].astype(bool) if "separated" in table else pd.Series(False, table.index)
    known, always = table[~separated], table[separated]
    scale = alt.Scale(type="symlog", constant=5)
    weak = bool((known[["low", "high"]].abs() < 20).all(axis=None))
    axis = alt.Axis(
        values=[-10, -5, -2, -1, 0, 1, 2, 5, 10] if weak else [-1000, -100, -30, -10, -3, 0, 3, 10, 30, 100, 1000],
        format="d",
    )
    x = alt.X("strength:Q", title="log odds a symbol", scale=scale, axis=axis)
    zero = alt.Chart(pd.DataFrame({"strength": [0]})).mark_rule(color=INK, strokeDash=[3, 3]).encode(x=x)
    base = alt.Chart(known)
    span = base.mark_rule(color=COLOURS[0], strokeWidth=2).encode(
        y=y, x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"
    )
    point = base.mark_point(filled=True, color=COLOURS[0], size=50, opacity=1).encode(y=y, x=x)
    words = alt.Chart(always).mark_text(align="right", dx=-4, color=INK, text="no bound \u2192")
    layers = [zero, span, point, words.encode(y=y, x=alt.value("width"))] if len(always) else [zero, span, point]
    return alt.layer(*layers, width=COLUMN - 60, height=max(60, 26 * len(order)))


def two_axes_figure(table: pd.DataFrame) -> Panel:
    """Selection for length and for size, each group a cross of two intervals; drift is at the origin.

    Up and to the right, shorter languages and smaller lexicons are both preferred: a trade-off between the two.
    `table`: group, and `length` and `size` with `_low` and `_high`.
    """
    colour = _group_colour(list(table["group"]))
    # Linear near 0, logarithmic above: pressures differ by orders of magnitude.
    right, up = alt.Scale(type="symlog", constant=0.5), alt.Scale(type="symlog", constant=0.2)
    ticks = [-10, -3, -1, -0.3, 0, 0.3, 1, 3, 10, 30, 100, 300]
    x_title, y_title = "selection for shorter languages (log odds a symbol)", "for smaller lexicons (log odds a word)"
    x = alt.X("length:Q", title=x_title, scale=right, axis=alt.Axis(values=ticks, format=".1~f"))
    y = alt.Y("size:Q", title=y_title, scale=up, axis=alt.Axis(values=ticks, format=".1~f"))
    origin = pd.DataFrame({"length": [0.0], "size": [0.0]})
    across = alt.Chart(origin).mark_rule(color=INK, strokeDash=[3, 3]).encode(y=y)
    along = alt.Chart(origin).mark_rule(color=INK, strokeDash=[3, 3]).encode(x=x)
    base = alt.Chart(table)
    spans = [
        base.mark_rule(strokeWidth=1.6).encode(
            x=alt.X("length_low:Q", scale=right), x2="length_high:Q", y=y, color=colour
        ),
        base.mark_rule(strokeWidth=1.6).encode(x=x, y=alt.Y("size_low:Q", scale=up), y2="size_high:Q", color=colour),
    ]
    points = base.mark_point(filled=True, size=46, opacity=1).encode(x=x, y=y, color=colour)
    return alt.layer(across, along, *spans, points, width=420, height=320)


def _group_colour(order: list[str]) -> alt.Color:
    scale = alt.Scale(domain=order, range=_cycled(STARTS, len(order)))
    return alt.Color("group:N", title=None, sort=order, scale=scale)


def restoring_force_figure(table: pd.DataFrame) -> Panel:
    """The mean change of size in a round against size, a line a group; where it falls through 0, lexicons return.

    `table`: group, size, change, error.
    """
    order = list(dict.fromkeys(table["group"]))
    colour = _group_colour(order)
    table = table.assign(low=table["change"] - 2 * table["error"], high=table["change"] + 2 * table["error"])
    whole = alt.Axis(tickMinStep=1, format="d")
    x = alt.X("size:Q", title="lexicon size", scale=alt.Scale(zero=False), axis=whole)
    y = alt.Y("change:Q", title="mean change of size in a round")
    zero = alt.Chart(pd.DataFrame({"change": [0.0]})).mark_rule(color=GREY, strokeWidth=1.5).encode(y=y)
    base = alt.Chart(table)
    band = base.mark_area(opacity=0.15).encode(x=x, y=alt.Y("low:Q"), y2="high:Q", color=colour)
    # Colours are used again from the ninth group on; then lines are dashed.
    again = [[] if i < len(STARTS) else [5, 3] for i in range(len(order))]
    dash = alt.StrokeDash("group:N", title=None, sort=order, scale=alt.Scale(domain=order, range=again))
    line = base.mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash)
    return alt.layer(zero, band, line, width=420, height=_HEIGHT)


# The answer in a picture: where agents end among the frontier, human languages and drift; and how well they talk.

_TOP, _HIGHEST = 2.2, 3.2
"""Average complexity up to which the plane is shown at least and at most; what lies above is drawn at the edge."""
_LEAST = 3
"""Ends of a size from which on their range is drawn."""
_SIZE = "lexicon size |D| + |M|"
_HALF = 0.25
"""Half the width of a bar, in words: it is narrower where the plane is, so that bars stay apart on a phone."""
_ANSWER_COIN, _AGENTS, _PEOPLE = "drift: four fifths of its ends", "agents: where they end", "human languages"


def hero_figure(frontier: pd.DataFrame, languages: pd.DataFrame, agents: pd.DataFrame, drift: pd.DataFrame) -> Panel:
    """The frontier above what cannot be had, human languages, where agents end, and where most runs of drift do.

    All tables: size, average_complexity; `agents` also start and seed.
    """
    right = int(max(languages["size"].max(), agents["size"].max(), drift["size"].quantile(0.95))) + 1
    scale = alt.Scale(domain=[2, right], nice=False, padding=12)
    x = alt.X("size:Q", title=_SIZE, scale=scale, axis=alt.Axis(tickMinStep=1, grid=False))
    top = max(_TOP, float(agents["average_complexity"].max()) + 0.05)
    height = alt.Scale(domain=[1, min(top, _HIGHEST)], clamp=True, nice=False)
    y = alt.Y("average_complexity:Q", title="average complexity (symbols)", scale=height)
    below = look.unattainable(frontier[frontier["size"] <= right], x, y)
    band = _band(drift[drift["size"] <= right], scale, height)
    layers = (band, *below, _people(languages, x, y), _answer_ends(agents, x, y), _beyond(agents, x, y))
    chart = alt.layer(*layers, width=COLUMN, height=280)
    return chart.resolve_scale(stroke="independent")  # pyright: ignore[reportUnknownMemberType] - Altair


def _legend() -> alt.Legend:
    return alt.Legend(title=None, orient="top", symbolOpacity=1)


def _band(drift: pd.DataFrame, scale: alt.Scale, height: alt.Scale) -> alt.Chart:
    """Bars that hold four fifths of the ends at each size."""
    grouped = drift.groupby("size")["average_complexity"]
    spans = pd.DataFrame({"low": grouped.quantile(0.1), "high": grouped.quantile(0.9), "runs": grouped.size()})
    spans = spans[spans["runs"] >= _LEAST].reset_index().assign(kind=_ANSWER_COIN)
    spans = spans.assign(left=spans["size"] - _HALF, right=spans["size"] + _HALF)
    low = alt.Y("low:Q", scale=height, title="average complexity (symbols)")
    left = alt.X("left:Q", title=_SIZE, scale=scale)
    return alt.Chart(spans).mark_rect(clip=True).encode(x=left, x2="right:Q", y=low, y2="high:Q", color=_kind())


def _kind() -> alt.Color:
    return alt.Color(
        "kind:N", scale=alt.Scale(domain=[_ANSWER_COIN, _AGENTS], range=[SPAN, COLOURS[1]]), legend=_legend()
    )


def _people(languages: pd.DataFrame, x: alt.X, y: alt.Y) -> alt.Chart:
    points = languages[["size", "average_complexity"]].drop_duplicates().assign(kind=_PEOPLE)
    mark = {name: value for name, value in HUMAN.items() if name != "color"}
    stroke = alt.Stroke("kind:N", scale=alt.Scale(domain=[_PEOPLE], range=[INK]), legend=_legend())
    return alt.Chart(points).mark_point(**mark, size=44, opacity=1).encode(x=x, y=y, stroke=stroke)


def _answer_ends(agents: pd.DataFrame, x: alt.X, y: alt.Y) -> alt.Chart:
    tooltip = ["start", "seed", "size", alt.Tooltip("average_complexity", format=".3f")]
    points = alt.Chart(agents.assign(kind=_AGENTS)).mark_point(filled=True, size=80, opacity=1)
    return points.encode(x=x, y=y, color=_kind(), tooltip=tooltip)


def _beyond(agents: pd.DataFrame, x: alt.X, y: alt.Y) -> alt.Chart:
    """The value of what is drawn at the edge because it lies above it, so that nobody reads it off the axis."""
    above = agents[agents["average_complexity"] > _HIGHEST].sort_values("average_complexity").drop_duplicates("size")
    text = above.assign(text=above["average_complexity"].map(lambda value: f"\u2191 {value:.1f}"))
    return alt.Chart(text).mark_text(align="left", dx=8, color=INK).encode(x=x, y=y, text="text:N")


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


# Learning from scratch: which systems are learned well, and what helps.


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
    gaps = _gaps(cells, ends, y, colour, len(order))
    shorter = _strengths(cells, "length", "for shorter languages", bare, colour, len(order))
    smaller = _strengths(cells, "size", "for smaller lexicons", bare, colour, len(order))
    return alt.hconcat(gaps, shorter, smaller, spacing=14)


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
    known, told = (alt.Chart(cells[cells[name].notna()]) for name in (f"{axis}_low", axis))
    zero = alt.Chart(pd.DataFrame({axis: [0.0]})).mark_rule(color=INK, strokeDash=[3, 3]).encode(x=x)
    span = known.mark_rule(strokeWidth=2).encode(
        y=y, x=alt.X(f"{axis}_low:Q", scale=scale, axis=ticks), x2=f"{axis}_high:Q", color=colour
    )
    point = told.mark_point(filled=True, size=34, opacity=1).encode(y=y, x=x, color=colour)
    return alt.layer(zero, span, point, width=150, height=_ROW * rows)
