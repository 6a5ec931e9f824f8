"""The sections of the page, in its order; words, figures and tables of a section stand beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import altair as alt
import pandas as pd

from ishango.errors import RequestError
from ishango.evolution import BIASED, DRIFT, LOWEST
from ishango.figures import evolution_figures as evolution
from ishango.figures import kinds_figures as kinds
from ishango.figures import plane_figures as planes
from ishango.figures.look import Specification, save_specification, specification
from ishango.figures.run_figures import game_figure
from ishango.game import REWARDS
from ishango.numerals import HURFORD as HURFORD_GRAMMAR
from ishango.numerals import MODIFIED as MODIFIED_GRAMMAR
from ishango.registry import refusal
from ishango.report._columns import Explained
from ishango.report._data import HURFORD, MODIFIED, OVERLAP, Tables
from ishango.report._outcomes import COMPARED, begun

Draw = Callable[[Tables], alt.TopLevelMixin]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Figure:
    """A figure of the page, which is also written as files of its name."""

    name: str
    """What its files are called."""
    sentence: str
    draw: Draw
    """From the tables it needs, and nothing else, to a chart."""
    needs: tuple[str, ...]
    """The names of these tables."""
    see: str = ""
    """What there is to see in it, in a sentence or two for its caption."""
    fixed: bool = False
    """Whether its words have their places in pixels, so that it cannot be drawn narrower for a phone."""
    studies: tuple[str, ...] = ()
    """Studies that must have a finished run, where that does not follow from a table that has no rows."""

    def can_be_drawn(self, data: Tables) -> bool:
        return begun(data, self.studies) and all(len(data[name]) for name in self.needs)

    def chart(self, data: Tables) -> alt.TopLevelMixin:
        """Draw it; it sees no table but those it says it needs."""
        return self.draw({name: data[name] for name in self.needs})


class ShownTable(NamedTuple):
    """A table as a section shows it."""

    name: str
    columns: Mapping[str, str]
    """Its columns with their headings."""
    query: str = ""
    """A condition on its rows; empty for all."""


@dataclass(frozen=True)
class Section:
    """A section of the page: what to see, and the figures and tables that show it."""

    name: str
    """What links to it end in."""
    title: str
    text: str
    """Its words; an empty line begins a new paragraph."""
    figures: tuple[str, ...] = ()
    """The names of its figures."""
    tables: tuple[ShownTable, ...] = ()

    @property
    def sentence(self) -> str:
        """A section's title says what it is."""
        return self.title


FIGURES: dict[str, Figure] = {}
SECTIONS: dict[str, Section] = {}
"""Both in the order of the page."""


def section(name: str, title: str, text: str, *figures: Figure, tables: tuple[ShownTable, ...] = ()) -> None:
    """Put a section, and its figures, behind those that are there."""
    for each in figures:
        if each.name in FIGURES:
            raise ValueError(f"there are two figures {each.name!r}")
        FIGURES[each.name] = each
    SECTIONS[name] = Section(name, title, text, tuple(each.name for each in figures), tables)


def draw_figures(data: Tables, directory: Path, say: Say = lambda _text: None) -> dict[str, Specification]:
    """Draw every figure whose runs are there."""
    charts: dict[str, Specification] = {}
    for name, each in FIGURES.items():
        if each.can_be_drawn(data):
            charts[name] = specification(each.chart(data))
            say(f"  {name}")
            save_specification(charts[name], directory, name)
    return charts


def check_page(tables: Mapping[str, Explained]) -> None:
    """Refuse figures, tables and sections that name what does not exist, before anything long is computed."""
    for each in FIGURES.values():
        for name in each.needs:
            if name not in tables:
                raise RequestError(f"The figure {each.name!r} needs the table {name!r}, which there is not.")
    for section in SECTIONS.values():
        _check_section(section, tables)


