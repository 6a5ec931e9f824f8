"""How far a system lies from the frontier in both axes at once: a distance that sizes share.

The gap is vertical: how much longer a system is than the best one of its size. A symbol of gap is much for a large
lexicon and little for a small one, whose averages differ more. The distance does not depend on that.
"""

from __future__ import annotations

from functools import lru_cache

from ishango.frontiers.pareto import frontier_value
from ishango.frontiers.problem import Problem

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
    return max(0.0, 1 - left) if left < 1 - _TIE else 0.0


@lru_cache(maxsize=1024)
def _curve(size: int, problem: Problem) -> tuple[tuple[int, float], ...] | None:
    """The proved frontier up to a size."""
    values = [(each, frontier_value(each, problem)) for each in range(problem.smallest_size, size + 1)]
    if not values or values[-1][1] is None:
        return None
    return tuple((each, value) for each, value in values if value is not None)
