"""Pictures of one run, round by round: its lexicon, how well the agents do, and what was tried.

Their data is named, not inside: the page gives the rows, so that one specification serves all runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from ishango.figures.theme import COLOURS, GREY, INK

_HEIGHT, _TALL = 240, 380
_ROUND = "round"
ROLES = {"digit": COLOURS[0], "multiplier": COLOURS[1]}
"""What a word of the lexicon may be, with its colour."""
SERIES = {
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


def communication_figure(names: Sequence[str] = tuple(SERIES)) -> alt.Chart:
    """How well the agents understood each other in each round, and what the bandit made of both systems.

    `communication`: round, series (one of `SERIES`), value. Of the series only those in `names` are in the legend.
    """
    names = [name for name in SERIES if name in names]
    colours = alt.Scale(domain=names, range=[SERIES[name][0] for name in names])
    dashes = alt.Scale(domain=names, range=[SERIES[name][1] for name in names])
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
        x=alt.X("rounds:Q", title="rounds", axis=alt.Axis(format="d", tickMinStep=1)),
        y=alt.Y("modification:N", title=None, sort=list(order) if order else None, axis=alt.Axis(labelLimit=220)),
        color=alt.Color("verdict:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        tooltip=["modification:N", "verdict:N", "rounds:Q"],
    ).properties(width="container", height=_HEIGHT)  # fmt: skip


def _rounds() -> Any:
    return alt.Axis(format="d", tickMinStep=1)
