"""Local search over lexicons of all sizes at once: each size learns from its neighbours."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ishango.kinds.best_found import LEAST, BestFound
from ishango.kinds.law import Law, saying_costs
from ishango.kinds.neighbours import exchanged, grown, shrunk
from ishango.kinds.open_system import Mask

PATIENCE = 3
"""The search for larger systems ends after so many sizes that are not worth a word."""


def search_sizes(law: Law, found: BestFound, least_word: float) -> None:
    """Look for better systems with multipliers, as far as more words can be worth it at this price of a word."""
    _Search(law, found).run(least_word)


class _Search:
    def __init__(self, law: Law, found: BestFound) -> None:
        self.law, self.found = law, found
        self.recursive: dict[int, tuple[float, Mask]] = {}
        """The best lexicon with a multiplier of each size: it may lead to the best of the next where it is not yet."""

    def run(self, least_word: float) -> None:
        """Up through the sizes, each from the one before, then down again from the one above."""
        idle, size, values = 0, 1, self.found.values
        while idle < PATIENCE and size < len(values):
            size += 1
            self._improve(size, [*self._larger(size)])
            idle = 0 if values[size - 2] - values[size - 1] > least_word else idle + 1
        for smaller in range(size - 1, 1, -1):
            self._improve(smaller, [*self._smaller(smaller)])

    def _larger(self, size: int) -> Iterator[Mask]:
        """A word more than the best of the size below, with and without multipliers."""
        yield grown(self.found.lexicons[size - 2])
        if size - 1 in self.recursive:
            yield grown(self.recursive[size - 1][1])

    def _smaller(self, size: int) -> Iterator[Mask]:
        if size + 1 in self.recursive:
            yield shrunk(self.recursive[size + 1][1])

    def _improve(self, size: int, candidates: list[Mask]) -> None:
        """Take the best of the candidates that have a multiplier, and exchange word after word."""
        for many in candidates:
            value, lexicon = self._best(many)
            while np.isfinite(value) and value < self.recursive.get(size, (np.inf,))[0] - LEAST:
                self.recursive[size] = value, lexicon
                value, lexicon = self._best(exchanged(lexicon))
        if size in self.recursive:
            value, lexicon = self.recursive[size]
            self.found.offer(lexicon, value)

    def _best(self, many: Mask) -> tuple[float, Mask]:
        """The cheapest of some lexicons that have a multiplier and a numeral."""
        many = many[many[:, 1].any(axis=1) & many[:, 0].any(axis=1)]
        if not len(many):
            return np.inf, many
        values = saying_costs(many, self.law)
        best = int(values.argmin())
        return float(values[best]), many[best]
