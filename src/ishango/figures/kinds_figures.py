"""Pictures of kinds of systems: the phase diagram of the law, bands over the numbers, restricted systems."""

from __future__ import annotations

import math
from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from ishango.figures.look import COLOURS, GREY, INK, Panel, name_layers, panel_width, place_names

ORDER = ["approximate", "exact restricted", "partly recursive", "recursive"]
KINDS_SCALE = alt.Scale(domain=ORDER, range=[COLOURS[1], "#b8860b", COLOURS[2], COLOURS[0]])
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
    colour = alt.Color("kind:N", title=None, sort=ORDER, scale=KINDS_SCALE)
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
        color=alt.Color(
            "kind:N", title=None, sort=ORDER, scale=KINDS_SCALE, legend=alt.Legend(orient="top", columns=2)
        ),
        tooltip=["round:Q", "kind:N", alt.Tooltip("cost:Q", format=".4f")],
    )
    return alt.layer(base.mark_line(strokeWidth=0.8, color=GREY), points).properties(width="container", height=240)


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
    bands = _merge_bands(table)
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
    return bars.facet(row=rows, spacing=14)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - Altair


def _merge_bands(table: pd.DataFrame) -> pd.DataFrame:
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


# Pictures of restricted systems: the plane of complexity and cost, what agents learn, and how near they come.

_RESTRICTED_KINDS = ["approximate", "exact restricted", "recursive"]
_AGENTS = "agents"
_SHAPES = ["circle", "circle", "circle", "cross"]
"""Human languages are circles, whatever their kind."""
_PLANE_WIDTH, _PLANE_HEIGHT = 640, 440
_TOP, _LARGEST = 3.5, 200
"""Bits and nodes that the plane shows at least; more where something lies beyond."""
_TICKS = [3, 5, 10, 20, 50, 100, 200]
_REGIONS = {"approximate": COLOURS[0], "exact restricted": COLOURS[1]}


def restricted_plane_figure(
    frontier: pd.DataFrame, languages: pd.DataFrame, agents: pd.DataFrame | None = None
) -> Panel:
    """The paper's Figure 2: complexity against communicative cost, both frontiers over what systems can be.

    `frontier`: kind, complexity, cost, worst_cost. `languages`: kind, complexity, cost, languages (how many share the
    point), label. `agents`, if there are any, in place of names: kind, complexity, cost.
    """
    agents = agents if agents is not None else pd.DataFrame(columns=["kind", "complexity", "cost"])
    with_agents = len(agents) > 0
    largest = _reaching(_LARGEST, languages["complexity"], agents["complexity"])
    known = frontier[frontier["complexity"] <= largest]
    top = _reaching(_TOP, languages["cost"], agents["cost"], known["cost"], known["worst_cost"])
    x = _complexity(largest)
    y = alt.Y("cost:Q", title="communicative cost (bits)", scale=alt.Scale(domain=[0, top]))
    layers = [_region(known[known["kind"] == kind], colour, x, y) for kind, colour in _REGIONS.items()]
    layers.append(_frontiers(known, x, y, with_agents))
    if with_agents:
        layers.append(_agents(agents, x, y))
    layers.append(_humans(languages, x, y, with_agents))
    if not with_agents:  # whose crosses leave no room for names
        layers += _restricted_names(languages, known, x, y, (largest, top))
    return alt.layer(*layers, width=_PLANE_WIDTH, height=_PLANE_HEIGHT)


def restricted_ends_figure(ends: pd.DataFrame) -> alt.ConcatChart:
    """How far above the frontier agents end, every run a point, with random systems beside them, one panel a reward.

    `ends`: reward, vocabulary, gap, gap_random (the median of random systems of as many words as the run uses) and
    contiguous (whether every word is an interval).
    """
    top = float(max(ends["gap"].max(), ends["gap_random"].max()))
    rewards = list(ends.groupby("reward", sort=False))
    panels = [_ends(rows, str(reward), top, panel_width(min(2, len(rewards)))) for reward, rows in rewards]
    return alt.concat(*panels, columns=2, spacing=18)


