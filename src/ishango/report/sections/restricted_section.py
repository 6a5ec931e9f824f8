"""Agents that learn systems without recursion."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.restricted_figures import (
    restricted_ends_figure,
    restricted_learning_figure,
    restricted_plane_figure,
)
from ishango.game import REWARDS
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure
from ishango.report.sections.plane_section import over

TEXT = """\
Agents of the same engine that learn words for 1 to 20 without a grammar, one symbol a number, rewarded by how near the
guess comes (Carlsson, Dubhashi and Johansson 2021)."""

SECTION = Section(
    "restricted",
    "Agents without a grammar",
    TEXT,
    ("restricted-agents", "restricted-ends", "restricted-learning"),
)


@figure(
    "restricted-agents",
    "what agents without a grammar learned over 1 to 20, by complexity and communicative cost",
    "restricted_agents",
    "restricted_frontier",
    "restricted_languages",
    see="Crosses are agents, circles human languages; lines and tints as in the figure before.",
)
def restricted_agents_chart(data: Tables) -> alt.TopLevelMixin:
    """The plane over 1 to 20, with agents that learned systems without recursion."""
    agents = data["restricted_agents"]
    return restricted_plane_figure(*over(data, 20), agents[["kind", "complexity", "cost"]])


@figure(
    "restricted-ends",
    "how far above the frontier these agents end, beside random systems",
    "restricted_agents",
    see="Every run is a mark; the ticks are medians of random systems of as many words.",
)
def restricted_ends_chart(data: Tables) -> alt.TopLevelMixin:
    """How far above the frontier these agents end, beside random systems."""
    return restricted_ends_figure(_by_reward(data["restricted_agents"]))


@figure(
    "restricted-learning",
    "how these agents come there, step by step",
    "restricted_curves",
    see="Medians over runs, and their middle halves.",
)
def restricted_learning_chart(data: Tables) -> alt.TopLevelMixin:
    """How they come there."""
    return restricted_learning_figure(_by_reward(data["restricted_curves"]))


def _by_reward(table: pd.DataFrame) -> pd.DataFrame:
    """The table in the order in which rewards are known, which figures follow."""
    ranks = {name: rank for rank, name in enumerate(REWARDS)}
    return table.sort_values("reward", key=lambda names: names.map(ranks), kind="stable")
