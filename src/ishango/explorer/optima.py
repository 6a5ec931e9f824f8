"""The frontier as the page needs it: solved once, in the background, and never waited for."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from functools import lru_cache
from queue import PriorityQueue
from typing import NamedTuple

import pandas as pd

from ishango.frontier import FrontierPoint, Problem, solve
from ishango.frontier.figure_tables import frontier_table
from ishango.frontier.pareto import NODE_LIMIT
from ishango.numerals import GrammarName


class PageNeed(NamedTuple):
    """A need that can be chosen on the page."""

    name: str
    """How requests and the command line give it."""
    label: str
    sentence: str


NEEDS = {
    need.name: need
    for need in (
        PageNeed("power:2", "n⁻² (small numbers often, the paper’s)", "a number n is needed in proportion to 1 / n²"),
        PageNeed("power:1", "n⁻¹", "a number n is needed in proportion to 1 / n"),
        PageNeed("exp:0.1", "exponential, rate 0.1", "each number is needed e^0.1 times as often as the next"),
        PageNeed("uniform", "all numbers equally often", "all numbers are needed equally often"),
    )
}
"""The needs of the page, by name; each has its own frontier, so there are few."""
NEED = next(iter(NEEDS))
"""The paper's need, with which the page begins."""
RANGE = 99
SIZES = range(1, 25)
"""Sizes that the plane shows and that are solved without being asked for."""

Key = tuple[GrammarName, str, int]
_NOW, _LATER = 0, 1

problem_of = lru_cache(maxsize=64)(Problem)


class Optima:
    """Points of the frontier for every grammar and need of the page, solved by a thread of its own.

    Asking returns at once: the point, or None while it is still being looked for.
    """

    def __init__(self) -> None:
        self._points: dict[Key, FrontierPoint] = {}
        self._failed: dict[Key, Exception] = {}
        self._asked: set[tuple[int, Key]] = set()
        self._queue: PriorityQueue[tuple[int, int, Key]] = PriorityQueue()
        self._news = threading.Condition()
        threading.Thread(target=self._work, name="frontier", daemon=True).start()

    def point(self, grammar: GrammarName, need: str, size: int) -> FrontierPoint | None:
        """The best system of a size, if it is known already; if not, it is looked for next."""
        return self._get((grammar, need, min(size, problem_of(grammar, need, RANGE).largest_size)), _NOW)

    def points(self, grammar: GrammarName, need: str, sizes: Iterable[int] = SIZES) -> tuple[list[FrontierPoint], bool]:
        """The points of several sizes that are known already, and whether that is all of them."""
        keys = _keys(grammar, need, sizes)
        found = [self._get(key, _LATER) for key in keys]
        return [point for point in found if point], self._are_settled(keys)

    def wait(self, grammar: GrammarName, need: str, sizes: Iterable[int] = SIZES) -> list[FrontierPoint]:
        """All points, however long it takes: for a page that is written once."""
        keys = _keys(grammar, need, sizes)
        for key in keys:
            self._get(key, _NOW)
        with self._news:
            self._news.wait_for(lambda: self._are_settled(keys))
        for key in keys:
            if key in self._failed:
                raise self._failed[key]
        return [self._points[key] for key in keys]

    def _are_settled(self, keys: list[Key]) -> bool:
        return all(key in self._points or key in self._failed for key in keys)

    def _get(self, key: Key, priority: int) -> FrontierPoint | None:
        point = self._points.get(key)
        if point is None:
            with self._news:
                if (priority, key) not in self._asked:
                    self._asked.add((priority, key))
                    self._queue.put((priority, len(self._asked), key))
        return point

    def _work(self) -> None:
        while True:
            _, _, key = self._queue.get()
            if not self._are_settled([key]):
                self._settle(key)
                with self._news:
                    self._news.notify_all()

    def _settle(self, key: Key) -> None:
        """Solve one; a grammar of another package that fails must not end the search for all others."""
        grammar, need, size = key
        try:
            self._points[key] = solve(problem_of(grammar, need, RANGE), size, node_limit=NODE_LIMIT)
        except Exception as error:
            self._failed[key] = error
            print(f"The frontier of {grammar}, {need} at size {size}: {type(error).__name__}: {error}", file=sys.stderr)


def _keys(grammar: GrammarName, need: str, sizes: Iterable[int]) -> list[Key]:
    problem = problem_of(grammar, need, RANGE)
    return [(grammar, need, min(size, problem.largest_size)) for size in sizes if size >= problem.smallest_size]


def optima_table(grammar: GrammarName, need: str, points: list[FrontierPoint]) -> pd.DataFrame:
    """The points as a table for the plane; a bound that holds for a larger size holds for every smaller one."""
    table = frontier_table(problem_of(grammar, need, RANGE), points)
    if table.empty:
        names = ["size", "average_complexity", "lower_bound", "proved", "digits", "multipliers", "kind"]
        return pd.DataFrame(columns=names)
    bounds = table["lower_bound"][::-1].cummax()[::-1]
    kinds = table["proved"].map({True: "proved optimum", False: "best found, not proved"})
    return table.assign(lower_bound=bounds, kind=kinds)
