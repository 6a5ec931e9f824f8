# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Which words each number is said with: the leaves of its expression, each with its role.

A lexicon is an array `words` of booleans, (2, upto + 1): `words[DIGIT, n]` and `words[MULTIPLIER, n]`.
"""

from typing import NamedTuple

import numpy as np

from ishango.compiling import entry, jit
from ishango.numerals.levels import fill_levels

DIGIT, MULTIPLIER = 0, 1
_NUMBER, _PHRASE, _WORD = 0, 1, 2


class Language(NamedTuple):
    """Levels of all values of a lexicon, as `numerals.levels` has them, with what it takes to follow derivations."""

    words: np.ndarray
    multipliers: np.ndarray
    number_level: np.ndarray
    number_rank: np.ndarray
    phrase_level: np.ndarray
    phrase_rank: np.ndarray
    phrases: np.ndarray
    """In the order of discovery."""


class Said(NamedTuple):
    """The leaves of expressions, from left to right: those of number n are at `start[n] : start[n + 1]`."""

    start: np.ndarray
    word: np.ndarray
    role: np.ndarray


@jit
def listed(mask):
    """The numbers of a set, ascending."""
    return np.flatnonzero(mask).astype(np.int32)


@entry
def covers(words, flags, upto, limit):
    """Whether the lexicon is a numeral system that has an expression for every number of the range."""
    if not words[MULTIPLIER].any() or not (flags.bare_number or words[DIGIT].any()):
        return False
    levels = fill_levels(listed(words[DIGIT]), listed(words[MULTIPLIER]), flags, upto, limit)[0]
    return bool((levels[1 : upto + 1] > 0).all())


@entry
def language_of(words, flags, upto, limit):
    """The levels of a lexicon that covers the range."""
    multipliers = listed(words[MULTIPLIER])
    number_level, number_rank, phrase_level, phrase_rank = fill_levels(
        listed(words[DIGIT]), multipliers, flags, upto, limit
    )
    phrases = np.zeros((phrase_level > 0).sum(), np.int64)
    for value in range(1, limit + 1):
        if phrase_level[value] > 0:
            phrases[phrase_rank[value]] = value
    return Language(words, multipliers, number_level, number_rank, phrase_level, phrase_rank, phrases)


@jit
def is_phrase(flags, leaves):
    """Whether what is multiplied, if it has so many leaves, must be a phrase: without sums inside products, no word."""
    return flags.flat and leaves > 1


@jit
def first_factor(language, flags, value, level):
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
def first_phrase(language, flags, value, level):
    """The phrase that makes the value by a sum or difference at this level, first in the order of discovery."""
    for phrase in language.phrases:
        rest = abs(value - phrase)
        if rest == 0 or not (flags.plus if phrase < value else flags.minus):
            continue
        if language.number_level[rest] > 0 and language.number_level[rest] + language.phrase_level[phrase] == level:
            return phrase
    return 0


@jit
def leaf_role(words, value, part):
    """The role of a single word: a multiplier, also where it stands alone, unless it is a digit in a number's place."""
    return DIGIT if part == _NUMBER and words[DIGIT, value] else MULTIPLIER


@entry
def said(language, flags, upto):
    """The canonical expression of every number of the range, the one that `MinimalLanguage.expression` gives."""
    start = np.zeros(upto + 2, np.int64)
    for n in range(1, upto + 1):
        start[n + 1] = start[n] + language.number_level[n]
    word, role = np.zeros(start[-1], np.int32), np.zeros(start[-1], np.int8)
    values, parts = (
        np.zeros(len(language.number_level) + 2, np.int64),
        np.zeros(len(language.number_level) + 2, np.int8),
    )
    for n in range(1, upto + 1):
        place, depth = start[n], 0
        if language.number_level[n] > 0:
            values[0], parts[0], depth = n, _NUMBER, 1
        while depth > 0:
            depth -= 1
            value, part = values[depth], parts[depth]
            level = language.phrase_level[value] if part == _PHRASE else language.number_level[value]
            if part == _WORD or level == 1:
                word[place], role[place] = value, leaf_role(language.words, value, part)
                place += 1
                continue
            factor = first_factor(language, flags, value, level)
            if factor > 0:
                values[depth], parts[depth] = value // factor, _WORD
                values[depth + 1], parts[depth + 1] = factor, _PHRASE if is_phrase(flags, level - 1) else _NUMBER
            else:
                phrase = first_phrase(language, flags, value, level)
                values[depth], parts[depth] = abs(value - phrase), _NUMBER
                values[depth + 1], parts[depth + 1] = phrase, _PHRASE
            depth += 2
    return Said(start, word, role)


