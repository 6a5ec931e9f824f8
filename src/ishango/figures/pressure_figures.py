"""Pictures of a study of pressures: where runs end under each, and what each lets communication select for."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, INK, SPAN, Panel

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
