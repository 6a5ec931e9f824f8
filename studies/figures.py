"""Pictures that only studies need: tables in, Altair charts out, in the look of `ishango.figures`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.kinds_figures import KINDS_SCALE, ORDER
from ishango.figures.look import COLOURS, GREY, HUMAN, INK, NOTE, SPAN, Panel, panel_width

# Kinds, costs and grammars.


def generations_figure(table: pd.DataFrame) -> Panel:
    """Which kinds generations are of, a panel for how much they hear: bars against what precision is worth.

    `table`: hearing, precision, kind, share.
    """
    hearing = list(dict.fromkeys(table["hearing"]))
    bars = alt.Chart(table.assign(rank=table["kind"].map(ORDER.index))).mark_bar().encode(
        x=alt.X("precision:O", title="what precision is worth", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("share:Q", title="generations", axis=alt.Axis(format=".0%")),
        color=alt.Color("kind:N", title=None, sort=ORDER, scale=KINDS_SCALE),
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


# Calibration and generations.


def factor_figure(table: pd.DataFrame, factor: str) -> alt.HConcatChart:
    """Games won under each value of a factor: every run a point, joined across values, and the mean; one panel a time.

    `table`: time (such as "after pre-training"), value, run (start and seed), start, accuracy; values are shown in
    the order of the table.
    """
    panels = [_panel(rows, str(time), factor) for time, rows in table.groupby("time", sort=False)]
    return alt.hconcat(*panels, spacing=30).resolve_scale(y="shared")  # pyright: ignore[reportUnknownMemberType]


def _panel(rows: pd.DataFrame, title: str, factor: str) -> Panel:
    order = list(dict.fromkeys(rows["value"]))
    x = alt.X("value:N", sort=order, title=factor, axis=alt.Axis(labelAngle=0))
    y = alt.Y("accuracy:Q", title="games won in the last 500 steps", axis=alt.Axis(format="%"))
    y = y.scale(zero=False)
    colour = alt.Color("start:N", title="start", scale=alt.Scale(range=list(COLOURS)))
    base = alt.Chart(rows).encode(x=x, y=y, color=colour)
    lines = base.mark_line(strokeWidth=1, opacity=0.45).encode(detail="run:N")
    points = base.mark_point(filled=True, size=36, opacity=0.8).encode(tooltip=["run", "accuracy"])
    means = rows.groupby("value", sort=False, as_index=False)[["accuracy"]].mean()
    ticks = alt.Chart(means).mark_tick(color=INK, thickness=2.5, size=22).encode(x=x, y=y)
    return alt.layer(lines, points, ticks, width=max(150, 70 * len(order)), height=220, title=title)


def bottleneck_figure(sizes: pd.DataFrame, humans: pd.DataFrame, gaps: pd.DataFrame) -> alt.HConcatChart:
    """Left, words against the bottleneck with what theory expects; right, how far from the frontier chains end.

    `sizes`: bottleneck, size, low, high (which most generations lie between), expected.
    `humans`: low, high: one row, the sizes that most human languages lie between.
    `gaps`: mechanism, gap: a row for each chain; mechanisms are shown in the order of the table.
    """
    return alt.hconcat(_sizes(sizes, humans), _generation_gaps(gaps), spacing=36)


def _sizes(sizes: pd.DataFrame, humans: pd.DataFrame) -> Panel:
    x = alt.X("bottleneck:Q", title="numbers that a generation hears", scale=alt.Scale(type="log", nice=False))
    x = x.axis(values=sizes["bottleneck"].tolist(), labelOverlap=True)
    base = alt.Chart(sizes).encode(x=x)
    band = base.mark_area(opacity=0.18, color=COLOURS[0])
    band = band.encode(y=alt.Y("low:Q", title="words in the lexicon"), y2="high:Q")
    dots = alt.OverlayMarkDef(filled=True, size=40, color=COLOURS[0])
    line = base.mark_line(strokeWidth=2, point=dots, color=COLOURS[0]).encode(y="size:Q")
    theory = base.mark_line(strokeWidth=1.5, strokeDash=[5, 3], color=INK).encode(y="expected:Q")
    between = alt.Chart(humans).mark_rect(color=GREY, opacity=0.5).encode(y="low:Q", y2="high:Q")
    layers = (between, band, line, theory, *_names(sizes, humans))
    return alt.layer(*layers, width=330, height=250, title="A bottleneck sets the size")


def _names(sizes: pd.DataFrame, humans: pd.DataFrame) -> list[alt.Chart]:
    """Names beside the lines instead of a legend: at their middle, and in the band's far corner."""
    middle = sizes.iloc[[len(sizes) // 2]]
    learners = alt.Chart(middle).mark_text(align="right", dx=-14, dy=-12, text="ideal learners", color=COLOURS[0])
    theory = alt.Chart(middle).mark_text(align="left", dx=14, dy=10, text="theory", color=INK)
    band = alt.Chart(humans.assign(bottleneck=sizes["bottleneck"].max()))
    people = band.mark_text(align="right", dx=-4, dy=9, text="most human languages", color=NOTE)
    return [
        learners.encode(x="bottleneck:Q", y="size:Q"),
        theory.encode(x="bottleneck:Q", y="expected:Q"),
        people.encode(x="bottleneck:Q", y="high:Q"),
    ]


def _generation_gaps(gaps: pd.DataFrame) -> Panel:
    order = list(dict.fromkeys(gaps["mechanism"]))
    x = alt.X(
        "gap:Q",
        title="symbols above the frontier, mean of a chain",
        scale=alt.Scale(type="symlog", constant=0.05, nice=False),
    )
    x = x.axis(values=[0, 0.05, 0.2, 0.5, 1, 2, 5, 10, 20], format="~g")
    y = alt.Y("mechanism:N", sort=order, title=None, axis=alt.Axis(labelLimit=260))
    ticks = alt.Chart(gaps).mark_tick(thickness=1.2, size=16, opacity=0.35, color=COLOURS[0]).encode(x=x, y=y)
    medians = gaps.groupby("mechanism", sort=False, as_index=False)[["gap"]].median()
    dots = alt.Chart(medians).mark_point(filled=True, size=60, color=INK, opacity=1).encode(x=x, y=y)
    return alt.layer(ticks, dots, width=330, height=50 * len(order), title="What takes a language to the frontier")


def learners_figure(cells: pd.DataFrame, runs: pd.DataFrame) -> alt.HConcatChart:
    """For each bottleneck, who passed a language on: left how far from the frontier runs end, right how many words.

    `cells`: cell, bottleneck, and gap and size with `_low` and `_high`, the middle half. `runs`: cell, bottleneck, gap,
    size, a row for each run that is drawn as a point.
    """
    gaps = alt.Scale(type="symlog", constant=0.05)
    near = {"scale": gaps, "axis": alt.Axis(values=[0, 0.05, 0.2, 1, 5, 20], format="~g")}
    words = {"scale": alt.Scale(type="log", nice=False), "axis": alt.Axis(values=[5, 10, 20, 50])}
    table = pd.concat([cells.assign(point=False), runs.assign(point=True)], ignore_index=True)
    left = _learners(table, "gap", "symbols above the frontier", near, alt.Axis(labelLimit=330))
    bare = alt.Axis(labels=False, ticks=False, domain=False)
    return alt.hconcat(left, _learners(table, "size", "words in the lexicon", words, bare), spacing=20)


def _learners(table: pd.DataFrame, measure: str, title: str, drawn: dict[str, Any], names: alt.Axis) -> Panel:
    y = alt.Y("cell:N", sort=list(dict.fromkeys(table["cell"])), title=None, axis=names)
    x = alt.X(f"{measure}:Q", title=title, **drawn)
    cell, run = (alt.Chart(table).transform_filter(which) for which in ("!datum.point", "datum.point"))
    low = alt.X(f"{measure}_low:Q", title=title, **drawn)
    half = cell.mark_bar(color=SPAN, size=9).encode(y=y, x=low, x2=f"{measure}_high:Q")
    points = run.mark_point(filled=True, size=9, opacity=0.6, color=COLOURS[1]).encode(y=y, x=x)
    median = cell.mark_tick(thickness=2, size=13, color=INK).encode(y=y, x=x)
    panel = alt.layer(half, points, median, width=250, height=alt.Step(17))
    header = alt.Header(title=None, labelExpr="datum.value + ' heard'", labelOrient="top", labelAnchor="start")
    bottlenecks = list(dict.fromkeys(table["bottleneck"]))
    rows = alt.Row("bottleneck:N", sort=bottlenecks, header=header)
    facets = panel.facet(row=rows)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return facets.resolve_scale(y="independent")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


# The signalling game.

_GAME_HEIGHT = 260


def learning_figure(table: pd.DataFrame, curves: pd.DataFrame) -> alt.HConcatChart:
    """Why agents get stuck: share of games won, the speaker's entropy over time, and what collisions cost.

    `table` has a row a run: setting, start, seed, accuracy, collided. `curves` has setting, start, seed, step and
    speaker_entropy.
    """
    settings = list(dict.fromkeys(table["setting"]))
    colour = alt.Color("setting:N", sort=settings, title=None, legend=alt.Legend(orient="bottom", columns=3))
    return alt.hconcat(
        _accuracies(table, settings, colour), _entropies(curves, colour), _collisions(table, colour), spacing=40
    )


def _accuracies(table: pd.DataFrame, settings: list[str], colour: alt.Color) -> alt.Chart | alt.FacetChart:
    points = alt.Chart(table).mark_tick(thickness=2, size=14)
    return points.encode(
        x=alt.X("setting:N", sort=settings, title=None, axis=alt.Axis(labels=False, ticks=False)),
        y=alt.Y("accuracy:Q", title="games won in the last 500 steps", axis=alt.Axis(format="%")).scale(zero=False),
        color=colour,
        column=alt.Column("start:O", title="start", header=alt.Header(orient="bottom")),
    ).properties(width=120, height=_GAME_HEIGHT, title="Every seed")  # fmt: skip


def _entropies(curves: pd.DataFrame, colour: alt.Color) -> alt.Chart:
    median = curves.groupby(["setting", "step"], sort=False)["speaker_entropy"].median().reset_index()
    return alt.Chart(median).mark_line().encode(
        x=alt.X("step:Q", title="step"),
        y=alt.Y("speaker_entropy:Q", title="nats a symbol, need-weighted", axis=alt.Axis(tickCount=5)).scale(
            type="log"
        ),
        color=colour,
    ).properties(width=260, height=_GAME_HEIGHT, title="Entropy of the speaker, median")  # fmt: skip


def _collisions(table: pd.DataFrame, colour: alt.Color) -> alt.LayerChart | alt.FacetChart:
    lost = table.assign(lost=1 - table["accuracy"])
    end = lost["lost"].to_numpy().max()
    diagonal = alt.Chart(pd.DataFrame({"x": [0, end], "y": [0, end]})).mark_line(color=GREY, strokeDash=[4, 4])
    points = alt.Chart(lost).mark_point(filled=True, opacity=0.7).encode(
        x=alt.X("collided:Q", title="need of numbers whose message is taken", axis=alt.Axis(format="%")),
        y=alt.Y("lost:Q", title="games lost", axis=alt.Axis(format="%")),
        color=colour,
        shape=alt.Shape("start:N", title="start"),
    )  # fmt: skip
    layers = diagonal.encode(x="x:Q", y="y:Q") + points
    return layers.properties(width=260, height=_GAME_HEIGHT, title="Games lost are messages that collide")
