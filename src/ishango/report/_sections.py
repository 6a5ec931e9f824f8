"""The sections of the page, in its order; words, figures and tables of a section stand beside each other."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.evolution import BIASED, DRIFT, LOWEST
from ishango.figures.evolution_figures import (
    accuracy_figure,
    ends_figure,
    finals_figure,
    hero_figure,
    selection_figure,
    trajectories_figure,
)
from ishango.figures.kinds_figures import bands_figure
from ishango.figures.learning_figures import (
    learnability_figure,
    pressures_figure,
    restricted_ends_figure,
    restricted_learning_figure,
    restricted_plane_figure,
    settings_figure,
)
from ishango.figures.plane_figures import (
    cardinalities_figure,
    frontier_figure,
    genetic_figure,
    minimal_languages_figure,
    multipliers_figure,
)
from ishango.figures.run_figures import game_figure
from ishango.game import REWARDS
from ishango.numerals import HURFORD as HURFORD_GRAMMAR
from ishango.numerals import MODIFIED as MODIFIED_GRAMMAR
from ishango.registry import by_name
from ishango.report._data import HURFORD, MODIFIED, OVERLAP, Tables
from ishango.report._outcomes import COMPARED
from ishango.report._page_parts import FIGURES, SECTIONS, Figure, Section, ShownTable, figure

__all__ = ["ANSWER_SECTION", "FIGURES", "SECTIONS", "Figure", "Section", "ShownTable", "figure"]

LEXICON = {"digits": "D", "multipliers": "M"}

ANSWER_SECTION = Section("answer", "The answer", "", ("answer",))
"""It has no words of its own: those are made from the verdicts, and stand above its figure."""


@figure(
    "answer",
    "where agents end, among human languages and drift, above the proved frontier",
    "frontier",
    "languages",
    "ends",
    see="Bars hold four fifths of the ends, at each size, of a coin that keeps half of the alternatives. Where the"
    " points of agents lie inside them, a coin gets there, too. Nothing can lie in the grey.",
    studies=("agents", "coin"),
)
def answer_chart(data: Tables) -> alt.TopLevelMixin:
    """Where agents and coin end."""
    plane = ["size", "average_complexity"]
    ends = data["ends"][data["ends"]["add"] == LOWEST.name]
    frontier = data["frontier"][data["frontier"]["series"] == MODIFIED]
    languages = data["languages"][data["languages"]["grammar"] == MODIFIED_GRAMMAR.name]
    agents = ends[ends["study"] == "agents"][["start", "seed", *plane]]
    return hero_figure(frontier[plane], languages[plane], agents, ends[ends["study"] == "coin"][plane])


# The paths of languages that evolve, and where they end.

_TRAJECTORIES_TEXT = """\
Languages move as agents talk: their paths, where they end, and how well the agents understand each other on the way.
Human languages are open circles here and everywhere; nothing can lie in the grey."""

SHOWN = ("1", "2", "3", "4", "5")
"""Starts whose paths are drawn, as in the paper."""

TRAJECTORIES_SECTION = Section(
    "trajectories",
    "Trajectories and final languages",
    _TRAJECTORIES_TEXT,
    ("trajectories", "finals", "accuracy"),
)


@figure(
    "trajectories",
    "paths of languages from five starts to where they end",
    "rounds",
    "frontier",
    see="Open circles are starts 1 to 5, filled ones where the first seed ends; down is shorter, left is smaller.",
    studies=("agents",),
)
def trajectories_chart(data: Tables) -> alt.TopLevelMixin:
    """Paths of the first seed from the starts the paper shows."""
    played = data["rounds"][data["rounds"]["study"] == "agents"]
    shown = played[played["start"].isin(SHOWN) & (played["seed"] == 0)]
    if shown.empty:  # none of these is finished yet
        shown = played
    columns = ["run", "start", "round", "size", "average_complexity"]
    return trajectories_figure(shown[columns], _frontier(data))


@figure(
    "finals",
    "final languages of all starts and runs, among human languages",
    "ends",
    "frontier",
    "languages",
    see="Colours are starts, open circles human languages: do agents end among them, or at other sizes, too?",
    studies=("agents",),
)
def finals_chart(data: Tables) -> alt.TopLevelMixin:
    """Final languages of all starts and runs."""
    ends = data["ends"][data["ends"]["study"] == "agents"]
    languages = data["languages"][data["languages"]["grammar"] == MODIFIED_GRAMMAR.name]
    columns = ["start", "seed", "size", "average_complexity"]
    return finals_figure(ends[columns], _frontier(data), languages[["size", "average_complexity"]])


@figure(
    "accuracy",
    "games won over the rounds",
    "rounds",
    see="Every thin line is a run, the thick one their mean. Lines that stay level or fall mean that agents do not"
    " learn later what pre-training did not teach: numbers that share a message are never told apart, since nobody"
    " explores.",
    studies=("agents",),
)
def accuracy_chart(data: Tables) -> alt.TopLevelMixin:
    """How well agents understand each other, round by round."""
    rounds = data["rounds"]
    return accuracy_figure(rounds.loc[rounds["study"] == "agents", ["run", "start", "round", "accuracy"]])


def _frontier(data: Tables) -> pd.DataFrame:
    """The frontier of the grammar that agents speak."""
    rows = data["frontier"][data["frontier"]["series"] == MODIFIED]
    return rows[["size", "average_complexity"]]


# Agents beside neutral drift and an oracle.

_DRIFT_TEXT = """\
What the paper does not show: agents beside controls that do not talk. The coin keeps each alternative with probability
1/2; the biased coin keeps as many as each run of agents did; the oracle keeps what is shorter, the oracle on the gap
what lies nearer to the frontier of its size. Where a coin ends as near to the frontier as agents do, that a run ends
there is no evidence that communication selects."""

DRIFT_SECTION = Section("drift", "Agents against drift", _DRIFT_TEXT, ("drift", "selection"))


@figure(
    "drift",
    "final gaps of agents and oracles beside those of the coin, under both readings of m0 and m1",
    "ends",
    see="Every run is a point, but of the coin only the middle half and the median are drawn. Runs of agents under the"
    " literal reading (highest) have shorter rounds.",
    studies=("agents", "coin"),
)
def drift_chart(data: Tables) -> alt.TopLevelMixin:
    """Final gaps beside those of the coin, under both readings."""
    ends = data["ends"][data["ends"]["study"].isin(COMPARED)][["add", "choose", "who", "start", "gap"]]
    drifted = ends["choose"] == DRIFT.name
    shown = ~drifted & (ends["choose"] != BIASED.name)  # which would hide the agents behind many points
    return ends_figure(ends[shown], ends[drifted])


@figure(
    "selection",
    "the strength of selection of agents and controls under both readings",
    "selection",
    see="By how much the log odds that an alternative is kept rise for each symbol by which it is shorter: 0 is a coin;"
    " with a strength of 1, an alternative one symbol shorter has 2.7 times the odds of one that is as long.",
)
def selection_chart(data: Tables) -> alt.TopLevelMixin:
    """The strength of selection under both readings."""
    return selection_figure(data["selection"][["group", "strength", "low", "high", "separated"]])


# What it takes for communication to select: the study of pressures, which comes with the package.

_PRESSURES_TEXT = """\
In the paper's game nothing depends on length, and with its modifications a coin comes to the frontier by itself. Here
modifications may add and take any numeral, so that a coin leads away from the frontier, and pressures that the
literature names are switched on one by one: learners that are new in every round, a cost for every symbol, a cost for
every word, a judge of another kind. Costs are put in by hand: what agents add is the contrast to the costs alone. These
runs take hours and are not played here; the tables come with the package (docs/studies/pressures.md)."""

PRESSURES_SECTION = Section("pressures", "What it takes", _PRESSURES_TEXT, ("pressures",))


@figure(
    "pressures",
    "final gaps under each pressure, and how strongly shorter languages and smaller lexicons are preferred",
    "pressures",
    "pressures-runs",
    see="Every run is a point, with the middle half and the median of each cell. On the right the log odds that an"
    " alternative is kept for each symbol by which it is shorter and for each word by which its lexicon is smaller: a"
    " trade-off needs both above 0. Rules without exception have no such number.",
    fixed=True,
)
def pressures_chart(data: Tables) -> alt.TopLevelMixin:
    """Final gaps and selection on two axes, a row a cell."""
    return pressures_figure(data["pressures"], data["pressures-runs"])


# Agents that learn from scratch.

_LEARNING_TEXT = """\
Agents that begin from scratch, with the starts and with optimal systems of the same sizes, and then under other
rewards, with smaller layers and other batches."""

LEARNING_SECTION = Section("learning", "What is easy to learn", _LEARNING_TEXT, ("learning", "rewards"))


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


# How many multipliers optimal systems have, and the paper's Table 4.

_MULTIPLIERS_TEXT = """\
The paper motivates its grammar by how many multipliers optimal languages have: one, where Hurford's grammar has
any number of them. Then the systems of size 12 of its Table 4, beside the proved optimum under Hurford's grammar."""

