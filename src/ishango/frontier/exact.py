"""The least average complexity of each size, with its proof or, when time runs out, with what is known."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from ishango.frontier.local import improve
from ishango.frontier.multipliers import fewest_multipliers
from ishango.frontier.problem import Problem
from ishango.frontier.search import DONE, Tree
from ishango.numerals import NumeralSystem

CHUNK = 20_000
"""Nodes between two looks at the clock."""

Lexicon = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Optimum:
    """An optimal system; under Hurford's grammar one for each optimal word set, with the span of |M| that attains it."""

    system: NumeralSystem
    fewest_multipliers: int
    most_multipliers: int


@dataclass(frozen=True)
class Point:
    """What is known about one size: the best system found, and a lower bound on every system of that size."""

    size: int
    system: NumeralSystem
    average: Fraction
    lower_bound: float
    proved: bool
    nodes: int
    seconds: float
    optima: tuple[Optimum, ...] = ()
    """Every optimum where all were asked for and the size is proved, else only the one of `system`."""

    @property
    def gap(self) -> float:
        """How far the best system found may lie above the optimum."""
        return 0.0 if self.proved else float(self.average) - self.lower_bound


@dataclass(frozen=True)
class Progress:
    """What a search tells while it runs."""

    size: int
    incumbent: float
    bound: float
    nodes: int
    seconds: float


Listener = Callable[[Progress], None]


def frontier(
    problem: Problem,
    sizes: Iterable[int],
    *,
    every: bool = False,
    time_limit: float | None = None,
    listener: Listener | None = None,
) -> Iterator[Point]:
    """Solve size after size, each within `time_limit` seconds; points come as they are done."""
    for size in sizes:
        yield solve(problem, size, every=every, time_limit=time_limit, listener=listener)


def solve(
    problem: Problem,
    size: int,
    *,
    every: bool = False,
    time_limit: float | None = None,
    node_limit: int | None = None,
    listener: Listener | None = None,
) -> Point:
    """The best system of a size, proved best unless the time or the nodes ran out.

    A limit on nodes gives the same answer on every machine, one on seconds does not. The proof is sought in the first
    half of the time; a size that is still open then spends the second half on its lower bound.

    >>> point = solve(Problem(), 4)
    >>> str(point.system), point.proved, round(float(point.average), 6)
    ('1-3 | 4', True, 1.659265)
    """
    return _Solver(problem, problem.check_size(size), every, time_limit, node_limit, listener).solve()


class _Solver:
    """One size being solved: the tree, the best systems so far, the clock."""

    def __init__(
        self,
        problem: Problem,
        size: int,
        every: bool,
        time_limit: float | None,
        node_limit: int | None,
        listener: Listener | None,
    ) -> None:
        self.problem, self.size, self.every, self.listener = problem, size, every, listener
        self.time_limit, self.node_limit = time_limit, node_limit
        self.started = time.monotonic()
        self.best: Fraction | None = None
        self.optima: set[Lexicon] = set()
        self.nodes = 0

    def solve(self) -> Point:
        tree = Tree(self.problem, self.size, slack=self.problem.slack(self.every))
        half = None if self.time_limit is None else self.time_limit / 2
        self._advance(tree, CHUNK, None)
        if tree.status != DONE:
            self._improve(tree)
            self._advance(tree, self.node_limit, half)
        if tree.status == DONE:
            return self._point(proved=True, lower_bound=None)
        return self._point(proved=False, lower_bound=self._raise_bound(tree.open_bound()))

    def _advance(self, tree: Tree, budget: int | None, time_limit: float | None) -> None:
        """Search until the tree is done, the budget of nodes is spent or the time is over."""
        stop = None if budget is None else tree.nodes + budget
        while tree.status != DONE:
            before = tree.nodes
            tree.run(CHUNK)
            self.nodes += tree.nodes - before
            self._take(tree.take_candidates())
            self._tell(tree)
            if stop is not None and tree.nodes >= stop and self.best is not None:
                return
            if time_limit is not None and self._elapsed() > time_limit and self.best is not None:
                return

    def _take(self, candidates: Iterable[Lexicon]) -> None:
        """Keep the candidates that are best, compared exactly."""
        for digits, multipliers in candidates:
            value = self.problem.average(NumeralSystem(digits, multipliers, self.problem.grammar))
            if value is None or (self.best is not None and value > self.best):
                continue
            if value != self.best:
                self.optima.clear()
            self.best = value
            self.optima.add((digits, multipliers))

    def _improve(self, tree: Tree) -> None:
        """Give the search a better incumbent; the search itself finds the lexicon again, or a better one."""
        assert self.best is not None
        digits, multipliers = min(self.optima)
        system = improve(self.problem, NumeralSystem(digits, multipliers, self.problem.grammar))
        self._take([(system.digits, system.multipliers)])
        tree.incumbent = min(tree.incumbent, float(self.best) * self.problem.scale)

    def _raise_bound(self, lower: float) -> float:
        """Use the time that is left to prove targets between the bound and the incumbent, each half way up.

        A search with a target for an incumbent closes far sooner, and proves that nothing lies below the target.
        """
        while self.time_limit is not None and self._elapsed() < self.time_limit:
            assert self.best is not None
            target = (lower + float(self.best) * self.problem.scale) / 2
            if target - lower < 1e-3 * self.problem.scale:
                break
            tree = Tree(self.problem, self.size, incumbent=target)
            self._advance(tree, None, self.time_limit)
            if tree.status != DONE:
                break
            # The incumbent moves where a lexicon below the target is found; then that lexicon is optimal.
            lower = tree.incumbent
        return lower / self.problem.scale

    def _elapsed(self) -> float:
        return time.monotonic() - self.started

    def _tell(self, tree: Tree) -> None:
        if self.listener is not None and tree.status != DONE and self.best is not None:
            bound = tree.open_bound() / self.problem.scale
            self.listener(Progress(self.size, float(self.best), bound, self.nodes, self._elapsed()))

    def _point(self, proved: bool, lower_bound: float | None) -> Point:
        assert self.best is not None
        optima = _describe(self.problem, self.size, self.best, self.optima)
        value = float(self.best)
        return Point(
            self.size,
            optima[0].system,
            self.best,
            value if lower_bound is None else min(value, lower_bound),
            proved,
            self.nodes,
            self._elapsed(),
            optima if self.every and proved else optima[:1],
        )


def _describe(problem: Problem, size: int, best: Fraction, lexicons: set[Lexicon]) -> tuple[Optimum, ...]:
    """The optima, fewest multipliers first, then by multipliers and digits."""
    if not problem.hurford:
        found = [
            Optimum(NumeralSystem(d, m, problem.grammar), len(m), len(m))
            for d, m in lexicons
        ]
    else:
        found = []
        for words in {tuple(sorted(d + m)) for d, m in lexicons}:
            multipliers = fewest_multipliers(problem, words, best)
            digits = tuple(word for word in words if word not in multipliers)
            most = problem.multiplier_counts(size)[1]
            found.append(Optimum(NumeralSystem(digits, multipliers, "hurford"), len(multipliers), most))
    return tuple(
        sorted(found, key=lambda o: (o.fewest_multipliers, o.system.multipliers, o.system.digits))
    )
