"""What a numeral system costs."""

from __future__ import annotations

import math

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