def _check_section(section: Section, tables: Mapping[str, Explained]) -> None:
    cannot = f"The section {section.name!r} cannot be shown:"
    for name in section.figures:
        if name not in FIGURES:
            raise RequestError(f"{cannot} {(why := refusal('figure', name, FIGURES))[0].lower()}{why[1:]}")
    for shown in section.tables:
        if shown.name not in tables:
            raise RequestError(f"{cannot} there is no table {shown.name!r}.")
        unknown = set(shown.columns) - set(tables[shown.name].columns)
        if unknown:
            raise RequestError(f"{cannot} the table {shown.name!r} has no column {min(unknown)!r}.")


_PLANE = ["size", "average_complexity"]
_LEXICON = {"digits": "D", "multipliers": "M"}
_COSTS = {"grammar": "grammar", "size": "size", "average_complexity": "average", "gap": "gap"}
_SHOWN = ("1", "2", "3", "4", "5")
"""Starts whose paths are drawn, as in the paper."""
_NAMED = ("English", "French", "Kunama", "Mixtec")
"""Languages that the paper names."""
_LARGEST = 25
"""Sizes up to which estimates and numbers of multipliers are drawn."""


def _of_study(data: Tables, table: str, *studies: str) -> pd.DataFrame:
    return data[table][data[table]["study"].isin(studies)]


def _frontier(data: Tables) -> pd.DataFrame:
    return data["frontier"].loc[data["frontier"]["series"] == MODIFIED, _PLANE]


def _humans(data: Tables) -> pd.DataFrame:
    return data["languages"].loc[data["languages"]["grammar"] == MODIFIED_GRAMMAR.name, _PLANE]


def _answer(data: Tables) -> alt.TopLevelMixin:
    ends = data["ends"][data["ends"]["add"] == LOWEST.name]
    agents = ends.loc[ends["study"] == "agents", ["start", "seed", *_PLANE]]
    return evolution.hero_figure(_frontier(data), _humans(data), agents, ends.loc[ends["study"] == "coin", _PLANE])


section(
    "answer", "The answer", "",  # its words are made from the verdicts, and stand above its figure
    Figure(
        "answer",
        "where agents end, among human languages and drift, above the proved frontier",
        _answer,
        ("frontier", "languages", "ends"),
        "Bars hold four fifths of the ends, at each size, of drift, which keeps half of the alternatives. Where the"
        " points of agents lie inside them, drift gets there, too. Nothing can lie in the grey.",
        studies=("agents", "coin"),
    ),
)  # fmt: skip


def _trajectories(data: Tables) -> alt.TopLevelMixin:
    """Paths of the first seed from the starts the paper shows; of all runs while none of these is finished."""
    played = _of_study(data, "rounds", "agents")
    shown = played[played["start"].isin(_SHOWN) & (played["seed"] == 0)]
    paths = (played if shown.empty else shown)[["run", "start", "round", *_PLANE]]
    return evolution.trajectories_figure(paths, _frontier(data))


section(
    "trajectories",
    "Trajectories and final languages",
    """\
Languages move as agents talk: their paths, where they end, and how well the agents understand each other on the way.
Human languages are open circles here and everywhere; nothing can lie in the grey.""",
    Figure(
        "trajectories",
        "paths of languages from five starts to where they end",
        _trajectories,
        ("rounds", "frontier"),
        "Open circles are starts 1 to 5, filled ones where the first seed ends; down is shorter, left is smaller.",
        studies=("agents",),
    ),
    Figure(
        "finals",
        "final languages of all starts and runs, among human languages",
        lambda data: evolution.finals_figure(
            _of_study(data, "ends", "agents")[["start", "seed", *_PLANE]], _frontier(data), _humans(data)
        ),
        ("ends", "frontier", "languages"),
        "Colours are starts, open circles human languages: do agents end among them, or at other sizes, too?",
        studies=("agents",),
    ),
    Figure(
        "accuracy",
        "games won over the rounds",
        lambda data: evolution.accuracy_figure(
            _of_study(data, "rounds", "agents")[["run", "start", "round", "accuracy"]]
        ),
        ("rounds",),
        "Every thin line is a run, the thick one their mean. Lines that stay level or fall mean that agents do not"
        " learn later what pre-training did not teach: numbers that share a message are never told apart, since nobody"
        " explores.",
        studies=("agents",),
    ),
)


