"""Pictures of the signalling game."""

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, GREY, INK, NOTE, SHADES

_HEIGHT = 260


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
    ).properties(width=120, height=_HEIGHT, title="Every seed")  # fmt: skip


def _entropies(curves: pd.DataFrame, colour: alt.Color) -> alt.Chart:
    median = curves.groupby(["setting", "step"], sort=False)["speaker_entropy"].median().reset_index()
    return alt.Chart(median).mark_line().encode(
        x=alt.X("step:Q", title="step"),
        y=alt.Y("speaker_entropy:Q", title="nats a symbol, need-weighted", axis=alt.Axis(tickCount=5)).scale(
            type="log"
        ),
        color=colour,
    ).properties(width=260, height=_HEIGHT, title="Entropy of the speaker, median")  # fmt: skip


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
    return layers.properties(width=260, height=_HEIGHT, title="Games lost are messages that collide")


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
    """Tokens in a row above the symbols said for them, each with its probability."""
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
