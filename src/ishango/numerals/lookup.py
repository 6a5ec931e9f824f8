"""Which values have an expression of so many leaves, where levels are listed only up to fewer.

An expression of k leaves has one large part at most: in a * m + v and a * m - v either a or v has fewer than half of
the leaves. So one runs over the smaller part, whose level is listed, and asks the same question of what is left for the
larger one, which has fewer leaves than the whole; as soon as its level is listed the answer is a look-up. This reaches
expressions of about twice as many leaves as are listed, with values of any size.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ishango.numerals.grammar import GrammarFlags
from ishango.numerals.largest import Largest

Values = NDArray[np.int64]
Mask = NDArray[np.bool_]

BLOCK = 500_000
"""Values that are looked at together."""


class Lookup:
    """Questions to the levels of one system.

    `levels[k]` are the numbers of which k are the least leaves, sorted; `factors[k]` those that can be multiplied, the
    same list where sums can be. A value of which k are the least leaves has minimal parts, so that first findings do.
    `largest` knows how large values of so many leaves can be.
    """

    def __init__(
        self, levels: list[Values], factors: list[Values], multipliers: Values, flags: GrammarFlags, largest: Largest
    ) -> None:
        self.levels, self.factors, self.multipliers, self.flags = levels, factors, multipliers, flags
        self._largest = largest
        self.listed = len(levels) - 1
        """Leaves up to which every value is listed."""
        self._cost = cache(self._cost_of)

    def cost(self, targets: int, leaves: int) -> float:
        """About how many look-ups a question takes; infinite where it cannot be answered."""
        return targets * self._cost(leaves, False)

    def numbers(self, targets: Values, leaves: int) -> Mask:
        """Which of the targets, whose least leaves are no fewer, have an expression with so many."""
        if leaves <= self.listed:
            return is_in(targets, self.levels[leaves])
        found = self.products(targets, leaves)
        possible = targets <= self._largest.number(leaves)  # others might not fit when something is added to them
        for phrases, rests, factors in self.splits(leaves):
            open_ = np.flatnonzero(possible & ~found)
            if len(open_) == 0:
                break
            some = self._by_phrases(targets[open_], phrases, rests) if factors == 0 else (
                self._by_rests(targets[open_], self.levels[rests], factors)
            )  # fmt: skip
            found[open_[some]] = True
        return found

    def phrases(self, value: int, leaves: int) -> Iterator[tuple[Values, int]]:
        """The phrases p for which p and |value - p| have so many leaves together, with the leaves of the latter."""
        for phrases, rests, factors in self.splits(leaves):
            if factors == 0:
                made = phrases[self._makes(phrases, value)]
                yield made[self.numbers(np.abs(value - made), rests)], rests
            else:
                made = self._candidates(np.array([value]), self.levels[rests])[0]
                yield np.unique(made[self.products(made, factors + 1)]), rests

    def factor(self, targets: Values, leaves: int) -> Mask:
        """Which of the targets have an expression with so many leaves that can be multiplied."""
        if not self.flags.flat:
            return self.numbers(targets, leaves)
        return is_in(targets, self.factors[leaves]) if leaves <= self.listed else self.products(targets, leaves)

    def splits(self, leaves: int) -> Iterator[tuple[Values, int, int]]:
        """How an expression divides its leaves: phrases to run over and the leaves of the rest; or, with no phrases,
        the leaves of the rest to run over and of the factor of the phrase."""
        nothing = np.empty(0, np.int64)
        if self.flags.bare_phrase:
            yield self.multipliers, leaves - 1, 0
        for a in range(1, leaves - 1):
            rest = leaves - 1 - a
            if self._runs_over_factors(a, rest):
                yield np.unique(np.outer(self.factors[a], self.multipliers)), rest, 0
            else:
                yield nothing, rest, a

    def _runs_over_factors(self, a: int, rest: int) -> bool:
        """Whether the factor is the part to run over: the other one is not listed, or larger."""
        if a > self.listed or rest > self.listed:
            return rest > self.listed
        return len(self.factors[a]) <= len(self.levels[rest])

    def products(self, targets: Values, leaves: int) -> Mask:
        """Which of the targets are a product of so many leaves."""
        found = np.zeros(len(targets), dtype=np.bool_)
        for m in self.multipliers.tolist():
            divided = np.flatnonzero((targets % m == 0) & ~found)
            if len(divided):
                found[divided[self.factor(targets[divided] // m, leaves - 1)]] = True
        return found

    def _makes(self, phrases: Values, value: int) -> Mask:
        """Which phrases make the value by a sum or difference that the grammar has."""
        return ((phrases < value) & self.flags.plus) | ((phrases > value) & self.flags.minus)

    def _by_phrases(self, targets: Values, phrases: Values, rests: int) -> Mask:
        """Which of the targets are a phrase plus or minus a number of so many leaves."""
        found = np.zeros(len(targets), dtype=np.bool_)
        for some in _blocks(phrases, len(targets)):
            left = targets[:, None] - some[None, :]
            made = ((left > 0) & self.flags.plus) | ((left < 0) & self.flags.minus)
            rows = np.nonzero(made)[0]
            found[rows[self.numbers(np.abs(left[made]), rests)]] = True
        return found

    def _by_rests(self, targets: Values, rests: Values, factors: int) -> Mask:
        """Which of the targets are the product of a factor of so many leaves, plus or minus one of the rests."""
        found = np.zeros(len(targets), dtype=np.bool_)
        for some in _blocks(rests, 2 * len(targets)):
            phrases, rows = self._candidates(targets, some)
            found[rows[self.products(phrases, factors + 1)]] = True
        return found

    def _candidates(self, targets: Values, rests: Values) -> tuple[Values, Values]:
        """The phrases that would make the targets with the rests, and which target each is for."""
        sums, differences = targets[:, None] - rests[None, :], targets[:, None] + rests[None, :]
        made = (sums > 0) & self.flags.plus
        rows = np.nonzero(made)[0]
        if not self.flags.minus:
            return sums[made], rows
        others = np.repeat(np.arange(len(targets)), len(rests))
        return np.concatenate((sums[made], differences.ravel())), np.concatenate((rows, others))

    def _cost_of(self, leaves: int, product: bool) -> float:
        """Look-ups for one target; by products alone where it must be one."""
        if leaves <= self.listed:
            return 1.0
        if leaves > 2 * self.listed + 2:  # both parts might not be listed
            return np.inf
        thinned = float((1.0 / self.multipliers).sum())
        below = self._cost(leaves - 1, self.flags.flat)
        total = 1.0 + thinned * below
        if product:
            return total
        for phrases, rest, factors in self.splits(leaves):
            if factors == 0:
                total += len(phrases) * self._cost(rest, False)
            else:
                total += 2 * len(self.levels[rest]) * (1.0 + thinned * self._cost(factors, self.flags.flat))
        return total


def is_in(values: Values, sorted_values: Values) -> Mask:
    """Which of the values are among the sorted ones."""
    if len(sorted_values) == 0:
        return np.zeros(len(values), dtype=np.bool_)
    places = np.minimum(np.searchsorted(sorted_values, values), len(sorted_values) - 1)
    return sorted_values[places] == values


def _blocks(values: Values, times: int) -> Iterator[Values]:
    """The values in stretches that make no more than a block when each is taken so many times."""
    size = max(1, BLOCK // max(1, times))
    return (values[start : start + size] for start in range(0, len(values), size))
