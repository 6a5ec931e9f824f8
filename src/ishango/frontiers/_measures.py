"""Pareto comparisons of (size, average complexity), both to be minimised, and the proved frontier's value."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ishango import numerals
from ishango.errors import RequestError
from ishango.frontiers._exact import solve
from ishango.frontiers._problem import Problem

NODE_LIMIT = 200_000
"""Nodes that a gap may cost; a size that takes more has no proved value here, on any machine."""

LARGEST_RANGE = 1_000
"""The largest range for which gaps are proved; beyond it a single node takes milliseconds."""


def front(points: ArrayLike) -> NDArray[np.bool_]:
    """Which of the points `(points, 2)` no other point dominates; equal points are all kept."""
    table = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    order = np.lexsort((table[:, 1], table[:, 0]))
    kept = np.zeros(len(table), dtype=np.bool_)
    best, best_size = np.inf, -np.inf
    for i in order:
        size, average = table[i]
        if average < best or (average == best and size == best_size):
            kept[i] = True
            best, best_size = average, size
    return kept


def hypervolume(points: ArrayLike, reference: tuple[float, float]) -> float:
    """The area that the points dominate below the reference point; larger is better.

    >>> hypervolume([(2, 2.0), (3, 1.0)], reference=(5, 3.0))
    5.0
    """
    table = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    inside = table[(table < np.asarray(reference)).all(axis=1)]
    ordered = np.unique(inside[front(inside)], axis=0)
    area, ceiling = 0.0, float(reference[1])
    for size, average in ordered:
        area += (reference[0] - size) * (ceiling - average)
        ceiling = float(average)
    return float(area)


# A problem keeps its exact need, which is worth more than it looks: integers of a hundred digits.
problem_of = lru_cache(maxsize=64)(Problem)


@lru_cache(maxsize=4096)
def frontier_value(size: int, problem: Problem) -> float | None:
    """The proved least average complexity over sizes up to this one; None where it is not proved.

    A free number added as a digit never costs, so the least over sizes up to this one is the value at this size, or at
    the largest that is searched for larger (overlapping) systems.
    """
    size = min(size, problem.largest_size)
    if size < problem.smallest_size or problem.upto > LARGEST_RANGE:
        return None
    try:
        problem.check_told_apart(size)
        point = solve(problem, size, node_limit=NODE_LIMIT)
    except RequestError:  # nothing of that size covers the range, or too much ties
        return None
    return float(point.average) if point.proved else None


class Measures(NamedTuple):
    """What a system costs."""

    size: int
    average_complexity: float | None
    """None where the range is not covered."""
    gap: float | None
    """None where the range is not covered or the frontier at that size is not proved."""


def measure(system: numerals.SystemLike, need: numerals.Need | str = "power:2", upto: int = 99) -> Measures:
    """Size, average complexity and gap of a system.

    Args:
        system: the numeral system, a language, or text such as `1-9,11 | 10`; for another grammar than the paper's
            `NumeralSystem.parse("1-9,11 | 10", "hurford")`.
        need: how often each number is needed, such as `power:2`.
        upto: numbers from 1 to this one count.

    Returns:
        Three numbers; average and gap are None where they have no value.

    >>> size, average, gap = measure("1-9,11 | 10")
    >>> size, round(average, 4), round(gap, 4)
    (11, 1.1937, 0.001)
    """
    return _measure(numerals.as_system(system), numerals.Need.parse(need), upto)


def gap(system: numerals.SystemLike, need: numerals.Need | str = "power:2", upto: int = 99) -> float | None:
    """Average complexity minus the proved disjoint frontier at the system's size; None where there is no such value.

    Overlapping systems may have a negative gap.

    Args:
        system: the numeral system, a language, or text such as `1-9,11 | 10`; for another grammar than the paper's
            `NumeralSystem.parse("1-9,11 | 10", "hurford")`.
        need: how often each number is needed, such as `power:2`.
        upto: numbers from 1 to this one count.

    >>> round(gap("1-9,11 | 10"), 6)
    0.000977
    """
    return measure(system, need, upto).gap


@lru_cache(maxsize=4096)
def _measure(system: numerals.NumeralSystem, need: numerals.Need, upto: int) -> Measures:
    return measure_language(numerals.minimal_language(system, upto), need)


def measure_language(language: numerals.MinimalLanguage, need: numerals.Need | str = "power:2") -> Measures:
    """The same of a system whose minimal language is already there."""
    system, found, average = language.system, numerals.Need.parse(need), numerals.language_average(language, need)
    if average is None:
        return Measures(system.size, average, None)
    problem = problem_of(system.grammar, found, language.upto)
    # The gap of exact averages: an optimum's is exactly 0, whatever the order in which floats are summed.
    exact, least = problem.average_of(language.leaves.tolist()), frontier_value(system.size, problem)
    return Measures(system.size, average, None if exact is None or least is None else float(exact) - least)


# How far a system lies from the frontier in both axes at once: a distance that sizes share.
#
# The gap is vertical: how much longer a system is than the best one of its size. A symbol of gap is much for a large
# lexicon and little for a small one, whose averages differ more. The distance does not depend on that.

_TIE = 1e-12


def distance(size: int, average_complexity: float, problem: Problem) -> float | None:
    """The share by which size and average complexity could shrink together, down to what is attainable.

    0 on the frontier; 0.2 if a system of four fifths the size and four fifths the average exists. None where the
    frontier at that size is not proved.

    >>> distance(11, 1.193660, Problem()) < 0.001 < 0.3 < distance(7, 2.485, Problem())
    True
    """
    curve = _curve(size, problem)
    if curve is None:
        return None
    left = min(max(smaller / size, least / average_complexity) for smaller, least in curve)
    return 1 - left if left < 1 - _TIE else 0.0


@lru_cache(maxsize=1024)
def _curve(size: int, problem: Problem) -> tuple[tuple[int, float], ...] | None:
    """The proved frontier up to a size."""
    values = [(each, frontier_value(each, problem)) for each in range(problem.smallest_size, size + 1)]
    if not values or values[-1][1] is None:
        return None
    return tuple((each, value) for each, value in values if value is not None)
