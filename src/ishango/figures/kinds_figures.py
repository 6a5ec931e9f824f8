"""The phase diagram of the law: which kind of system is best where."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, GREY, INK, Panel, panel_width

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
