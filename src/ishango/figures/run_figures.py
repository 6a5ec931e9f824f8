"""Pictures of runs, round by round, and of one exchange between agents.

But for `game_figure`, their data is named, not inside: the page gives the rows, so that one specification serves all
runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.look import COLOURS, GREY, INK, NOTE, SHADES, Panel

_HEIGHT, _TALL = 240, 380
_ROUND = "round"
ROLES = {"digit": COLOURS[0], "multiplier": COLOURS[1]}
"""What a word of the lexicon may be, with its colour."""
_SERIES = {
    "games won": (INK, [1, 0]),
    "won at their best": (COLOURS[2], [1, 0]),
    "Q, current system": (COLOURS[0], [4, 3]),
    "Q, alternative": (COLOURS[1], [4, 3]),
}
"""What is drawn of a round's communication, with colour and dashes."""


def lexicon_figure() -> alt.Chart:
    """The words of a run as bands over its rounds.

    `words` has a row for each stretch of rounds in which a word had a role: word, role, first, last.
    """
    scale = alt.Scale(domain=list(ROLES), range=list(ROLES.values()))
    spans = alt.Chart(alt.NamedData("words")).transform_calculate(
        left="datum.first - 0.5", right="datum.last + 0.5", low="datum.word - 0.46", high="datum.word + 0.46"
    )
    return spans.mark_rect(tooltip=True).encode(
        x=alt.X("left:Q", title=_ROUND, scale=alt.Scale(nice=False, zero=False), axis=_rounds()),
        x2="right:Q",
        y=alt.Y("low:Q", title="word", scale=alt.Scale(nice=False), axis=alt.Axis(format="d")),
        y2="high:Q",
        color=alt.Color("role:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        tooltip=[
            alt.Tooltip("word:Q"), alt.Tooltip("role:N"),
            alt.Tooltip("first:Q", title="from round"), alt.Tooltip("last:Q", title="to round"),
        ],
    ).properties(width="container", height=_TALL)  # fmt: skip


def communication_figure(names: Sequence[str] = tuple(_SERIES)) -> alt.Chart:
    """How well the agents understood each other in each round, and what the bandit made of both systems.

    `communication`: round, series (one of `_SERIES`), value. Of the series only those in `names` are in the legend.
    """
    names = [name for name in _SERIES if name in names]
    colours = alt.Scale(domain=names, range=[_SERIES[name][0] for name in names])
    dashes = alt.Scale(domain=names, range=[_SERIES[name][1] for name in names])
    legend = alt.Legend(orient="top", columns=2, symbolType="stroke", labelLimit=130)
    return alt.Chart(alt.NamedData("communication")).mark_line(strokeWidth=1.6, point={"size": 18}).encode(
        x=alt.X("round:Q", title=_ROUND, axis=_rounds(), scale=alt.Scale(nice=False)),
        y=alt.Y("value:Q", title="games won, Q", scale=alt.Scale(zero=False, domainMax=1), axis=alt.Axis(format=".0%")),
        color=alt.Color("series:N", title=None, sort=names, scale=colours, legend=legend),
        strokeDash=alt.StrokeDash("series:N", title=None, sort=names, scale=dashes, legend=legend),
        tooltip=["round:Q", "series:N", alt.Tooltip("value:Q", format=".3f")],
    ).properties(width="container", height=_HEIGHT)  # fmt: skip


