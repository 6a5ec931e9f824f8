"""Minimal derivations: their canonical expression, how many tie, and drawing one at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ishango.numerals.expression import Expression, Operator, join, word
from ishango.numerals.grammar import GrammarFlags

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
        """Each way to make the value, in rule order."""
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
        """The canonical expression: the first way of all, with canonical parts."""
        return self._expression_of(Part(value, Role.NUMBER))

    def alternatives(self, value: int) -> Iterator[Expression]:
        """One expression for each top-level way, in rule order, with canonical parts."""
        for way in self.ways(Part(value, Role.NUMBER)):
            yield join(way.operator, self._expression_of(way.left), self._expression_of(way.right))

    def count(self, value: int) -> int:
        """The number of distinct expressions of least complexity."""
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
        """The top-level ways to make a part, in rule order; none for a single word."""
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
