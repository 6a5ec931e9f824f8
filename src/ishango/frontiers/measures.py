"""Where a system lies: its size, its average complexity and its gap to the proved frontier, by one function."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ishango.frontiers.pareto import frontier_value, problem_of
from ishango.numerals import MinimalLanguage, Need, NumeralSystem, language_average, minimal_language


class Measures(NamedTuple):
    """What a system costs."""

    size: int
    average_complexity: float | None
    """None where the range is not covered."""
    gap: float | None
    """None where the range is not covered or the frontier at that size is not proved."""


def measure(system: NumeralSystem, need: Need | str = "power:2", upto: int = 99) -> Measures:
    """Size, average complexity and gap of a system.

    Args:
        system: the numeral system.
        need: how often each number is needed, such as `power:2`.
        upto: numbers from 1 to this one count.

    Returns:
        Three numbers; average and gap are None where they have no value.

    >>> size, average, gap = measure(NumeralSystem.parse("1-9,11 | 10"))
    >>> size, round(average, 4), round(gap, 4)
    (11, 1.1937, 0.001)
    """
    return _measure(system, Need.parse(need), upto)


def gap(system: NumeralSystem, need: Need | str = "power:2", upto: int = 99) -> float | None:
    """Average complexity minus the proved disjoint frontier at the system's size; None where there is no such value.

    Overlapping systems may have a negative gap.

    Args:
        system: the numeral system.
        need: how often each number is needed, such as `power:2`.
        upto: numbers from 1 to this one count.

    >>> round(gap(NumeralSystem.parse("1-9,11 | 10")), 6)
    0.000977
    """
    return measure(system, need, upto).gap


@lru_cache(maxsize=4096)
def _measure(system: NumeralSystem, need: Need, upto: int) -> Measures:
    return measure_language(minimal_language(system, upto), need)


def measure_language(language: MinimalLanguage, need: Need | str = "power:2") -> Measures:
    """The same of a system whose minimal language is already there."""
    system, found, average = language.system, Need.parse(need), language_average(language, need)
    if average is None:
        return Measures(system.size, average, None)
    problem = problem_of(system.grammar, found, language.upto)
    # The gap of exact averages: an optimum's is exactly 0, whatever the order in which floats are summed.
    exact, least = problem.average_of(language.leaves.tolist()), frontier_value(system.size, problem)
    return Measures(system.size, average, None if exact is None or least is None else float(exact) - least)
