"""Pictures of generations: how many words a bottleneck lets through, and what takes languages to the frontier."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, GREY, INK, NOTE, SPAN, Panel


def bottleneck_figure(sizes: pd.DataFrame, humans: pd.DataFrame, gaps: pd.DataFrame) -> alt.HConcatChart:
    """Left, words against the bottleneck with what theory expects; right, how far from the frontier chains end.

    `sizes`: bottleneck, size, low, high (which most generations lie between), expected.
    `humans`: low, high: one row, the sizes that most human languages lie between.
    `gaps`: mechanism, gap: a row for each chain; mechanisms are shown in the order of the table.
    """
    return alt.hconcat(_sizes(sizes, humans), _gaps(gaps), spacing=36)


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


def _gaps(gaps: pd.DataFrame) -> Panel:
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
