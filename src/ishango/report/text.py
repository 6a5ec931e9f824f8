"""The words of the page: its sections in the paper's order, and what was chosen where the paper is silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A section of the page: what to see, and the figures and tables that show it."""

    name: str
    title: str
    text: str
    figures: tuple[str, ...] = ()
    tables: tuple[tuple[str, Mapping[str, str], str], ...] = ()
    """Name of a table, its columns with their headings, and a condition on its rows (empty for all)."""


_WORDS = {"digits": "D", "multipliers": "M"}
_COSTS = {"grammar": "grammar", "size": "size", "average_complexity": "average", "gap": "gap"}

KINDS = """\
Chiquitano has words for one and for more, Awa Pit for one to four and for more, English for every number. A colour
is a word; where a number needs several, they are stacked, and one sees ten run above the digits."""

PLANE = """\
The 30 languages of Xu, Liu and Regier (2020): how many nodes the rules of a system have, against how many bits a
listener lacks. Lines are the optima of approximate and of exact restricted systems, shades what systems of these
kinds can be. Recursive systems lose nothing, so that they cannot be compared this way; for them the paper takes
lexicon size against average complexity instead."""

RESTRICTED = """\
Agents of the same engine that learn words for 1 to 20 without a grammar, one symbol a number, rewarded by how near the
guess comes (Carlsson, Dubhashi and Johansson 2021). First the same plane over 1 to 20 with what they learned as
crosses; then how far above the least cost of their complexity they end, beside random systems of as many words
(bars); then how they come there."""

SYSTEMS = """\
What the paper tabulates, with what we compute: the lexicon size, the average complexity of the shortest expressions
of 1 to 99, and the gap to the proved frontier of that size. Both grammars are shown; the paper's is the modified
one, in which a multiplier never stands alone.

The modifications are shown on start 2. Read literally, m0 and m1 add 50, 49, ...; our default adds the lowest free
numeral (see the verdict on the literal reading). One that no longer covers 1 to 50 is discarded."""

FRONTIER = """\
The least average complexity of each lexicon size over all lexicons with words up to 99: nothing lies in the grey.
Circles are human languages, larger where several share a point.

Below, how far the genetic algorithm of the published work ends above the proof (dot: median over seeds, bar: least
to greatest)."""

GAME = """\
A game of real trained agents, those of the first run after its last round, about the smallest number that needs
several symbols and is understood. The speaker reads the number's expression token by token and says a symbol after
each (the likeliest one is shown, with its probability); the listener hears the symbols and guesses. Both are
rewarded if the guess is right."""

TRAJECTORIES = """\
Paths of the languages from starts 1 to 5 (open circles) to where they end (filled), first seed; then the final
languages of all starts and runs by start, with human languages as crosses. The grey region cannot be attained."""

DRIFT = """\
What the paper does not show: final gaps of agents beside a coin that keeps each alternative with probability 1/2
(bar: middle half, line: median) and an oracle that keeps what is shorter. Where a coin ends as near to the frontier
as agents do, that a run ends there is no evidence that communication selects.

The second figure asks the sharper question: by how much do the odds that an alternative is kept rise for each
symbol by which it is shorter? A coin has strength 0; with a strength of 1, an alternative one symbol shorter has
2.7 times the odds of one that is as long. Runs of the literal reading (highest) have shorter rounds."""

LEARNING = """\
Agents that begin from scratch, every seed a point: how many games they win with the starts and with optimal systems
of the same sizes, against average complexity. Then the same for other rewards, layers and batches."""

MULTIPLIERS = """\
How many multipliers optimal systems have, from the fewest to the most among the optima of a size, and human
languages beside them. Then the three systems of size 12 of the paper's Table 4 and the proved optimum under
Hurford's grammar, number by number, darker where more words are needed."""

SECTIONS = (
    Section("kinds", "Three kinds of numeral systems", KINDS, ("bands",)),
    Section("plane", "Informativeness against simplicity", PLANE, ("plane",)),
    Section(
        "restricted",
        "Agents without a grammar",
        RESTRICTED,
        ("restricted-agents", "restricted-ends", "restricted-learning"),
    ),
    Section(
        "systems",
        "Human systems, starts and modifications",
        SYSTEMS,
        tables=(
            (
                "languages",
                {"language": "language", **_WORDS, **_COSTS, "said": "average as said"},
                "language in ['English', 'French', 'Kunama']",
            ),
            ("starts", {"start": "start", **_WORDS, **_COSTS}, ""),
            (
                "modifications",
                {
                    "action": "action",
                    "paper": "the paper's words",
                    "lowest": "lowest free numeral",
                    "literal": "read literally",
                    "covers": "covers 1 to 50",
                },
                "",
            ),
        ),
    ),
    Section("frontier", "The frontier, proved", FRONTIER, ("frontier", "genetic")),
    Section("game", "A communication round", GAME, ("game",)),
    Section("trajectories", "Trajectories and final languages", TRAJECTORIES, ("trajectories", "finals")),
    Section("drift", "Agents against drift", DRIFT, ("drift", "selection")),
    Section("learning", "What is easy to learn", LEARNING, ("learning", "rewards")),
    Section(
        "multipliers",
        "Numbers of multipliers, and Table 4",
        MULTIPLIERS,
        ("multipliers", "size-twelve"),
        (
            (
                "table4",
                {
                    "system": "system",
                    **_WORDS,
                    "average_modified": "average, modified",
                    "average_hurford": "average, Hurford",
                    "gap": "gap under its grammar",
                    "changes": "changes of base",
                },
                "",
            ),
        ),
    ),
)

CHOICES = (
    (
        "Which numeral m0 and m1 add",
        "the lowest free one",
        "docs/evolution.md: the literal one leads away",
    ),
    ("Message vocabulary", "53 symbols: numbers 1 to 50 and three operators", "docs/calibration.md"),
    ("Weight of the listener's entropy", "0.1", "docs/calibration.md"),
    ("Weight of the speaker's entropy", "0", "docs/calibration.md, docs/game.md"),
    ("Baseline of REINFORCE", "none", "docs/calibration.md"),
    ("Length of pre-training", "one round", "docs/calibration.md"),
    ("Optimiser between rounds", "keeps its moments", "docs/calibration.md"),
    ("Notation the speaker reads", "infix without brackets", "docs/calibration.md"),
    ("Which shortest expression", "the first that the search meets", "docs/design.md"),
    ("Values in between", "integers from 1 to 200, the limit of the published work", "docs/design.md"),
    ("A tie of Q-values", "keeps the current grammar", "docs/evolution.md"),
    ("Starting weights", "PyTorch's defaults", "docs/game.md"),
    ("Rate of the exponential need", "0.2", ""),
)
"""What the paper leaves open, what we took, and where that is discussed in the project."""
