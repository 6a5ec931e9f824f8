"""Pictures of the frontier: what is attainable, how many multipliers it takes, how close estimates come."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from ishango.figures.theme import COLOURS, GREY, INK, NOTE, SHADES

Panel = alt.LayerChart | alt.FacetChart
_HEIGHT = 260


def frontier_figure(
    frontier: pd.DataFrame, languages: pd.DataFrame, largest: int = 22, top: float = 2.0
) -> alt.HConcatChart:
    """The proved frontier above the unattainable region, with human languages on it, one panel a grammar.

    `frontier`: grammar, size, average_complexity and, if some sizes have a lower bound only, proved.
    `languages`: grammar, size, average_complexity, languages (how many share the point) and label (empty for none).
    """
    panels: list[Panel] = []
    for grammar in map(str, dict.fromkeys(frontier["grammar"])):
        line = frontier.loc[(frontier["grammar"] == grammar) & (frontier["size"] <= largest)]
        points = languages.loc[(languages["grammar"] == grammar) & (languages["size"] <= largest)]
        panels.append(_plane(line, points, largest, top, f"{grammar.capitalize()} grammar"))
    return alt.hconcat(*panels, spacing=30)


def _plane(line: pd.DataFrame, points: pd.DataFrame, largest: int, top: float, title: str) -> Panel:
    scale, axis = alt.Scale(domain=[2, largest], nice=False), alt.Axis(tickMinStep=1)
    x = alt.X("size:Q", title="lexicon size |D| + |M|", scale=scale, axis=axis)
    y = alt.Y("average_complexity:Q", title="average complexity (symbols)", scale=alt.Scale(domain=[1, top]))
    base = alt.Chart(line)
    region = base.mark_area(color=GREY, interpolate="step-after", clip=True).encode(x=x, y=y, y2=alt.datum(1))
    edge = base.mark_line(color=INK, interpolate="step-after", strokeWidth=1.2, clip=True).encode(x=x, y=y)
    proved = line.loc[line["proved"]] if "proved" in line else line
    optima = alt.Chart(proved).mark_point(color=INK, filled=True, size=14, opacity=1, clip=True).encode(x=x, y=y)
    size = alt.Size(
        "languages:Q", title="languages", scale=alt.Scale(range=[30, 220]), legend=alt.Legend(values=[1, 5, 10])
    )
    circles = alt.Chart(points).mark_point(color=COLOURS[1], strokeWidth=1.6, opacity=0.9, clip=True)
    humans = circles.encode(x=x, y=y, size=size)
    people = (humans, *_labels(points, x, y)) if len(points) else ()  # a legend of nothing is left out
    note = pd.DataFrame({"size": [line["size"].min() + 1.2], "average_complexity": [1.12], "text": ["unattainable"]})
    words = alt.Chart(note).mark_text(align="left", fontStyle="italic", fontSize=11, color=NOTE)
    words = words.encode(x="size:Q", y="average_complexity:Q", text="text:N")
    layers = (region, edge, optima, *people, words)
    return alt.layer(*layers, title=title, width=340, height=_HEIGHT)


def _labels(points: pd.DataFrame, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Names beside their points: slanted above them, or, for the lower of two at one size, in the grey below."""
    named = points.loc[points["label"] != ""].sort_values("average_complexity")
    lower = named.duplicated("size", keep="last")
    above = alt.Chart(named.loc[~lower]).mark_text(
        align="left", angle=315, dx=8, dy=-4, fontSize=10, color=INK, clip=True
    )
    below = alt.Chart(named.loc[lower]).mark_text(align="right", dx=-2, dy=16, fontSize=10, color=INK, clip=True)
    return [chart.encode(x=x, y=y, text="label:N") for chart in (above, below)]


def genetic_figure(table: pd.DataFrame) -> alt.HConcatChart:
    """How far the genetic algorithm ends above the proved frontier, size by size, one panel a search.

    `table`: search, size, above (the median over seeds), low and high (the least and the greatest).
    """
    top = float(np.max(table["high"]))
    panels = [_excess(rows, top, str(search)) for search, rows in table.groupby("search", sort=False)]
    return alt.hconcat(*panels, spacing=24)


