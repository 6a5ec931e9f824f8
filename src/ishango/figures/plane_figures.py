"""The plane of two costs, to be looked at closely: hover, click, zoom, play.

Its data is named, not inside, and what the page changes are parameters, so that one specification serves all runs:

- `x0`, `x1`, `y0`, `y1`: what part of the plane is seen; `round`: the round that is looked at;
- `paths_of`, `bands_of`: the groups whose runs are drawn as paths, and those whose runs are drawn as a band;
- `over`: the run that all others make way for; `reach`: whether the mouse can meet a line, which takes longer than to
  draw all of them, so that a page asks for it when nothing moves;
- `here_x`, `here_y`: the system that is marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from ishango.figures.look import (
    COLOURS,
    GREY,
    GROUPS,
    HERE,
    HUMAN,
    INK,
    NOTE,
    SHADES,
    SPAN,
    SPOKEN,
    Panel,
    name_layers,
    panel_width,
    place_above,
)

DATA = ("bound", "frontier", "languages", "bands", "paths", "lexicons", "starts", "words")
"""The tables that the plane takes; `x` and `y` of each are places in it. `paths` has a row for each run, with lists."""
_PLACES: list[Any] = ["round", "until", "x", "y", "lexicon"]
_LEXICON = [alt.Tooltip("digits:N", title="D"), alt.Tooltip("multipliers:N", title="M")]
_COLOUR = alt.Color("colour:O", legend=None, scale=alt.Scale(domain=list(range(len(GROUPS))), range=list(GROUPS)))
_BELOW = 1e-3
"""Below everything that is drawn; not zero, which has no logarithm."""
_UNLESS_CROWDED = alt.ExprRef("(width < 480 && x1 - x0 > 15) || (width < 330 && x1 - x0 > 6) ? 0 : 1")
"""On a phone names would cover each other; they appear when one comes closer."""
_SO_FAR = "datum.round <= round"
_FAINT = 0.07
"""What makes way for the run under the mouse."""
_FADED = alt.ExprRef(f"over == '' ? 0.6 : {_FAINT}")


def plane_figure(
    x: str = "size", y: str = "length", log_x: bool = False, log_y: bool = False, height: int = 460
) -> Panel:
    """What is unattainable, the optima, human languages, and runs as they were at a round.

    Args:
        x: the title of the axis across.
        y: the title of the axis up.
        log_x: whether equal steps across mean equal factors.
        log_y: the same of steps up.
        height: in pixels.
    """
    plane = _Plane(x, y, log_x, log_y)
    layers = [plane.region(), *plane.bands(), *plane.paths(), plane.optima(), *plane.languages(), *plane.words()]
    chart = alt.layer(*layers, plane.here(), width="container", height=height)
    return chart.add_params(*(alt.param(name=name, value=value) for name, value in _PARAMETERS.items()))


_PARAMETERS: dict[str, Any] = {
    "x0": 1, "x1": 20, "y0": 1, "y1": 2, "round": 0, "paths_of": [], "bands_of": [], "over": "",
    "reach": True, "here_x": 0, "here_y": 0,
}  # fmt: skip


class _Plane:
    """Two axes and the layers that lie over them."""

    def __init__(self, x: str, y: str, log_x: bool, log_y: bool) -> None:
        self.up: dict[str, Any] = {
            "title": y,
            "scale": _between("y", log_y),
            "axis": alt.Axis(tickCount=8, format="~r"),
        }
        self.x = alt.X("x:Q", title=x, scale=_between("x", log_x), axis=alt.Axis(tickCount=12, format="~r"))
        self.y = alt.Y("y:Q", **self.up)
        self.costs = [alt.Tooltip("x:Q", title=x, format=".5~g"), alt.Tooltip("y:Q", title=y, format=".5~g")]

    def region(self) -> Any:
        """All that lies below every system: drawn to the right of each size, as sizes are whole numbers."""
        area = _of("bound").mark_area(color=GREY, interpolate="step-after", clip=True, tooltip=None)
        return area.encode(x=self.x, y=self.y, y2=alt.datum(_BELOW))

    def optima(self) -> Any:
        """The shortest system of each size, filled where that is proved."""
        fill = alt.condition("datum.proved", alt.value(INK), alt.value("transparent"))
        points = _of("frontier").mark_point(color=INK, size=34, opacity=1, clip=True, cursor="pointer")
        return points.encode(x=self.x, y=self.y, fill=fill, tooltip=[alt.Tooltip("kind:N", title=" "), *self._about()])

    def languages(self) -> list[Any]:
        """Human languages, the larger the more of them there are; some have their names beside them."""
        size = alt.Size("languages:Q", legend=None, scale=alt.Scale(domain=[1, 15], range=[50, 320]))
        mark: dict[str, Any] = {"shape": "diamond", "color": SPOKEN, "strokeWidth": 1.8, "fill": "transparent"}
        diamonds = _of("languages").mark_point(**mark, opacity=1, clip=True, cursor="pointer")
        named = _of("languages").transform_filter("isValid(datum.label)")
        look: dict[str, Any] = {"color": SPOKEN, "fontSize": 11, "opacity": _UNLESS_CROWDED, **_beside()}
        names = [
            named.transform_filter(f"datum.align == '{align}'")
            .mark_text(align=align, clip=True, tooltip=None, **look)
            .encode(x=self.x, y=self.y, text="label:N")
            for align in _ALIGNMENTS
        ]
        about = [alt.Tooltip("names:N", title=" "), *self._about()]
        return [diamonds.encode(x=self.x, y=self.y, size=size, tooltip=about), *names]

    def bands(self) -> list[Any]:
        """Where half of a group's lexicons lie at each place of the axis, and their median."""
        shown = _of("bands").transform_filter("indexof(bands_of, datum.group) >= 0")
        faded = alt.condition("over == ''", alt.value(1), alt.value(0.25))
        area = shown.mark_area(interpolate="step-after", fillOpacity=0.22, clip=True, tooltip=None)
        line = shown.mark_line(interpolate="step-after", strokeWidth=2, strokeDash=[5, 2], clip=True, tooltip=None)
        way: dict[str, Any] = {"x": self.x, "color": _COLOUR, "detail": ["group:N", "stretch:N"], "opacity": faded}
        return [
            area.encode(y=alt.Y("low:Q", **self.up), y2="high:Q", **way),
            line.encode(y=alt.Y("median:Q", **self.up), **way),
        ]

    def paths(self) -> list[Any]:
        """Where runs began, the way they came, and where they are at the round of the parameter."""
        shown = _of("paths").transform_filter("indexof(paths_of, datum.group) >= 0")
        places = shown.transform_flatten(_PLACES)
        lexicon = alt.LookupData(data=alt.NamedData("lexicons"), key="lexicon", fields=["digits", "multipliers"])
        heads = places.transform_filter(
            "datum.round <= round && round < datum.until && isValid(datum.lexicon)"
        ).transform_lookup("lexicon", from_=lexicon)
        tooltip = [
            alt.Tooltip("run:N", title=" "),
            alt.Tooltip("group:N", title="group"),
            alt.Tooltip("start:N", title="start"),
            alt.Tooltip("round:Q", title="since round"),
            *self._about(),
        ]
        way: dict[str, Any] = {"x": self.x, "y": self.y}
        look: dict[str, Any] = {"order": False, "clip": True, "tooltip": None}
        # All runs of one colour are one line, which a place without y interrupts: a line each would take much longer.
        lines = places.transform_filter(_SO_FAR).mark_line(strokeWidth=1.5, opacity=_FADED, **look)
        one = shown.transform_filter("datum.run == over").transform_flatten(_PLACES).transform_filter(_SO_FAR)
        # What is met by the mouse is wider than what is seen.
        met = shown.transform_filter("reach").transform_flatten(_PLACES).transform_filter(_SO_FAR)
        reach = met.mark_line(strokeWidth=9, opacity=0.001, cursor="pointer", **look)
        dots = heads.mark_point(filled=True, size=70, clip=True, cursor="pointer")
        fading = alt.condition("over == '' || over == datum.run", alt.value(1), alt.value(_FAINT))
        return [
            lines.encode(**way, color=_COLOUR),
            one.mark_line(strokeWidth=2, **look).encode(**way, color=_COLOUR),
            reach.encode(**way, detail="run:N"),
            *self._starts(),
            dots.encode(x=self.x, y=self.y, color=_COLOUR, opacity=fading, tooltip=tooltip),
        ]

    def _starts(self) -> list[Any]:
        """Where runs begin: an open circle, and beside it which start it is."""
        shown = _of("starts").transform_filter("indexof(paths_of, datum.group) >= 0")
        ring = shown.mark_point(size=90, strokeWidth=1.4, color=NOTE, fill="transparent", opacity=1, clip=True)
        text = shown.mark_text(fontSize=10, color=NOTE, dy=-12, clip=True, tooltip=None)
        about = [alt.Tooltip("start:N", title="start"), *self._about()]
        return [
            ring.encode(x=self.x, y=self.y, tooltip=about), text.encode(x=self.x, y=self.y, text="name:N"),
        ]  # fmt: skip

    def words(self) -> list[Any]:
        """What is written into the plane."""
        text = _of("words").mark_text(
            align="left", fontStyle="italic", fontSize=12, color=NOTE, clip=True, tooltip=None
        )
        return [text.encode(x=self.x, y=self.y, text="text:N")]

    def here(self) -> Any:
        """The system that is looked at, where it lies: the page makes room for it."""
        place = alt.Chart(alt.SequenceGenerator(sequence=alt.SequenceParams(start=0, stop=1))).transform_calculate(
            x="here_x", y="here_y"
        )
        cross = place.transform_filter("here_y > 0").mark_point(
            shape="cross", size=260, fill=HERE, stroke=INK, strokeWidth=1.2, opacity=1, clip=True
        )
        return cross.encode(x=self.x, y=self.y, tooltip=self.costs)

    def _about(self) -> list[alt.Tooltip]:
        return [*_LEXICON, *self.costs]


