"""Averages of one system and of many at once, and how often the base of a language changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry, jit
from ishango.errors import RequestError
from ishango.numerals._expression import Expression
from ishango.numerals._levels import Bits, contains, insert, mirror, or_shifted_down, or_shifted_up
from ishango.numerals._minimal import MinimalLanguage, minimal_language
from ishango.numerals._need import Need
from ishango.numerals._system import (
    MODIFIED,
    GrammarFlags,
    GrammarName,
    NumeralSystem,
    SystemLike,
    as_grammar,
    check_range,
    check_words,
    value_limit,
)


def average_complexity(system: SystemLike, need: Need | str = "power:2", upto: int = 99) -> float | None:
    """The need-weighted average complexity of the minimal language; None where the range is not covered.

    Args:
        system: the numeral system, a language, or text such as `1-9,11 | 10`.
        need: how often each number is needed, such as `power:2`.
        upto: numbers from 1 to this one count.

    >>> round(average_complexity("1-11 | 12"), 6)
    1.175054
    """
    return language_average(minimal_language(system, upto), need)


def language_average(language: MinimalLanguage, need: Need | str = "power:2") -> float | None:
    """The average complexity of a minimal language that is already there."""
    if not language.covers:
        return None
    weights = Need.parse(need).weights(language.upto)
    return math.fsum((weights * (2 * language.leaves - 1)).tolist())


def missing(system: NumeralSystem, upto: int = 99) -> tuple[int, ...]:
    """The numbers of 1..range that the system cannot express."""
    return minimal_language(system, upto).missing


def outer_base(expression: Expression, system: NumeralSystem) -> int:
    """The multiplier of the outermost phrase; 0 for a bare digit.

    >>> from ishango.numerals import minimal_language
    >>> system = NumeralSystem.parse("1-9 | 10")
    >>> outer_base(minimal_language(system).expression(21), system)
    10
    """
    phrase = expression.left if expression.operator in ("+", "-") and expression.left else expression
    if phrase.operator == "*" and phrase.right:
        return phrase.right.value
    return phrase.value if phrase.value in system.multipliers else 0


def changes(bases: Sequence[int]) -> int:
    """On how many steps from a number to the next the base changes: where it does, structure is hard to predict.

    >>> changes((0, 0, 5, 5, 7, 5))
    3
    """
    return sum(one != other for one, other in pairwise(bases))


def distinct(bases: Sequence[int]) -> int:
    """How many bases there are, those of bare digits aside."""
    return len(set(bases) - {0})


# Many systems at once: the least number of leaves for every number, with sets of values as bits of words.

Masks = NDArray[np.bool_]
"""One row a system, one column a number 1..range: whether the number is in the set."""

Mask = NDArray[np.bool_]
Leaves = NDArray[np.int32]


def masks(systems: Sequence[NumeralSystem], upto: int) -> tuple[Masks, Masks]:
    """Digits and multipliers of systems as masks `(systems, range)`, the form that the batch evaluator takes."""
    digits = np.zeros((len(systems), upto), dtype=np.bool_)
    multipliers = np.zeros_like(digits)
    for row, system in enumerate(systems):
        check_words(system, upto)
        digits[row, np.array(system.digits, dtype=np.intp) - 1] = True
        multipliers[row, np.array(system.multipliers, dtype=np.intp) - 1] = True
    return digits, multipliers


def system_of(lexicon: Mask, grammar: GrammarName) -> NumeralSystem:
    """The system of one mask, `(2 x range)` or `(2, range)`: digits, then multipliers."""
    digits, multipliers = (tuple((np.flatnonzero(half) + 1).tolist()) for half in lexicon.reshape(2, -1))
    return NumeralSystem(digits, multipliers, grammar)


ENDLESS = 2**30
"""More leaves than any expression has."""


def leaves_of_many(
    digits: Masks, multipliers: Masks, grammar: GrammarName = MODIFIED.name, most: int = ENDLESS
) -> Leaves:
    """The least leaves of each number for each system, `(systems, range)`; 0 where the number is missing.

    A number is missing when no derivation with all values up to the limit, and at most so many leaves, reaches it.
    Systems are given as masks, see `masks`.
    """
    limit = value_limit(digits.shape[1])
    if digits.shape != multipliers.shape:
        raise RequestError(f"The masks differ in shape: {digits.shape} and {multipliers.shape}.")
    leaves = np.zeros(digits.shape, dtype=np.int32)
    flags = as_grammar(grammar).flags
    fill_many(np.ascontiguousarray(digits), np.ascontiguousarray(multipliers), flags, limit, leaves, most)
    return leaves


def evaluate_many(
    systems: Sequence[NumeralSystem], need: Need | str = "power:2", upto: int = 99
) -> NDArray[np.float64]:
    """The average complexity of each system, NaN where it does not cover the range; all of one grammar.

    >>> evaluate_many([NumeralSystem.parse("1-9,11 | 10"), NumeralSystem.parse("2 | 4")]).round(6).tolist()
    [1.19366, nan]
    """
    if not systems:
        return np.zeros(0)
    grammar = systems[0].grammar
    if any(system.grammar != grammar for system in systems):
        raise RequestError("The batch evaluator takes systems of one grammar at a time.")
    check_range(upto)  # refuses a wrong range before anything is made of it
    leaves = leaves_of_many(*masks(systems, upto), grammar)
    return averages(leaves, Need.parse(need).weights(upto))


def averages(leaves: Leaves, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average complexities from least leaves `(systems, range)`; NaN where a number is missing."""
    average = (2.0 * leaves - 1.0) @ weights
    average[(leaves == 0).any(axis=1)] = np.nan
    return average


