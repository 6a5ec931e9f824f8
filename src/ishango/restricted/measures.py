"""The rule trees of Xu, Liu and Regier: what a language's published complexity counts.

A rule is a tree that says what a word or an expression means, and its complexity is the number of its nodes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.numerals import Need
from ishango.restricted.term_system import TermSystem

NUMBER, SUCCESSOR, HIGHER, GAUSSIAN, EQUATION = 3, 4, 4, 3, 3
"""`three = 3`; `four = s(three)`; `many = > 4`; `few = g(3)`; `thir = three`."""

ARITHMETIC, MEMBER = 6, 2
"""`cap cob popog = m(five) + m(one)`, and one more for each part of the form; `u in {...}`, one more a member."""

_FIXED = {"number": NUMBER, "successor": SUCCESSOR, "higher": HIGHER, "gaussian": GAUSSIAN, "equation": EQUATION}
_GROWING = {"arithmetic": ARITHMETIC, "member": MEMBER}


def rule_nodes(rules: str) -> int:
    """The nodes of rules written as `number*3 successor higher`; `arithmetic:3` has a form of three parts.

    >>> rule_nodes("number*3 successor higher")
    17
    >>> rule_nodes("arithmetic:3*6 member:4")
    60
    """
    return sum(_nodes(rule) for rule in rules.split())


def _nodes(rule: str) -> int:
    match = re.fullmatch(r"([a-z]+)(?::([0-9]{1,2}))?(?:\*([0-9]{1,3}))?", rule)
    name = match[1] if match else ""
    if match and name in _FIXED and not match[2]:
        return _FIXED[name] * int(match[3] or 1)
    if match and name in _GROWING and match[2]:
        return (_GROWING[name] + int(match[2])) * int(match[3] or 1)
    raise RequestError(
        f"{rule!r} is not a rule; write {', '.join(_FIXED)}, arithmetic:PARTS or member:MEMBERS, each with *TIMES."
    )


# Xu, Liu and Regier's two measures: how complex a system's rules are, and what its words leave unsaid.

Floats = NDArray[np.float64]

NEED = "power:2.02"
"""The need that Xu, Liu and Regier fitted to English, on 1..100."""
WEBER = 0.31
"""The Weber fraction of the approximate number sense: a word's spread over its mean (Pica et al. 2004)."""

SUBITISED = 3
"""Numbers that are seen at a glance: their words need no successor."""


@dataclass(frozen=True)
class Position:
    """Where a system lies in the plane."""

    complexity: int
    """Nodes of all rule trees."""
    cost: float
    """Bits that a listener lacks, on average over the need."""


def position(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> Position:
    """Complexity and communicative cost of a system.

    >>> awa_pit = position(TermSystem.exact(4))
    >>> awa_pit.complexity, round(awa_pit.cost, 4)
    (17, 0.5671)
    """
    return Position(complexity(system), communicative_cost(system, need, weber))


def complexity(system: TermSystem) -> int:
    """The number of nodes of the rule trees, one tree a word."""
    if system.kind == "approximate":
        return GAUSSIAN * system.size
    return exact_complexity(system.size - 1)


def exact_complexity(last: int) -> int:
    """The complexity of the exact restricted system that names 1..last."""
    seen = min(last, SUBITISED)
    return NUMBER * seen + SUCCESSOR * (last - seen) + HIGHER


def communicative_cost(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> float:
    """The need-weighted mean of -log2 of the probability that the listener gives to the number meant."""
    weights = Need.parse(need).weights(system.upto)
    if system.kind == "exact restricted":
        return sum(rest_cost(word, weights) for word in system.words)
    check_weber(weber)
    return sum(float(word_costs(word, weights, weber).min()) for word in system.words)


def means(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> tuple[int, ...]:
    """The mean of each word of an approximate system: of the numbers it names the one that costs least."""
    check_weber(weber)
    weights = Need.parse(need).weights(system.upto)
    return tuple(word[int(np.argmin(word_costs(word, weights, weber)))] for word in system.words)


def ideal_cost(system: TermSystem, need: Need | str = NEED) -> float:
    """The least cost that any listener can have: it weighs the numbers inside a word by need alone.

    Unlike the Gaussian listener's this cost stays moderate for words whose numbers lie far apart.
    """
    weights = Need.parse(need).weights(system.upto)
    return sum(rest_cost(word, weights) for word in system.words)


def rest_cost(word: Sequence[int], weights: Floats) -> float:
    """What a word costs when the listener weighs its numbers by need."""
    inside = weights[np.asarray(word) - 1]
    inside = inside[inside > 0]
    return float(inside @ (np.log2(inside.sum()) - np.log2(inside))) if inside.size > 1 else 0.0


def word_costs(word: Sequence[int], weights: Floats, weber: float = WEBER) -> Floats:
    """What a Gaussian word costs for each of its numbers as the mean.

    The listener's probability of i is N(i; mean, (weber mean)^2) times the need of i, normalised inside the word.
    """
    numbers = np.asarray(word)
    needed = numbers[weights[numbers - 1] > 0]
    if not needed.size:
        return np.zeros(numbers.size)
    inside = weights[needed - 1]
    scores = log_gaussian(numbers, needed, weber) + np.log(inside)  # (means, numbers)
    total = np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return (total - scores) @ inside / np.log(2)


def log_gaussian(means: NDArray[np.int64], numbers: NDArray[np.int64], weber: float) -> Floats:
    """Log density, up to a constant of each mean, (means, numbers). In logarithms: far tails are 0 in floats."""
    check_weber(weber)
    distances = (numbers[None, :] - means[:, None]) / (weber * means[:, None])
    return -0.5 * distances**2


LEAST, GREATEST = 1e-3, 1e3
"""Weber fractions between which costs are numbers that mean something, and that floats have."""


def check_weber(weber: float) -> None:
    """Refuse what is no Weber fraction."""
    if not LEAST <= weber <= GREATEST:
        raise RequestError(f"The Weber fraction is {weber}; it must be a number from {LEAST:g} to {GREATEST:g}.")
