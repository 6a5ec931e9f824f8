"""The phase diagram of the law: which kind of system is best where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.look import COLOURS, GREY, HUMAN, INK, Panel, panel_width

ORDER = ["approximate", "exact restricted", "partly recursive", "recursive"]
_KINDS = alt.Scale(domain=ORDER, range=[COLOURS[1], "#b8860b", COLOURS[2], COLOURS[0]])
_SIDE = 360


def diagram_figure(cells: pd.DataFrame) -> Panel:
    """Precision against the price of a word, coloured by the kind of the best system; cells that are not proved are
    paler. `cells`: precision, word, kind, proved, digits, multipliers."""
    step = {name: (cells[name].max() / cells[name].min()) ** (0.5 / max(1, cells[name].nunique() - 1))
            for name in ("precision", "word")}  # fmt: skip
    table = cells.assign(
        left=cells["precision"] / step["precision"], right=cells["precision"] * step["precision"],
        bottom=cells["word"] / step["word"], top=cells["word"] * step["word"],
        system=cells["digits"] + " | " + cells["multipliers"],
        proof=cells["proved"].map({True: "proved", False: "found"}),
    )  # fmt: skip
    x = alt.X("left:Q", title="what precision is worth", scale=alt.Scale(type="log", nice=False))
    y = alt.Y("bottom:Q", title="what a word costs", scale=alt.Scale(type="log", nice=False))
    colour = alt.Color("kind:N", title=None, sort=ORDER, scale=_KINDS)
    sure = alt.Opacity("proof:N", title=None, scale=alt.Scale(domain=["proved", "found"], range=[1.0, 0.62]))
    base = alt.Chart(table)
    tiles = base.mark_rect(strokeWidth=0).encode(
        x=x, x2="right:Q", y=y, y2="top:Q", color=colour, opacity=sure,
        tooltip=["precision", "word", "system", "kind", "cost", "lower"],
    )  # fmt: skip
    few = _examples(table)
    labels = alt.Chart(few).mark_text(fontSize=9, color=INK).encode(
        x=alt.X("precision:Q"), y=alt.Y("word:Q"), text="label:N"
    )  # fmt: skip
    return alt.layer(tiles, labels, width=_SIDE * 1.5, height=_SIDE)


def kind_rounds_figure() -> Panel:
    """The cost of the law in each round of a run, coloured by the kind of its system. `kinds`: round, cost, kind."""
    base = alt.Chart(alt.NamedData("kinds")).encode(
        x=alt.X("round:Q", title="round", axis=alt.Axis(format="d", tickMinStep=1), scale=alt.Scale(nice=False)),
        y=alt.Y("cost:Q", title="cost", scale=alt.Scale(type="log", nice=False)),
    )
    points = base.mark_point(filled=True, size=26, opacity=1).encode(
        color=alt.Color("kind:N", title=None, sort=ORDER, scale=_KINDS, legend=alt.Legend(orient="top", columns=2)),
        tooltip=["round:Q", "kind:N", alt.Tooltip("cost:Q", format=".4f")],
    )
    return alt.layer(base.mark_line(strokeWidth=0.8, color=GREY), points).properties(width="container", height=240)


def generations_figure(table: pd.DataFrame) -> Panel:
    """Which kinds generations are of, a panel for how much they hear: bars against what precision is worth.

    `table`: hearing, precision, kind, share.
    """
    hearing = list(dict.fromkeys(table["hearing"]))
    bars = alt.Chart(table.assign(rank=table["kind"].map(ORDER.index))).mark_bar().encode(
        x=alt.X("precision:O", title="what precision is worth", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("share:Q", title="generations", axis=alt.Axis(format=".0%")),
        color=alt.Color("kind:N", title=None, sort=ORDER, scale=_KINDS),
        order=alt.Order("rank:Q"),
    ).properties(width=panel_width(3), height=150)  # fmt: skip
    panel = alt.Facet("hearing:N", title=None, sort=hearing)
    return bars.facet(panel, columns=3, spacing=20)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def borders_figure(table: pd.DataFrame) -> Panel:
    """From which precision on systems use multipliers, and say everything exactly, against the range; a panel for each
    price of a word. `table`: need, range, word, partly, recursive, plain; nulls are left out."""
    names = {"partly": "multipliers are used", "recursive": "every number is said exactly",
             "plain": "1..b-1 | b is proved better"}  # fmt: skip
    long = table.melt(["need", "range", "word"], list(names), "border", "precision").dropna(subset=["precision"])
    long["border"] = long["border"].map(names)
    order = list(dict.fromkeys(table["need"]))
    x = alt.X("range:Q", title="numbers 1 to", scale=alt.Scale(type="log"), axis=alt.Axis(values=[20, 50, 99, 999]))
    base = alt.Chart(long).encode(
        x=x, y=alt.Y("precision:Q", title="from a precision of", scale=alt.Scale(type="log")),
        color=alt.Color("need:N", title=None, sort=order),
        shape=alt.Shape("border:N", title=None, sort=list(names.values())),
        strokeDash=alt.StrokeDash("border:N", sort=list(names.values()), legend=None),
    )  # fmt: skip
    layer = alt.layer(base.mark_line(strokeWidth=1.4), base.mark_point(filled=True, size=45), height=220)
    prices = alt.Column("word:N", title="what a word costs")
    layer = layer.properties(width=panel_width(table["word"].nunique()))
    return layer.facet(column=prices, spacing=24)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def _examples(table: pd.DataFrame, side: int = 5, longest: int = 16) -> pd.DataFrame:
    """Some systems, evenly over the plane, to be written into it."""
    precisions, words = (sorted(table[name].unique()) for name in ("precision", "word"))
    chosen = [[values[int((i + 0.5) * len(values) / side)] for i in range(side)] for values in (precisions, words)]
    few = table[table["precision"].isin(chosen[0]) & table["word"].isin(chosen[1])]
    label = (few["digits"] + " | " + few["multipliers"]).str.replace(" | none", "", regex=False)
    return few.assign(label=label.where(label.str.len() <= longest, label.str[: longest - 1] + "…"))


# Numeral systems as coloured bands over the numbers: the paper's Figure 1.

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


# The plane of irregularity and processing: human languages, random systems, proved optima.

_COST_GROUPS = ("human", "random", "optimum")
_COST_SIDE = 300


def costs_figure(rows: pd.DataFrame) -> alt.HConcatChart:
    """Two planes beside each other, the size of the automaton against the bits to follow a numeral.

    `rows`: group (human, random, optimum), rule (said, glossed, shipped, most regular), operators (heard or not),
    irregularity, processing, name. Random systems and optima are drawn by the shipped tie rule as dots, and by the most
    regular minimal language that was found as triangles; human languages as circles, and with all that is glossed as
    crosses.
    """
    panels = [
        _plane(rows[rows["operators"] == heard], title)
        for heard, title in ((False, "words heard"), (True, "words and operators heard"))
    ]
    return alt.hconcat(*panels, spacing=24)


def _plane(rows: pd.DataFrame, title: str) -> Panel:
    axis = alt.Axis(values=[100, 200, 500, 1000, 2000, 5000], format="~s")
    scale = alt.Scale(type="log", nice=False, padding=12)
    x = alt.X("irregularity:Q", title="irregularity (bits)", scale=scale, axis=axis)
    y = alt.Y("processing:Q", title="processing (bits)", scale=alt.Scale(zero=False, padding=12))
    colours = alt.Scale(domain=list(_COST_GROUPS), range=[INK, "#9a9a9a", COLOURS[1]])
    colour = alt.Color("group:N", title=None, scale=colours, legend=alt.Legend(orient="top", symbolOpacity=1))
    others = rows[rows["group"] != "human"]
    shipped = alt.Chart(others[others["rule"] == "shipped"]).mark_circle(size=16, opacity=0.45)
    regular = alt.Chart(others[others["rule"] == "most regular"]).mark_point(
        shape="triangle-down", filled=True, size=42, stroke=GREY, strokeWidth=0.5
    )
    human = alt.Chart(rows[rows["rule"] == "said"]).mark_point(size=45, **HUMAN)
    glossed = alt.Chart(rows[rows["rule"] == "glossed"]).mark_point(shape="cross", size=22, strokeWidth=1)
    told = ["name:N", "group:N", "rule:N", "irregularity:Q", "processing:Q"]
    layers = [each.encode(x=x, y=y, color=colour, tooltip=told) for each in (shipped, regular, glossed, human)]
    return alt.layer(*layers, width=panel_width(2), height=_COST_SIDE, title=alt.TitleParams(title, fontSize=11))


# Grammars beside each other: human languages, random systems, proved optima and where runs ended, in two planes.

_COLUMNS, _GRAMMAR_HEIGHT = 4, 170
_LARGEST, _TOP = 25, 3.0
_GRAMMAR_GROUPS = {
    "human language": INK,
    "agents": COLOURS[1],
    "coin": COLOURS[2],
    "random system": "#9a9a9a",
    "optimum": COLOURS[0],
}
"""What is drawn, in which colour."""


def lengths_figure(points: pd.DataFrame, frontier: pd.DataFrame) -> alt.VConcatChart:
    """Size against length, a panel a grammar, above what is proved unattainable.

    `points`: grammar, label, group, size, length, irregularity, processing. `frontier`: grammar, size,
    average_complexity.
    """
    return _panels(points, lambda rows, grammar, title: _lengths(rows, frontier[frontier["grammar"] == grammar], title))


def regularity_figure(points: pd.DataFrame) -> alt.VConcatChart:
    """Irregularity against processing, a panel a grammar; `points` as for `lengths_figure`."""
    x = alt.X("irregularity:Q", title="irregularity (bits)", axis=alt.Axis(values=[100, 300, 1000, 3000], format="~s"),
              scale=alt.Scale(type="log", domain=[60, 6000], nice=False))  # fmt: skip
    y = alt.Y("processing:Q", title="processing (bits)", scale=alt.Scale(domain=[2, 9], nice=False))
    return _panels(points, lambda rows, _, title: _layered(_marks(rows, x, y), title))


def _panels(points: pd.DataFrame, draw: Callable[[pd.DataFrame, str, str], Panel]) -> alt.VConcatChart:
    panels: list[Panel] = []
    for grammar in map(str, dict.fromkeys(points["grammar"])):
        rows = points.loc[points["grammar"] == grammar]
        panels.append(draw(rows, grammar, str(rows["label"].iloc[0])))
    rows_of = [alt.hconcat(*panels[i : i + _COLUMNS], spacing=14) for i in range(0, len(panels), _COLUMNS)]
    return alt.vconcat(*rows_of, spacing=14)


def _lengths(rows: pd.DataFrame, frontier: pd.DataFrame, title: str) -> Panel:
    x = alt.X("size:Q", title="size (words)", scale=alt.Scale(domain=[2, _LARGEST], nice=False))
    y = alt.Y("length:Q", title="length (symbols)", axis=alt.Axis(values=[1, 1.2, 1.5, 2, 3], format="~g"),
              scale=alt.Scale(type="log", domain=[1, _TOP], nice=False))  # fmt: skip
    edge = alt.Chart(frontier[["size"]].assign(length=frontier["average_complexity"]))
    region = edge.mark_area(color=GREY, interpolate="step-after", clip=True).encode(x=x, y=y, y2=alt.datum(1))
    return _layered([region, *_marks(rows, x, y)], title)


def _marks(rows: pd.DataFrame, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    scale = alt.Scale(domain=list(_GRAMMAR_GROUPS), range=list(_GRAMMAR_GROUPS.values()))
    colour = alt.Color("group:N", title=None, scale=scale, legend=alt.Legend(orient="top", symbolOpacity=1))
    looks: dict[str, dict[str, Any]] = {
        "random system": {"shape": "circle", "filled": True, "size": 7, "opacity": 0.5},
        "coin": {"shape": "cross", "size": 14, "strokeWidth": 1, "opacity": 0.6},
        "optimum": {"shape": "circle", "filled": True, "size": 16, "opacity": 1},
        "human language": {**HUMAN, "size": 30},
        "agents": {"shape": "triangle-up", "filled": True, "size": 42, "opacity": 0.9},
    }
    told = ["name:N", "group:N", "size:Q", "length:Q", "irregularity:Q", "processing:Q"]
    return [
        alt.Chart(rows[rows["group"] == group])
        .mark_point(clip=True, **look)
        .encode(x=x, y=y, color=colour, tooltip=told)
        for group, look in looks.items()
        if (rows["group"] == group).any()
    ]


def _layered(layers: list[alt.Chart], title: str) -> Panel:
    heading = alt.TitleParams(title, fontSize=11)
    return alt.layer(*layers, width=panel_width(3), height=_GRAMMAR_HEIGHT, title=heading)
