"""The least average complexity of each size, with its proof or, when time runs out, with what is known."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib.util import find_spec

from ishango.errors import RequestError
from ishango.frontiers._everything import MOST_WORDS, Everything, few_enough, lexicon_count
from ishango.frontiers._prices import applies
from ishango.frontiers._problem import Problem
from ishango.frontiers._reach import FreeReach, Reach, reaches, reaches_free
from ishango.frontiers._search import DONE, Exhaustive, Lexicon, SearchTree, extend, fewest_multipliers, improve, primes
from ishango.numerals import NumeralSystem

CHUNK = 5_000
"""Nodes between two looks at the clock."""
PRICED = 500
"""Nodes of a search with prices, each with a linear program, before it is given up."""
PROMISING = 0.9
"""It is given up at once where the first prices bound the best average known by less than this part of it."""
TRIED, LEXICONS_A_NODE = 20_000, 1_000
"""Nodes after which a size with few lexicons is settled by looking at all of them, and how many of these allow one."""
FEW = 100_000_000
"""Lexicons that are looked at one by one rather than by reach."""
SETS = 50_000
"""Word sets between two looks at the clock."""
WIDE = 1_000
"""Above this range nodes take milliseconds: the clock is looked at more often, and no time goes into an incumbent."""

LAYERS, PRICES, REACH, EVERYTHING = "layers", "prices", "reach", "everything"
"""What proofs rest on, by its name in them: the bounds of `docs/studies/frontier.md`, or a look at every lexicon."""


class NoCoverError(RequestError):
    """No lexicon of the size is known that covers the range: there is none, or the search ended before."""


@dataclass(frozen=True)
class Optimum:
    """An optimal system; where the split is free, one for each optimal word set, with the |M| that attain it."""

    system: NumeralSystem
    fewest_multipliers: int
    most_multipliers: int


@dataclass(frozen=True, repr=False)
class FrontierPoint:
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
    bound: str = LAYERS
    """What the proof rests on."""

    def __repr__(self) -> str:
        known = "proved" if self.proved else f"at least {self.lower_bound:.6f}"
        return f"<size {self.size}: {self.system}, average complexity {float(self.average):.6f}, {known}>"

    @property
    def gap(self) -> float:
        """How far the best system found may lie above the optimum."""
        return 0.0 if self.proved else float(self.average) - self.lower_bound


@dataclass(frozen=True)
class SearchNews:
    """What a search tells while it runs."""

    size: int
    incumbent: float
    bound: float
    nodes: int
    seconds: float


Listener = Callable[[SearchNews], None]


def frontier(
    problem: Problem,
    sizes: Iterable[int],
    *,
    every: bool = False,
    time_limit: float | None = None,
    listener: Listener | None = None,
) -> Iterator[FrontierPoint]:
    """Solve size after size, each within `time_limit` seconds; points come as they are done."""
    start: NumeralSystem | None = None
    for size in sizes:
        point = solve(problem, size, every=every, time_limit=time_limit, listener=listener, start=start)
        start = point.system
        yield point


def solve(
    problem: Problem,
    size: int,
    *,
    every: bool = False,
    time_limit: float | None = None,
    node_limit: int | None = None,
    listener: Listener | None = None,
    start: NumeralSystem | None = None,
) -> FrontierPoint:
    """The best system of a size, proved best unless the time or the nodes ran out.

    A limit on nodes gives the same answer on every machine, one on seconds does not. The proof is sought in the first
    half of the time; a size that is still open then spends the second half on its lower bound. A good system of a
    smaller size, `start`, helps where the proof takes long.

    >>> point = solve(Problem(), 4)
    >>> str(point.system), point.proved, round(float(point.average), 6)
    ('1-3 | 4', True, 1.659265)
    """
    problem.check_size(size)
    if every:
        problem.check_listed()
    if time_limit is None:
        problem.check_told_apart(size)

    def solved(problem: Problem) -> FrontierPoint:
        return _Solver(problem, size, every, time_limit, node_limit, listener, start).solve()

    cap = problem.max_multipliers
    if not problem.free_split or cap is None or size <= cap:
        return solved(problem)
    free = solved(problem.without_cap)
    # The optimum without a cap is this problem's, too, where it needs no more multipliers than the cap allows.
    within = tuple(replace(o, most_multipliers=cap) for o in free.optima if o.fewest_multipliers <= cap)
    if free.proved and within:
        return replace(free, system=within[0].system, optima=within)
    capped = solved(problem)
    return replace(capped, lower_bound=max(capped.lower_bound, free.lower_bound), nodes=capped.nodes + free.nodes)


@dataclass
class _Solver:
    """One size being solved: the tree, the best systems so far, the clock."""

    problem: Problem
    size: int
    every: bool
    time_limit: float | None
    node_limit: int | None
    listener: Listener | None
    start: NumeralSystem | None
    started: float = field(default_factory=time.monotonic)
    best: Fraction | None = None
    optima: set[Lexicon] = field(default_factory=set[Lexicon])
    nodes: int = 0
    priced: float = 0.0
    """What prices say that every system costs at least."""

    def solve(self) -> FrontierPoint:
        half = None if self.time_limit is None else self.time_limit / 2
        tree = SearchTree(self.problem, self.size, slack=self.problem.slack(self.every), wasteful=self.every)
        self._advance(tree, CHUNK, half)
        if tree.status != DONE:
            if self.problem.upto <= WIDE:
                if self._priced() and not self.every:
                    return replace(self._point(proved=True), bound=PRICES)
                self._improve(tree)
            for bound in (REACH, EVERYTHING):
                if self._settled(tree, bound):
                    return replace(self._point(proved=True), bound=bound)
            self._advance(tree, self.node_limit, half)
        if self.best is None:
            raise NoCoverError(self._refusal(tree))
        if tree.status == DONE:
            return self._point(proved=True)
        lower, proved = self._raise_bound(max(tree.open_bound(), self.priced * self.problem.scale))
        return self._point(proved, lower / self.problem.scale)

    def _advance(self, tree: SearchTree, budget: int | None, time_limit: float | None) -> None:
        stop = None if budget is None else tree.nodes + budget
        upto = self.problem.upto
        chunk = CHUNK if upto <= WIDE else max(5, CHUNK * WIDE**3 // (2 * upto**3))
        while tree.status != DONE:
            before = tree.nodes
            tree.run(chunk)
            self.nodes += tree.nodes - before
            self._take(tree.take_candidates())
            self._tell(tree)
            if stop is not None and tree.nodes >= stop:
                return
            if time_limit is not None and self._elapsed() > time_limit:
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

    def _priced(self) -> bool:
        """Whether a search with prices settles the size; what it finds and bounds is kept in any case."""
        if not applies(self.problem) or find_spec("scipy") is None:  # a light install solves no linear programs
            return False
        from ishango.frontiers._prices import PriceSearch

        search = PriceSearch(self.problem, self.size, self.best)
        search.run(1)
        if search.best is None or search.lower_bound > PROMISING * float(search.best):
            search.run(PRICED, self._deadline(0.25))
        self.nodes += search.nodes
        self.priced = search.lower_bound
        if search.lexicon is not None:
            self._take([search.lexicon])
        return search.done and self.best is not None

    def _settled(self, tree: SearchTree, bound: str) -> bool:
        """Whether the size is settled by reach, or by looking at all its lexicons, after the search had its chance."""
        make = self._exhaustive(bound)
        if make is None:
            return False
        half = None if self.time_limit is None else self.time_limit / 2
        tried = TRIED
        if bound == EVERYTHING:
            tried = max(TRIED, lexicon_count(self.problem, self.size) // LEXICONS_A_NODE)
        if self.node_limit is not None and tried > self.node_limit:
            return False
        self._advance(tree, tried, half)
        if tree.status == DONE:
            return False
        search = make(self.problem, self.size, tree.incumbent, tree.slack)
        while not search.done and (half is None or self._elapsed() < half):
            before = search.seen
            self._take(search.run(SETS))
            self.nodes += search.seen - before
            tree.incumbent = search.incumbent
            self._tell(tree)
        return search.done and self.best is not None

    def _exhaustive(self, bound: str) -> type[Exhaustive] | None:
        if bound == EVERYTHING:
            return Everything if self.size <= MOST_WORDS and few_enough(self.problem, self.size) else None
        if self.node_limit is not None:  # how many choices of words there are is not known before
            return None
        if few_enough(self.problem, self.size) and lexicon_count(self.problem, self.size) <= FEW:
            return None
        if reaches(self.problem, self.size):
            return Reach
        return FreeReach if reaches_free(self.problem, self.size) else None

    def _improve(self, tree: SearchTree) -> None:
        """Give the search a better incumbent, by descent from the best lexicon so far and from a smaller optimum."""
        smaller = [] if self.optima else primes(self.problem, self.size)
        if self.start is not None and self.start.size <= self.size:
            smaller = [self.start, *smaller]
        grown = (extend(self.problem, start, self.size) for start in smaller)
        starts = [NumeralSystem(*min(self.optima), self.problem.grammar)] if self.optima else []
        starts += [system for system in grown if system is not None]
        averages = [self.problem.average(start) for start in starts]
        best = min(((average, i) for i, average in enumerate(averages) if average is not None), default=None)
        if best is None:
            return
        system = improve(self.problem, starts[best[1]], self._deadline(0.25))
        self._take([(system.digits, system.multipliers)])
        assert self.best is not None
        tree.incumbent = min(tree.incumbent, self.problem.in_units(self.best))

    def _refusal(self, tree: SearchTree) -> str:
        what = f"lexicon of size {self.size} covers 1 to {self.problem.upto} under the grammar {self.problem.grammar}"
        if tree.status == DONE:
            return f"No {what}; choose another size."
        return f"Whether a {what} is open after {self.nodes} nodes; allow more time or choose another size."

    def _raise_bound(self, lower: float) -> tuple[float, bool]:
        """Use the time that is left to prove targets between the bound and the incumbent, each half way up.

        A search with a target for an incumbent closes far sooner. Either nothing lies below the target, which is then
        the new bound, or the best of what does is the optimum.
        """
        while self.time_limit is not None and self._elapsed() < self.time_limit:
            assert self.best is not None
            target = (lower + self.problem.in_units(self.best)) / 2
            if target - lower < 1e-3 * self.problem.scale:
                break
            tree = SearchTree(self.problem, self.size, incumbent=target, slack=self.problem.slack(every=False))
            self._advance(tree, None, self.time_limit)
            if tree.status != DONE:
                break
            if tree.incumbent < target:
                return tree.incumbent, not self.every
            lower = target
        return lower, False

    def _deadline(self, share: float) -> float | None:
        return None if self.time_limit is None else self.started + share * self.time_limit

    def _elapsed(self) -> float:
        return time.monotonic() - self.started

    def _tell(self, tree: SearchTree) -> None:
        if self.listener is not None and tree.status != DONE and self.best is not None:
            bound = tree.open_bound() / self.problem.scale
            self.listener(SearchNews(self.size, float(self.best), bound, self.nodes, self._elapsed()))

    def _point(self, proved: bool, lower_bound: float = math.inf) -> FrontierPoint:
        assert self.best is not None
        optima = _describe(self.problem, self.size, self.best, self.optima)
        value = float(self.best)
        return FrontierPoint(
            self.size,
            optima[0].system,
            self.best,
            value if proved else min(value, lower_bound),
            proved,
            self.nodes,
            self._elapsed(),
            optima if self.every and proved else optima[:1],
        )


def _describe(problem: Problem, size: int, best: Fraction, lexicons: set[Lexicon]) -> tuple[Optimum, ...]:
    """The optima, fewest multipliers first, then by multipliers and digits."""
    if not problem.free_split:
        found = [Optimum(NumeralSystem(d, m, problem.grammar), len(m), len(m)) for d, m in lexicons]
    else:
        found: list[Optimum] = []
        for words in {tuple(sorted(d + m)) for d, m in lexicons}:
            multipliers = fewest_multipliers(problem, words, best)
            digits = tuple(word for word in words if word not in multipliers)
            most = problem.multiplier_counts(size)[1]
            found.append(Optimum(NumeralSystem(digits, multipliers, problem.grammar), len(multipliers), most))
    return tuple(sorted(found, key=lambda o: (o.fewest_multipliers, o.system.multipliers, o.system.digits)))