def _excess(rows: pd.DataFrame, top: float, title: str) -> Panel:
    x = alt.X("size:Q", title="lexicon size |D| + |M|", scale=alt.Scale(nice=False, padding=6, zero=False))
    # Linear near 0, logarithmic above: many medians are exactly 0.
    scale = alt.Scale(type="symlog", constant=0.001, domain=[0, top])
    axis = alt.Axis(values=[0, 0.001, 0.01, 0.1, 1], format="~g")
    y = alt.Y("above:Q", title="symbols above the proved frontier", scale=scale, axis=axis)
    base = alt.Chart(rows)
    span = base.mark_rule(color=GREY, strokeWidth=4).encode(x=x, y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q")
    median = base.mark_point(filled=True, color=COLOURS[0], size=36, opacity=1).encode(x=x, y=y)
    return alt.layer(span, median, width=230, height=_HEIGHT, title=title)


def multipliers_figure(optima: pd.DataFrame, languages: pd.DataFrame) -> alt.HConcatChart:
    """How many multipliers optimal systems have, from fewest to most among optima, and human languages beside them.

    `optima`: series, size, fewest, most. `languages`: multipliers, languages (how many have that many).
    """
    top = int(np.max(optima["most"]))
    panels = [
        _spans(rows, str(series), top, titled=i == 0)
        for i, (series, rows) in enumerate(optima.groupby("series", sort=False))
    ]
    bars = alt.Chart(languages).mark_bar(color=INK, size=14).encode(
        x=alt.X("multipliers:O", title="multipliers |M|", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("languages:Q", title="languages"),
    ).properties(width=110, height=_HEIGHT, title="human languages")  # fmt: skip
    return alt.hconcat(*panels, bars, spacing=16)


def _spans(table: pd.DataFrame, title: str, top: int, titled: bool) -> Panel:
    x = alt.X("size:Q", title="lexicon size", scale=alt.Scale(nice=False, padding=6, zero=False))
    scale = alt.Scale(domain=[0, top])
    base = alt.Chart(table)
    span = base.mark_rule(color=GREY, strokeWidth=5).encode(x=x, y=alt.Y("fewest:Q", scale=scale), y2="most:Q")
    most = base.mark_point(shape="triangle-up", filled=True, color=COLOURS[1], size=44, opacity=1)
    fewest = base.mark_point(filled=True, color=COLOURS[0], size=30, opacity=1)
    title_y = "multipliers |M| (● fewest, ▲ most)" if titled else None
    return alt.layer(
        span,
        most.encode(x=x, y=alt.Y("most:Q", scale=scale)),
        fewest.encode(x=x, y=alt.Y("fewest:Q", title=title_y, scale=scale)),
        width=150,
        height=_HEIGHT,
        title=title,
    )


def minimal_languages_figure(table: pd.DataFrame, columns: int = 10) -> alt.VConcatChart:
    """Minimal languages as grids of ten columns, shaded by leaves: is the structure predictable?

    `table`: system, number, expression, leaves.
    """
    cells = table.assign(row=table["number"] // columns * columns, column=table["number"] % columns)
    return alt.vconcat(
        *(_grid(rows, str(system)) for system, rows in cells.groupby("system", sort=False)),
        spacing=18,
    )


def _grid(cells: pd.DataFrame, title: str) -> Panel:
    base = alt.Chart(cells).encode(
        x=alt.X("column:O", title=None, axis=alt.Axis(orient="top", labelAngle=0, labelExpr="'+' + datum.label")),
        y=alt.Y("row:O", title=None),
    )
    shade = base.mark_rect(stroke=SHADES[0]).encode(
        color=alt.Color(
            "leaves:O", title="words", scale=alt.Scale(domain=[1, 2, 3, 4], range=list(SHADES)),
            legend=alt.Legend(symbolStrokeColor=INK, symbolStrokeWidth=0.5),
        )
    )  # fmt: skip
    words = base.mark_text(fontSize=9, color=INK).encode(text="expression:N")
    return alt.layer(shade, words, width=66 * 10, height=19 * 10, title=title)
