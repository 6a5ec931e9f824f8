"""How regular a language is: whether the base of a number's expression is that of its neighbour's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ishango.numerals.expression import Expression
from ishango.numerals.system import NumeralSystem


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
