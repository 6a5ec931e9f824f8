"""The best system under a law: exact without multipliers; with them by search, beside a bound that nothing undercuts.

What a word costs is the same for every word, so it is enough to know the best system of each size: `best_of_sizes`
finds these for one precision, and every price of a word reads its optimum from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ishango.kinds.error_measures import Floats
from ishango.kinds.few_words import best_words
from ishango.kinds.kind import Kind, kind_of
from ishango.kinds.law import Costs, Law, costs, saying_costs
from ishango.kinds.lower_bound import recursive_bounds
from ishango.kinds.open_system import Mask, OpenSystem, lexicons, system_of

TOLERANCE = 1e-9
"""Costs that differ by less are equal."""
PATIENCE = 3
"""The search for larger systems ends after so many sizes that are not worth a word."""


@dataclass(frozen=True)
class SizeOptima:
    """The best systems of each size 1, 2, ...: what saying costs, and what it costs at least."""

    law: Law
    """Its price of a word does not matter."""
    systems: tuple[OpenSystem, ...]
    found: Floats
    bounds: Floats
    """Of sizes 1..range."""

    def at(self, word: float) -> Optimum:
        """The best system at a price of a word; the smaller one in a tie."""
        totals = self.found + word * np.arange(1, len(self.found) + 1)
        best = int(np.flatnonzero(totals <= totals.min() + TOLERANCE)[0])
        lower = float((self.bounds + word * np.arange(1, len(self.bounds) + 1)).min())
        law, system = replace(self.law, word=word), self.systems[best]
        found = costs(system, law)
        return Optimum(law, system, found, kind_of(system, law), min(lower, found.total))


@dataclass(frozen=True)
class Optimum:
    """The best system that was found under a law, and a cost that no system is below."""

    law: Law
    system: OpenSystem
    costs: Costs
    kind: Kind
    lower: float

    @property
    def slack(self) -> float:
        """By how much a better system could be better; 0 where there is none."""
        return max(0.0, self.costs.total - self.lower)

    @property
    def proved(self) -> bool:
        """Whether no system costs less."""
        return self.slack <= TOLERANCE


def optimum(law: Law) -> Optimum:
    """The best system under a law.

    >>> best = optimum(Law(precision=1, word=0.1))
    >>> str(best.system), best.proved
    ('1,2 | none', True)
    """
    return best_of_sizes(law, law.word).at(law.word)


def best_of_sizes(law: Law, least_word: float) -> SizeOptima:
    """The best systems of each size, as far as they can be worth it where a word costs so much or more."""
    exact, words = best_words(law)
    search = _Search(law, exact, words)
    search.run(least_word)
    bounds = np.minimum(exact, recursive_bounds(law)[1:])
    sizes = range(1, search.largest + 1)
    systems = tuple(system_of(search.lexicons[size], law.grammar) for size in sizes)
    return SizeOptima(law, systems, np.array([search.values[size] for size in sizes]), bounds)


class _Search:
    """Local search over lexicons of all sizes at once: each size learns from its neighbours."""

    def __init__(self, law: Law, exact: Floats, words: list[tuple[int, ...]]) -> None:
        self.law = law
        self.values = {size: float(value) for size, value in enumerate(exact, start=1)}
        plain = lexicons([OpenSystem(each, (), law.grammar) for each in words], law.upto)
        self.lexicons: dict[int, Mask] = dict(enumerate(plain, start=1))
        self.recursive: dict[int, tuple[float, Mask]] = {}
        """The best lexicon with a multiplier of each size: it may lead to the best of the next where it is not yet."""
        self.largest = 1

    def run(self, least_word: float) -> None:
        """Up through the sizes, each from the one before, then down again from the one above."""
        idle = 0
        for size in range(2, self.law.upto + 1):
            self._improve(size, [*self._larger(size)])
            self.largest = size
            idle = 0 if self.values[size - 1] - self.values[size] > least_word else idle + 1
            if idle >= PATIENCE:
                break
        for size in range(self.largest - 1, 1, -1):
            self._improve(size, [*self._smaller(size)])

    def _larger(self, size: int) -> Iterator[Mask]:
        """A word more than the best of the size below, with and without multipliers."""
        yield _grown(self.lexicons[size - 1])
        if size - 1 in self.recursive:
            yield _grown(self.recursive[size - 1][1])

    def _smaller(self, size: int) -> Iterator[Mask]:
        if size + 1 in self.recursive:
            yield _shrunk(self.recursive[size + 1][1])

    def _improve(self, size: int, candidates: list[Mask]) -> None:
        """Take the best of the candidates that have a multiplier, and exchange word after word."""
        for many in candidates:
            value, lexicon = self._best(many)
            while np.isfinite(value) and value < self.recursive.get(size, (np.inf,))[0] - TOLERANCE:
                self.recursive[size] = value, lexicon
                value, lexicon = self._best(_exchanged(lexicon))
        if size in self.recursive and self.recursive[size][0] < self.values[size] - TOLERANCE:
            self.values[size], self.lexicons[size] = self.recursive[size]

    def _best(self, many: Mask) -> tuple[float, Mask]:
        """The cheapest of some lexicons that have a multiplier and a numeral."""
        many = many[many[:, 1].any(axis=1) & many[:, 0].any(axis=1)]
        if not len(many):
            return np.inf, many
        values = saying_costs(many, self.law)
        best = int(values.argmin())
        return float(values[best]), many[best]


def _grown(lexicon: Mask) -> Mask:
    """All lexicons with a word more."""
    return _flipped(lexicon, np.argwhere(~lexicon))


def _shrunk(lexicon: Mask) -> Mask:
    """All lexicons with a word less."""
    return _flipped(lexicon, np.argwhere(lexicon))


def _exchanged(lexicon: Mask) -> Mask:
    """All lexicons with one word in another's place."""
    return np.concatenate([_grown(each) for each in _shrunk(lexicon)])


def _flipped(lexicon: Mask, places: np.ndarray) -> Mask:
    many = np.repeat(lexicon[None], len(places), axis=0)
    rows = np.arange(len(places))
    many[rows, places[:, 0], places[:, 1]] ^= True
    return many
