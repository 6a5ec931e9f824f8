"""The best system under a law: the lower bound, its certificate, and the search beside it.

With a words that are numerals by themselves and at most c expressions of two leaves, a number can be said

- by a word, itself or another, for effort + precision x error;
- by its own expression of two leaves, for 3 effort; there are at most c of them;
- by another number's expression of two leaves, for 3 effort and at least the least error that a number can suffer;
- by three leaves or more, for at least 5 effort.

Dropping all that ties these together leaves a problem on the line: choose a places. A price for each expression of two
leaves (a Lagrange multiplier) stands for there being c of them; every price gives a lower bound, and the best of some
is taken. `docs/studies/kinds.md` has the proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ishango.frontiers import expression_counts  # pyright: ignore[reportUnknownVariableType]  # a compiled kernel
from ishango.kinds._law import (
    GREATEST,
    Costs,
    Floats,
    Kind,
    Law,
    OpenSystem,
    costs,
    kind_of,
    lexicons,
    saying_costs,
    system_of,
)
from ishango.kinds._partial_search import (
    LEAST,
    BestFound,
    best_words,
    gap_costs,
    plain_systems,
    search_prices,
    search_sizes,
)
from ishango.numerals import as_grammar
from ishango.restricted import chains, walk

PRICES = 16
"""Prices of an expression of two leaves that are tried."""


def recursive_bounds(law: Law, largest: int | None = None) -> Floats:
    """For each size 0..range (or up to the largest): a lower bound of effort x E[length] + precision x E[error] with a
    multiplier or more.

    Infinite where there is no such system: a digit and a multiplier are two words.
    """
    tried, largest = prices(law), largest or law.upto
    by_price = np.stack([_least(law, price, largest) for price in tried])  # (prices, words), from one word on
    bounds = np.full(largest + 1, np.inf)
    for size, words, at_most in lexicon_counts(law, largest):
        bounds[size] = min(bounds[size], float((by_price[:, words - 1] - tried * at_most).max()))
    return bounds


def lexicon_counts(law: Law, largest: int) -> Iterator[tuple[int, int, int]]:
    """Each size up to the largest, divided into digits and multipliers in every way: the size, how many words are
    numerals by themselves, and how many expressions of exactly two leaves there are at most."""
    n, flags = law.upto, as_grammar(law.grammar).flags
    for size in range(1, largest + 1):
        for multipliers in range(1, size if not flags.bare_number else size + 1):
            counts = expression_counts(size - multipliers, multipliers, flags)  # of at most so many leaves
            words = min(int(counts[1]), n)
            if words:
                yield size, words, min(int(counts[2] - counts[1]), n)


def prices(law: Law) -> Floats:
    """From nothing to what a number saves at most by having an expression of its own."""
    dearest = float(2 * law.effort * law.weights.max())
    return np.concatenate([[0.0], np.geomspace(dearest * 1e-4, dearest, PRICES - 1)]) if dearest else np.zeros(1)


def line(law: Law, price: float) -> tuple[Floats, Floats, Floats]:
    """The problem on the line where an expression of two leaves has a price: what numbers between two neighbouring
    words cost together with the later word, those up to a first word, and those above a last one."""
    n, effort, weights = law.upto, law.effort, law.weights
    others = np.where(np.eye(n, dtype=bool), np.inf, law.losses).min(axis=1) if n > 1 else np.array([np.inf])
    otherwise = np.minimum(
        np.minimum(weights * 3 * effort + price, weights * (3 * effort + others)), weights * 5 * effort
    )
    by_word = weights[:, None] * (effort + law.losses)
    between, below, above = gap_costs(np.minimum(by_word, otherwise[:, None]))
    own = weights * effort
    return between + own, below + own, above


def _least(law: Law, price: float, most: int) -> Floats:
    return chains(*line(law, price), most)[0]


# What a checker needs to see for itself that no system costs less than a lower bound.
#
# The problem on the line is a shortest way from word to word, so a table of what k words with a given last one cost at
# least proves itself: it is enough that no step undercuts it. One table stands for systems without multipliers, and one
# for each price of an expression of two leaves that some number of digits and multipliers needs. Larger systems than
# the tables have rows cost too much by their words alone.
# `docs/studies/kinds.md` has the proof, `certificate_check` the check.


def certificate(best: Optimum) -> dict[str, Any]:
    """The optimum with all that its lower bound rests on, as JSON."""
    law, rows = best.law, _rows(best)
    between, below, _ = gap_costs(law.losses * law.weights[:, None])
    return {
        "law": asdict(law),
        "weights": law.weights.tolist(),
        "digits": list(best.system.digits),
        "multipliers": list(best.system.multipliers),
        "cost": best.costs.total,
        "lower": best.lower,
        "proved": best.proved,
        "plain": _table(between, below, rows),
        "priced": [
            {"price": price, "table": _table(*line(law, price)[:2], rows)} for price in _needed(law, best.lower, rows)
        ],
    }


def _table(between: Floats, below: Floats, rows: int) -> list[list[float | None]]:
    """What 1, 2, ... words cost at least, by the last one; null where there is no room for so many."""
    return [[x if math.isfinite(x) else None for x in value.tolist()] for value, _ in walk(between, below, rows)]


def _rows(best: Optimum) -> int:
    """A system of more words costs more than the bound by its words and one symbol alone."""
    law = best.law
    spare = (best.lower - law.effort) / law.word if law.word else math.inf
    return max(1, min(law.upto, math.floor(spare) + 1 if math.isfinite(spare) else law.upto))


def _needed(law: Law, lower: float, rows: int) -> list[float]:
    """Prices that reach the bound for every number of digits and multipliers, few of them."""
    tried = prices(law).tolist()
    values: dict[float, Floats] = {}
    for price in tried:
        between, below, above = line(law, price)
        values[price] = np.array([float((value + above).min()) for value, _ in walk(between, below, rows)])
    kept: list[float] = []
    for size, words, at_most in lexicon_counts(law, rows):
        reached = {price: values[price][words - 1] - price * at_most + law.word * size for price in tried}
        if not any(reached[price] >= lower - TOLERANCE / 10 for price in kept):
            kept.append(max(tried, key=reached.__getitem__))
    return kept


# The best system under a law: exact without multipliers; with them by search, beside a bound that nothing undercuts.
#
# What a word costs is the same for every word, so it is enough to know the best system of each size: `best_of_sizes`
# finds these for one precision, and every price of a word reads its optimum from them.

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