MULTIPLIERS_SECTION = Section(
    "multipliers",
    "Numbers of multipliers, and Table 4",
    _MULTIPLIERS_TEXT,
    ("cardinalities", "multipliers", "size-twelve"),
    (
        ShownTable(
            "table4",
            {
                "system": "system",
                **LEXICON,
                "average_modified": "average, modified",
                "average_hurford": "average, Hurford",
                "gap": "gap under its grammar",
                "changes": "changes of base",
            },
        ),
    ),
)


@figure(
    "cardinalities",
    "how many optimal languages have how many multipliers (the paper's Figure 6)",
    "frontier",
    "languages",
    see="A size counts for each number of multipliers that one of its optima has. The paper finds Hurford's about"
    " uniform over the permitted range of one to five.",
)
def cardinalities_chart(data: Tables) -> alt.TopLevelMixin:
    """The comparison of |M| over Pareto-optimal languages."""
    optima = data["frontier"][(data["frontier"]["size"] <= LARGEST) & (data["frontier"]["series"] != OVERLAP)]
    return cardinalities_figure(optima, _people(data))


@figure(
    "multipliers",
    "how many multipliers optimal systems have at each size",
    "frontier",
    "languages",
    see="From the fewest to the most among the optima of a size, which are equally good; human languages on the right.",
)
def multipliers_chart(data: Tables) -> alt.TopLevelMixin:
    """How many multipliers optimal systems and languages have."""
    return multipliers_figure(data["frontier"][data["frontier"]["size"] <= LARGEST], _people(data))


def _people(data: Tables) -> pd.DataFrame:
    """How many human languages have how many multipliers."""
    languages = data["languages"][data["languages"]["grammar"] == HURFORD_GRAMMAR.name]
    counts = languages["multiplier_count"].value_counts().sort_index()
    return pd.DataFrame({"multipliers": counts.index, "languages": counts.array})


@figure(
    "size-twelve",
    "the minimal languages of the systems of Table 4, number by number",
    "size_twelve",
    fixed=True,
    see="Darker where more words are needed. In a predictable system one row looks like the next.",
)
def size_twelve_chart(data: Tables) -> alt.TopLevelMixin:
    """The minimal languages of Table 4."""
    return minimal_languages_figure(data["size_twelve"])


# The proved frontier, human languages on it, and the genetic algorithm above it.

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


SECTIONS.update(
    by_name(
        ANSWER_SECTION,
        TRAJECTORIES_SECTION,
        DRIFT_SECTION,
        PRESSURES_SECTION,
        LEARNING_SECTION,
        MULTIPLIERS_SECTION,
        FRONTIER_SECTION,
        KINDS_SECTION,
        PLANE_SECTION,
        RESTRICTED_SECTION,
        SYSTEMS_SECTION,
        GAME_SECTION,
    )
)
