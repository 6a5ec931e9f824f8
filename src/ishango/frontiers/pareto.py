"""Pareto comparisons of (size, average complexity), both to be minimised, and the proved frontier's value."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ishango.errors import RequestError
from ishango.frontiers.exact import solve
from ishango.frontiers.problem import Problem

NODE_LIMIT = 200_000
"""Nodes that a gap may cost; a size that takes more has no proved value here, on any machine."""

LARGEST_RANGE = 1_000
"""The largest range for which gaps are proved; beyond it a single node takes milliseconds."""

Objectives = tuple[float, float]


def dominates(one: Objectives, other: Objectives) -> bool:
    """Whether one is as good as the other in both size and average, and better in one.

    >>> dominates((3, 1.9), (4, 1.9)), dominates((3, 1.9), (3, 1.9))
    (True, False)
    """
    return one[0] <= other[0] and one[1] <= other[1] and tuple(one) != tuple(other)


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


def hypervolume(points: ArrayLike, reference: Objectives) -> float:
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