def _ends(rows: pd.DataFrame, title: str, top: float, width: int) -> Panel:
    offered = sorted(set(rows["vocabulary"]))
    scale = alt.Scale(domain=[offered[0] - 0.5, offered[-1] + 0.5], nice=False)
    x = alt.X("place:Q", title="words offered", scale=scale, axis=alt.Axis(values=offered, format="d", grid=False))
    # Linear near 0, logarithmic above: gaps of 0 and of 1 are both of interest.
    scale = alt.Scale(type="symlog", constant=0.02, domain=[-0.005, top])
    axis = alt.Axis(values=[0, 0.01, 0.03, 0.1, 0.3, 1, 3], format="~g")
    y = alt.Y("gap:Q", title="bits above the least cost of its complexity", scale=scale, axis=axis)
    random = rows.groupby("vocabulary")["gap_random"].median().rename("gap").rename_axis("place").reset_index()
    tick = alt.Chart(random).mark_tick(color=INK, size=15, thickness=2, orient="horizontal").encode(x=x, y=y)
    beside = rows.groupby("vocabulary").cumcount() - (rows.groupby("vocabulary")["gap"].transform("size") - 1) / 2
    kinds = rows.assign(
        place=rows["vocabulary"] + 0.13 * beside,
        words=rows["contiguous"].map({True: "intervals", False: "not intervals"}),
    )
    names = ["intervals", "not intervals"]
    points = alt.Chart(kinds).mark_point(size=38, opacity=0.8, strokeWidth=1.6).encode(
        x=x,
        y=y,
        color=alt.Color("words:N", title="words", scale=alt.Scale(domain=names, range=list(COLOURS[:2]))),
        shape=alt.Shape("words:N", title="words", scale=alt.Scale(domain=names, range=["circle", "cross"])),
    )  # fmt: skip
    return alt.layer(tick, points, width=width, height=260, title=f"{title} reward")


def restricted_learning_figure(curves: pd.DataFrame) -> alt.HConcatChart:
    """Learning curves: the distance from the frontier and the words in use, medians and middle halves over runs.

    `curves`: reward, vocabulary, round, steps (of a round), gap, size.
    """
    table = curves.assign(step=curves["round"] * curves["steps"], used=curves["size"] / curves["vocabulary"])
    rewards = list(dict.fromkeys(table["reward"]))
    colour = alt.Color("reward:N", title="reward", scale=alt.Scale(domain=rewards, range=list(COLOURS)))
    gaps = _curve(table, "gap", "bits above the least cost of its complexity", colour, alt.Axis())
    used = _curve(table, "used", "share of the words offered that are used", colour, alt.Axis(format="%"))
    return alt.hconcat(gaps, used, spacing=30)


def _curve(table: pd.DataFrame, column: str, title: str, colour: alt.Color, axis: alt.Axis) -> Panel:
    grouped = table.groupby(["reward", "step"], sort=False)[column]
    spans = pd.DataFrame(
        {"low": grouped.quantile(0.25), "median": grouped.median(), "high": grouped.quantile(0.75)}
    ).reset_index()
    x = alt.X("step:Q", title="step", axis=alt.Axis(tickCount=4, labelFlush=False))
    base = alt.Chart(spans)
    half = base.mark_area(opacity=0.15).encode(x=x, y=alt.Y("low:Q", title=title, axis=axis), y2="high:Q", color=colour)
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y="median:Q", color=colour)
    return alt.layer(half, line, width=panel_width(2), height=260)


def _reaching(least: float, *columns: pd.Series) -> float:
    """The end of an axis that nothing lies beyond: what it is usually, or the next half that all values are below."""
    values = pd.concat(columns).astype(float)
    greatest = values[np.isfinite(values)].max()  # NaN where there is none
    return math.ceil(2 * greatest) / 2 if greatest > least else least


def _complexity(largest: float) -> alt.X:
    # Few systems of people have more than 20 nodes, and recursive ones more than 70: a logarithm gives both room.
    return alt.X(
        "complexity:Q",
        title="complexity (nodes of the rules)",
        scale=alt.Scale(type="log", domain=[_TICKS[0], largest], nice=False),
        axis=alt.Axis(values=_TICKS, format="d"),
    )


