"""Pictures of learning from scratch: which systems are learned well, and what helps."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, COLUMN, INK, Panel


def learnability_figure(table: pd.DataFrame) -> Panel:
    """Share of games won over the whole of learning against the average complexity of what is learned, a seed a point.

    `table`: kind (start or optimum), system, seed, average_complexity, won.
    """
    x = alt.X("average_complexity:Q", title="average complexity over the game range", scale=alt.Scale(zero=False))
    y = alt.Y("won:Q", title="games won over the whole of learning", axis=alt.Axis(format="%"))
    kinds = ["start", "optimum"]
    points = alt.Chart(table).mark_point(filled=True, size=45, opacity=0.75).encode(
        x=x,
        y=y.scale(zero=False),
        color=alt.Color("kind:N", title=None, scale=alt.Scale(domain=kinds, range=[COLOURS[1], COLOURS[0]])),
        shape=alt.Shape("kind:N", title=None, scale=alt.Scale(domain=kinds, range=["triangle-up", "circle"])),
        tooltip=["system", "seed", alt.Tooltip("won", format=".1%")],
    )  # fmt: skip
    medians = table.groupby(["system", "kind"], as_index=False)[["average_complexity", "won"]].median()
    ticks = alt.Chart(medians).mark_tick(color=INK, thickness=1.5, size=14, orient="horizontal").encode(x=x, y=y)
    return alt.layer(points, ticks, width=COLUMN, height=300)


def settings_figure(table: pd.DataFrame) -> alt.VConcatChart:
    """Share of games won under each setting, every seed a tick and the median a dot; one panel for what is learned.

    `table`: setting, system, accuracy; settings are shown in the order of the table.
    """
    return alt.vconcat(
        *(_settings(rows, str(system)) for system, rows in table.groupby("system", sort=False)), spacing=18
    )


def _settings(rows: pd.DataFrame, title: str) -> Panel:
    order = list(dict.fromkeys(rows["setting"]))
    axis = alt.Axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    x = alt.X("accuracy:Q", title="games won in the last 500 steps", axis=axis, scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("setting:N", sort=order, title=None, axis=alt.Axis(labelLimit=260))
    seeds = alt.Chart(rows).mark_tick(thickness=2, size=14, color=COLOURS[0], opacity=0.7).encode(x=x, y=y)
    medians = rows.groupby("setting", sort=False, as_index=False)[["accuracy"]].median()
    dots = alt.Chart(medians).mark_point(filled=True, color=INK, size=50, opacity=1).encode(x=x, y=y)
    return alt.layer(seeds, dots, width=COLUMN - 200, height=20 * len(order), title=title)
