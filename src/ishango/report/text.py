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


_COSTS = {"grammar": "grammar", "size": "size", "average_complexity": "average", "gap": "gap"}

SECTIONS = (
    Section(
        "kinds",
        "Three kinds of numeral systems",
        "Chiquitano has words for one and for more, Awa Pit for one to four and for more, English for every number. A "
        "colour is a word; where a number needs several, they are stacked, and one sees ten run above the digits.",
        ("bands",),
    ),
    Section(
        "plane",
        "Informativeness against simplicity",
        "The 30 languages of Xu, Liu and Regier (2020): how many nodes the rules of a system have, against how many "
        "bits a "
        "listener lacks. Lines are the proved optima of approximate and of exact restricted systems, shades what "
        "systems of "
        "these kinds can be. Restricted languages lie on or near the lines; recursive ones lose nothing and cannot be "
        "compared this way, which is why lexicon size against average complexity takes over below.",
        ("plane",),
    ),
    Section(
        "systems",
        "Human systems, starts and modifications",
        "What the paper tabulates, with what we compute: the lexicon size, the average complexity of the shortest "
        "expressions of 1 to 99, and the gap to the proved frontier of that size. Both grammars are shown; the "
        "paper's is "
        "the modified one, in which a multiplier never stands alone.\n\n"
        "The modifications are shown on start 2. Read literally, m0 and m1 add 50, 49, ...; our default adds the "
        "lowest "
        "free numeral (see the verdict on the literal reading). One that no longer covers 1 to 50 is discarded.",
        tables=(
            (
                "languages",
                {"language": "language", "digits": "D", "multipliers": "M", **_COSTS, "said": "average as said"},
                "language in ['English', 'French', 'Kunama']",
            ),
            ("starts", {"start": "start", "digits": "D", "multipliers": "M", **_COSTS}, ""),
            (
                "modifications",
                {"action": "action", "paper": "the paper's words", "lowest": "lowest free numeral",
                 "literal": "read literally", "covers": "covers 1 to 50"},
                "",
            ),
        ),
    ),
    Section(
        "frontier",
        "The frontier, proved",
        "The least average complexity of each lexicon size over all lexicons with words up to 99: nothing lies in the "
        "grey. "
        "Circles are human languages, larger where several share a point. They lie on or close to both frontiers.\n\n"
        "Below, how far the genetic algorithm of the published work ends above the proof (dot: median over seeds, bar: "
        "least to greatest).",
        ("frontier", "genetic"),
    ),
    Section(
        "game",
        "A communication round",
        "A game of real trained agents. The speaker reads the expression of a number token by token and says a symbol "
        "after "
        "each; the listener hears the symbols and guesses. Both are rewarded if the guess is right.",
        ("game",),
    ),
    Section(
        "trajectories",
        "Trajectories and final languages",
        "Paths of the languages from starts 1 to 5 (open circles) to where they end (filled); then the final "
        "languages of "
        "all starts and runs by start, with human languages as crosses. The grey region cannot be attained.",
        ("trajectories", "finals"),
    ),
    Section(
        "drift",
        "Agents against drift",
        "What the paper does not show: final gaps of agents beside a coin that keeps every other alternative (bar: "
        "middle "
        "half, line: median) and an oracle that keeps what is shorter. Under our reading of the modifications a coin "
        "comes "
        "to the frontier as well, so that a run ends there is no evidence that communication selects.\n\n"
        "The second figure asks the sharper question: by how much do the odds that an alternative is kept rise for "
        "each "
        "symbol by which it is shorter? A coin has strength 0.",
        ("drift", "selection"),
    ),
    Section(
        "learning",
        "What is easy to learn",
        "Agents that begin from scratch, every seed a point: how many games they win with the starts and with optimal "
        "systems of the same sizes, against average complexity. Then the same for other rewards, layers and batches.",
        ("learning", "rewards"),
    ),
    Section(
        "multipliers",
        "Numbers of multipliers, and Table 4",
        "How many multipliers optimal systems have, from the fewest to the most among the optima of a size, and human "
        "languages beside them. Then the three systems of size 12 of the paper's Table 4 and the proved optimum under "
        "Hurford's grammar, number by number, darker where more words are needed.",
        ("multipliers", "size-twelve"),
        (
            (
                "table4",
                {"system": "system", "digits": "D", "multipliers": "M", "average_modified": "average, modified",
                 "average_hurford": "average, Hurford", "gap": "gap under its grammar", "changes": "changes of base"},
                "",
            ),
        ),
    ),
)  # fmt: skip

CHOICES = (
    ("Which numeral m0 and m1 add", "the lowest free one", "docs/evolution.md: read literally they lead away."),
    ("Message vocabulary", "53 symbols: numbers 1 to 50 and three operators", "docs/calibration.md"),
    ("Weight of the listener's entropy", "0.1", "docs/calibration.md"),
    ("Weight of the speaker's entropy", "0", "The paper mentions none. What it would do: docs/game.md."),
    ("Baseline of REINFORCE", "none", "docs/calibration.md"),
    ("Length of pre-training", "one round", "docs/calibration.md"),
    ("Optimiser between rounds", "keeps its moments", "docs/calibration.md"),
    ("Notation the speaker reads", "infix without brackets", "docs/calibration.md"),
    ("Which shortest expression", "the first that the search meets", "docs/design.md states the order."),
    ("Values in between", "integers from 1 to 200", "The limit of the published work, stated with the problem."),
    ("A tie of Q-values", "keeps the current grammar", ""),
    ("Starting weights", "PyTorch's defaults", ""),
    ("Rate of the exponential need", "0.2", "The paper gives none."),
)  # fmt: skip
"""What the paper leaves open, what we took, and where that is discussed in the project."""
