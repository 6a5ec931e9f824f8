# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Ideal learners: who hears a word knows it, who does not does not. Whole chains of generations in one call."""

from typing import NamedTuple

import numpy as np

from ishango.compiling import entry, jit
from ishango.numerals import (
    DIGIT,
    MULTIPLIER,
    GrammarFlags,
    canonical_leaves,
    fill_levels,
    is_phrase,
    leaf_role,
    levels_of,
    listed,
)

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
    """Whether words are lost at random, as often as others are invented, instead of by not being heard."""
    invent: float
    """Words invented in a generation, on average."""
    multipliers: float
    """The share of multipliers among words invented."""
    uniform_coining: bool
    body: float = 1.0
    """How much likelier a word for 5, 10 or 20 is invented."""


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
    """Invent a word, in place: for n with probability proportional to P(n) x (length - 1), or uniformly.

    Words for what the body counts, 5, 10 and 20, may be likelier.

    The role is drawn first; then a number that has no word in it. Where each has one already, nothing is invented.
    Returns the role and the number, or 0 for the latter.
    """
    role = MULTIPLIER if rng.random() < rules.multipliers else DIGIT
    levels = fill_levels(listed(words[DIGIT]), listed(words[MULTIPLIER]), rules.flags, rules.upto, rules.limit)[0]
    weights = np.zeros(rules.upto)
    for i in range(rules.upto):
        if not words[role, i + 1]:
            weights[i] = 1.0 if rules.uniform_coining else rules.need[i] * (levels[i + 1] - 1)
            if i + 1 == 5 or i + 1 == 10 or i + 1 == 20:
                weights[i] *= rules.body
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
    """One generation: it hears its parents, knows what it heard, and may invent words."""
    heard, restored, counts = np.zeros_like(parents), np.zeros_like(parents), np.zeros(rules.upto, np.int64)
    if rules.random_loss:
        words = lose_at_random(parents, how_many(rules.invent, rng), rules, rng)
    else:
        language = levels_of(parents, rules.flags, rules.upto, rules.limit)
        said_ = canonical_leaves(language, rules.flags, rules.upto)
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


# Lexicons and what is said with them.

_NUMBER, _PHRASE, _WORD = 0, 1, 2


@entry
def covers(words, flags, upto, limit):
    """Whether the lexicon is a numeral system that has an expression for every number of the range."""
    if not words[MULTIPLIER].any() or not (flags.bare_number or words[DIGIT].any()):
        return False
    levels = fill_levels(listed(words[DIGIT]), listed(words[MULTIPLIER]), flags, upto, limit)[0]
    return bool((levels[1 : upto + 1] > 0).all())


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
            heard[leaf_role(language.words, value, part == _NUMBER), value] = True
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