@entry
def fill_many(digits: Masks, multipliers: Masks, flags: GrammarFlags, limit: int, leaves: Leaves, most: int) -> None:
    """The kernel of `leaves_of_many`: fill the rows of `leaves`, which come as zeros."""
    n_words = limit // 64 + 1
    inside = np.zeros(n_words, np.uint64)  # the bits 1..limit
    for value in range(1, limit + 1):
        insert(inside, value)
    levels = np.zeros((16, n_words), np.uint64)  # levels[k]: the numbers first found at level k
    mirrored = np.zeros((16, n_words), np.uint64)  # bit limit - n for each number n of levels[k]
    phrases = np.empty(limit, np.int64)
    phrase_start = np.zeros(18, np.int64)
    for row in range(len(digits)):
        level = last_new = 1
        found, n_found, n_phrases = _first_level(digits[row], multipliers[row], flags, n_words, phrases, leaves[row])
        seen_phrases = np.zeros(n_words, np.uint64)
        for i in range(n_phrases):
            insert(seen_phrases, phrases[i])
        older = seen_phrases.copy()  # the phrases that have been multiplied, where products are without sums inside
        phrase_start[2] = n_phrases
        levels[1] = found
        mirror(found, limit, mirrored[1])
        while n_found < leaves.shape[1] and level < min(most, 2 * last_new):
            level += 1
            if level == len(levels):
                levels = np.concatenate((levels, np.zeros_like(levels)))
                mirrored = np.concatenate((mirrored, np.zeros_like(mirrored)))
                phrase_start = np.append(phrase_start, np.zeros_like(phrase_start))
            new = levels[level]
            new[:] = 0
            factors = levels[level - 1]
            if flags.flat and level > 2:
                factors = seen_phrases & ~older
                older[:] = seen_phrases
            n_phrases = _multiply(factors, multipliers[row], limit, seen_phrases, new, phrases, n_phrases)
            phrase_start[level + 1] = n_phrases
            for x in range(1, level):
                for i in range(phrase_start[x], phrase_start[x + 1]):
                    if flags.plus:
                        or_shifted_up(new, levels[level - x], phrases[i])
                    if flags.minus:
                        or_shifted_down(new, mirrored[level - x], limit - phrases[i])
            any_new = phrase_start[level + 1] > phrase_start[level]
            for w in range(n_words):
                new[w] &= inside[w] & ~found[w]
                found[w] |= new[w]
                any_new |= new[w] != 0
            if any_new:
                last_new = level
                mirror(new, limit, mirrored[level])
                n_found += _record(new, level, leaves[row])
            else:
                mirrored[level] = 0


@jit
def _first_level(
    digits: Mask, multipliers: Mask, flags: GrammarFlags, n_words: int, phrases: NDArray[np.int64], leaves: Leaves
) -> tuple[Bits, int, int]:
    """The words: the set of them, how many they are, and how many of them are phrases."""
    found = np.zeros(n_words, np.uint64)
    n_found = n_phrases = 0
    for i in range(len(digits)):
        if flags.bare_phrase and multipliers[i]:
            phrases[n_phrases] = i + 1
            n_phrases += 1
        if digits[i] or (flags.bare_number and multipliers[i]):
            insert(found, i + 1)
            leaves[i] = 1
            n_found += 1
    return found, n_found, n_phrases


@jit
def _multiply(
    numbers: Bits,
    multipliers: Mask,
    limit: int,
    seen: Bits,
    new: Bits,
    phrases: NDArray[np.int64],
    n_phrases: int,
) -> int:
    """The phrases first found here: the newest numbers times each multiplier."""
    for i in range(len(multipliers)):
        if multipliers[i]:
            for value in range(1, limit // (i + 1) + 1):
                if contains(numbers, value) and not contains(seen, value * (i + 1)):
                    insert(seen, value * (i + 1))
                    insert(new, value * (i + 1))
                    phrases[n_phrases] = value * (i + 1)
                    n_phrases += 1
    return n_phrases


@jit
def _record(new: Bits, level: int, leaves: Leaves) -> int:
    """Note the level for each new number of the range; returns how many they are."""
    count = 0
    for i in range(len(leaves)):
        if contains(new, i + 1):
            leaves[i] = level
            count += 1
    return count
