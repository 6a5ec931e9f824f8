"""The look that all figures share: plain, for print, and readable in grey."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import altair as alt
import pandas as pd
import vl_convert
from altair.vegalite import SCHEMA_VERSION

from ishango._locks import adding_to
from ishango.errors import RequestError, RunError
from ishango.safe_files import user_cache, write, write_together

INK = "#1a1a1a"
"""Text, axes and the marks that matter."""
GREY = "#d4d4d4"
"""What cannot be had."""
SPAN = "#bfd0ea"
"""From the least to the greatest, or the middle half: what a range covers."""
COLOURS = ("#00429d", "#c4501b", "#4b9b8e", "#8a5aa8")
"""Series colours whose greys differ too: dark, middle, light, middle."""
STARTS = (*COLOURS, INK, "#b8860b", "#6b8fd6", "#d98a9e")
"""A colour for each of the paper's eight starts."""
ROLES = {
    "human": "#0072b2",
    "agents": "#d55e00",
    "drift": "#989898",
    "oracle": "#009e73",
    "learners": "#cc79a7",
    "other": "#e69f00",
}
"""Colours by what a thing is, on every page: Okabe and Ito's, which all eyes tell apart. The frontier is INK."""
HERE = "#c2185b"
"""The system that is looked at."""
SHADES = ("#ffffff", "#e6e6e6", "#c4c4c4", "#999999")
"""From little to much, where text is written on them."""
GRID = "#ececec"
NOTE = "#555555"
"""Text that explains."""

DARK = {
    INK: "#e8e6e1",
    GREY: "#3d4048",
    SPAN: "#34507f",
    GRID: "#2b2e34",
    NOTE: "#a8a8a8",
    "#00429d": "#86aefc",
    "#c4501b": "#f2935f",
    "#4b9b8e": "#63c3b2",
    "#8a5aa8": "#c79fe0",
    "#b8860b": "#e3b94d",
    "#6b8fd6": "#4f7fe0",
    "#d98a9e": "#f3b6c5",
    HERE: "#ff4f93",
    ROLES["human"]: "#56b4e9",
    ROLES["agents"]: "#ff8a45",
    ROLES["drift"]: "#7b869c",
    ROLES["oracle"]: "#2fc79a",
    ROLES["learners"]: "#e7a5cb",
    ROLES["other"]: "#f2c04e",
    SHADES[0]: "#1b1d21",
    SHADES[1]: "#33363d",
    SHADES[2]: "#4e525b",
    SHADES[3]: "#6d727c",
}
"""What each colour of a figure becomes on a dark page."""
_TONES = (0.0, -0.35, 0.35, -0.6, 0.5, -0.18, 0.18, -0.78)
"""Shades of a role, for several things of it: how far towards black or, above zero, white; by night the other way."""


def shade(colour: str, number: int, by_night: bool = False) -> str:
    """A colour in one of its shades; the first is the colour itself.

    >>> shade("#999999", 0), shade("#999999", 1)
    ('#999999', '#636363')
    """
    tone, parts = (-_TONES[number] if by_night else _TONES[number]), (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part + abs(tone) * ((255 if tone > 0 else 0) - part)):02x}" for part in parts)


DARK.update(
    {
        shade(colour, i): shade(DARK[colour], i, by_night=True)
        for colour in ROLES.values()
        for i in range(1, len(_TONES))
    }
)

HUMAN: dict[str, Any] = {"shape": "circle", "filled": False, "color": INK, "strokeWidth": 1.2}
"""The mark of a human language: an open circle in every figure."""
Panel = alt.LayerChart | alt.FacetChart
"""A picture of one or of several fields, as Altair makes it."""
COLUMN = 640
"""Pixels that the panels of a figure share, so that it fills a page's column."""


def panel_width(panels: int) -> int:
    """The width of each of several panels beside each other, with room for their axes."""
    return (COLUMN - (panels - 1) * 70) // max(1, panels)


