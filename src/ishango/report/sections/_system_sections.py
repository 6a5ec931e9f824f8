"""The proved frontier, human languages on it, and the genetic algorithm above it."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.kinds_figures import bands_figure
from ishango.figures.learning_figures import (
    restricted_ends_figure,
    restricted_learning_figure,
    restricted_plane_figure,
)
from ishango.figures.plane_figures import frontier_figure, genetic_figure
from ishango.figures.run_figures import game_figure
from ishango.game import REWARDS
from ishango.report._data import HURFORD, MODIFIED, Tables
from ishango.report._page_parts import Section, ShownTable, figure

_FRONTIER_TEXT = """\
The least average complexity of each lexicon size over all lexicons with words up to 99, proved; the paper estimates it
with a genetic algorithm."""

LABELLED = ("English", "French", "Kunama", "Mixtec")
"""Languages that the paper names."""
LARGEST = 25
"""Sizes up to which estimates and numbers of multipliers are drawn."""

FRONTIER_SECTION = Section("frontier", "The frontier, proved", _FRONTIER_TEXT, ("frontier", "genetic"))


@figure(
    "frontier",
    "the proved frontiers with human languages, one panel a grammar",
    "frontier",
    "languages",
    see="Nothing lies in the grey. Open circles are human languages, larger where several share a point: under the"
    " modified grammar most lie on the frontier or just above it.",
)
def frontier_chart(data: Tables) -> alt.TopLevelMixin:
    """The proved frontiers with human languages."""
    frontier = data["frontier"][data["frontier"]["series"].isin([MODIFIED, HURFORD])]
    return frontier_figure(frontier, _language_points(data["languages"]))


@figure(
    "genetic",
    "how far the genetic algorithm ends above the proved frontiers",
    "genetic",
    see="Dots are medians over seeds, bars reach from the least to the greatest. Sizes without a dot were not found.",
)
def genetic_chart(data: Tables) -> alt.TopLevelMixin:
    """The genetic algorithm above the proved frontiers."""
    return genetic_figure(data["genetic"][data["genetic"]["size"] <= LARGEST])


def _language_points(languages: pd.DataFrame) -> pd.DataFrame:
    """Languages that share a point are one point; those the paper names are labelled."""
    grouped = languages.groupby(["grammar", "size", "average_complexity"], as_index=False)["language"]
    points = grouped.agg(languages="count", names=", ".join)
    return points.assign(label=points["names"].map(_label))


def _label(names: str) -> str:
    return next((each for each in LABELLED if each in names), "")


# The paper's Figure 1: what numeral systems there are.

_KINDS_TEXT = """\
Chiquitano has words for one and for more, Awa Pit for one to four and for more, English for every number."""

KINDS_SECTION = Section("kinds", "Three kinds of numeral systems", _KINDS_TEXT, ("bands",))


@figure(
    "bands",
    "three kinds of numeral systems as coloured bands over the numbers",
    "bands",
    fixed=True,
    see="A colour is a word; where a number needs several, they are stacked, and one sees ten run above the digits.",
)
def bands_chart(data: Tables) -> alt.TopLevelMixin:
    """Three kinds of numeral systems."""
    return bands_figure(data["bands"])


# The paper's Figure 2: the languages of Xu, Liu and Regier (2020) by complexity and communicative cost.

_PLANE_TEXT = """\
The 30 languages of Xu, Liu and Regier (2020): how many nodes the rules of a system have, against how many bits a
listener lacks. Recursive systems lose nothing, so that they cannot be compared this way; for them the paper takes
lexicon size against average complexity instead."""

PLANE_SECTION = Section("plane", "Informativeness against simplicity", _PLANE_TEXT, ("plane",))


@figure(
    "plane",
    "restricted and recursive languages by complexity and communicative cost",
    "restricted_frontier",
    "restricted_languages",
    fixed=True,
    see="Lines are the optima of approximate and of exact restricted systems, tints what systems of these kinds can be."
    " Restricted languages lie near their line; recursive ones all cost 0 bits, with very different numbers of nodes.",
)
def plane_chart(data: Tables) -> alt.TopLevelMixin:
    """Languages over 1 to 100, with the frontiers of restricted systems."""
    return restricted_plane_figure(*over(data, 100))


def over(data: Tables, upto: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Frontiers and languages over the numbers from 1 to this one."""
    frontier, languages = data["restricted_frontier"], data["restricted_languages"]
    return frontier[frontier["range"] == upto], languages[languages["range"] == upto]


# Agents that learn systems without recursion.

_RESTRICTED_TEXT = """\
Agents of the same engine that learn words for 1 to 20 without a grammar, one symbol a number, rewarded by how near the
guess comes (Carlsson, Dubhashi and Johansson 2021)."""

RESTRICTED_SECTION = Section(
    "restricted",
    "Agents without a grammar",
    _RESTRICTED_TEXT,
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


# What the paper tabulates: human systems, starts and modifications.

_SYSTEMS_TEXT = """\
What the paper tabulates, with what we compute: the lexicon size, the average complexity of the shortest expressions
of 1 to 99, and the gap to the proved frontier of that size. Both grammars are shown; the paper's is the modified
one, in which a multiplier never stands alone.

The modifications are shown on start 2. Read literally, m0 and m1 add 50, 49, ...; our default adds the lowest free
numeral (see the verdict on the literal reading). One that no longer covers 1 to 50 is discarded."""

LEXICON = {"digits": "D", "multipliers": "M"}
"""Headings of a system's words."""
COSTS = {"grammar": "grammar", "size": "size", "average_complexity": "average", "gap": "gap"}
"""Headings of what it costs."""

SYSTEMS_SECTION = Section(
    "systems",
    "Human systems, starts and modifications",
    _SYSTEMS_TEXT,
    tables=(
        ShownTable(
            "languages",
            {"language": "language", **LEXICON, **COSTS, "said": "average as said"},
            "language in ['English', 'French', 'Kunama']",
        ),
        ShownTable("starts", {"start": "start", **LEXICON, **COSTS}),
        ShownTable(
            "modifications",
            {
                "action": "action",
                "paper": "the paper's words",
                "lowest": "lowest free numeral",
                "literal": "read literally",
                "covers": "covers 1 to 50",
            },
        ),
    ),
)


# One game of trained agents, looked at closely.

_GAME_TEXT = """\
A game of real trained agents, those of the first run after its last round, about the smallest number that needs
several symbols and is understood. The speaker reads the number's expression token by token and says a symbol after
each (the likeliest one is shown, with its probability); the listener hears the symbols and guesses. Both are
rewarded if the guess is right."""

GAME_SECTION = Section("game", "A communication round", _GAME_TEXT, ("game",))


@figure(
    "game",
    "what a speaker says for a number, and what the listener makes of it",
    "game",
    "game_guesses",
    fixed=True,
    see="Above what is read and said, below the listener's probabilities.",
)
def game_chart(data: Tables) -> alt.TopLevelMixin:
    """A communication round."""
    return game_figure(data["game"], data["game_guesses"])
