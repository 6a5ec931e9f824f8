"""How far an estimated front stays above the proved frontier."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator

from ishango.errors import RequestError
from ishango.frontiers.exact import FrontierPoint, solve
from ishango.frontiers.genetic import EstimatedFront
from ishango.frontiers.problem import Problem

NODE_LIMIT = 100_000
"""Nodes spent on the lower bound of each size."""


def not_found(found: EstimatedFront, sizes: Collection[int]) -> tuple[int, ...]:
    """The sizes of which the estimate has no system; an estimate that has none of any of them is refused."""
    there = {system.size for system in found.systems}
    missing = tuple(size for size in sizes if size not in there)
    if len(missing) == len(sizes):
        raise RequestError(
            "The genetic algorithm found no system of these sizes; allow more generations or a larger population, or"
            " choose other sizes."
        )
    return missing


def compare(
    problem: Problem,
    found: EstimatedFront,
    sizes: Collection[int],
    listener: Callable[[int], None] | None = None,
    time_limit: float | None = None,
) -> Iterator[FrontierPoint]:
    """Each system of the estimate that has one of the sizes, as a point: its average, and the lower bound of its size.

    A point is called proved where the estimate attains the proved optimum; `gap` is how far it stays above the bound,
    for which there are `time_limit` seconds a size, if given.
    """
    for system in (system for system in found.systems if system.size in sizes):
        started = time.monotonic()
        if listener is not None:
            listener(system.size)
        least = solve(problem, system.size, node_limit=NODE_LIMIT, time_limit=time_limit)
        average = problem.average(system)
        assert average is not None
        proved = least.proved and average == least.average
        yield FrontierPoint(
            system.size, system, average, least.lower_bound, proved, least.nodes, time.monotonic() - started
        )
