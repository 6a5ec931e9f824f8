"""Minimal expressions level by level: the kernel that fills tables, and the derivations in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry, jit
from ishango.numerals._expression import Expression, Operator, join, word
from ishango.numerals._system import GrammarFlags, NumeralSystem

Bits = NDArray[np.uint64]


@jit
def contains(bits: Bits, value: int) -> bool:
    return (bits[value >> 6] >> np.uint64(value & 63)) & np.uint64(1) != 0


@jit
def insert(bits: Bits, value: int) -> None:
    bits[value >> 6] |= np.uint64(1) << np.uint64(value & 63)


@jit
def mirror(bits: Bits, limit: int, out: Bits) -> None:
    """Make `out` the set of limit - v for each v of the set."""
    out[:] = 0
    for value in range(1, limit + 1):
        if contains(bits, value):
            insert(out, limit - value)


@jit
def or_shifted_up(out: Bits, bits: Bits, by: int) -> None:
    """out |= bits << by: the sums of one phrase with a whole level of numbers."""
    skip = by >> 6
    shift = np.uint64(by & 63)
    if shift == 0:
        for w in range(skip, len(out)):
            out[w] |= bits[w - skip]
        return
    back = np.uint64(64) - shift
    out[skip] |= bits[0] << shift
    for w in range(skip + 1, len(out)):
        out[w] |= (bits[w - skip] << shift) | (bits[w - skip - 1] >> back)


@jit
def or_shifted_down(out: Bits, bits: Bits, by: int) -> None:
    """out |= bits >> by: with mirrored bits, the differences of one phrase and a whole level of numbers."""
    skip = by >> 6
    shift = np.uint64(by & 63)
    last = len(out) - 1 - skip
    if shift == 0:
        for w in range(last + 1):
            out[w] |= bits[w + skip]
        return
    back = np.uint64(64) - shift
    for w in range(last):
        out[w] |= (bits[w + skip] >> shift) | (bits[w + skip + 1] << back)
    out[last] |= bits[len(out) - 1] >> shift


# The kernel behind the minimal language: every value up to the limit, level by level, in rule order.

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Tables:
    """For each value 1..limit the level (leaves) at which it was first found, and its place in that order.

    A level of 0 says that the value cannot be derived with every value inside the limit, or that the search
    ended before because the range was covered. Arrays are indexed by value: `level: (limit + 1,)`.
    """

    multipliers: tuple[int, ...]
    flags: GrammarFlags
    number_level: Ints
    number_rank: Ints
    phrase_level: Ints
    phrase_rank: Ints
    phrases: NDArray[np.int64]
    """All phrases in the order of discovery, and so by level."""

    def level(self, part: Part) -> int:
        """The least leaves of a number or phrase; 0 when it was not found."""
        return int((self.phrase_level if part.role == Role.PHRASE else self.number_level)[part.value])

    def rules(self, part: Part) -> Ways:
        level = self.level(part)
        if level <= 1:
            return Ways()
        factor = factor_role(self.flags, level)
        products = self._products(part.value, level, factor)
        if part.role == Role.PHRASE:
            return Ways(products, factor=factor)
        return Ways(products, self._phrases(part.value, level), factor)

    def _products(self, value: int, level: int, factor: Role) -> tuple[tuple[int, int], ...]:
        phrase = factor == Role.PHRASE
        levels, ranks = (self.phrase_level, self.phrase_rank) if phrase else (self.number_level, self.number_rank)
        pairs = [(value // m, m) for m in self.multipliers if value % m == 0]
        minimal = [(n, m) for n, m in pairs if levels[n] == level - 1]
        return tuple(sorted(minimal, key=lambda pair: (ranks[pair[0]], pair[1])))

    def _phrases(self, value: int, level: int) -> NDArray[np.int64]:
        signed = value - self.phrases
        rest = np.abs(signed)
        minimal = ((signed > 0) & self.flags.plus) | ((signed < 0) & self.flags.minus)
        minimal &= self.number_level[rest] > 0
        minimal &= self.number_level[rest] + self.phrase_level[self.phrases] == level
        return self.phrases[minimal]


def fill_tables(system: NumeralSystem, upto: int, limit: int) -> Tables:
    """Search the values 1..limit until 1..range is covered or nothing new can come."""
    flags = system.rules.flags
    number_level, number_rank, phrase_level, phrase_rank = fill_levels(
        np.array(system.digits, dtype=np.int32),
        np.array(system.multipliers, dtype=np.int32),
        flags,
        upto,
        limit,
    )
    phrases = np.flatnonzero(phrase_level)
    phrases = phrases[np.argsort(phrase_rank[phrases])].astype(np.int64)
    return Tables(system.multipliers, flags, number_level, number_rank, phrase_level, phrase_rank, phrases)


@entry
def fill_levels(
    digits: Ints, multipliers: Ints, flags: GrammarFlags, upto: int, limit: int
) -> tuple[Ints, Ints, Ints, Ints]:
    """The kernel of `fill_tables`: level and rank of numbers, then of phrases, indexed by value."""
    number_level = np.zeros(limit + 1, np.int32)
    phrase_level = np.zeros(limit + 1, np.int32)
    number_rank = np.zeros(limit + 1, np.int32)
    phrase_rank = np.zeros(limit + 1, np.int32)
    numbers = np.empty(limit, np.int32)  # in the order of discovery
    phrases = np.empty(limit, np.int32)
    # numbers[number_start[k] : number_start[k + 1]] were first found at level k; level 0 is empty.
    number_start = np.zeros(64, np.int32)
    phrase_start = np.zeros(64, np.int32)
    n_numbers = n_phrases = uncovered = 0
    for digit in digits:
        number_level[digit] = 1
        number_rank[digit] = n_numbers
        numbers[n_numbers] = digit
        n_numbers += 1
    for multiplier in multipliers:
        if flags.bare_phrase:
            phrase_level[multiplier] = 1
            phrase_rank[multiplier] = n_phrases
            phrases[n_phrases] = multiplier
            n_phrases += 1
        if flags.bare_number and number_level[multiplier] == 0:
            number_level[multiplier] = 1
            number_rank[multiplier] = n_numbers
            numbers[n_numbers] = multiplier
            n_numbers += 1
    for n in range(1, upto + 1):
        uncovered += number_level[n] == 0
    level = last_new = 1
    number_start[2] = n_numbers
    phrase_start[2] = n_phrases
    while uncovered > 0 and level < 2 * last_new:
        level += 1
        if level + 2 > len(number_start):
            number_start = np.append(number_start, np.zeros_like(number_start))
            phrase_start = np.append(phrase_start, np.zeros_like(phrase_start))
        before = n_numbers + n_phrases
        # What is multiplied: a number, or, without sums inside products, a word or a phrase.
        factors, start = (phrases, phrase_start) if flags.flat and level > 2 else (numbers, number_start)
        for i in range(start[level - 1], start[level]):
            for multiplier in multipliers:
                value = np.int64(factors[i]) * multiplier
                if value > limit or phrase_level[value] > 0:
                    continue
                phrase_level[value] = level
                phrase_rank[value] = n_phrases
                phrases[n_phrases] = value
                n_phrases += 1
                if number_level[value] == 0:
                    number_level[value] = level
                    number_rank[value] = n_numbers
                    numbers[n_numbers] = value
                    n_numbers += 1
                    uncovered -= value <= upto
        for x in range(1, level):
            first = number_start[level - x]
            last = number_start[level - x + 1]
            if first == last:
                continue
            for i in range(phrase_start[x], phrase_start[x + 1]):
                phrase = phrases[i]
                for j in range(first, last):
                    for sign in (1, -1):
                        if not (flags.plus if sign == 1 else flags.minus):
                            continue
                        value = phrase + sign * numbers[j]
                        if 0 < value <= limit and number_level[value] == 0:
                            number_level[value] = level
                            number_rank[value] = n_numbers
                            numbers[n_numbers] = value
                            n_numbers += 1
                            uncovered -= value <= upto
        number_start[level + 1] = n_numbers
        phrase_start[level + 1] = n_phrases
        if n_numbers + n_phrases > before:
            last_new = level
    return number_level, number_rank, phrase_level, phrase_rank


# Minimal derivations: their canonical expression, how many tie, and drawing one at random.

T = TypeVar("T")


class Role(IntEnum):
    """What a value stands for in the grammar."""

    MULTIPLIER = 0
    NUMBER = 1
    PHRASE = 2


class Part(NamedTuple):
    """A value in one of the roles of the grammar."""

    value: int
    role: Role


class Way(NamedTuple):
    """One top-level step of a derivation."""

    operator: Operator
    left: Part
    right: Part


@dataclass(frozen=True, slots=True)
class Ways:
    """All top-level ways of least complexity to make a value, in rule order; none for a single word.

    `products` are pairs (number, multiplier); `phrases` are the phrases p that make the value n by a sum
    p + (n - p) or a difference p - (p - n).
    """

    products: tuple[tuple[int, int], ...] = ()
    phrases: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    factor: Role = Role.NUMBER
    """What the numbers of `products` are: without sums inside products a phrase, if it is not a word."""

    def ways(self, value: int) -> Iterator[Way]:
        for number, multiplier in self.products:
            yield Way("*", Part(number, self.factor), Part(multiplier, Role.MULTIPLIER))
        for phrase in map(int, self.phrases):
            operator: Operator = "+" if phrase < value else "-"
            yield Way(operator, Part(phrase, Role.PHRASE), Part(abs(value - phrase), Role.NUMBER))


def factor_role(flags: GrammarFlags, level: int) -> Role:
    """What is multiplied in a product of so many leaves: a number, or, without sums inside products, a phrase.

    A word, of one leaf, is a number in either case.
    """
    return Role.PHRASE if flags.flat and level > 2 else Role.NUMBER


class Derivations(Protocol):
    """What a search for minimal expressions leaves behind. Levels are leaves; level 0 means not derived."""

    def level(self, part: Part) -> int:
        """The least leaves of a number or phrase."""
        ...

    def rules(self, part: Part) -> Ways:
        """Every way to make the number or phrase with its least leaves."""
        ...


class Walk:
    """Expressions and counts, built from those of the parts, each computed once and without recursion."""

    def __init__(self, source: Derivations) -> None:
        self.source = source
        self._rules: dict[Part, Ways] = {}
        self._expressions: dict[Part, Expression] = {}
        self._counts: dict[Part, int] = {}

    def expression(self, value: int) -> Expression:
        """The canonical expression: the first way, with canonical parts."""
        return self._expression_of(Part(value, Role.NUMBER))

    def alternatives(self, value: int) -> Iterator[Expression]:
        """One expression for each top-level way, in rule order, with canonical parts."""
        for way in self.ways(Part(value, Role.NUMBER)):
            yield join(way.operator, self._expression_of(way.left), self._expression_of(way.right))

    def count(self, value: int) -> int:
        """How many expressions have the least complexity."""
        part = Part(value, Role.NUMBER)
        self._compute(part, self._counts, self._count, self.ways)
        return self._counts[part]

    def sample(self, value: int, rng: np.random.Generator) -> Expression:
        """An expression drawn uniformly from all of least complexity."""
        self.count(value)
        done: list[Expression] = []
        todo: list[Part | Operator] = [Part(value, Role.NUMBER)]
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                right = done.pop()
                done.append(join(item, done.pop(), right))
            elif (way := self._draw(item, rng)) is None:
                done.append(word(item.value))
            else:
                todo += (way.operator, way.right, way.left)
        return done[0]

    def ways(self, part: Part) -> Iterator[Way]:
        """The top-level ways to make a part, in rule order."""
        if part not in self._rules:
            self._rules[part] = Ways() if part.role == Role.MULTIPLIER else self.source.rules(part)
        return self._rules[part].ways(part.value)

    def _first_way(self, part: Part) -> list[Way]:
        return list(islice(self.ways(part), 1))

    def _compute(
        self,
        part: Part,
        known: dict[Part, T],
        compute: Callable[[Part], T],
        ways: Callable[[Part], Iterable[Way]],
    ) -> None:
        """Fill `known` for the part and all below it, least leaves first."""
        if part in known:
            return
        found = {part}
        stack = [part]
        while stack:
            for _, *below in ways(stack.pop()):
                fresh = [each for each in below if each not in known and each not in found]
                found.update(fresh)
                stack += fresh
        for each in sorted(found, key=self._leaves):
            known[each] = compute(each)

    def _leaves(self, part: Part) -> int:
        return 1 if part.role == Role.MULTIPLIER else self.source.level(part)

    def _expression_of(self, part: Part) -> Expression:
        self._compute(part, self._expressions, self._canonical, self._first_way)
        return self._expressions[part]

    def _canonical(self, part: Part) -> Expression:
        for operator, left, right in self._first_way(part):
            return join(operator, self._expressions[left], self._expressions[right])
        return word(part.value)

    def _count(self, part: Part) -> int:
        return sum(self._counts[left] * self._counts[right] for _, left, right in self.ways(part)) or 1

    def _draw(self, part: Part, rng: np.random.Generator) -> Way | None:
        """A way with probability proportional to the expressions it leads to; None for a single word."""
        ways = [*self.ways(part)]
        if not ways:
            return None
        ticket = _below(rng, self._counts[part])
        for way in ways:
            ticket -= self._counts[way.left] * self._counts[way.right]
            if ticket < 0:
                return way
        raise AssertionError("the ways of a part add up to its count")


def _below(rng: np.random.Generator, bound: int) -> int:
    """A uniform integer in 0..bound-1; counts of tied expressions outgrow 64 bits."""
    n_bytes = (bound.bit_length() + 7) // 8
    while True:
        drawn = int.from_bytes(rng.bytes(n_bytes), "little") >> (8 * n_bytes - bound.bit_length())
        if drawn < bound:
            return drawn
