"""The languages of the world: the plane as counts, the map, and how well each mechanism predicts them."""

from __future__ import annotations

from typing import cast

import altair as alt
import pandas as pd

from ishango.figures.look import COLOURS, GREY, INK, STARTS

HEIGHT, WIDTH = 320, 560


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
    x = alt.X("size:Q", title="words", scale=alt.Scale(zero=False))
    y = alt.Y("average_complexity:Q", title="average complexity (symbols)", scale=alt.Scale(zero=False))
    frontier = alt.Chart(near).mark_line(color=INK, interpolate="linear").encode(x=x, y=y)
    dots = (
        alt.Chart(counted)
        .mark_circle(color=COLOURS[0], opacity=0.55)
        .encode(
            x=x,
            y=y,
            size=alt.Size(
                "languages:Q",
                title="languages",
                legend=alt.Legend(values=[1, 10, 100, 500]),
                scale=alt.Scale(type="sqrt", range=[12, 900]),
            ),
            tooltip=["languages:Q", alt.Tooltip("such_as:N", title="such as"), "size:Q", "average_complexity:Q"],
        )
    )
    return alt.layer(frontier, dots, width=WIDTH, height=HEIGHT)


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
        shades = alt.Scale(domain=[*common, "other"], range=[*COLOURS, STARTS[5], GREY])
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
        .properties(width=WIDTH + 160, height=HEIGHT)
    )


def typology_figure(table: pd.DataFrame) -> alt.LayerChart | alt.FacetChart:
    """Bits a family for each mechanism, with intervals from resampling families.

    Args:
        table: the `table` of a typology.
    """
    y = alt.Y("mechanism:N", sort=None, title=None, axis=alt.Axis(labelLimit=320))
    bars = (
        alt.Chart(table)
        .mark_rule(color=GREY, strokeWidth=3)
        .encode(y=y, x=alt.X("low:Q", title="", scale=alt.Scale(zero=False)), x2="high:Q")
    )
    dots = (
        alt.Chart(table)
        .mark_circle(color=INK, size=60)
        .encode(
            y=y,
            x=alt.X(
                "bits:Q",
                title="log2 probability a family (nearer 0 is better)",
                scale=alt.Scale(zero=False),
                axis=alt.Axis(tickCount=8),
            ),
        )
    )
    return alt.layer(bars, dots, width=WIDTH - 160, height=22 * len(table))
