"""Pictures of the signalling game."""

import altair as alt
import pandas as pd

from ishango.figures.theme import GREY

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
