"""Figures in a page: specifications for a light and a dark one, and the script that draws them without a network."""

from __future__ import annotations

import json
import math
from functools import cache
from html import escape
from importlib.metadata import version
from typing import Any, cast

import altair as alt
from altair.vegalite import SCHEMA_VERSION

from ishango.figures.theme import DARK

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
