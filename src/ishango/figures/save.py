"""Figures in a page: specifications for a light and a dark one, and the script that draws them without a network."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from html import escape
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, cast

import altair as alt
import pandas as pd
import vl_convert
from altair.vegalite import SCHEMA_VERSION

import ishango.figures.look  # noqa: F401  # pyright: ignore[reportUnusedImport]  (registers the look)
from ishango.errors import RequestError
from ishango.figures.look import DARK
from ishango.safe_files import write

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
    """Vega, Vega-Lite and `vegaEmbed` as one script, from the package that renders files."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


def vega_version() -> str:
    """Of the package that has the script: it changes when the script may."""
    return version("vl-convert-python")


def as_json(specification: Specification) -> str:
    """JSON that may stand in a script element of a page."""
    return json.dumps(specification, allow_nan=False, separators=(",", ":")).replace("</", "<\\/")


# Figures on disk: PDF, SVG, PNG, a page that needs no network, and the table behind the picture.

PNG_SCALE = 2.0
FORMATS = ("pdf", "svg", "png", "html")
"""Files of every picture."""
SIDES, LARGEST = ("width", "height"), 20_000
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
    free = next(each for number in count(1) if (each := name if number == 1 else f"{name}-{number}") not in taken)
    taken.add(free)
    return free


def save(chart: alt.TopLevelMixin, directory: Path | str, name: str, table: pd.DataFrame) -> list[Path]:
    """Write `name.pdf`, `.svg`, `.png`, `.html` and `.csv` into the directory, each whole or not at all."""
    directory = Path(directory)
    paths = save_chart(chart, directory, name)
    return [*paths, save_table(table, directory, name)]


def save_table(table: pd.DataFrame, directory: Path | str, name: str) -> Path:
    """Write a table alone, `name.csv`."""
    content = table.to_csv(index=False, lineterminator="\n").encode()
    return _write(Path(directory) / f"{name}.csv", content)


def save_chart(chart: alt.TopLevelMixin, directory: Path | str, name: str) -> list[Path]:
    """Write the picture alone, in all formats."""
    return save_specification(specification(chart), directory, name)


def save_specification(
    drawn: Specification, directory: Path | str, name: str, formats: Sequence[str] = FORMATS
) -> list[Path]:
    """Write the picture of a chart that has been worked out already, in all formats or in some."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    svg = vl_convert.vegalite_to_svg(drawn, vl_version=VEGA_LITE)
    _check_size(svg, name)
    # What a chart looks like is computed once; PDF and PNG are the same drawing.
    # One after the other, so that between two that keep Python to themselves others have their turn.
    contents: dict[str, Callable[[], bytes]] = {
        "pdf": lambda: vl_convert.svg_to_pdf(svg),
        "svg": svg.encode,
        "png": lambda: vl_convert.svg_to_png(svg, scale=PNG_SCALE),
        "html": lambda: page(drawn, name).encode(),
    }
    return [_write(directory / f"{name}.{format}", contents[format]()) for format in formats]


def _check_size(svg: str, name: str) -> None:
    """Refuse a picture of nothing, and one that a mark far outside its frame has blown up: it would fill the memory."""
    width, height = (float(found[1]) if (found := re.search(rf'{side}="([\d.]+)"', svg)) else 0.0 for side in SIDES)
    if not min(width, height) > 0:
        raise RequestError(f"The figure {name} has nothing to show; leave it out or give more data.")
    if max(width, height) > LARGEST:
        raise RequestError(
            f"The figure {name} would be {width:,.0f} by {height:,.0f} points large, because its numbers differ too"
            " much; leave it out or choose less extreme options."
        )


def _write(path: Path, content: bytes) -> Path:
    write(path, content, goes_on=False)
    return path
