"""L_min: for every number of the range an expression of least complexity."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.numerals.derivations import Walk
from ishango.numerals.expression import Expression, Notation, check_notation
from ishango.numerals.levels import fill_tables
from ishango.numerals.system import NumeralSystem, check_words, value_limit


def minimal_language(system: NumeralSystem, upto: int = 99) -> MinimalLanguage:
    """The minimal language of a system over 1..range.

    Every intermediate value lies in 1..2 * range + 2, as in the published work.

    Args:
        system: the numeral system.
        upto: numbers from 1 to this one.

    Returns:
        For each number its complexity, an expression of that complexity, and how many others tie.

    >>> language = minimal_language(NumeralSystem.parse("1-9 | 10"))
    >>> str(language.expression(21)), language.complexity(21)
    ('2 * 10 + 1', 5)
    """
    return MinimalLanguage(system, upto)


class MinimalLanguage:
    """The numbers 1..range with their least complexity, canonical expression and tied expressions.

    The canonical expression is the first that the search meets: digits, then multipliers where they are numerals,
    ascending; at each further level the numbers of the level before in the order of their discovery times the
    multipliers ascending; then every phrase, shorter ones first, plus and minus every number that completes the level.
    """

    def __init__(self, system: NumeralSystem, upto: int) -> None:
        self.limit = value_limit(upto)
        check_words(system, upto)
        self.system = system
        self.upto = upto
        self._tables = fill_tables(system, upto, self.limit)
        self._walk = Walk(self._tables)
        self._least = self.leaves  # looked into for every number, and an array of the whole range each time

    def __repr__(self) -> str:
        return f"<minimal language of {self.system} ({self.system.grammar}) over 1 to {self.upto}>"

    @property
    def leaves(self) -> NDArray[np.int64]:
        """The least leaves of 1..range as an array; 0 for missing numbers."""
        return self._tables.number_level[1 : self.upto + 1].astype(np.int64)

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of the range that have no expression, ascending."""
        return tuple((np.flatnonzero(self.leaves == 0) + 1).tolist())

    @property
    def covers(self) -> bool:
        """Whether every number of the range has an expression."""
        return bool(self.leaves.all())

    def __iter__(self) -> Iterator[int]:
        """The numbers that have an expression, ascending."""
        return iter((np.flatnonzero(self.leaves) + 1).tolist())

    def complexity(self, number: int) -> int:
        """The least number of symbols that express the number."""
        return 2 * int(self._least[self._known(number) - 1]) - 1

    def expression(self, number: int) -> Expression:
        """The canonical expression of least complexity."""
        return self._walk.expression(self._known(number))

    @property
    def expressions(self) -> dict[int, Expression]:
        """The canonical expression of every number that has one."""
        return {number: self.expression(number) for number in self}

    def ties(self, number: int) -> int:
        """How many distinct expressions have the least complexity."""
        return self._walk.count(self._known(number))

    @property
    def languages(self) -> int:
        """How many distinct minimal languages there are: each number chooses among its ties independently."""
        return math.prod(self.ties(number) for number in self)

    def sample(self, rng: np.random.Generator) -> dict[int, Expression]:
        """A minimal language drawn uniformly: for every number one of its tied expressions."""
        return {number: self._walk.sample(number, rng) for number in self}

    def tokens(self, notation: Notation = "infix") -> dict[int, tuple[str, ...]]:
        """Every number's expression as a token string for agents.

        Infix has no brackets, so that two numbers may come to share a string. Then, numbers ascending, each takes
        its first top-level alternative whose string no smaller number has; see `clashes` for what remains.
        """
        if check_notation(notation) != "infix":
            return {number: self.expression(number).tokens(notation) for number in self}
        owners: dict[tuple[str, ...], int] = {}
        strings: dict[int, tuple[str, ...]] = {}
        for number in self:
            canonical = self.expression(number).tokens()
            if canonical in owners:
                alternatives = (each.tokens() for each in self._walk.alternatives(number))
                strings[number] = next((each for each in alternatives if each not in owners), canonical)
            else:
                strings[number] = canonical
            owners.setdefault(strings[number], number)
        return strings

    @property
    def clashes(self) -> tuple[tuple[int, ...], ...]:
        """The groups of numbers that share a bracketless string for want of an alternative."""
        numbers_of: dict[tuple[str, ...], list[int]] = {}
        for number, string in self.tokens().items():
            numbers_of.setdefault(string, []).append(number)
        return tuple(tuple(numbers) for numbers in numbers_of.values() if len(numbers) > 1)

    def _known(self, number: int) -> int:
        if not 1 <= number <= self.upto:
            raise RequestError(f"The number {number} lies outside the range 1..{self.upto}.")
        if self._least[number - 1] == 0:
            raise RequestError(f"The system {self.system} has no expression for {number}.")
        return number
