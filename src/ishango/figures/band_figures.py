"""Numeral systems as coloured bands over the numbers: the paper's Figure 1."""

from __future__ import annotations

import altair as alt
import pandas as pd

_WIDTH, _HEIGHT = 720, 54
_CELL, _STRIPE = 0.04, 0.01
"""Shares of a number's width and height that separate two words; the page shows through, light or dark."""
_LETTER, _MARGIN = 6.5, 3
"""Width of a letter and of what must stay free beside a label, in pixels; labels that do not fit are left out."""
_SCHEME = alt.SchemeParams(name="viridis", extent=[0.12, 1])
"""Told apart with every kind of colour vision, and ever lighter in grey; without the end that is nearly black."""
_ON_LIGHT, _ON_DARK = "#101010", "#fdfdfd"
"""Labels inside bands; not the theme's colours, which change on a dark page where bands do not."""
_LIGHT_FROM = 0.5
"""Place on the scale from which labels are dark."""


def bands_figure(table: pd.DataFrame, width: int = _WIDTH) -> alt.FacetChart:
    """Systems as rows of coloured bands: one colour a word; numbers said with several words are striped.

    `table` has a row for each word of each number, as `ishango.restricted` makes it: system, kind, number, part and
    parts (which of how many words of the number's expression, from the top), word (its label) and order (its place
    among the system's words, which gives its colour). A stripe that goes on from one number to the next is one band,
    so that in a recursive system one sees its multipliers run above its digits.
    """
    bands = merge_bands(table)
    first, last = int(table["number"].min()), int(table["number"].max())
    room = width / (last - first + 1) * (bands["right"] - bands["left"])
    bands = bands.assign(label=bands["word"].where(bands["word"].str.len() * _LETTER + _MARGIN <= room, ""))
    ticks = [n for n in range(first, last + 1) if n == 1 or n % _tick_step(last) == 0]
    axis = alt.Axis(values=ticks, format="d", grid=False, domain=False, ticks=False)
    scale = alt.Scale(domain=[first - 0.5, last + 0.5], nice=False, zero=False)
    x = alt.X("left:Q", title=None, axis=axis, scale=scale)
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[0, 1], reverse=True))
    shade = alt.Color("shade:Q", legend=None, scale=alt.Scale(domain=[0, 1], scheme=_SCHEME))
    base = alt.Chart(bands)
    cells = base.mark_rect().encode(x=x, x2="right:Q", y=y, y2="bottom:Q", color=shade, tooltip=["system", "word"])
    ink = alt.when(alt.datum.shade >= _LIGHT_FROM).then(alt.value(_ON_LIGHT)).otherwise(alt.value(_ON_DARK))
    text = base.mark_text(fontSize=11, baseline="middle").encode(
        x=alt.X("middle:Q", scale=scale, axis=axis), y="centre:Q", text="label:N", color=ink
    )
    header = alt.Header(
        labelAngle=0, labelAlign="left", labelBaseline="bottom", labelPadding=12, labelExpr="split(datum.label, '\\n')"
    )
    rows = alt.Row("name:N", sort=list(dict.fromkeys(bands["name"])), header=header, title=None)
    bars = alt.layer(cells, text, width=width, height=_HEIGHT)
    return bars.facet(row=rows, spacing=14)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def merge_bands(table: pd.DataFrame) -> pd.DataFrame:
    """One row a band: neighbouring cells of one word in one stripe joined, with the places where to draw it."""
    keys = ["system", "part", "parts", "word"]
    cells = table.sort_values(["part", "number"], kind="stable")
    cells = cells.sort_values("system", kind="stable", key=lambda names: names.map(_ranks(table["system"])))
    continues = (cells[keys] == cells[keys].shift()).all(axis=1) & (cells["number"] == cells["number"].shift() + 1)
    grouped = cells.assign(band=(~continues).cumsum()).groupby("band", sort=False)
    bands = (
        grouped[[*keys, "kind", "order"]].first().assign(first=grouped["number"].min(), last=grouped["number"].max())
    )
    largest = bands.groupby("system")["order"].transform("max").clip(lower=1)
    left, right = bands["first"] - 0.5 + _CELL, bands["last"] + 0.5 - _CELL
    return bands.assign(
        name=bands["system"] + "\n" + bands["kind"],
        shade=bands["order"] / largest,
        left=left,
        right=right,
        middle=(left + right) / 2,
        top=bands["part"] / bands["parts"] + _STRIPE,
        bottom=(bands["part"] + 1) / bands["parts"] - _STRIPE,
        centre=(bands["part"] + 0.5) / bands["parts"],
    ).reset_index(drop=True)


def _ranks(names: pd.Series) -> dict[str, int]:
    return {name: rank for rank, name in enumerate(dict.fromkeys(names))}


def _tick_step(last: int) -> int:
    return 1 if last <= 40 else 5 if last <= 120 else 10
