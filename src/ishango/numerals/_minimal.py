"""The words that each number is said with, and the minimal language: expressions, their ties, and lists of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry, jit
from ishango.errors import RequestError
from ishango.numerals._expression import Expression, Notation, check_notation
from ishango.numerals._levels import Ints, Walk, fill_levels, fill_tables
from ishango.numerals._system import GrammarFlags, NumeralSystem, SystemLike, as_system, check_words, value_limit

# Which words each number is said with: the leaves of its canonical expression, each with its role.
#
# A lexicon is an array `words` of booleans, (2, range + 1): `words[DIGIT, n]` and `words[MULTIPLIER, n]`.

DIGIT = 0
MULTIPLIER = 1
_NUMBER, _PHRASE, _LEAF = 0, 1, 2
_TIMES, _PLUS, _MINUS = 1, 2, 3


class Levels(NamedTuple):
    """Levels of all values of a lexicon, as `fill_levels` gives them."""

    words: NDArray[np.bool_]
    multipliers: Ints
    number_level: Ints
    number_rank: Ints
    phrase_level: Ints
    phrase_rank: Ints
    phrases: NDArray[np.int64]
    """In the order of discovery."""


class CanonicalLeaves(NamedTuple):
    """The leaves of expressions, from left to right: those of number n are at `start[n] : start[n + 1]`."""

    start: NDArray[np.int64]
    word: Ints
    role: NDArray[np.int8]
    sign: NDArray[np.int8]
    """The operator in front of the leaf, 1 for times, 2 for plus, 3 for minus; 0 in front of the first one."""


@jit
def listed(mask: NDArray[np.bool_]) -> Ints:
    """The numbers of a set, ascending."""
    return np.flatnonzero(mask).astype(np.int32)


@entry
def levels_of(words: NDArray[np.bool_], flags: GrammarFlags, upto: int, limit: int) -> Levels:
    multipliers = listed(words[MULTIPLIER])
    number_level, number_rank, phrase_level, phrase_rank = fill_levels(
        listed(words[DIGIT]), multipliers, flags, upto, limit
    )
    phrases = np.zeros((phrase_level > 0).sum(), np.int64)
    for value in range(1, limit + 1):
        if phrase_level[value] > 0:
            phrases[phrase_rank[value]] = value
    return Levels(words, multipliers, number_level, number_rank, phrase_level, phrase_rank, phrases)


@jit
def is_phrase(flags: GrammarFlags, leaves: int) -> bool:
    """Whether what is multiplied, if it has so many leaves, must be a phrase: without sums inside products, no word."""
    return flags.flat and leaves > 1


@jit
def _first_factor(language: Levels, flags: GrammarFlags, value: int, level: int) -> int:
    """The number that makes the value with a multiplier at this level, first in the order of discovery; 0 if none."""
    first = 0
    levels, ranks = language.number_level, language.number_rank
    if is_phrase(flags, level - 1):
        levels, ranks = language.phrase_level, language.phrase_rank
    for multiplier in language.multipliers:
        number = value // multiplier
        if value % multiplier != 0 or levels[number] != level - 1:
            continue
        if first == 0 or ranks[number] < ranks[first]:
            first = number
    return first


@jit
def _first_phrase(language: Levels, flags: GrammarFlags, value: int, level: int) -> int:
    """The phrase that makes the value by a sum or difference at this level, first in the order of discovery."""
    for phrase in language.phrases:
        rest = abs(value - phrase)
        if rest == 0 or not (flags.plus if phrase < value else flags.minus):
            continue
        if language.number_level[rest] > 0 and language.number_level[rest] + language.phrase_level[phrase] == level:
            return phrase
    return 0


@jit
def leaf_role(words: NDArray[np.bool_], value: int, is_number: bool) -> int:
    """The role of a single word: a multiplier, also where it stands alone, unless it is a digit in a number's place."""
    return DIGIT if is_number and words[DIGIT, value] else MULTIPLIER


