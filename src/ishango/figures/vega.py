"""Figures in a page: specifications for a light and a dark one, and the script that draws them without a network."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, cast

import altair as alt

from ishango.figures.theme import DARK


def specification(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """The chart as Vega-Lite for a light page, which shows through."""
    return {**chart.to_dict(), "background": "transparent"}


def dark(specification: dict[str, Any]) -> dict[str, Any]:
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


def as_json(specification: dict[str, Any]) -> str:
    """JSON that may stand in a script element of a page."""
    return json.dumps(specification, allow_nan=False, separators=(",", ":")).replace("</", "<\\/")
