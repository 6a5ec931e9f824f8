"""Pictures of one exchange: what the speaker says for a number, and what the listener makes of it.

Their data is named, not inside: the page gives the rows, so that one specification serves all exchanges.
"""

from __future__ import annotations

import altair as alt

from ishango.figures.theme import COLOURS, INK, NOTE, Panel

MEANT, OTHERS = "the number meant", "other numbers"


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
    kind = f"datum.meant ? '{MEANT}' : '{OTHERS}'"
    scale = alt.Scale(domain=[MEANT, OTHERS], range=[COLOURS[1], NOTE])
    return alt.Chart(alt.NamedData("guesses")).transform_calculate(kind=kind).mark_bar().encode(
        x=alt.X("number:O", title="number", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
        y=alt.Y("probability:Q", title="probability", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%")),
        color=alt.Color("kind:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
        tooltip=["number:O", alt.Tooltip("probability:Q", format=".4f")],
    ).properties(width="container", height=200)  # fmt: skip