@entry
def canonical_leaves(language: Levels, flags: GrammarFlags, upto: int) -> CanonicalLeaves:
    """The canonical expression of every number of the range, the one that `MinimalLanguage.expression` gives."""
    start = np.zeros(upto + 2, np.int64)
    for n in range(1, upto + 1):
        start[n + 1] = start[n] + language.number_level[n]
    word, role, sign = np.zeros(start[-1], np.int32), np.zeros(start[-1], np.int8), np.zeros(start[-1], np.int8)
    room = len(language.number_level) + 2
    values, parts, signs = np.zeros(room, np.int64), np.zeros(room, np.int8), np.zeros(room, np.int8)
    for n in range(1, upto + 1):
        place, depth = start[n], 0
        if language.number_level[n] > 0:
            values[0], parts[0], signs[0], depth = n, _NUMBER, 0, 1
        while depth > 0:
            depth -= 1
            value, part = values[depth], parts[depth]
            level = int(language.phrase_level[value] if part == _PHRASE else language.number_level[value])
            if part == _LEAF or level == 1:
                word[place], role[place] = value, leaf_role(language.words, value, part == _NUMBER)
                sign[place] = signs[depth]
                place += 1
                continue
            # The right part lies below the left one, which comes first and has the operator in front of the whole.
            signs[depth + 1] = signs[depth]
            factor = _first_factor(language, flags, value, level)
            if factor > 0:
                values[depth], parts[depth], signs[depth] = value // factor, _LEAF, _TIMES
                values[depth + 1], parts[depth + 1] = factor, _PHRASE if is_phrase(flags, level - 1) else _NUMBER
            else:
                phrase = _first_phrase(language, flags, value, level)
                values[depth], parts[depth] = abs(value - phrase), _NUMBER
                signs[depth] = _PLUS if phrase < value else _MINUS
                values[depth + 1], parts[depth + 1] = phrase, _PHRASE
            depth += 2
    return CanonicalLeaves(start, word, role, sign)


def words_of(system: NumeralSystem, upto: int) -> NDArray[np.bool_]:
    """The lexicon of a system whose words all lie in 1..range."""
    words = np.zeros((2, upto + 1), np.bool_)
    words[DIGIT, list(system.digits)] = True
    words[MULTIPLIER, list(system.multipliers)] = True
    return words


def spoken(system: NumeralSystem, upto: int) -> CanonicalLeaves:
    """The leaves of a system's canonical expressions; a number that has none has no leaves."""
    check_words(system, upto)
    flags = system.rules.flags
    return canonical_leaves(levels_of(words_of(system, upto), flags, upto, value_limit(upto)), flags, upto)


@entry
def outer_bases(language: Levels, flags: GrammarFlags, upto: int) -> NDArray[np.int64]:
    """For each number from 1 up what `outer_base` gives of its canonical expression."""
    bases = np.zeros(upto, np.int64)
    for n in range(1, upto + 1):
        phrase, level = n, language.number_level[n]
        if level > 1 and _first_factor(language, flags, n, level) == 0:
            phrase = _first_phrase(language, flags, n, level)
            level = language.phrase_level[phrase]
        if level > 1:
            bases[n - 1] = phrase // _first_factor(language, flags, phrase, level)
        elif language.words[MULTIPLIER, phrase]:
            bases[n - 1] = phrase
    return bases


def minimal_language(system: SystemLike, upto: int = 99) -> MinimalLanguage:
    """The minimal language of a system over 1..range.

    Every intermediate value lies in 1..2 * range + 2, as in the published work.

    Args:
        system: the numeral system, a language, or text such as `1-9,11 | 10`.
        upto: numbers from 1 to this one.

    Returns:
        For each number its complexity, an expression of that complexity, and how many others tie.

    >>> language = minimal_language("1-9 | 10")
    >>> str(language.expression(21)), language.complexity(21)
    ('2 * 10 + 1', 5)
    """
    return MinimalLanguage(as_system(system), upto)


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
        """The canonical expression."""
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


MOST_TIES = 10**12
"""Ties beyond this are given as this many: pages read larger numbers as floats."""


class Line(NamedTuple):
    """One number of a listing."""

    number: int
    expression: str
    leaves: int
    ties: int


def listing(system: NumeralSystem, upto: int = 99) -> list[Line]:
    """Each number of 1..range that has an expression.

    >>> listing(NumeralSystem.parse("1-9,11 | 10"))[20]
    Line(number=21, expression='1 * 10 + 11', leaves=3, ties=3)
    """
    language = MinimalLanguage(system, upto)
    least = language.leaves.tolist()
    return [
        Line(number, str(language.expression(number)), least[number - 1], min(language.ties(number), MOST_TIES))
        for number in language
    ]