_ALIGNMENTS: tuple[Literal["left", "center", "right"], ...] = ("left", "center", "right")


def _of(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name))


def _between(axis: str, log: bool) -> alt.Scale:
    """What is seen of an axis is said by two parameters."""
    ends = [alt.ExprRef(f"{axis}0"), alt.ExprRef(f"{axis}1")]
    return alt.Scale(type="log" if log else "linear", domain=ends, nice=False, zero=alt.Undefined if log else False)


def _beside() -> dict[str, Any]:
    """Where a name stands is said by its row."""
    return {"dx": alt.ExprRef("datum.dx"), "dy": alt.ExprRef("datum.dy"), "baseline": "middle"}


# Pictures of the frontier: what is attainable, how many multipliers it takes, how close estimates come.

_HEIGHT = 260


def frontier_figure(
    frontier: pd.DataFrame, languages: pd.DataFrame, largest: int = 22, top: float = 2.0
) -> alt.HConcatChart:
    """The proved frontier above the unattainable region, with human languages on it, one panel a grammar.

    `frontier`: grammar, size, average_complexity and, if some sizes have a lower bound only, proved.
    `languages`: grammar, size, average_complexity, languages (how many share the point), label (empty for none) and, if
    some are the reader's own, own: these are filled and coloured.
    """
    panels: list[Panel] = []
    for grammar in map(str, dict.fromkeys(frontier["grammar"])):
        line = frontier.loc[(frontier["grammar"] == grammar) & (frontier["size"] <= largest)]
        points = languages.loc[(languages["grammar"] == grammar) & (languages["size"] <= largest)]
        panels.append(_plane(line, points, largest, top, f"{grammar.capitalize()} grammar"))
    return alt.hconcat(*panels, spacing=30)