@entry
def outer_bases(language, flags, upto):
    """For each number from 1 up what `numerals.bases.outer_base` gives of its canonical expression."""
    bases = np.zeros(upto, np.int64)
    for n in range(1, upto + 1):
        phrase, level = n, language.number_level[n]
        if level > 1 and first_factor(language, flags, n, level) == 0:
            phrase = first_phrase(language, flags, n, level)
            level = language.phrase_level[phrase]
        if level > 1:
            bases[n - 1] = phrase // first_factor(language, flags, phrase, level)
        elif language.words[MULTIPLIER, phrase]:
            bases[n - 1] = phrase
    return bases


@entry
def use_of(said_, need, upto):
    """How often each word is used in each role: P(n) summed over the numbers whose expression contains it."""
    use = np.zeros((2, upto + 1))
    last = np.zeros((2, upto + 1), np.int64)  # the last number that was counted for a word
    for n in range(1, upto + 1):
        for i in range(said_.start[n], said_.start[n + 1]):
            role, word = said_.role[i], said_.word[i]
            if last[role, word] != n:
                last[role, word] = n
                use[role, word] += need[n - 1]
    return use


class Ways(NamedTuple):
    """How many expressions there are of each value by leaves: `numbers[k, value]`, `phrases[k, value]`."""

    numbers: np.ndarray
    phrases: np.ndarray


@entry
def count_ways(language, flags, most):
    """Count the expressions of up to `most` leaves, every value of which lies inside the limit."""
    size = len(language.number_level)
    numbers, phrases = np.zeros((most + 1, size)), np.zeros((most + 1, size))
    for word in range(1, language.words.shape[1]):
        if language.words[MULTIPLIER, word] and flags.bare_phrase:
            phrases[1, word] = 1
        if language.words[DIGIT, word] or (language.words[MULTIPLIER, word] and flags.bare_number):
            numbers[1, word] = 1
    for k in range(2, most + 1):
        factors = phrases[k - 1] if is_phrase(flags, k - 1) else numbers[k - 1]
        for multiplier in language.multipliers:
            for number in range(1, (size - 1) // multiplier + 1):
                phrases[k, number * multiplier] += factors[number]
        numbers[k] += phrases[k]
        for x in range(1, k):
            for phrase in range(1, size):  # also those that the search for the shortest never came to
                if phrases[x, phrase] == 0:
                    continue
                for rest in range(1, size):
                    ways = phrases[x, phrase] * numbers[k - x, rest]
                    if flags.plus and phrase + rest < size:
                        numbers[k, phrase + rest] += ways
                    if flags.minus and phrase > rest:
                        numbers[k, phrase - rest] += ways
    return Ways(numbers, phrases)


@jit
def product_drawn(language, ways, flags, value, leaves, ticket):
    """The number of the product that the ticket falls on, or 0, and what is left of the ticket."""
    factors = ways.phrases if is_phrase(flags, leaves - 1) else ways.numbers
    for multiplier in language.multipliers:
        if value % multiplier == 0:
            number = value // multiplier
            ticket -= factors[leaves - 1, number]
            if ticket < 0:
                return number, ticket
    return 0, ticket


@jit
def phrase_drawn(ways, flags, value, leaves, ticket):
    """The phrase of the sum or difference that the ticket falls on, and its leaves."""
    last, last_leaves = 0, 0  # for a ticket that rounding has put beyond the end
    for x in range(1, leaves):
        for phrase in range(1, ways.phrases.shape[1]):
            rest = abs(value - phrase)
            if rest == 0 or not (flags.plus if phrase < value else flags.minus):
                continue
            these = ways.phrases[x, phrase] * ways.numbers[leaves - x, rest]
            if these > 0:
                last, last_leaves = phrase, x
                ticket -= these
                if ticket < 0:
                    return last, last_leaves
    return last, last_leaves


@entry
def say_any(language, ways, flags, number, leaves, heard, rng):
    """Mark in `heard` the words of an expression drawn uniformly from those of the number with so many leaves."""
    values, parts, sizes = np.zeros(leaves + 2, np.int64), np.zeros(leaves + 2, np.int8), np.zeros(leaves + 2, np.int64)
    values[0], parts[0], sizes[0], depth = number, _NUMBER, leaves, 1
    while depth > 0:
        depth -= 1
        value, part, size = values[depth], parts[depth], sizes[depth]
        if part == _WORD or size == 1:
            heard[leaf_role(language.words, value, part), value] = True
            continue
        counts = ways.phrases if part == _PHRASE else ways.numbers
        factor, ticket = product_drawn(language, ways, flags, value, size, rng.random() * counts[size, value])
        if factor > 0:
            part = _PHRASE if is_phrase(flags, size - 1) else _NUMBER
            values[depth], parts[depth], sizes[depth] = value // factor, _WORD, 1
            values[depth + 1], parts[depth + 1], sizes[depth + 1] = factor, part, size - 1
        else:
            phrase, x = phrase_drawn(ways, flags, value, size, ticket)
            values[depth], parts[depth], sizes[depth] = abs(value - phrase), _NUMBER, size - x
            values[depth + 1], parts[depth + 1], sizes[depth + 1] = phrase, _PHRASE, x
        depth += 2
