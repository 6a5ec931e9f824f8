"""The best system under a law: exact without multipliers; with them by search, beside a bound that nothing undercuts.

What a word costs is the same for every word, so it is enough to know the best system of each size: `best_of_sizes`
finds these for one precision, and every price of a word reads its optimum from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ishango.kinds.best_found import LEAST, BestFound
from ishango.kinds.error_measures import Floats
from ishango.kinds.few_words import best_words
from ishango.kinds.kind import Kind, kind_of
from ishango.kinds.law import GREATEST, Costs, Law, costs, saying_costs
from ishango.kinds.lower_bound import recursive_bounds
from ishango.kinds.open_system import OpenSystem, lexicons, system_of
from ishango.kinds.price_climb import plain_systems, search_prices
from ishango.kinds.size_search import search_sizes

TOLERANCE = LEAST
LADDER = (4.0, 3.0, 2.2, 1.7, 1.3, 1.0)
"""One optimum is approached from where words are dearer: what is best there leads to what else would not be found."""
FEW = 8
"""Words of systems without multipliers that more are held against."""
LONG = 200
"""Ranges beyond which systems are searched for price by price alone: size by size each number would be tried in each
word's place, which takes minutes."""


@dataclass(frozen=True, eq=False)
class SizeOptima:
    """The best systems of each size 1, 2, ...: what saying costs, and what it costs at least.

    Larger systems cost more than the best by their words and one symbol alone, at every price that was asked for.
    """

    law: Law
    """Its price of a word does not matter."""
    best: BestFound

    @property
    def found(self) -> Floats:
        """What saying costs with the best system of each size that was found."""
        return self.best.values

    @cached_property
    def bounds(self) -> Floats:
        """What it costs at least."""
        return np.minimum(self.best.exact, recursive_bounds(self.law, len(self.found))[1:])

    def system(self, word: float) -> OpenSystem:
        """The best system found at a price of a word; the smaller one in a tie."""
        return system_of(self.best.lexicons[self.best.at(word)], self.law.grammar)

    def at(self, word: float) -> Optimum:
        """The best system at a price of a word, with the bound."""
        sizes = np.arange(1, len(self.bounds) + 1)
        lower = min(float((self.bounds + word * sizes).min()), self._larger(word))
        law, system = replace(self.law, word=word), self.system(word)
        found = costs(system, law)
        return Optimum(law, system, found, kind_of(system, law), min(lower, found.total))

    def _larger(self, word: float) -> float:
        """What larger systems cost at least."""
        words = len(self.bounds) + 1
        return self.law.effort + word * words if words <= self.law.upto else np.inf


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
    prices = [min(GREATEST, law.word * rung) for rung in LADDER]
    return best_of_sizes(law, prices).at(law.word)


def best_of_sizes(law: Law, words: Sequence[float], others: Sequence[OpenSystem] = ()) -> SizeOptima:
    """The best systems of each size, as far as they can be worth it at these prices of a word; the search begins from
    `others`, too, such as the best at another precision."""
    found = BestFound(law, _most(law, min(words)))
    if law.upto <= LONG:
        search_sizes(law, found, min(words))
    search_prices(law, found, words, others)
    return SizeOptima(law, found)


def _most(law: Law, word: float) -> int:
    """How many words can be worth it: with more of them, they and one symbol alone cost more than a plain system."""
    if not word:
        return law.upto
    few, plain = best_words(law, min(FEW, law.upto))[0], plain_systems(law)
    sizes = np.array([*range(1, len(few) + 1), *(each.size for each in plain)])
    saying = np.concatenate([few, saying_costs(lexicons(plain, law.upto), law)])
    cost = float((saying + word * sizes).min())
    return max(len(few), min(law.upto, int((cost - law.effort) / word) + 1))
