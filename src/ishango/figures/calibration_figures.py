"""Pictures of calibration: does a factor change how well agents communicate?"""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.theme import COLOURS, INK, Panel


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