def _drift(data: Tables) -> alt.TopLevelMixin:
    ends = _of_study(data, "ends", *COMPARED)[["add", "choose", "who", "start", "gap"]]
    drifted = ends["choose"] == DRIFT.name
    shown = ~drifted & (ends["choose"] != BIASED.name)  # which would hide the agents behind many points
    return evolution.ends_figure(ends[shown], ends[drifted])


section(
    "drift",
    "Agents against drift",
    """\
What the paper does not show: agents beside controls that do not talk. Drift keeps each alternative with probability
1/2; biased drift keeps as many as each run of agents did; the oracle keeps what is shorter, the oracle on the gap
what lies nearer to the frontier of its size. Where drift ends as near to the frontier as agents do, that a run ends
there is no evidence that communication selects.""",
    Figure(
        "drift",
        "final gaps of agents and oracles beside those of drift, under both readings of m0 and m1",
        _drift,
        ("ends",),
        "Every run is a point, but of drift only the middle half and the median are drawn. Runs of agents under the"
        " literal reading (highest) have shorter rounds.",
        studies=("agents", "coin"),
    ),
    Figure(
        "selection",
        "the strength of selection of agents and controls under both readings",
        lambda data: evolution.selection_figure(data["selection"][["group", "strength", "low", "high", "separated"]]),
        ("selection",),
        "By how much the log odds that an alternative is kept rise for each symbol by which it is shorter: 0 is drift;"
        " with a strength of 1, an alternative one symbol shorter has 2.7 times the odds of one that is as long.",
    ),
)

section(
    "pressures",
    "What it takes",
    """\
In the paper's game nothing depends on length, and with its modifications drift alone reaches the frontier. Here
modifications may add and take any numeral, so that drift leads away from the frontier, and pressures that the
literature names are switched on one by one: learners that are new in every round, a cost for every symbol, a cost for
every word, a judge of another kind. Costs are put in by hand: what agents add is the contrast to the costs alone. These
runs take hours and are not played here; the tables come with the package (docs/studies/pressures.md).""",
    Figure(
        "pressures",
        "final gaps under each pressure, and how strongly shorter languages and smaller lexicons are preferred",
        lambda data: evolution.pressures_figure(data["pressures"], data["pressures-runs"]),
        ("pressures", "pressures-runs"),
        "Every run is a point, with the middle half and the median of each row. On the right the log odds that an"
        " alternative is kept for each symbol by which it is shorter and for each word by which its lexicon is smaller:"
        " a trade-off needs both above 0. Rules without exception have no such number.",
        fixed=True,
    ),
)


def _rewards(data: Tables) -> alt.TopLevelMixin:
    table = data["rewards"]
    sizes = ", layers of " + table["hidden"].astype(str) + ", batches of " + table["batch"].astype(str)
    systems = [f"start {start}" if start.isdigit() else f"optimum {start}" for start in table["start"].astype(str)]
    settings = table.assign(setting=table["reward"] + sizes, system=systems)
    return evolution.settings_figure(settings[["setting", "system", "accuracy"]])


section(
    "learning",
    "What is easy to learn",
    """\
Agents that begin from scratch, with the starts and with optimal systems of the same sizes, and then under other
rewards, with smaller layers and other batches.""",
    Figure(
        "learning",
        "games won over the whole of learning from scratch, against average complexity",
        lambda data: evolution.learnability_figure(data["learning"]),
        ("learning",),
        "Every seed is a point, ticks are medians. Were efficient systems learned faster, points would fall from the"
        " left to the right.",
    ),
    Figure(
        "rewards",
        "games won under other rewards, layers and batches",
        _rewards,
        ("rewards",),
        "Every seed is a tick, dots are medians; a game is won if the guess is right, whatever the reward. The paper"
        " has the exact reward, layers of 100 and batches of 32.",
    ),
)


def _small(data: Tables, *without: str) -> pd.DataFrame:
    """The optima of small sizes on every frontier but some."""
    frontier = data["frontier"]
    return frontier[(frontier["size"] <= _LARGEST) & ~frontier["series"].isin(without)]