def _region(points: pd.DataFrame, colour: str, x: alt.X, y: alt.Y) -> alt.Chart:
    return alt.Chart(points).mark_area(color=colour, opacity=0.13, clip=True).encode(x=x, y=y, y2="worst_cost:Q")


def _kind_colour(with_agents: bool) -> alt.Color:
    domain, colours = (
        ([*_RESTRICTED_KINDS, _AGENTS], [*COLOURS[:3], INK]) if with_agents else (_RESTRICTED_KINDS, list(COLOURS[:3]))
    )
    return alt.Color("kind:N", title=None, scale=alt.Scale(domain=domain, range=colours))


def _kind_shape(with_agents: bool) -> alt.Shape:
    domain = [*_RESTRICTED_KINDS, _AGENTS] if with_agents else _RESTRICTED_KINDS
    return alt.Shape("kind:N", title=None, scale=alt.Scale(domain=domain, range=_SHAPES[: len(domain)]))


def _frontiers(points: pd.DataFrame, x: alt.X, y: alt.Y, with_agents: bool) -> alt.Chart:
    return alt.Chart(points).mark_line(strokeWidth=1.6, clip=True).encode(x=x, y=y, color=_kind_colour(with_agents))


def _agents(agents: pd.DataFrame, x: alt.X, y: alt.Y) -> alt.Chart:
    crosses = alt.Chart(agents.assign(kind=_AGENTS)).mark_point(size=26, strokeWidth=1.2, opacity=0.55, clip=True)
    return crosses.encode(x=x, y=y, color=_kind_colour(True), shape=_kind_shape(True))


def _humans(languages: pd.DataFrame, x: alt.X, y: alt.Y, with_agents: bool) -> alt.Chart:
    size = alt.Size(
        "languages:Q", title="languages", scale=alt.Scale(range=[60, 260]), legend=alt.Legend(values=[1, 4, 8])
    )
    points = alt.Chart(languages).mark_point(strokeWidth=2, opacity=1)
    return points.encode(x=x, y=y, size=size, shape=_kind_shape(with_agents), color=_kind_colour(with_agents))


def _restricted_names(
    languages: pd.DataFrame, frontier: pd.DataFrame, x: alt.X, y: alt.Y, ends: tuple[float, float]
) -> Sequence[alt.Chart]:
    """Names beside their points and off the frontiers; recursive languages close together on the axis share a label.

    `ends`: where the axes end.
    """
    recursive = languages[languages["kind"] == "recursive"].sort_values("complexity")
    apart = (recursive["complexity"] > 1.1 * recursive["complexity"].shift()).cumsum()
    lines = (
        recursive.assign(apart=apart)
        .groupby("apart")
        .agg(complexity=("complexity", "mean"), cost=("cost", "first"), label=("label", _and_others))
    )
    named = pd.concat([languages[languages["kind"] != "recursive"], lines])[["complexity", "cost", "label"]]
    largest, top = ends

    def in_pixels(rows: pd.DataFrame) -> pd.DataFrame:
        across = np.log(rows["complexity"] / _TICKS[0]) / np.log(largest / _TICKS[0])
        return rows.assign(px=across * _PLANE_WIDTH, py=(1 - rows["cost"] / top) * _PLANE_HEIGHT)

    dense = np.arange(0, _PLANE_WIDTH, 3.0)
    edges = [in_pixels(rows.sort_values("complexity")) for _, rows in frontier.groupby("kind")]
    lines = [pixel for edge in edges for pixel in zip(dense, np.interp(dense, edge["px"], edge["py"]), strict=True)]
    # First those on the axis, where there is least room, from the left; then the others from the right.
    low = named["cost"] == 0
    others = named[~low].sort_values(["complexity", "cost"], ascending=False)
    places = in_pixels(pd.concat([named[low].sort_values("complexity"), others]))
    return name_layers(place_names(places, _PLANE_WIDTH, _PLANE_HEIGHT, lines), x, y)


def _and_others(names: pd.Series) -> str:
    first, *others = names
    return f"{first} and {len(others)} others" if len(others) > 1 else ", ".join(names)
