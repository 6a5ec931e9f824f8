"""The minimal language without a value limit: sparse levels, and the last two by look-up.

Without a limit the values of a level grow exponentially in number, so levels are enumerated only as far as a
budget allows. But to decide whether a number n of the range has an expression of k leaves, levels up to k - 2
are enough. Such an expression is one of

- a product v * m: v is at most n and has k - 1 leaves, which is known for numbers of the range;
- m + v or m - v with a bare multiplier, where the grammar has such phrases: v lies in the range too, as words do;
- a * m + v or a * m - v, where a and v together have k - 1 leaves, so each at most k - 2.

Where products are without sums inside, v in the first and a in the last are *factors*, words and products of words,
whose levels are listed beside those of all numbers; elsewhere every number is one.

For the last kind one runs over the smaller of the two levels and looks the other part up in the larger one. Where
levels can be listed no more, `Lookup` goes on as far as its own budget allows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ishango.numerals.congruence import impossible
from ishango.numerals.derivations import Part, Role, Ways, factor_role
from ishango.numerals.largest import Largest
from ishango.numerals.levels import Tables
from ishango.numerals.lookup import Lookup, is_in
from ishango.numerals.system import NumeralSystem

Values = NDArray[np.int64]

LARGEST_LEVEL = 4_000_000
"""How many candidates a level may have for it to be enumerated; beyond, the search ends."""

LARGEST_WORK = 200_000
"""How many pairs of levels may be combined; beyond, the search ends (lexicons of one or two words go deep)."""

LARGEST_LOOKUP = 40_000_000
"""How many values may be looked up to decide one number of leaves beyond what is listed; some seconds."""


class Unlimited:
    """Least leaves of the numbers 1..range with intermediate values of any size.

    `searched` is the number of leaves up to which every expression was considered; `small[n]` is the least
    leaves of n where they are at most that, else 0. A number without any expression is in `impossible` (with
    the modulus that proves it), or was only not found.
    """

    def __init__(self, system: NumeralSystem, upto: int, bounded: Tables) -> None:
        self.system = system
        self.bounded = bounded
        self.flags = system.rules.flags
        self.multipliers: Values = np.array(system.multipliers, dtype=np.int64)
        words = {*system.digits, *(system.multipliers if self.flags.bare_number else ())}
        self.levels: list[Values] = [np.empty(0, np.int64), np.array(sorted(words), dtype=np.int64)]
        self.small: Values = np.zeros(upto + 1, dtype=np.int64)  # least leaves of 1..range, 0 while unknown
        self.small[self.levels[1]] = 1
        self.factors = [*self.levels] if self.flags.flat else self.levels
        self.small_factors = self._least_factors() if self.flags.flat else self.small
        self.searched = 1
        self._work = 0
        self._largest = Largest(system, upto)
        self._dropped = False
        """Whether values were left out because they are larger than is ever needed."""
        self._lookup: Lookup | None = None
        self._far: dict[Part, int] = {}
        """The leaves of parts, met in expressions found by look-up, that are not listed."""
        upper: Values = bounded.number_level[: upto + 1].astype(np.int64)
        self.impossible = impossible(system, np.flatnonzero(upper[1:] == 0) + 1)
        self._search(upper)

    def level(self, part: Part) -> int:
        """The least leaves of a number or phrase that an expression found so far contains; 0 if unknown."""
        if part in self._far:
            return self._far[part]
        if part.role == Role.PHRASE:
            return self._phrase_level(part.value)
        if part.value < len(self.small):
            return int(self.small[part.value])
        return next((k for k, values in enumerate(self.levels) if _contains(values, part.value)), 0)

    def rules(self, part: Part) -> Ways:
        """Every way to make the value with its least leaves; ways inside the default limit come first."""
        level = self.level(part)
        if level <= 1:
            return Ways()
        products, factor = tuple(self._products(part.value, level)), factor_role(self.flags, level)
        if part.role == Role.PHRASE:
            return self._in_order(part, level, Ways(products, factor=factor))
        return self._in_order(part, level, Ways(products, self._phrases(part.value, level), factor))

    def _search(self, upper: Values) -> None:
        """Decide level after level until each number has its least leaves or a level is too large to list."""
        hopeless = np.array(list(self.impossible), dtype=np.int64)
        while True:
            open_ = self.small[1:] == 0
            open_[hopeless - 1] = False
            if not open_.any() or self._work > LARGEST_WORK or self.exhausted:
                break
            targets, leaves = np.flatnonzero(open_) + 1, self.searched + 1
            if not self._largest.fits(leaves):
                break
            if self._lookup is None and self._enumerate_to(leaves - 2):
                found = self._expressible(targets, leaves)
            else:
                self._lookup = self._lookup or self._new_lookup()
                if self._lookup.cost(len(targets), leaves) > LARGEST_LOOKUP:
                    break
                found = self._lookup.numbers(targets, leaves)
            self.searched = leaves
            self.small[targets[found | (upper[targets] == leaves)]] = leaves

    def _new_lookup(self) -> Lookup:
        return Lookup(self.levels, self.factors, self.multipliers, self.flags, self._largest)

    def _expressible(self, targets: Values, level: int) -> NDArray[np.bool_]:
        """Which of the targets, known to need at least that many leaves, have an expression with so many."""
        found = np.zeros(len(targets), dtype=np.bool_)
        for m in self.system.multipliers:
            found |= (targets % m == 0) & (self.small_factors[targets // m] == level - 1)
            if self.flags.bare_phrase:
                found |= self._joins(m, targets) & (self.small[np.abs(targets - m)] == level - 1)
        for factors, rests in self._pairs(level):
            if max(len(factors) * len(self.multipliers), len(rests)) <= len(targets):
                made = np.concatenate(self._joined(np.outer(factors, self.multipliers).ravel(), rests))
                found |= np.isin(targets, made)
            else:
                open_ = np.flatnonzero(~found).tolist()
                found[[i for i in open_ if len(self._split(int(targets[i]), factors, rests)) > 0]] = True
        return found

    def _pairs(self, level: int) -> Iterator[tuple[Values, Values]]:
        """The levels of a and v in a * m + v and a * m - v with so many leaves, those that are not empty."""
        for a in range(1, level - 1):
            factors, rests = self.factors[a], self.levels[level - 1 - a]
            if len(factors) and len(rests):
                self._work += 1
                yield factors, rests

    def _products(self, value: int, level: int) -> Iterator[tuple[int, int]]:
        for m in self.system.multipliers:
            if value % m == 0 and self._is_factor(value // m, level - 1):
                yield value // m, m

    def _is_factor(self, value: int, level: int) -> bool:
        """Whether so many are the least leaves with which the value can be multiplied."""
        if self._lookup is None or level < len(self.factors) or value < len(self.small):
            return self._factor_level(value) == level
        if not self._lookup.factor(np.array([value]), level)[0]:
            return False
        self._far[Part(value, factor_role(self.flags, level + 1))] = level
        return True

    def _phrases(self, value: int, level: int) -> Values:
        """The phrases p for which |value - p| and p have `level` leaves together, by level and then by value."""
        if self._lookup is not None and level - 2 > self._lookup.listed:
            return self._far_phrases(self._lookup, value, level)
        found: list[Values] = []
        if self.flags.bare_phrase:
            others = self.multipliers[self._joins(self.multipliers, value)]
            rest = [self.level(Part(abs(value - m), Role.NUMBER)) for m in others.tolist()]
            found.append(others[np.array(rest, dtype=np.int64) == level - 1])
        found += [self._split(value, factors, rests) for factors, rests in self._pairs(level)]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def _far_phrases(self, lookup: Lookup, value: int, level: int) -> Values:
        """The same where levels are not listed; what is found of the parts is kept."""
        found: list[Values] = [np.empty(0, np.int64)]
        for phrases, rest in lookup.phrases(value, level):
            found.append(phrases)
            for phrase in phrases.tolist():
                self._far[Part(phrase, Role.PHRASE)] = level - rest
                self._far[Part(abs(value - phrase), Role.NUMBER)] = rest
        return np.concatenate(found)

    def _split(self, value: int, factors: Values, rests: Values) -> Values:
        """The products p = factor * m with |value - p| among the rests, ascending."""
        if len(factors) <= len(rests):
            phrases = np.outer(factors, self.multipliers).ravel()
            phrases = phrases[self._joins(phrases, value)]
            return np.unique(phrases[is_in(np.abs(value - phrases), rests)])
        sums, differences = value - rests[rests < value], value + rests
        phrases = np.concatenate((sums[: len(sums) * self.flags.plus], differences[: len(rests) * self.flags.minus]))
        divides = [(phrases % m == 0) & is_in(phrases // m, factors) for m in self.system.multipliers]
        return np.unique(phrases[np.logical_or.reduce(divides)])

    def _in_order(self, part: Part, level: int, rules: Ways) -> Ways:
        """Put the ways that stay inside the default limit first, in their own order."""
        if part.value >= len(self.bounded.number_level) or self.bounded.level(part) != level:
            return rules
        first = self.bounded.rules(part)
        products = first.products + tuple(p for p in rules.products if p not in first.products)
        others = rules.phrases[~np.isin(rules.phrases, first.phrases)]
        return Ways(products, np.concatenate((first.phrases, others)), rules.factor)

    def _phrase_level(self, value: int) -> int:
        if self.flags.bare_phrase and value in self.system.multipliers:
            return 1
        divided = [value // m for m in self.system.multipliers if value % m == 0]
        levels = [self._factor_level(n) for n in divided]
        return 1 + min(level for level in levels if level > 0)

    def _factor_level(self, value: int) -> int:
        """The least leaves of what can be multiplied; 0 if unknown."""
        if not self.flags.flat:
            return self.level(Part(value, Role.NUMBER))
        if value < len(self.small_factors):
            return int(self.small_factors[value])
        return next((k for k, values in enumerate(self.factors) if _contains(values, value)), 0)

    def _least_factors(self) -> Values:
        """The least leaves of words and products of words in the range: nothing larger than a product is in it."""
        least = np.where(self.small == 1, 1, 0)
        level = 1
        while (least == level).any():
            made = np.outer(np.flatnonzero(least == level), self.multipliers).ravel()
            made = made[made < len(least)]
            level += 1
            least[made[least[made] == 0]] = level
        return least

    def _enumerate_to(self, level: int) -> bool:
        """List all values of each level up to this one; False when one of them would be too large."""
        while len(self.levels) <= level:
            if self._too_large(len(self.levels)):
                return False
            following = self._next_factors() if self.flags.flat else None
            self.levels.append(self._next_level())  # where every number is a factor the two lists are one
            if following is not None:
                self.factors.append(following)
        return True

    def _too_large(self, k: int) -> bool:
        pairs = len(self.factors[k - 1]) + 2 * sum(len(factors) * len(rests) for factors, rests in self._pairs(k))
        return pairs * len(self.multipliers) > LARGEST_LEVEL

    def _next_level(self) -> Values:
        k = len(self.levels)
        candidates = [np.outer(self.factors[k - 1], self.multipliers).ravel()]
        for factors, rests in self._pairs(k):
            candidates += self._joined(np.unique(np.outer(factors, self.multipliers)), rests)
        if self.flags.bare_phrase:
            candidates += self._joined(self.multipliers, self.levels[k - 1])
        return self._first_found(np.concatenate(candidates), self.levels)

    def _next_factors(self) -> Values:
        """The products of words with so many leaves, where products are without sums inside."""
        return self._first_found(np.outer(self.factors[-1], self.multipliers).ravel(), self.factors)

    def _first_found(self, candidates: Values, before: list[Values]) -> Values:
        """The candidates that have not been there before, ascending."""
        new = np.unique(candidates)
        if not self.flags.minus:
            new = new[new < len(self.small)]  # nothing shrinks, so what lies above the range does not help
        if len(new) and new[-1] > self._largest.cap:
            self._dropped = True
            new = new[new <= self._largest.cap]
        for values in before:
            new = new[~is_in(new, values)]
        return new

    def _joins(self, phrases: Values | int, values: Values | int) -> NDArray[np.bool_]:
        """Where the phrase makes the value by a sum or difference that the grammar has."""
        return np.logical_or(np.less(phrases, values) & self.flags.plus, np.greater(phrases, values) & self.flags.minus)

    def _joined(self, phrases: Values, numbers: Values) -> list[Values]:
        """All sums and differences of the phrases and numbers, as far as the grammar has them."""
        sums, differences = (operate.outer(phrases, numbers).ravel() for operate in (np.add, np.subtract))
        return [sums[: len(sums) * self.flags.plus], differences[(differences > 0) & self.flags.minus]]

    @property
    def exhausted(self) -> bool:
        """Whether no further level can have values: one of k leaves has a part of at least (k - 1) / 2 leaves."""
        if self._dropped:
            return False
        lists = zip(self.levels, self.factors, strict=True)
        last = max(k for k, (values, factors) in enumerate(lists) if len(values) or len(factors) or k == 0)
        return len(self.levels) > 2 * last + 2


def _contains(sorted_values: Values, value: int) -> bool:
    place = int(np.searchsorted(sorted_values, value))
    return place < len(sorted_values) and int(sorted_values[place]) == value