def _people(data: Tables) -> pd.DataFrame:
    languages = _everybody(data)
    counts = languages[languages["grammar"] == HURFORD_GRAMMAR.name].groupby("multiplier_count")["languages"].sum()
    return pd.DataFrame({"multipliers": counts.index, "languages": counts.array})


def _everybody(data: Tables) -> pd.DataFrame:
    """The languages checked by hand and, of the world's, all others; `languages` says how many share a row."""
    core, world = data["languages"].assign(languages=1), data["world"]
    codes = set(core["glottocode"])
    others = [sum(code not in codes for code in each.split(" ")) for each in world["glottocodes"]]
    everybody = pd.concat([core, world.assign(languages=others, language="")], ignore_index=True)
    return everybody[everybody["languages"] > 0]


section(
    "multipliers",
    "Numbers of multipliers, and Table 4",
    """\
The paper motivates its grammar by how many multipliers optimal languages have: one, where Hurford's grammar has
any number of them. Then the systems of size 12 of its Table 4, beside the proved optimum under Hurford's grammar.""",
    Figure(
        "cardinalities",
        "how many optimal languages have how many multipliers (the paper's Figure 6)",
        lambda data: planes.cardinalities_figure(_small(data, OVERLAP), _people(data)),
        ("frontier", "languages", "world"),
        "A size counts for each number of multipliers that one of its optima has. The paper finds Hurford's about"
        " uniform over the permitted range of one to five.",
    ),
    Figure(
        "multipliers",
        "how many multipliers optimal systems have at each size",
        lambda data: planes.multipliers_figure(_small(data), _people(data)),
        ("frontier", "languages", "world"),
        "From the fewest to the most among the optima of a size, which are equally good; human languages on the right.",
    ),
    Figure(
        "size-twelve",
        "the minimal languages of the systems of Table 4, number by number",
        lambda data: planes.minimal_languages_figure(data["size_twelve"]),
        ("size_twelve",),
        "Darker where more words are needed. In a predictable system one row looks like the next.",
        fixed=True,
    ),
    tables=(
        ShownTable(
            "table4",
            {
                "system": "system",
                **_LEXICON,
                "average_modified": "average, modified",
                "average_hurford": "average, Hurford",
                "gap": "gap under its grammar",
                "changes": "changes of base",
            },
        ),
    ),
)


def _proved(data: Tables) -> alt.TopLevelMixin:
    """The frontiers with the world's languages; those that share a point are one, named if the paper names one."""
    grouped = _everybody(data).round({"average_complexity": 9}).groupby(["grammar", *_PLANE], as_index=False)
    points = grouped.agg(languages=("languages", "sum"), names=("language", ", ".join))
    label = [next((each for each in _NAMED if each in names), "") for names in points["names"]]
    frontier = data["frontier"][data["frontier"]["series"].isin([MODIFIED, HURFORD])]
    return planes.frontier_figure(frontier, points.assign(label=label))


section(
    "frontier",
    "The frontier, proved",
    """\
The least average complexity of each lexicon size over all lexicons with words up to 99, proved; the paper estimates it
with a genetic algorithm.""",
    Figure(
        "frontier",
        "the proved frontiers with human languages, one panel a grammar",
        _proved,
        ("frontier", "languages", "world"),
        "Nothing lies in the grey. Open circles are human languages, larger where several share a point: under the"
        " modified grammar most lie on the frontier or just above it.",
    ),
    Figure(
        "genetic",
        "how far the genetic algorithm ends above the proved frontiers",
        lambda data: planes.genetic_figure(data["genetic"][data["genetic"]["size"] <= _LARGEST]),
        ("genetic",),
        "Dots are medians over seeds, bars reach from the least to the greatest. Sizes without a dot were not found.",
    ),
)

section(
    "kinds",
    "Three kinds of numeral systems",
    "Chiquitano has words for one and for more, Awa Pit for one to four and for more, English for every number.",
    Figure(
        "bands",
        "three kinds of numeral systems as coloured bands over the numbers",
        lambda data: kinds.bands_figure(data["bands"]),
        ("bands",),
        "A colour is a word; where a number needs several, they are stacked, and one sees ten run above the digits.",
        fixed=True,
    ),
)


