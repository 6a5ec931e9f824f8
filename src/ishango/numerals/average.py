"""What a numeral system costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ishango.numerals.expression import Expression
from ishango.numerals.minimal import MinimalLanguage, minimal_language
from ishango.numerals.need import Need
from ishango.numerals.system import NumeralSystem


def average_complexity(system: NumeralSystem, need: Need | str = "power:2", upto: int = 99) -> float | None:
    """The need-weighted average complexity of the minimal language; None where the range is not covered.

    Args:
        system: the numeral system.
        need: how often each number is needed, such as `power:2`.
        upto: numbers from 1 to this one count.

    >>> round(average_complexity(NumeralSystem.parse("1-11 | 12")), 6)
    1.175054
    """
    return language_average(minimal_language(system, upto), need)


def language_average(language: MinimalLanguage, need: Need | str = "power:2") -> float | None:
    """The average complexity of a minimal language that is already there."""
    if not language.covers:
        return None
    weights = Need.parse(need).weights(language.upto)
    return math.fsum((weights * (2 * language.leaves - 1)).tolist())


def missing(system: NumeralSystem, upto: int = 99) -> tuple[int, ...]:
    """The numbers of 1..range that the system cannot express."""
    return minimal_language(system, upto).missing


# How regular a language is: whether the base of a number's expression is that of its neighbour's.


def outer_base(expression: Expression, system: NumeralSystem) -> int:
    """The multiplier of the outermost phrase; 0 for a bare digit.

    >>> from ishango.numerals import minimal_language
    >>> system = NumeralSystem.parse("1-9 | 10")
    >>> outer_base(minimal_language(system).expression(21), system)
    10
    """
    phrase = expression.left if expression.operator in ("+", "-") and expression.left else expression
    if phrase.operator == "*" and phrase.right:
        return phrase.right.value
    return phrase.value if phrase.value in system.multipliers else 0


def changes(bases: Sequence[int]) -> int:
    """On how many steps from a number to the next the base changes: where it does, structure is hard to predict.

    >>> changes((0, 0, 5, 5, 7, 5))
    3
    """
    return sum(one != other for one, other in pairwise(bases))


def distinct(bases: Sequence[int]) -> int:
    """How many bases there are, those of bare digits aside."""
    return len(set(bases) - {0})