# figures of many runs are drawn here, not sent over a network
alt.data_transformers.disable_max_rows()  # pyright: ignore[reportUnknownMemberType] - Altair


@alt.theme.register("ishango", enable=True)
def theme() -> alt.theme.ThemeConfig:
    """Vega-Lite's configuration for every figure."""
    text: dict[str, Any] = {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    return cast(
        alt.theme.ThemeConfig,
        {
            "config": {
                "font": "DejaVu Sans, Arial, sans-serif",
                "view": {"stroke": None},
                "axis": {**text, "gridColor": GRID, "domainColor": INK, "tickColor": INK},
                "legend": {**text, "symbolSize": 70, "symbolOpacity": 1, "labelLimit": 420},
                "header": {**text, "labelFontSize": 13},
                "title": {"color": INK, "fontSize": 13, "fontWeight": "normal", "anchor": "start"},
                "range": {"category": list(COLOURS)},
            }
        },
    )


# Names beside points, placed so that they do not cover one another.

Place = tuple[float, float]
"""Across and up, in pixels or in what the axes count."""
_Align = Literal["left", "center", "right"]
_Place = tuple[_Align, int, int]

_SIZE = 10
_LETTER = 5.8
"""Mean width of a letter at that size, in pixels."""
_POINT = 8.0
"""Half the width of what is kept free around a point."""
_APART = 22
"""Pixels from which on a name is joined to its point by a line."""
_LOWEST = -_APART - 2
"""Where names stand that are placed above: high enough for a line, since circles of several languages are large."""
_PLACES: tuple[_Place, ...] = (
    ("left", 10, -8), ("left", 12, 2), ("center", 0, -18), ("left", 10, 12), ("right", -10, 12), ("right", -10, -8),
    ("center", 0, 20), ("left", 14, -20), ("right", -4, -20), ("center", 0, -32), ("right", -14, 24), ("left", 14, 24),
    ("left", 14, -32), ("center", 0, -46), ("right", -4, -46), ("left", 4, -46), ("center", 0, -60), ("center", 0, -74),
)  # fmt: skip
"""Where a name may stand: alignment and distance from its point, in the order of preference."""


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, other: _Box) -> bool:
        return (
            self.left >= other.left
            and self.top >= other.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


def place_names(points: pd.DataFrame, width: float, height: float, lines: Iterable[Place] = ()) -> pd.DataFrame:
    """Add `align`, `dx` and `dy` to a table with `label` and the pixels `px` and `py` of each point.

    Names are placed one after the other inside the picture where they meet no point, no name and no pixel of `lines`;
    where all places are taken, the first.
    """
    taken = [_Box(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points[["px", "py"]].to_numpy()]
    drawn = [_Box(x - 1, y - 1, x + 1, y + 1) for x, y in lines]
    frame = _Box(0, 0, width, height)
    chosen: list[_Place] = []
    for label, x, y in zip(points["label"], points["px"], points["py"], strict=True):
        boxes = {place: _box(label, x, y, *place) for place in _PLACES}
        joins = {place: [_line(x, y, *place[1:])] if place[2] < -_APART else [] for place in _PLACES}
        free = (
            place
            for place, box in boxes.items()
            if box.inside(frame)
            and not any(box.meets(other) for other in (*taken, *drawn))
            and not any(join.meets(other) for join in joins[place] for other in taken)
        )
        best = next(free, _PLACES[0])
        taken += [boxes[best], *joins[best]]
        chosen.append(best)
    return _placed(points, chosen)


def place_above(points: pd.DataFrame, width: float) -> pd.DataFrame:
    """The same for points above a region that names must not enter: each stands as high as it must to be free.

    Points without a name, whose `label` is empty, are only kept clear of.
    """
    taken = [_Box(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points[["px", "py"]].to_numpy()]
    names = list[_Box]()
    # From the right, so that few lines to points are in the way.
    points = points[points["label"] != ""].sort_values("px", ascending=False, kind="stable")
    own = points["own"] if "own" in points else pd.Series(False, points.index)
    chosen: list[_Place | None] = []
    for label, x, y, must in zip(points["label"], points["px"], points["py"], own, strict=True):
        align: _Align = "left" if x + len(label) * _LETTER + 10 <= width else "right"
        side = 6 if align == "left" else -6
        free = (
            dy
            for dy in range(_LOWEST, -140, -2)
            if not any(_box(label, x, y, align, side, dy).meets(other) for other in taken)
            and not any(_line(x, y, side, dy).meets(name) for name in names)
        )
        dy = next(free, _LOWEST if must else None)
        chosen.append(None if dy is None else (align, side, dy))
        if dy is not None:
            names.append(_box(label, x, y, align, side, dy))
            taken += [names[-1], _line(x, y, side, dy)]
    # A name that finds no place is left out, unless it is the reader's own: names over each other tell nothing.
    return _placed(points[[place is not None for place in chosen]], [place for place in chosen if place is not None])


def _placed(points: pd.DataFrame, chosen: Sequence[_Place]) -> pd.DataFrame:
    align, dx, dy = zip(*chosen, strict=True) if chosen else ((), (), ())
    return points.assign(align=align, dx=dx, dy=dy)


def name_layers(placed: pd.DataFrame, x: alt.X, y: alt.Y) -> Sequence[alt.Chart]:
    """One layer of text for each place that is used: places are properties of a mark, not of a row.

    A name that stands apart from its point has a line to it; one of the reader's own (`own`) has its colour.
    """
    if "own" not in placed:
        placed = placed.assign(own=False)
    layers: list[alt.Chart] = []
    for key, rows in placed.groupby(["align", "dx", "dy"], sort=False):
        align, dx, dy = cast(_Place, key)
        base = alt.Chart(rows).encode(x=x, y=y)
        if abs(dy) > _APART:
            line = base.mark_rule(
                color=NOTE, strokeWidth=0.8, yOffset=-_POINT, y2Offset=dy + _SIZE / 2, xOffset=dx / 2, x2Offset=dx / 2
            )
            layers.append(line.encode(x2=str(cast(Any, x).shorthand), y2=str(cast(Any, y).shorthand)))
        for own, names in rows.groupby("own"):
            colour = COLOURS[1] if own else INK
            text = alt.Chart(names).mark_text(
                align=align, dx=dx, dy=dy, fontSize=_SIZE, baseline="middle", color=colour
            )
            layers.append(text.encode(x=x, y=y, text="label:N"))
    return layers


def _line(x: float, y: float, dx: int, dy: int) -> _Box:
    """The line from a point to its name."""
    return _Box(x + dx / 2 - 1, y + dy + _SIZE / 2, x + dx / 2 + 1, y - _POINT)


def _box(label: str, x: float, y: float, align: str, dx: int, dy: int) -> _Box:
    width = len(label) * _LETTER
    left = x + dx - {"left": 0.0, "center": width / 2, "right": width}[align]
    return _Box(left, y + dy - _SIZE / 2 - 1, left + width, y + dy + _SIZE / 2 + 1)


# What cannot be had, and paths in the plane as steps, which never cross it.


def unattainable(frontier: pd.DataFrame, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """The region below the frontier, and its edge. `frontier`: size, average_complexity."""
    base = alt.Chart(frontier)
    # Sizes are whole numbers: a step half-way between two leaves each size alone with its own bound.
    region = base.mark_area(color=GREY, interpolate="step", clip=True).encode(x=x, y=y, y2=alt.datum(1))
    edge = base.mark_line(color=INK, interpolate="step", strokeWidth=1.2, clip=True).encode(x=x, y=y)
    return [region, edge]


def corner(before: Place, after: Place) -> Place:
    """Between two places of a path: the larger size at the cost of the smaller one.

    What a small lexicon costs can be had with a larger one, so the corner is attainable where both ends are. Hence a
    step goes right before it goes down, and up before it goes left.

    >>> corner((5, 1.5), (7, 1.3)), corner((7, 1.3), (5, 1.5))
    ((7, 1.5), (7, 1.5))
    """
    return max(before[0], after[0]), before[1] if before[0] <= after[0] else after[1]


def stepped(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds of runs with a row for the corner of each step between them, in the order of the column `step`.

    `rounds`: run, round, size, average_complexity, and whatever else is kept.
    """
    ordered = rounds.sort_values(["run", "round"], ignore_index=True)
    place = ordered[["size", "average_complexity"]]
    before = place.groupby(ordered["run"]).shift()
    moved = before["size"].notna() & (before != place).any(axis=1)
    cost = before["average_complexity"].where(before["size"] <= place["size"], place["average_complexity"])
    size = before["size"].where(before["size"] >= place["size"], place["size"])
    corners = ordered.assign(size=size, average_complexity=cost, step=2 * ordered["round"] - 1)[moved]
    ends = ordered.assign(step=2 * ordered["round"])
    return pd.concat([ends, corners]).sort_values(["run", "step"], ignore_index=True)


# Figures in a page: specifications for a light and a dark one, and the script that draws them without a network.

Specification = dict[str, Any]
"""A chart as Vega-Lite."""
VEGA_LITE = "_".join(SCHEMA_VERSION.split(".")[:2])
"""The version that charts are written in, as the renderer names it."""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<script type="module">{script}
vegaEmbed("#figure", JSON.parse(document.getElementById("specification").textContent));</script>
</head>
<body>
<script type="application/json" id="specification">{specification}</script>
<div id="figure"></div>
</body>
</html>
"""


def specification(chart: alt.TopLevelMixin) -> Specification:
    """Work out the chart, with all its data; this takes longer than to draw it."""
    return cast(Specification, _without_nan(chart.to_dict()))


def _without_nan(value: Any) -> Any:
    """JSON has neither NaN nor infinity, and Altair leaves those in columns of mixed kinds as they are."""
    if isinstance(value, dict):
        return {name: _without_nan(each) for name, each in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_without_nan(each) for each in cast(list[Any], value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def page(specification: Specification, title: str) -> str:
    """A page with this chart alone, which needs no network."""
    return PAGE.format(title=escape(title), script=vega_script(), specification=as_json(specification))


def shown_through(specification: Specification) -> Specification:
    """The chart for a light page, whose background it lets through."""
    return {**specification, "background": "transparent"}


def dark(specification: Specification) -> Specification:
    """The same chart for a dark page: each colour of the theme is replaced, the data stays.

    >>> dark({"mark": {"color": "#1a1a1a"}, "datasets": {"a": [{"colour": "#1a1a1a"}]}})
    {'mark': {'color': '#e8e6e1'}, 'datasets': {'a': [{'colour': '#1a1a1a'}]}}
    """
    return {name: value if name == "datasets" else _darkened(value) for name, value in specification.items()}


def _darkened(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _darkened(each) for name, each in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_darkened(each) for each in cast(list[Any], value)]
    return DARK.get(value.lower(), value) if isinstance(value, str) else value


@cache
def vega_script() -> str:
    """Vega, Vega-Lite and `vegaEmbed` as one script, from the package that renders files.

    That takes a second, so what it gave is kept; it counts only if it is whole and of this version.
    """
    place = user_cache()
    script = None if place is None else _kept(place / "vega.js")
    if script is None:
        script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
        with suppress(OSError, RunError):  # without a place to keep it, each process makes it anew
            if place is not None:
                place.mkdir(parents=True, exist_ok=True)
                write(place / "vega.js", f"{_seal(script)}\n{script}".encode())
    return script


def _kept(path: Path) -> str | None:
    try:
        seal, _, script = path.read_bytes().decode().partition("\n")
    except (OSError, UnicodeError):
        return None
    return script if seal == _seal(script) else None


def _seal(script: str) -> str:
    return sha256(f"{vega_version()} {script}".encode()).hexdigest()


def vega_version() -> str:
    """Of the package that has the script: it changes when the script may."""
    return version("vl-convert-python")


def as_json(specification: Specification) -> str:
    """JSON that may stand in a script element of a page."""
    return json.dumps(specification, allow_nan=False, separators=(",", ":")).replace("</", "<\\/")


# Figures on disk: PDF, SVG, PNG, a page that needs no network, and the table behind the picture.

_PNG_SCALE = 2.0
FORMATS = ("pdf", "svg", "png", "html")
"""Files of every picture."""
_SIDES, LARGEST = ("width", "height"), 20_000
"""Points a side beyond which a picture is a mistake."""
LONGEST_PART = 60
"""Characters of a part of a name: files have names of at most 255 bytes."""


def figure_name(parts: Iterable[object], taken: set[str]) -> str:
    """A figure's name of parts that may be anything, such as the path of a file; one that is taken gets a number.

    >>> taken = set()
    >>> figure_name(["ends", "file:a/b.csv"], taken), figure_name(["ends", "file:a_b.csv"], taken)
    ('ends-file_a_b.csv', 'ends-file_a_b.csv-2')
    """
    name = "-".join(re.sub(r"[^A-Za-z0-9._-]", "_", str(part)[-LONGEST_PART:]) for part in parts)
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free


def save(chart: alt.TopLevelMixin, directory: Path | str, name: str, table: pd.DataFrame) -> list[Path]:
    """Write `name.pdf`, `.svg`, `.png`, `.html` and `.csv` into the directory, each whole or not at all."""
    return _write(directory, name, _drawn(specification(chart), name, FORMATS) | {"csv": _csv(table)})


def save_table(table: pd.DataFrame, directory: Path | str, name: str) -> Path:
    """Write a table alone, `name.csv`."""
    return _write(directory, name, {"csv": _csv(table)})[0]


def save_chart(chart: alt.TopLevelMixin, directory: Path | str, name: str) -> list[Path]:
    """Write the picture alone, in all formats."""
    return save_specification(specification(chart), directory, name)


def save_specification(
    drawn: Specification, directory: Path | str, name: str, formats: Sequence[str] = FORMATS
) -> list[Path]:
    """Write the picture of a chart that has been worked out already, in all formats or in some."""
    return _write(directory, name, _drawn(drawn, name, formats))


def _drawn(drawn: Specification, name: str, formats: Sequence[str]) -> dict[str, bytes]:
    svg = vl_convert.vegalite_to_svg(drawn, vl_version=VEGA_LITE)
    _check_size(svg, name)
    # What a chart looks like is computed once; PDF and PNG are the same drawing.
    # One after the other, so that between two that keep Python to themselves others have their turn.
    contents: dict[str, Callable[[], bytes]] = {
        "pdf": lambda: vl_convert.svg_to_pdf(svg),
        "svg": svg.encode,
        "png": lambda: vl_convert.svg_to_png(svg, scale=_PNG_SCALE),
        "html": lambda: page(drawn, name).encode(),
    }
    return {format: contents[format]() for format in formats}


def _check_size(svg: str, name: str) -> None:
    """Refuse a picture of nothing, and one that a mark far outside its frame has blown up: it would fill the memory."""
    width, height = (float(found[1]) if (found := re.search(rf'{side}="([\d.]+)"', svg)) else 0.0 for side in _SIDES)
    if not min(width, height) > 0:
        raise RequestError(f"The figure {name} has nothing to show; leave it out or give more data.")
    if max(width, height) > LARGEST:
        raise RequestError(
            f"The figure {name} would be {width:,.0f} by {height:,.0f} points large, because its numbers differ too"
            " much; leave it out or choose less extreme options."
        )


def _csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, lineterminator="\n").encode()


def _write(directory: Path | str, name: str, contents: Mapping[str, bytes]) -> list[Path]:
    with adding_to(Path(directory)):
        return write_together(Path(directory), {f"{name}.{format}": content for format, content in contents.items()})
