"""Agents that learn from scratch."""

from __future__ import annotations

import altair as alt

from ishango.figures.learning_figures import learnability_figure, settings_figure
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure

TEXT = """\
Agents that begin from scratch, with the starts and with optimal systems of the same sizes, and then under other
rewards, with smaller layers and other batches."""

SECTION = Section("learning", "What is easy to learn", TEXT, ("learning", "rewards"))


@figure(
    "learning",
    "games won over the whole of learning from scratch, against average complexity",
    "learning",
    see="Every seed is a point, ticks are medians. Were efficient systems learned faster, points would fall from the"
    " left to the right.",
)
def learning_chart(data: Tables) -> alt.TopLevelMixin:
    """Games won after learning from scratch."""
    return learnability_figure(data["learning"])


@figure(
    "rewards",
    "games won under other rewards, layers and batches",
    "rewards",
    see="Every seed is a tick, dots are medians; a game is won if the guess is right, whatever the reward. The paper"
    " has the exact reward, layers of 100 and batches of 32.",
)
def rewards_chart(data: Tables) -> alt.TopLevelMixin:
    """Rewards, layers and batches."""
    table = data["rewards"]
    sizes = ", layers of " + table["hidden"].astype(str) + ", batches of " + table["batch"].astype(str)
    setting = table["reward"] + sizes
    systems = [f"start {start}" if start.isdigit() else f"optimum {start}" for start in table["start"].astype(str)]
    return settings_figure(table.assign(setting=setting, system=systems)[["setting", "system", "accuracy"]])
