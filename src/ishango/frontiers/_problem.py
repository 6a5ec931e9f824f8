"""What is minimised: the average complexity of a lexicon of a given size, under one grammar, need, range and limit."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from ishango import numerals
from ishango.errors import RequestError

TOLERANCE = 1e-11
"""How far apart two averages must be, in floats, before the search calls them different.

Sums of at most a few thousand products of normalised weights and small integers err by less than 1e-12; what lies
within the tolerance is never pruned and is compared exactly.
"""


MOST_TIES = 20_000
"""Lexicons that may tie, as far as floats can tell, before a size is refused: each is compared exactly."""


@dataclass(frozen=True)
class Problem:
    """All lexicons with words in 1..range, and what is asked of them.

    >>> Problem(upto=12).limit
    26
    """

    grammar: numerals.GrammarName = numerals.DEFAULT_GRAMMAR.name
    need: numerals.Need | str = "power:2"
    upto: int = 99
    overlap: bool = False
    max_multipliers: int | None = None

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "grammar", numerals.as_grammar(self.grammar).name)
        set_(self, "need", numerals.Need.parse(self.need))
        numerals.check_range(self.upto)
        most = self.max_multipliers
        if most is not None and (not isinstance(most, Integral) or most < 1):
            raise RequestError(
                f"At most {self.max_multipliers} multipliers leaves no numeral system; allow at least 1."
            )

    @property
    def rules(self) -> numerals.Grammar:
        """The grammar itself, of which the problem keeps the name."""
        return numerals.as_grammar(self.grammar)

    @property
    def limit(self) -> int:
        """The value limit of derivations."""
        return numerals.value_limit(self.upto)

    @property
    def without_cap(self) -> Problem:
        """The same problem with any number of multipliers; its optimum is never above this one's."""
        return replace(self, max_multipliers=None)

    @property
    def smallest_size(self) -> int:
        """The least size that is searched.

        There is a multiplier, and a digit where multipliers are no numerals. Without sums and differences nothing but
        a word names 1 or a prime.
        """
        words = 1 if self.rules.bare_number else 2
        if not (self.rules.plus or self.rules.minus):
            words = max(words, 1 + sum(map(is_prime, range(2, self.upto + 1))))
        return self.rules.size(words - 1, 1)

    @property
    def largest_size(self) -> int:
        """The greatest size that is searched: every number is a word, one of them a multiplier."""
        return self.rules.size(self.upto - 1, 1)

    def check_size(self, size: int) -> int:
        """The size itself when lexicons of that size exist."""
        if self.smallest_size > self.largest_size:
            raise RequestError(
                f"No lexicon of the grammar {self.grammar} with words in 1 to {self.upto} covers that range."
                " Choose a larger range."
            )
        if not self.smallest_size <= size <= self.largest_size:
            last = "the range, " if self.largest_size == self.upto else ""
            raise RequestError(
                f"There is no frontier at size {size} under the grammar {self.grammar}; sizes run from"
                f" {self.smallest_size} to {last}{self.largest_size}."
            )
        return size

    def check_listed(self) -> None:
        """Refuse lists of all optima where lexicons that waste a word belong to them, which a list cannot have.

        Where a multiplier is a numeral, a digit that is one too never helps; it costs nothing where numbers are not
        needed at all.
        """
        if self.overlap and self.free_split and 0 in self.units:
            raise RequestError(
                f"Under the grammar {self.grammar} a digit that is also a multiplier wastes a word, and with the need"
                f" {self.need} that costs nothing, so not all optima can be listed; leave out overlap."
            )

    def check_told_apart(self, size: int) -> None:
        """Refuse a size at which so many lexicons tie, as far as floats can tell, that a proof would never end.

        Where a need falls steeply, a few numbers have all the weight but what is within the tolerance. Every lexicon
        with words for these is as good as the best one to eleven digits, whatever else is in it.
        """
        heavy = self._heavy
        if size > heavy and math.comb(self.upto - heavy, size - heavy) > MOST_TIES:
            raise RequestError(
                f"With the need {self.need} all weight but 1e-11 lies on {heavy} of {self.upto} numbers, so that"
                f" lexicons of size {size} cannot be told apart; choose a need that falls less steeply or sizes up to"
                f" {heavy + 1}."
            )

    @cached_property
    def _heavy(self) -> int:
        """How many numbers, those needed most, leave no more than the tolerance to all others."""
        tails = np.cumsum(np.sort(numerals.Need.parse(self.need).weights(self.upto)))
        return self.upto - int(np.searchsorted(tails, TOLERANCE, side="right"))

    def multiplier_counts(self, size: int) -> tuple[int, int]:
        """The least and the greatest |M| that have to be searched at a size.

        Where the split is free, turning a digit into a multiplier never costs, so only the greatest is searched.
        """
        most = (size - (not self.rules.bare_number)) // self.rules.multiplier_words
        if self.max_multipliers is not None:
            most = min(most, self.max_multipliers)
        return (most, most) if self.free_split else (1, most)

    @property
    def free_split(self) -> bool:
        """Whether a multiplier does all that a digit does and costs no more, so that |D| and |M| may vary."""
        return self.rules.bare_number and self.rules.multiplier_words == 1

    @cached_property
    def exact_need(self) -> tuple[Fraction, ...]:
        """P(1), ..., P(range) as rationals; floats, where the need has no fractions, are taken at their exact value."""
        need = numerals.Need.parse(self.need)
        exact = need.fractions(self.upto)
        return exact if exact is not None else tuple(map(Fraction, need.weights(self.upto).tolist()))

    @property
    def exact(self) -> bool:
        """Whether the need is given as fractions of its own, not as floats."""
        return numerals.Need.parse(self.need).fractions(self.upto) is not None

    @cached_property
    def units(self) -> tuple[int, ...]:
        """The need in whole units: P(n) = units[n - 1] / unit."""
        return tuple(int(weight * self.unit) for weight in self.exact_need)

    @cached_property
    def unit(self) -> int:
        """The common denominator of the need."""
        return math.lcm(*(weight.denominator for weight in self.exact_need))

    @cached_property
    def integral(self) -> bool:
        """Whether every sum the search forms is an integer that a float holds exactly."""
        return sum(self.units) * (2 * self.limit + 1) < 2**53

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The need as the search sums it, from index 1: whole units where floats hold them, else P(n)."""
        values = [float(u) if self.integral else float(w) for u, w in zip(self.units, self.exact_need, strict=True)]
        return np.array([0.0, *values])

    @cached_property
    def scale(self) -> float:
        """What an average is multiplied by in the search's sums."""
        return float(self.unit) if self.integral else 1.0

    def in_units(self, average: Fraction) -> float:
        """An average as the search sums it, exact where it sums whole units: a quotient times its divisor may not be.

        >>> 25 / 11 * 11, Problem(need="uniform", upto=11).in_units(Fraction(25, 11))
        (25.000000000000004, 25.0)
        """
        return float(average * self.unit) if self.integral else float(average)

    def slack(self, every: bool) -> float:
        """A node is pruned when its bound is at least the incumbent plus this.

        Integers: 0 keeps one optimum, 1 keeps `every` one. Otherwise whatever may tie is kept.
        """
        if self.integral:
            return 1.0 if every else 0.0
        return TOLERANCE

    def average(self, system: numerals.NumeralSystem) -> Fraction | None:
        """The exact average complexity, or None where the system does not cover the range."""
        return self.average_of(numerals.leaves_of_many(*numerals.masks([system], self.upto), self.grammar)[0].tolist())

    def average_of(self, leaves: list[int]) -> Fraction | None:
        """The exact average complexity where 1, 2, ... have these least leaves; None where one is missing (0)."""
        if 0 in leaves:
            return None
        return Fraction(sum(u * (2 * k - 1) for u, k in zip(self.units, leaves, strict=True)), self.unit)

    def describe(self) -> dict[str, object]:
        return {
            "grammar": self.grammar,
            "rules": self.rules.record,
            "need": str(self.need),
            "range": self.upto,
            "limit": self.limit,
            "overlap": self.overlap,
            "max_multipliers": self.max_multipliers,
        }


def is_prime(number: int) -> bool:
    return all(number % factor for factor in range(2, math.isqrt(number) + 1))
