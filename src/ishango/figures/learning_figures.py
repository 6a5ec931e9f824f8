"""Pictures of learning from scratch: which systems are learned well, and what helps."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.look import COLOURS, COLUMN, GREY, INK, NOTE, SPAN, Panel


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