def _over(data: Tables, upto: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    frontier, languages = data["restricted_frontier"], data["restricted_languages"]
    return frontier[frontier["range"] == upto], languages[languages["range"] == upto]


section(
    "plane",
    "Informativeness against simplicity",
    """\
The 30 languages of Xu, Liu and Regier (2020): how many nodes the rules of a system have, against how many bits a
listener lacks. Recursive systems lose nothing, so that they cannot be compared this way; for them the paper takes
lexicon size against average complexity instead.""",
    Figure(
        "plane",
        "restricted and recursive languages by complexity and communicative cost",
        lambda data: kinds.restricted_plane_figure(*_over(data, 100)),
        ("restricted_frontier", "restricted_languages"),
        "Lines are the optima of approximate and of exact restricted systems, tints what systems of these kinds can be."
        " Restricted languages lie near their line; recursive ones all cost 0 bits, with very different numbers of"
        " nodes.",
        fixed=True,
    ),
)


def _by_reward(table: pd.DataFrame) -> pd.DataFrame:
    """The table in the order in which rewards are known, which figures follow."""
    ranks = {name: rank for rank, name in enumerate(REWARDS)}
    return table.sort_values("reward", key=lambda names: names.map(ranks), kind="stable")


section(
    "restricted",
    "Agents without a grammar",
    """\
Agents of the same engine that learn words for 1 to 20 without a grammar, one symbol a number, rewarded by how near the
guess comes (Carlsson, Dubhashi and Johansson 2021).""",
    Figure(
        "restricted-agents",
        "what agents without a grammar learned over 1 to 20, by complexity and communicative cost",
        lambda data: kinds.restricted_plane_figure(
            *_over(data, 20), data["restricted_agents"][["kind", "complexity", "cost"]]
        ),
        ("restricted_agents", "restricted_frontier", "restricted_languages"),
        "Crosses are agents, circles human languages; lines and tints as in the figure before.",
    ),
    Figure(
        "restricted-ends",
        "how far above the frontier these agents end, beside random systems",
        lambda data: kinds.restricted_ends_figure(_by_reward(data["restricted_agents"])),
        ("restricted_agents",),
        "Every run is a mark; the ticks are medians of random systems of as many words.",
    ),
    Figure(
        "restricted-learning",
        "how these agents come there, step by step",
        lambda data: kinds.restricted_learning_figure(_by_reward(data["restricted_curves"])),
        ("restricted_curves",),
        "Medians over runs, and their middle halves.",
    ),
)

section(
    "systems",
    "Human systems, starts and modifications",
    """\
What the paper tabulates, with what we compute: the lexicon size, the average complexity of the shortest expressions
of 1 to 99, and the gap to the proved frontier of that size. Both grammars are shown; the paper's is the modified
one, in which a multiplier never stands alone.

The modifications are shown on start 2. Read literally, m0 and m1 add 50, 49, ...; our default adds the lowest free
numeral (see the verdict on the literal reading). One that no longer covers 1 to 50 is discarded.""",
    tables=(
        ShownTable(
            "languages",
            {"language": "language", **_LEXICON, **_COSTS, "said": "average as said"},
            "language in ['English', 'French', 'Kunama']",
        ),
        ShownTable("starts", {"start": "start", **_LEXICON, **_COSTS}),
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

section(
    "game",
    "A communication round",
    """\
A game of real trained agents, those of the first run after its last round, about the smallest number that needs
several symbols and is understood. The speaker reads the number's expression token by token and says a symbol after
each (the likeliest one is shown, with its probability); the listener hears the symbols and guesses. Both are
rewarded if the guess is right.""",
    Figure(
        "game",
        "what a speaker says for a number, and what the listener makes of it",
        lambda data: game_figure(data["game"], data["game_guesses"]),
        ("game", "game_guesses"),
        "Above what is read and said, below the listener's probabilities.",
        fixed=True,
    ),
)
