"""Where a run begins: the paper's starts, a random system off the frontier, or one's own."""

from __future__ import annotations

import re

import numpy as np

from ishango.errors import RequestError
from ishango.frontiers import gap
from ishango.frontiers.pareto import LARGEST_RANGE
from ishango.numerals import STARTS, GrammarName, NumeralSystem, minimal_language

MOST_DRAWS = 10_000


def starting_system(start: str, grammar: GrammarName, game_range: int) -> NumeralSystem:
    """The system that `start` names; it must cover the game range with words inside it.

    >>> str(starting_system("7", "modified", 50))
    '1,4,12 | 9,25'
    """
    system = _named(start, grammar, game_range)
    if system.words[-1] > game_range:
        raise RequestError(
            f"The start {system} has the word {system.words[-1]}, which lies above the game's range, {game_range};"
            " leave it out or give a larger game.range."
        )
    missing = minimal_language(system, game_range).missing
    if missing:
        words = "" if system.rules.plus or system.rules.minus else "; without sums and differences primes must be words"
        raise RequestError(
            f"The system {system} has no expression for {missing[0]} under the grammar {system.grammar}; a start must"
            f" cover 1..{game_range}{words}."
        )
    return system


def _named(start: str, grammar: GrammarName, game_range: int) -> NumeralSystem:
    if re.fullmatch("[1-8]", start):
        return STARTS[int(start) - 1].with_grammar(grammar)
    if match := re.fullmatch(r"random:([0-9]{1,9})", start):
        return random_system(np.random.default_rng(int(match[1])), grammar, game_range)
    if "|" in start:
        return NumeralSystem.parse(start, grammar)
    raise RequestError(f"There is no start {start!r}; give 1 to 8, random:SEED or DIGITS | MULTIPLIERS.")


def random_system(rng: np.random.Generator, grammar: GrammarName, game_range: int) -> NumeralSystem:
    """A random system off the frontier that covers the game range.

    It has 3 to 12 digits with 1 among them and 2 to 12 multipliers, the extremes of the paper's starts.
    """
    if game_range > LARGEST_RANGE:
        raise RequestError(
            f"Starts are drawn that lie off the proved frontier, which there is up to the range {LARGEST_RANGE:,};"
            f" the game range is {game_range:,}. Name a start."
        )
    for _ in range(MOST_DRAWS):
        n_digits, n_multipliers = int(rng.integers(3, 13)), int(rng.integers(2, 13))
        n_words = min(n_digits - 1 + n_multipliers, game_range - 1)
        words = (1 + rng.permutation(np.arange(1, game_range))[:n_words]).tolist()
        n_multipliers = min(n_multipliers, n_words)
        if n_multipliers == 0:
            break
        system = NumeralSystem((1, *words[n_multipliers:]), tuple(words[:n_multipliers]), grammar)
        if (gap(system, upto=game_range) or 0) > 0:
            return system
    raise RequestError(f"No random system that covers 1..{game_range} was found; use a larger game range.")