def modifications_figure(order: Sequence[str] | None = None) -> alt.Chart:
    """Which modifications were tried, and how often they were kept.

    `modifications`: modification, verdict (kept or refused), rounds; drawn in this order.
    """
    scale = alt.Scale(domain=["kept", "refused"], range=[COLOURS[0], GREY])
    return alt.Chart(alt.NamedData("modifications")).mark_bar().encode(
        x=alt.X("rounds:Q", title="rounds", axis=_rounds()),
        y=alt.Y("modification:N", title=None, sort=list(order) if order else None, axis=alt.Axis(labelLimit=220)),
        color=alt.Color("verdict:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        tooltip=["modification:N", "verdict:N", "rounds:Q"],
    ).properties(width="container", height=_HEIGHT)  # fmt: skip


def _rounds() -> Any:
    """Whole numbers only: over two rounds Vega puts a tick at one and a half, and would call it 2."""
    return alt.Axis(format="d", tickMinStep=1, labelExpr="datum.value % 1 ? '' : datum.label", labelSeparation=6)


# The ways that one to four runs went, and any measure of theirs over the rounds.

LAST = 10**9
"""After every round that there can be."""
_LEXICON = [alt.Tooltip("digits:N", title="D"), alt.Tooltip("multipliers:N", title="M")]


def trail_figure(x: str, y: str, edge: bool = True, colours: Sequence[str] = COLOURS[:4]) -> Panel:
    """Where runs went up to the round of the parameter `round`; x and y are the titles of the axes, colours the runs'.

    `bound`: x, y of the edge of what is unattainable, and how low that is drawn. `optima`: x, y, digits, multipliers.
    `trail`: run, place (which of the runs, from 0), round, until, step (the order of its rows), x, y, digits,
    multipliers; a row without `until` is the corner of a step. Without an edge only the last is needed.
    """
    whole = alt.Axis(tickCount=10, tickMinStep=1)
    across = alt.X("x:Q", title=x, scale=alt.Scale(zero=False, nice=False, padding=14), axis=whole)
    up = alt.Y("y:Q", title=y, scale=alt.Scale(zero=False, nice=False, padding=6), axis=alt.Axis(tickCount=8))
    costs = [alt.Tooltip("x:Q", title=x, format=".5~g"), alt.Tooltip("y:Q", title=y, format=".5~g")]
    area = _of("bound").mark_area(color=GREY, interpolate="step-after", clip=True, tooltip=None)
    optima = _of("optima").mark_point(color=INK, filled=True, size=26, opacity=1, clip=True)
    so_far = _of("trail").transform_filter("datum.round <= round")
    here = so_far.transform_filter("isValid(datum.until)").transform_filter("round < datum.until")
    begins = _of("trail").transform_filter("datum.step == 0")
    about = [alt.Tooltip("run:N", title=" "), alt.Tooltip("round:Q", title="since round"), *_LEXICON, *costs]
    lines = so_far.mark_line(strokeWidth=1.7, opacity=0.8, clip=True, tooltip=None)
    below = [
        area.encode(x=across, y=up, y2="low:Q"),
        optima.encode(x=across, y=up, tooltip=[*_LEXICON, *costs]),
    ]
    above = [
        lines.encode(x=across, y=up, color=_colour(colours), detail="run:N", order="step:Q"),
        begins.mark_point(size=80, strokeWidth=1.6, color=NOTE).encode(x=across, y=up, tooltip=about),
        here.mark_point(filled=True, size=90, opacity=1).encode(x=across, y=up, color=_colour(colours), tooltip=about),
    ]
    chart = alt.layer(*(below if edge else []), *above, width="container", height=_TALL)
    return chart.add_params(alt.param(name="round", value=LAST))


def measure_figure(title: str, colours: Sequence[str] = COLOURS[:4]) -> alt.Chart:
    """A measure over the rounds of runs. `values`: run, place, round, value."""
    return _of("values").mark_line(strokeWidth=1.6, point={"size": 14}).encode(
        x=alt.X("round:Q", title="round", axis=_rounds(), scale=alt.Scale(nice=False)),
        y=alt.Y("value:Q", title=title, scale=alt.Scale(zero=False)),
        color=_colour(colours),
        detail="run:N",
        tooltip=[alt.Tooltip("run:N", title=" "), "round:Q", alt.Tooltip("value:Q", title=title, format=".5~g")],
    ).properties(width="container", height=_HEIGHT)  # fmt: skip


def spread_figure(title: str, colours: Sequence[str] = COLOURS[:4]) -> alt.LayerChart | alt.FacetChart:
    """Groups of runs over the rounds, median and middle half. `spread`: group, place, round, low, median, high."""
    x = alt.X("round:Q", title="round", axis=_rounds(), scale=alt.Scale(nice=False))
    y = alt.Y("low:Q", title=title, scale=alt.Scale(zero=False))
    band = _of("spread").mark_area(opacity=0.22, tooltip=None).encode(x=x, y=y, y2="high:Q", color=_colour(colours))
    names = [alt.Tooltip("group:N", title=" "), "round:Q", alt.Tooltip("median:Q", format=".5~g")]
    line = _of("spread").mark_line(strokeWidth=2).encode(x=x, y="median:Q", color=_colour(colours), tooltip=names)
    return alt.layer(band, line, width="container", height=260)


def _colour(colours: Sequence[str]) -> Any:
    """A colour for each of the runs or groups that are laid over each other."""
    scale = alt.Scale(domain=list(range(len(colours))), range=list(colours))
    return alt.Color("place:O", legend=None, scale=scale)


def _of(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name))