def _plane(line: pd.DataFrame, points: pd.DataFrame, largest: int, top: float, title: str) -> Panel:
    left = _left(line)
    scale, axis = alt.Scale(domain=[left, largest + _MARGIN], nice=False), alt.Axis(tickMinStep=1, format="d")
    x = alt.X("size:Q", title="lexicon size |D| + |M|", scale=scale, axis=axis)
    y = alt.Y("average_complexity:Q", title="average complexity (symbols)", scale=alt.Scale(domain=[1, top]))
    base = alt.Chart(line)
    # A step half-way between two sizes: at a size itself, what lies above its bound is seen to lie above it.
    region = base.mark_area(color=GREY, interpolate="step", clip=True).encode(x=x, y=y, y2=alt.datum(1))
    edge = base.mark_line(color=INK, interpolate="step", strokeWidth=1.2, clip=True).encode(x=x, y=y)
    proved = line.loc[line["proved"]] if "proved" in line else line
    optima = alt.Chart(proved).mark_point(color=INK, filled=True, size=14, opacity=1, clip=True).encode(x=x, y=y)
    size = alt.Size(
        "languages:Q", title="languages", scale=alt.Scale(range=[30, 220]), legend=alt.Legend(values=[1, 5, 10])
    )
    own = points["own"].astype(bool) if "own" in points else pd.Series(False, points.index)
    circles = alt.Chart(points[~own]).mark_point(**HUMAN, opacity=0.9, clip=True).encode(x=x, y=y, size=size)
    mine = alt.Chart(points[own]).mark_point(filled=True, color=COLOURS[1], size=60, opacity=1, clip=True)
    marks = [mark for mark, there in ((circles, ~own), (mine.encode(x=x, y=y), own)) if there.any()]
    people = (
        (*marks, *_labels(points, x, y, (left, largest + _MARGIN), top)) if marks else ()
    )  # a legend of nothing is left out
    note = pd.DataFrame({"size": [line["size"].min() + 1.2], "average_complexity": [1.12], "text": ["unattainable"]})
    words = alt.Chart(note).mark_text(align="left", fontStyle="italic", fontSize=11, color=NOTE)
    words = words.encode(x="size:Q", y="average_complexity:Q", text="text:N")
    layers = (region, edge, optima, *people, words)
    return alt.layer(*layers, title=title, width=panel_width(2), height=_HEIGHT)


