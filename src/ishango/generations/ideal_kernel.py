# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Ideal learners: who hears a word knows it, who does not does not. Whole chains of generations in one call."""

from typing import NamedTuple

import numpy as np

from ishango.compiling import entry, jit
from ishango.generations.said_kernel import (
    DIGIT,
    MULTIPLIER,
    count_ways,
    covers,
    language_of,
    listed,
    said,
    say_any,
    use_of,
)
from ishango.numerals.grammar import GrammarFlags
from ishango.numerals.levels import fill_levels

ALL = -1
"""A bottleneck through which every number goes."""
SPARE = 2
"""How many leaves more than it needs an expression may have where parents say any."""


class Rules(NamedTuple):
    """How a language is passed on, as kernels take it."""

    flags: GrammarFlags
    need: np.ndarray
    """P(1), ..., P(upto)"""
    upto: int
    """Numbers 1..upto are said, and words lie among them."""
    limit: int
    bottleneck: int
    """How many numbers a generation hears, or `ALL`."""
    any_expression: bool
    """Whether parents say any expression of a number instead of the first of the shortest."""
    random_loss: bool
    """Whether words are lost at random, as often as others are coined, instead of by not being heard."""
    invent: float
    """Words coined in a generation, on average."""
    multipliers: float
    """The share of multipliers among words coined."""
    uniform_coining: bool


class Passed(NamedTuple):
    """What became of a lexicon in one generation; sets of words as in `words`."""

    words: np.ndarray
    """What the generation knows in the end."""
    heard: np.ndarray
    restored: np.ndarray
    lost: np.ndarray
    invented: np.ndarray
    numbers: np.ndarray
    """How often each number was heard, from 1 up."""


@entry
def hear(rules, rng):
    """How often each number is heard: a multinomial, number by number."""
    counts, left, rest = np.zeros(rules.upto, np.int64), rules.bottleneck, 1.0
    if rules.bottleneck == ALL:
        counts[:] = 1
        return counts
    for i in range(rules.upto):
        if left > 0 and rules.need[i] > 0:
            share = rules.need[i] / rest
            counts[i] = left if share >= 1 else rng.binomial(left, share)
            left -= counts[i]
            rest -= rules.need[i]
    return counts


@jit
def words_heard(language, said_, counts, rules, rng):
    """The words that the sayings of the numbers contain."""
    heard = np.zeros_like(language.words)
    if rules.any_expression:
        say_numbers_anyhow(language, counts, rules, heard, rng)
        return heard
    for n in range(1, rules.upto + 1):
        if counts[n - 1] > 0:
            for i in range(said_.start[n], said_.start[n + 1]):
                heard[said_.role[i], said_.word[i]] = True
    return heard


@jit
def say_numbers_anyhow(language, counts, rules, heard, rng):
    """Each saying of a number is another expression: its leaves are drawn first, then one of so many leaves."""
    most = language.number_level[1 : rules.upto + 1].max() + SPARE
    ways = count_ways(language, rules.flags, most)
    for n in range(1, rules.upto + 1):
        least, possible = language.number_level[n], 0
        for leaves in range(least, least + SPARE + 1):
            possible += ways.numbers[leaves, n] > 0
        for _ in range(counts[n - 1]):
            drawn = int(rng.random() * possible)
            for leaves in range(least, least + SPARE + 1):
                if ways.numbers[leaves, n] > 0:
                    if drawn == 0:
                        say_any(language, ways, rules.flags, n, leaves, heard, rng)
                        break
                    drawn -= 1


@entry
def restore(heard, parents, use, rules):
    """Give back lost words, most used first, until the range is covered; digits first and smaller first in a tie."""
    known, restored = heard.copy(), np.zeros_like(heard)
    while not covers(known, rules.flags, rules.upto, rules.limit):
        best, best_role, best_word = -1.0, -1, -1
        for role in range(2):
            for word in range(1, rules.upto + 1):
                if parents[role, word] and not known[role, word] and use[role, word] > best:
                    best, best_role, best_word = use[role, word], role, word
        known[best_role, best_word] = True
        restored[best_role, best_word] = True
    return restored


@jit
def how_many(mean, rng):
    """A whole number of this mean that varies as little as it can."""
    return int(mean) + int(rng.random() < mean - int(mean))


@entry
def lose_at_random(words, number, rules, rng):
    """The lexicon without some words, each drawn uniformly from those that it can spare."""
    left = words.copy()
    for _ in range(number):
        digits, multipliers = listed(left[DIGIT]), listed(left[MULTIPLIER])
        order = np.arange(len(digits) + len(multipliers))
        for i in range(len(order)):
            j = i + int(rng.random() * (len(order) - i))
            order[i], order[j] = order[j], order[i]
            is_digit = order[i] < len(digits)
            word = digits[order[i]] if is_digit else multipliers[order[i] - len(digits)]
            role = DIGIT if is_digit else MULTIPLIER
            left[role, word] = False
            if covers(left, rules.flags, rules.upto, rules.limit):
                break
            left[role, word] = True
    return left


@entry
def coin(words, rules, rng):
    """Coin a word, in place: for n with probability proportional to P(n) x (length - 1), or uniformly.

    The role is drawn first; then a number that has no word in it. Where each has one already, nothing is coined.
    Returns the role and the number, or 0 for the latter.
    """
    role = MULTIPLIER if rng.random() < rules.multipliers else DIGIT
    levels = fill_levels(listed(words[DIGIT]), listed(words[MULTIPLIER]), rules.flags, rules.upto, rules.limit)[0]
    weights = np.zeros(rules.upto)
    for i in range(rules.upto):
        if not words[role, i + 1]:
            weights[i] = 1.0 if rules.uniform_coining else rules.need[i] * (levels[i + 1] - 1)
    ticket, last = rng.random() * weights.sum(), 0
    for i in range(rules.upto):
        if weights[i] > 0:
            last = i + 1
            ticket -= weights[i]
            if ticket < 0:
                break
    if last > 0:
        words[role, last] = True
    return role, last


@entry
def pass_on(parents, rules, rng):
    """One generation: it hears its parents, knows what it heard, and may coin words."""
    heard, restored, counts = np.zeros_like(parents), np.zeros_like(parents), np.zeros(rules.upto, np.int64)
    if rules.random_loss:
        words = lose_at_random(parents, how_many(rules.invent, rng), rules, rng)
    else:
        language = language_of(parents, rules.flags, rules.upto, rules.limit)
        said_ = said(language, rules.flags, rules.upto)
        counts = hear(rules, rng)
        heard = words_heard(language, said_, counts, rules, rng)
        restored = restore(heard, parents, use_of(said_, rules.need, rules.upto), rules)
        words = heard | restored
    lost = parents & ~words
    invented = np.zeros_like(words)
    for _ in range(how_many(rules.invent, rng)):
        role, word = coin(words, rules, rng)
        if word > 0:
            invented[role, word] = True
    return Passed(words, heard, restored, lost, invented, counts)


@entry
def chain(words, generations, rules, rng):
    """The lexicons of a whole chain, (generations + 1, 2, upto + 1), from the first one on."""
    history = np.zeros((generations + 1, *words.shape), np.bool_)
    history[0] = words
    for generation in range(1, generations + 1):
        history[generation] = pass_on(history[generation - 1], rules, rng).words
    return history