# Pictures of one exchange: what the speaker says for a number, and what the listener makes of it.

_MEANT, _OTHERS = "the number meant", "other numbers"


def message_figure(rows: int = 3) -> Panel:
    """How probable each symbol is at each place of the message; the likeliest one is spoken.

    `symbols`, so many different ones as there are `rows`: place (from 1), token (what the speaker has just read),
    symbol, letter (how it is written), probability, spoken (whether it is the likeliest of its place).
    """
    base = alt.Chart(alt.NamedData("symbols")).encode(
        x=alt.X("place:O", title="place in the message", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("letter:N", title="symbol", sort=None),
        tooltip=[
            "place:O",
            "token:N",
            alt.Tooltip("letter:N", title="symbol"),
            alt.Tooltip("symbol:O", title="number in files"),
            alt.Tooltip("probability:Q", format=".3f"),
        ],
    )
    cells = base.mark_rect(color=COLOURS[0], cornerRadius=3).encode(
        opacity=alt.Opacity("probability:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[0.04, 0.5]))
    )
    text = base.mark_text(fontSize=11, color=INK).encode(text=alt.Text("probability:Q", format=".0%"))
    return alt.layer(cells, text, width="container", height=24 * max(2, rows))


def listener_figure() -> alt.Chart:
    """The listener's distribution over the numbers after the message.

    `guesses`: number, probability, meant (whether it is the number that was spoken about).
    """
    kind = f"datum.meant ? '{_MEANT}' : '{_OTHERS}'"
    scale = alt.Scale(domain=[_MEANT, _OTHERS], range=[COLOURS[1], NOTE])
    return alt.Chart(alt.NamedData("guesses")).transform_calculate(kind=kind).mark_bar().encode(
        x=alt.X("number:O", title="number", axis=alt.Axis(labelAngle=0, labelOverlap=True, labelSeparation=6)),
        y=alt.Y("probability:Q", title="probability", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%")),
        color=alt.Color("kind:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        tooltip=["number:O", alt.Tooltip("probability:Q", format=".4f")],
    ).properties(width="container", height=200)  # fmt: skip


def game_figure(game: pd.DataFrame, guesses: pd.DataFrame) -> alt.HConcatChart:
    """One game: the number, the expression the speaker reads, the symbols it says, and what the listener makes of them.

    `game` has a row a position: number, position, token, symbol, probability, guess, reward. `guesses`: number,
    probability.
    """
    number, guess, reward = (game[name].iloc[0] for name in ("number", "guess", "reward"))
    heard = alt.Chart(guesses).mark_bar(color=COLOURS[0]).encode(
        x=alt.X("number:Q", title="number", scale=alt.Scale(domain=[0, int(guesses["number"].max()) + 1], nice=False)),
        y=alt.Y("probability:Q", title="listener's probability", scale=alt.Scale(domain=[0, 1])),
        tooltip=["number", alt.Tooltip("probability", format=".3f")],
    )  # fmt: skip
    verdict = f"The listener guesses {guess}: reward {reward:.0f}"
    return alt.hconcat(
        _conversation(game).properties(title=f"The speaker is to say {number}"),
        heard.properties(width=330, height=150, title=verdict),
        spacing=40,
    )


def _conversation(game: pd.DataFrame) -> alt.LayerChart | alt.FacetChart:
    shown = pd.concat(
        [
            game.assign(row="reads", text=game["token"].astype(str), note=""),
            game.assign(
                row="says", text="s" + game["symbol"].astype(str), note=game["probability"].map(lambda p: f"{p:.0%}")
            ),
        ]
    )
    base = alt.Chart(shown).encode(
        x=alt.X("position:O", title=None, axis=None),
        y=alt.Y("row:N", title=None, sort=["reads", "says"], axis=alt.Axis(domain=False, ticks=False, grid=False)),
    )
    boxes = base.mark_rect(stroke=INK, strokeWidth=1, fill=SHADES[0], cornerRadius=4, width=40, height=36)
    words = base.mark_text(fontSize=14, color=INK, dy=-4).encode(text="text:N")
    notes = base.mark_text(fontSize=9, color=NOTE, dy=11).encode(text="note:N")
    return alt.layer(boxes, words, notes, width=alt.Step(48), height=150)