_MARGIN = 0.5
"""Room to both sides, in words, for circles at the ends."""


def _left(line: pd.DataFrame) -> float:
    return float(min(2, line["size"].min())) - _MARGIN


def _labels(points: pd.DataFrame, x: alt.X, y: alt.Y, ends: tuple[float, float], top: float) -> Sequence[alt.Chart]:
    """Names beside their points, level, above the grey, with a line where they stand apart."""
    left, right = ends
    pixels = {
        "px": (points["size"] - left) / (right - left) * panel_width(2),
        "py": (top - points["average_complexity"]) / (top - 1) * _HEIGHT,
    }
    return name_layers(place_above(points.assign(**pixels), panel_width(2)), x, y)


def genetic_figure(table: pd.DataFrame) -> alt.HConcatChart:
    """How far the genetic algorithm ends above the proved frontier, size by size, one panel a search.

    `table`: search, size, above (the median over seeds), low and high (the least and the greatest).
    """
    top = float(np.max(table["high"]))
    searches = list(table.groupby("search", sort=False))
    panels = [_excess(rows, top, str(search), panel_width(len(searches))) for search, rows in searches]
    return alt.hconcat(*panels, spacing=24)


def _excess(rows: pd.DataFrame, top: float, title: str, width: int) -> Panel:
    x = alt.X("size:Q", title="lexicon size |D| + |M|", scale=alt.Scale(nice=False, padding=6, zero=False))
    # Linear near 0, logarithmic above: many medians are exactly 0.
    scale = alt.Scale(type="symlog", constant=0.001, domain=[0, top])
    axis = alt.Axis(values=[0, 0.001, 0.01, 0.1, 1], format="~g")
    y = alt.Y("above:Q", title="symbols above the proved frontier", scale=scale, axis=axis)
    base = alt.Chart(rows)
    span = base.mark_rule(color=SPAN, strokeWidth=5).encode(x=x, y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q")
    median = base.mark_point(filled=True, color=COLOURS[0], size=36, opacity=1).encode(x=x, y=y)
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
    bars = alt.Chart(languages).mark_bar(color=INK, size=14).encode(
        x=alt.X("multipliers:O", title="multipliers |M|", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("languages:Q", title="languages"),
    ).properties(width=90, height=_HEIGHT, title="human languages")  # fmt: skip
    return alt.hconcat(*panels, bars, spacing=16)


def _spans(table: pd.DataFrame, title: str, top: int, titled: bool) -> Panel:
    axis = alt.Axis(values=[5, 10, 15, 20, 25, 30, 40, 50], format="d")
    x = alt.X("size:Q", title="lexicon size", scale=alt.Scale(nice=False, padding=6, zero=False), axis=axis)
    scale = alt.Scale(domain=[0, top])
    base = alt.Chart(table)
    span = base.mark_rule(color=SPAN, strokeWidth=5).encode(x=x, y=alt.Y("fewest:Q", scale=scale), y2="most:Q")
    most = base.mark_point(shape="triangle-up", filled=True, color=COLOURS[1], size=44, opacity=1)
    fewest = base.mark_point(filled=True, color=COLOURS[0], size=30, opacity=1)
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
    width = panel_width(len(counted) + 1)
    panels = [_bars(table, title, "sizes with such an optimum", width) for title, table in counted.items()]
    return alt.hconcat(*panels, _bars(people, "human languages", "languages", width), spacing=24)


def _bars(table: pd.DataFrame, title: str, counts: str, width: int) -> alt.Chart:
    most = int(table["multipliers"].max())
    axis = alt.Axis(labelAngle=0, values=list(range(1, most + 1, 1 + most // 8)))
    return alt.Chart(table, title=title).mark_bar(color=COLOURS[0]).encode(
        x=alt.X("multipliers:O", title="multipliers |M|", axis=axis),
        y=alt.Y("sizes:Q", title=counts, axis=alt.Axis(tickMinStep=1)),
    ).properties(width=width, height=180)  # fmt: skip


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
