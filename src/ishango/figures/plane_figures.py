"""Pictures of the frontier and of the world's languages: what is attainable, and where languages lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import altair as alt
import numpy as np
import pandas as pd

from ishango.figures import look

_HEIGHT = 260


def frontier_figure(
    frontier: pd.DataFrame, languages: pd.DataFrame, largest: int = 22, top: float = 2.0
) -> alt.HConcatChart:
    """The proved frontier above the unattainable region, with human languages on it, one panel a grammar.

    `frontier`: grammar, size, average_complexity and, if some sizes have a lower bound only, proved.
    `languages`: grammar, size, average_complexity, languages (how many share the point), label (empty for none) and, if
    some are the reader's own, own: these are filled and coloured.
    """
    panels: list[look.Panel] = []
    for grammar in map(str, dict.fromkeys(frontier["grammar"])):
        line = frontier.loc[(frontier["grammar"] == grammar) & (frontier["size"] <= largest)]
        points = languages.loc[(languages["grammar"] == grammar) & (languages["size"] <= largest)]
        panels.append(_plane(line, points, largest, top, f"{grammar.capitalize()} grammar"))
    return alt.hconcat(*panels, spacing=30)


def _plane(line: pd.DataFrame, points: pd.DataFrame, largest: int, top: float, title: str) -> look.Panel:
    left = float(min(2, line["size"].min())) - _MARGIN
    scale, axis = alt.Scale(domain=[left, largest + _MARGIN], nice=False), alt.Axis(tickMinStep=1, format="d")
    x = alt.X("size:Q", title="lexicon size |D| + |M|", scale=scale, axis=axis)
    y = alt.Y("average_complexity:Q", title="average complexity (symbols)", scale=alt.Scale(domain=[1, top]))
    proved = line.loc[line["proved"]] if "proved" in line else line
    optima = alt.Chart(proved).mark_point(color=look.INK, filled=True, size=14, opacity=1, clip=True).encode(x=x, y=y)
    counts = [1, 10, 100, 1000] if points["languages"].max() > _MANY else [1, 5, 10]
    scale = alt.Scale(type="sqrt", domain=[1, counts[-1]], range=[30, 500 if counts[-1] > _MANY else 220])
    size = alt.Size("languages:Q", title="languages", scale=scale, legend=alt.Legend(values=counts))
    own = points["own"].astype(bool) if "own" in points else pd.Series(False, points.index)
    circles = alt.Chart(points[~own]).mark_point(**look.HUMAN, opacity=0.9, clip=True).encode(x=x, y=y, size=size)
    mine = alt.Chart(points[own]).mark_point(filled=True, color=look.COLOURS[1], size=60, opacity=1, clip=True)
    marks = [mark for mark, there in ((circles, ~own), (mine.encode(x=x, y=y), own)) if there.any()]
    # Where there are none a legend would be of nothing.
    people = (*marks, *_labels(points, x, y, (left, largest + _MARGIN), top)) if marks else ()
    note = pd.DataFrame({"size": [line["size"].min() + 1.2], "average_complexity": [1.12], "text": ["unattainable"]})
    words = alt.Chart(note).mark_text(align="left", fontStyle="italic", fontSize=11, color=look.NOTE)
    words = words.encode(x="size:Q", y="average_complexity:Q", text="text:N")
    layers = (*look.unattainable(line, x, y), optima, *people, words)
    return alt.layer(*layers, title=title, width=look.panel_width(2), height=_HEIGHT)


_MANY = 50
"""Languages at one point from which circles are drawn for counts up to thousands."""
_MARGIN = 0.5
"""Room to both sides, in words, for circles at the ends."""


def _labels(points: pd.DataFrame, x: alt.X, y: alt.Y, ends: tuple[float, float], top: float) -> Sequence[alt.Chart]:
    """Names beside their points, level, above the grey, with a line where they stand apart."""
    left, right = ends
    pixels = {
        "px": (points["size"] - left) / (right - left) * look.panel_width(2),
        "py": (top - points["average_complexity"]) / (top - 1) * _HEIGHT,
    }
    return look.name_layers(look.place_above(points.assign(**pixels), look.panel_width(2)), x, y)


def genetic_figure(table: pd.DataFrame) -> alt.HConcatChart:
    """How far the genetic algorithm ends above the proved frontier, size by size, one panel a search.

    `table`: search, size, above (the median over seeds), low and high (the least and the greatest).
    """
    top = float(np.max(table["high"]))
    searches = list(table.groupby("search", sort=False))
    panels = [_excess(rows, top, str(search), look.panel_width(len(searches))) for search, rows in searches]
    return alt.hconcat(*panels, spacing=24)


def _excess(rows: pd.DataFrame, top: float, title: str, width: int) -> look.Panel:
    x = alt.X("size:Q", title="lexicon size |D| + |M|", scale=alt.Scale(nice=False, padding=6, zero=False))
    # Linear near 0, logarithmic above: many medians are exactly 0.
    scale = alt.Scale(type="symlog", constant=0.001, domain=[0, top])
    axis = alt.Axis(values=[0, 0.001, 0.01, 0.1, 1], format="~g")
    y = alt.Y("above:Q", title="symbols above the proved frontier", scale=scale, axis=axis)
    base = alt.Chart(rows)
    span = base.mark_rule(color=look.SPAN, strokeWidth=5).encode(
        x=x, y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q"
    )
    median = base.mark_point(filled=True, color=look.COLOURS[0], size=36, opacity=1).encode(x=x, y=y)
    return alt.layer(span, median, width=width, height=_HEIGHT, title=title)


def multipliers_figure(optima: pd.DataFrame, languages: pd.DataFrame) -> alt.HConcatChart:
    """How many multipliers optimal systems have, from fewest to most among optima, and human languages beside them.

    `optima`: series, size, fewest, most. `languages`: multipliers, languages (how many have that many).
    """
    top = int(np.max(optima["most"]))
    panels = [
        _spans(rows, str(series), top, titled=i == 0)
        for i, (series, rows) in enumerate(optima.groupby("series", sort=False))
    ]
    bars = alt.Chart(languages).mark_bar(color=look.INK, size=14).encode(
        x=alt.X("multipliers:O", title="multipliers |M|", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("languages:Q", title="languages"),
    ).properties(width=90, height=_HEIGHT, title="human languages")  # fmt: skip
    return alt.hconcat(*panels, bars, spacing=16)


def _spans(table: pd.DataFrame, title: str, top: int, titled: bool) -> look.Panel:
    axis = alt.Axis(values=[5, 10, 15, 20, 25, 30, 40, 50], format="d")
    x = alt.X("size:Q", title="lexicon size", scale=alt.Scale(nice=False, padding=6, zero=False), axis=axis)
    scale = alt.Scale(domain=[0, top])
    base = alt.Chart(table)
    span = base.mark_rule(color=look.SPAN, strokeWidth=5).encode(x=x, y=alt.Y("fewest:Q", scale=scale), y2="most:Q")
    most = base.mark_point(shape="triangle-up", filled=True, color=look.COLOURS[1], size=44, opacity=1)
    fewest = base.mark_point(filled=True, color=look.COLOURS[0], size=30, opacity=1)
    title_y = "multipliers |M| (● fewest, ▲ most)" if titled else None
    return alt.layer(
        span,
        most.encode(x=x, y=alt.Y("most:Q", scale=scale)),
        fewest.encode(x=x, y=alt.Y("fewest:Q", title=title_y, scale=scale)),
        width=120,
        height=_HEIGHT,
        title=title,
    )


def cardinalities_figure(optima: pd.DataFrame, languages: pd.DataFrame) -> alt.HConcatChart:
    """The paper's Figure 6: how many optimal languages have how many multipliers, one panel a frontier, and people.

    Where several optima of a size are equally good, the bar of each number counts the sizes that have such an optimum.
    `optima`: series, size, fewest, most. `languages`: multipliers, languages.
    """
    counted = {
        str(series): pd.DataFrame(
            [{"multipliers": number, "sizes": int(((rows["fewest"] <= number) & (number <= rows["most"])).sum())}
             for number in range(1, int(rows["most"].max()) + 1)]
        )
        for series, rows in optima.groupby("series", sort=False)
    }  # fmt: skip
    people = languages.rename(columns={"languages": "sizes"})
    width = look.panel_width(len(counted) + 1)
    panels = [_bars(table, title, "sizes with such an optimum", width) for title, table in counted.items()]
    return alt.hconcat(*panels, _bars(people, "human languages", "languages", width), spacing=24)


def _bars(table: pd.DataFrame, title: str, counts: str, width: int) -> alt.Chart:
    most = int(table["multipliers"].max())
    axis = alt.Axis(labelAngle=0, values=list(range(1, most + 1, 1 + most // 8)))
    return alt.Chart(table, title=title).mark_bar(color=look.COLOURS[0]).encode(
        x=alt.X("multipliers:O", title="multipliers |M|", axis=axis),
        y=alt.Y("sizes:Q", title=counts, axis=alt.Axis(tickMinStep=1)),
    ).properties(width=width, height=180)  # fmt: skip


def minimal_languages_figure(table: pd.DataFrame) -> alt.VConcatChart:
    """Minimal languages as grids of ten columns, shaded by leaves: is the structure predictable?

    `table`: system, number, expression, leaves.
    """
    cells = table.assign(row=table["number"] // 10 * 10, column=table["number"] % 10)
    return alt.vconcat(*(_grid(rows, str(system)) for system, rows in cells.groupby("system", sort=False)), spacing=18)


def _grid(cells: pd.DataFrame, title: str) -> look.Panel:
    base = alt.Chart(cells).encode(
        x=alt.X("column:O", title=None, axis=alt.Axis(orient="top", labelAngle=0, labelExpr="'+' + datum.label")),
        y=alt.Y("row:O", title=None),
    )
    shade = base.mark_rect(stroke=look.SHADES[0]).encode(
        color=alt.Color(
            "leaves:O", title="words", scale=alt.Scale(domain=[1, 2, 3, 4], range=list(look.SHADES)),
            legend=alt.Legend(symbolStrokeColor=look.INK, symbolStrokeWidth=0.5),
        )
    )  # fmt: skip
    words = base.mark_text(fontSize=9, color=look.INK).encode(text="expression:N")
    return alt.layer(shade, words, width=66 * 10, height=19 * 10, title=title)


# The languages of the world: the plane as counts, the map, and how well each mechanism predicts them.

_WORLD_HEIGHT, _WORLD_WIDTH = 320, 560


def world_plane_figure(line: pd.DataFrame, points: pd.DataFrame) -> alt.LayerChart | alt.FacetChart:
    """Lexicons on the plane of size and average complexity, as dots whose area is the number of languages.

    Args:
        line: `size` and `average_complexity` of the frontier.
        points: a row a language: `language`, `size` and `average_complexity`.
    """
    places = points.round({"average_complexity": 6}).groupby(["size", "average_complexity"])
    counted = places.agg(languages=("language", "size"), such_as=("language", "first")).reset_index()
    # What lies far above would press the languages together.
    near = cast(pd.DataFrame, line[line["size"] >= points["size"].min()])
    whole = alt.Axis(tickMinStep=1, format="d")
    x = alt.X("size:Q", title="lexicon size |D| + |M|", scale=alt.Scale(zero=False), axis=whole)
    y = alt.Y("average_complexity:Q", title="average complexity (symbols)", scale=alt.Scale(zero=False))
    frontier = alt.Chart(near).mark_line(color=look.INK, interpolate="linear").encode(x=x, y=y)
    legend, scale = alt.Legend(values=[1, 10, 100, 500]), alt.Scale(type="sqrt", range=[12, 900])
    size = alt.Size("languages:Q", title="languages", legend=legend, scale=scale)
    tooltip = ["languages:Q", alt.Tooltip("such_as:N", title="such as"), "size:Q", "average_complexity:Q"]
    dots = alt.Chart(counted).mark_circle(color=look.COLOURS[0], opacity=0.55)
    dots = dots.encode(x=x, y=y, size=size, tooltip=tooltip)
    return alt.layer(frontier, dots, width=_WORLD_WIDTH, height=_WORLD_HEIGHT)


def world_map_figure(points: pd.DataFrame, colour: str = "base") -> alt.Chart:
    """Languages at their places, plain coordinates, coloured by `base` or by `gap_shortest`.

    Args:
        points: a row a language: `language`, `latitude`, `longitude`, `base` and `gap_shortest`.
        colour: the column that gives the colour.
    """
    known = points.dropna(subset=["latitude", "longitude", colour])
    if colour == "base":
        common = known["base"].value_counts().index[:5]
        known = known.assign(base=known["base"].where(known["base"].isin(common), "other"))
        shades = alt.Scale(domain=[*common, "other"], range=[*look.COLOURS, look.STARTS[5], look.GREY])
        encoded = alt.Color("base:N", title="base", scale=shades)
    else:
        encoded = alt.Color(f"{colour}:Q", title="gap", scale=alt.Scale(scheme="viridis", domain=[0, 0.06], clamp=True))
    return (
        alt.Chart(known)
        .mark_circle(size=14, opacity=0.7)
        .encode(
            x=alt.X("longitude:Q", scale=alt.Scale(domain=[-180, 180]), title="longitude"),
            y=alt.Y("latitude:Q", scale=alt.Scale(domain=[-60, 80]), title="latitude"),
            color=encoded,
            tooltip=["language:N", "base:N", "gap_shortest:Q"],
        )
        .properties(width=_WORLD_WIDTH + 160, height=_WORLD_HEIGHT)
    )


def typology_figure(table: pd.DataFrame) -> alt.LayerChart | alt.FacetChart:
    """Bits a family for each mechanism, with intervals from resampling families.

    Args:
        table: the `table` of a typology.
    """
    y = alt.Y("mechanism:N", sort=None, title=None, axis=alt.Axis(labelLimit=480))
    scale, title = alt.Scale(zero=False), "log2 probability a family (nearer 0 is better)"
    bits = alt.X("bits:Q", title=title, scale=scale, axis=alt.Axis(tickCount=8))
    bars = alt.Chart(table).mark_rule(color=look.GREY, strokeWidth=3)
    bars = bars.encode(y=y, x=alt.X("low:Q", title="", scale=scale), x2="high:Q")
    dots = alt.Chart(table).mark_circle(color=look.INK, size=60).encode(y=y, x=bits)
    return alt.layer(bars, dots, width=_WORLD_WIDTH - 160, height=22 * len(table))
