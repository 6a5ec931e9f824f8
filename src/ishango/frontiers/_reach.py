# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Small sizes where all numbers are needed alike: what is reached with one, two and three leaves, counted exactly.

Multipliers are chosen first, then digits, the largest first. What the chosen words reach is known, and what each
number would add to it as a digit is counted for all numbers at once (`docs/studies/frontier.md`, "The bound by reach").
Few choices of a handful of words survive that.

Sets of numbers up to 127 are two words of 64 bits. A counter for all numbers at once is a stack of such sets: the bit
of n in the i-th is the i-th binary digit of the count of n. Adding one for each member of a set takes a few operations
on words, for all numbers together.
"""

from __future__ import annotations

import math

import numpy as np

from ishango.compiling import entry, jit
from ishango.frontiers._everything import cost_up_to, next_choice, room_for
from ishango.frontiers._prices import understood
from ishango.frontiers._problem import Problem
from ishango.frontiers._search import Exhaustive, Lexicon, lexicons_of

DIGITS = 8
"""Binary digits of a counter."""
LARGEST = 127


@jit
def holds(low, high, n):
    if n < 64:
        return (low >> np.uint64(n)) & np.uint64(1) == 1
    return (high >> np.uint64(n - 64)) & np.uint64(1) == 1


@jit
def put(low, high, n):
    if n < 64:
        return low | (np.uint64(1) << np.uint64(n)), high
    return low, high | (np.uint64(1) << np.uint64(n - 64))


@jit
def below(n):
    if n < 64:
        return (np.uint64(1) << np.uint64(n)) - np.uint64(1), np.uint64(0)
    return ~np.uint64(0), (np.uint64(1) << np.uint64(n - 64)) - np.uint64(1)


@jit
def lowered(low, high, by):
    """The set {n - by : n in the set, n - by in 0..127}, for any whole number."""
    if by >= 128 or by <= -128:
        return np.uint64(0), np.uint64(0)
    if by >= 64:
        return high >> np.uint64(by - 64), np.uint64(0)
    if by > 0:
        return (low >> np.uint64(by)) | (high << np.uint64(64 - by)), high >> np.uint64(by)
    if by == 0:
        return low, high
    if by > -64:
        return low << np.uint64(-by), (high << np.uint64(-by)) | (low >> np.uint64(64 + by))
    return np.uint64(0), low << np.uint64(-by - 64)


@jit
def mirrored(low, high):
    """The set {127 - n : n in the set}."""
    return _turned(high), _turned(low)


@jit
def _turned(word):
    for by, mask in (
        (1, 0x5555555555555555),
        (2, 0x3333333333333333),
        (4, 0x0F0F0F0F0F0F0F0F),
        (8, 0x00FF00FF00FF00FF),
        (16, 0x0000FFFF0000FFFF),
    ):
        shift, half = np.uint64(by), np.uint64(mask)
        word = ((word >> shift) & half) | ((word & half) << shift)
    return (word >> np.uint64(32)) | (word << np.uint64(32))


@jit
def size(low, high):
    return _ones(low) + _ones(high)


@jit
def _ones(word):
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit
def multiples(low, high, times, plus, upto, first, top):
    """The set {x : first <= x < top, x * times + plus in the set and in 1..upto}."""
    found_low, found_high = np.uint64(0), np.uint64(0)
    x, value = first, first * times + plus
    while x < top and value <= upto:
        if value >= 1 and holds(low, high, value):
            found_low, found_high = put(found_low, found_high, x)
        x += 1
        value += times
    return found_low, found_high


@jit
def count(counter, low, high):
    """Add one for each member of the set."""
    i = 0
    while low | high:
        carry_low, carry_high = counter[i, 0] & low, counter[i, 1] & high
        counter[i, 0] ^= low
        counter[i, 1] ^= high
        low, high = carry_low, carry_high
        i += 1


@jit
def counted(counter, n):
    place, digit, total = n // 64, np.uint64(n % 64), 0
    for i in range(DIGITS):
        total |= np.int64((counter[i, place] >> digit) & np.uint64(1)) << i
    return total


@jit
def most(counter, low, high):
    """The largest count of a member of the set."""
    largest = 0
    for i in range(DIGITS - 1, -1, -1):
        with_low, with_high = low & counter[i, 0], high & counter[i, 1]
        if with_low | with_high:
            low, high = with_low, with_high
            largest |= 1 << i
    return largest


@jit
def at_least(counter, low, high, least):
    """The members of the set that are counted at least so often."""
    if least <= 0:
        return low, high
    above_low, above_high = np.uint64(0), np.uint64(0)
    if least >= 1 << DIGITS:
        return above_low, above_high
    for i in range(DIGITS - 1, -1, -1):
        if least >> i & 1:
            low, high = low & counter[i, 0], high & counter[i, 1]
        else:
            above_low, above_high = above_low | (low & counter[i, 0]), above_high | (high & counter[i, 1])
            low, high = low & ~counter[i, 0], high & ~counter[i, 1]
    return above_low | low, above_high | high


@jit
def take_largest(sets, i):
    """Remove the largest number from the i-th set, and return it."""
    n = 127
    while not holds(sets[i, 0], sets[i, 1], n):
        n -= 1
    if n < 64:
        sets[i, 0] &= ~(np.uint64(1) << np.uint64(n))
    else:
        sets[i, 1] &= ~(np.uint64(1) << np.uint64(n - 64))
    return n


# Good lexicons where every word is a multiplier, a numeral and a phrase: a climb over what two leaves reach.
#
# The search by reach (`FreeReach`) is the shorter the better the lexicon that is to be beaten.


@entry
def climb(words, upto, tries, rng):
    """So many words with which two leaves reach much: the best of sets that no replacement of one word improves."""
    best, most_reached = np.zeros(words, np.int64), -1
    for _ in range(tries):
        lexicon = _drawn(words, upto, rng)
        reached = _climbed(lexicon, upto)
        if reached > most_reached:
            best, most_reached = lexicon, reached
    best.sort()
    return best


@jit
def _drawn(words, upto, rng):
    """Different words of the range, drawn at random."""
    lexicon = np.zeros(words, np.int64)
    for i in range(words):
        while lexicon[i] == 0:
            word = 1 + int(rng.random() * upto)
            if not _among(word, lexicon):
                lexicon[i] = word
    return lexicon


@jit
def _climbed(lexicon, upto):
    """Replace one word after the other by the best, until none is replaced; returns how many numbers are reached."""
    reached, before = _reach(lexicon, upto), -1
    while reached > before:
        before = reached
        for i in range(len(lexicon)):
            best = lexicon[i]
            for word in range(1, upto + 1):
                if _among(word, lexicon):
                    continue
                lexicon[i] = word
                now = _reach(lexicon, upto)
                if now > reached:
                    reached, best = now, word
            lexicon[i] = best
    return reached


@jit
def _among(word, lexicon):
    for each in lexicon:  # noqa: SIM110 - kernels have no generators
        if each == word:
            return True
    return False


@jit
def _reach(lexicon, upto):
    """How many numbers two leaves reach."""
    low, high = np.uint64(0), np.uint64(0)
    for last in range(len(lexicon)):
        low, high = with_word(low, high, lexicon, last, upto)
    return size(low, high)


@jit
def with_word(low, high, words, last, upto):
    """What two leaves reach when the last word joins the others."""
    x = words[last]
    low, high = put(low, high, x)
    if 2 * x <= upto:
        low, high = put(low, high, 2 * x)
    if x * x <= upto:
        low, high = put(low, high, x * x)
    for i in range(last):
        if x * words[i] <= upto:
            low, high = put(low, high, x * words[i])
        if x + words[i] <= upto:
            low, high = put(low, high, x + words[i])
        low, high = put(low, high, abs(x - words[i]))
    return low, high


MOST_SETS = 100_000_000
"""With more sets of multipliers than this a size is left to the other searches."""


def reaches(problem: Problem, words: int) -> bool:
    """Whether a size can be settled so: equal weights, multipliers that are no numerals, and few sets of them.

    >>> reaches(Problem(need="uniform"), 7), reaches(Problem(), 7), reaches(Problem("hurford", "uniform"), 7)
    (True, False, False)
    """
    if not needed_alike(problem) or problem.overlap or problem.rules.bare_number:
        return False
    fewest, most_ = problem.multiplier_counts(words)
    counts = [m for m in range(fewest, most_ + 1) if promising(m, words - m, problem.upto)]
    sets = sum(math.comb(problem.upto, m) for m in counts)
    return sets <= MOST_SETS and all(_alone(m, words - m) < 1 << DIGITS for m in range(fewest, most_ + 1))


def needed_alike(problem: Problem) -> bool:
    """Whether all numbers have the same weight, in a range and under rules that searches by reach know."""
    equal = problem.integral and len(set(problem.units)) == 1
    return equal and understood(problem) and problem.upto < LARGEST


def promising(multipliers: int, digits: int, upto: int) -> bool:
    """Whether so few words could reach half of the range with three leaves."""
    return digits * _alone(multipliers, 0) + _together(multipliers, digits) >= upto // 2


class Reach(Exhaustive):
    """All lexicons of a size, one set of multipliers after another."""

    def __init__(self, problem: Problem, words: int, incumbent: float, slack: float) -> None:
        super().__init__(problem, words, incumbent, slack)
        fewest, most_ = problem.multiplier_counts(words)
        self._left = [np.arange(1, m + 1) for m in range(fewest, most_ + 1)]

    def run(self, budget: int) -> list[Lexicon]:
        found = self.candidates()
        ended, seen, held, self.incumbent = _search(self._left[0], self.task, found, self.incumbent, self.slack, budget)
        if ended:
            del self._left[0]
            self.done = not self._left
        self.seen += seen
        return lexicons_of(found[:held])


def _alone(m, d):
    """How often a digit is counted at most: by itself in three layers, its products in two, the rest in one."""
    return 3 + 2 * m + m * (m + 1) // 2 + 4 * m * d + 2 * m


def _together(m, left):
    """How many expressions of three leaves have two of the digits that are still to be chosen."""
    return 4 * m * (left * (left - 1) // 2)


_alone_kernel, _together_kernel = jit(_alone), jit(_together)


@entry
def _search(multipliers, task, found, incumbent, slack, budget):
    """Go through sets of multipliers from `multipliers` on, which is left at the next one."""
    upto, limit, m = len(task.weights) - 1, task.limit, len(multipliers)
    d = task.size - m
    digits = np.zeros(d, np.int64)
    counters = np.zeros((d + 1, DIGITS + 1, 2), np.uint64)
    room = room_for(limit)
    open_ = np.zeros((d + 1, 2), np.uint64)  # by the digits chosen: those that may come next
    seen = held = 0
    while seen < budget and held < len(found) // 2:
        need = _needed(incumbent + slack, task.weights[1], upto, 3)
        chosen = 0
        seen += 1
        if d * _alone_kernel(m, 0) + _together_kernel(m, d) < need:
            return True, seen, held, incumbent  # whatever the words are
        open_[0, 0], open_[0, 1] = _next_digits(multipliers, digits, 0, d, need, upto, counters[0])
        while chosen >= 0:
            low, high = open_[chosen, 0], open_[chosen, 1]
            if not (low | high) or held == len(found):
                chosen -= 1
                continue
            digits[chosen] = take_largest(open_, chosen)
            if chosen + 1 < d:
                seen += 1
                chosen += 1
                open_[chosen, 0], open_[chosen, 1] = _next_digits(
                    multipliers, digits, chosen, d - chosen, need, upto, counters[chosen]
                )
                continue
            seen += 1
            cost = cost_up_to(digits, multipliers, task, incumbent + slack, *room)
            if cost < incumbent + slack:
                found[held] = 0
                for word in digits:
                    found[held, word] = 1
                for word in multipliers:
                    found[held, word] = 2
                held += 1
                incumbent = min(incumbent, cost)
                need = _needed(incumbent + slack, task.weights[1], upto, 3)
        if held == len(found):
            raise ValueError("more lexicons tie than there is room for")
        if not next_choice(multipliers, upto):
            return True, seen, held, incumbent
    return False, seen, held, incumbent


@jit
def _needed(stop, weight, upto, layers):
    """How much the first layers have to reach together for a cost below `stop`: other numbers take a leaf more."""
    if stop == np.inf:
        return 0
    return (layers + 1) * upto - (int(np.ceil((stop / weight + upto) / 2)) - 1)


@jit
def _next_digits(multipliers, digits, d, left, need, upto, counter):
    """The numbers that can be the next digit, the largest of those that are still to be chosen."""
    m = len(multipliers)
    two_low, two_high, three_low, three_high = _reached(multipliers, digits, d, upto)
    base = d + size(two_low, two_high) + size(three_low, three_high)
    together = _together_kernel(m, left)
    if base + left * _alone_kernel(m, d) + together < need:
        return np.uint64(0), np.uint64(0)
    all_low, all_high = below(upto + 1)
    all_low &= ~np.uint64(1)
    two_low, two_high = all_low & ~two_low, all_high & ~two_high  # what is not reached yet
    three_low, three_high = all_low & ~three_low, all_high & ~three_high
    top = digits[d - 1] if d else upto + 1
    _count_gains(multipliers, digits, d, upto, top, (two_low, two_high, three_low, three_high), counter)
    count(counter, all_low, all_high)
    low, high = below(top)
    low, high = low & all_low, high & all_high
    for word in multipliers:
        without_low, without_high = put(np.uint64(0), np.uint64(0), word)
        low, high = low & ~without_low, high & ~without_high
    if not (low | high):
        return low, high
    largest = most(counter, low, high)
    return at_least(counter, low, high, need - base - together - (left - 1) * largest)


@jit
def _reached(multipliers, digits, d, upto):
    """What the words reach with at most two and at most three leaves."""
    low, high = np.uint64(0), np.uint64(0)
    for i in range(d):
        low, high = put(low, high, digits[i])
        for word in multipliers:
            if digits[i] * word <= upto:
                low, high = put(low, high, digits[i] * word)
    low3, high3 = low, high
    for i in range(d):
        for j in range(len(multipliers)):
            product = digits[i] * multipliers[j]
            for k in range(j, len(multipliers)):
                if product * multipliers[k] <= upto:
                    low3, high3 = put(low3, high3, product * multipliers[k])
            for k in range(d):
                if product + digits[k] <= upto:
                    low3, high3 = put(low3, high3, product + digits[k])
                if 1 <= product - digits[k] <= upto:
                    low3, high3 = put(low3, high3, product - digits[k])
    return low, high, low3, high3


@jit
def _count_gains(multipliers, digits, d, upto, top, unreached, counter):
    """For each number below `top`: how much it would add to the layers two and three as a digit, with the others."""
    two_low, two_high, three_low, three_high = unreached
    counter[:] = 0
    count(counter, two_low, two_high)
    count(counter, three_low, three_high)
    mirror_low, mirror_high = mirrored(three_low, three_high)
    for j in range(len(multipliers)):
        m = multipliers[j]
        count(counter, *multiples(two_low, two_high, m, 0, upto, 1, top))
        count(counter, *multiples(three_low, three_high, m, 0, upto, 1, top))
        count(counter, *multiples(three_low, three_high, m + 1, 0, upto, 1, top))  # x m + x
        if m > 1:
            count(counter, *multiples(three_low, three_high, m - 1, 0, upto, 1, top))
        for k in range(j, len(multipliers)):
            count(counter, *multiples(three_low, three_high, m * multipliers[k], 0, upto, 1, top))
        for i in range(d):
            count(counter, *multiples(three_low, three_high, m, digits[i], upto, 1, top))
            count(counter, *multiples(three_low, three_high, m, -digits[i], upto, 1, top))
            product = digits[i] * m
            count(counter, *lowered(three_low, three_high, product))
            count(counter, *lowered(mirror_low, mirror_high, 127 - product))  # product - x


# The search by reach where every word is a multiplier, a numeral and a phrase: layers one and two, words ascending.
#
# As in `Reach`, but two leaves already make sums and differences, and there are no digits to choose
# (`docs/studies/frontier.md`, "The bound by reach").

MOST_WORDS = 11
"""Eleven words take minutes, and each further one many times as long; from 12 on counting closes all sizes up to 99."""
CLIMBED, CLIMBS = 10, 30_000
"""From so many words on it is worth the seconds to begin with a good lexicon: the best of so many climbs."""


def reaches_free(problem: Problem, words: int) -> bool:
    """Whether a size can be settled so: equal weights, every word a multiplier and a phrase, and few of them.

    >>> reaches_free(Problem("hurford", "uniform"), 11), reaches_free(Problem(need="uniform"), 11)
    (True, False)
    """
    free = problem.free_split and problem.rules.bare_phrase and problem.multiplier_counts(words) == (words, words)
    return needed_alike(problem) and words <= MOST_WORDS and free


class FreeReach(Exhaustive):
    """All sets of so many words, every one a multiplier."""

    def __init__(self, problem: Problem, words: int, incumbent: float, slack: float) -> None:
        super().__init__(problem, words, incumbent, slack)
        self._words = np.zeros(words, np.int64)
        self._open = np.zeros((words, 2), np.uint64)
        self._reached = np.zeros((words, 2), np.uint64)
        self._depth = 0
        self._together = together(words, problem.upto)
        self._begun = words < CLIMBED
        for word in range(1, problem.upto + 1):
            self._open[0, word // 64] |= np.uint64(1) << np.uint64(word % 64)

    def run(self, budget: int) -> list[Lexicon]:
        if not self._begun:
            self._begun = True
            return self._climb()
        found = self.candidates()
        self._depth, seen, held, self.incumbent = _search_free(
            self._words, self._open, self._reached, self._depth, self._together, self.task, found, self.incumbent,
            self.slack, budget,
        )  # fmt: skip
        self.done = self._depth < 0
        self.seen += seen
        return lexicons_of(found[:held])

    def _climb(self) -> list[Lexicon]:
        """A good lexicon to begin with, if it is better than what is known."""
        words = climb(len(self._words), len(self.task.weights) - 1, CLIMBS, np.random.default_rng(0))
        cost = _cost(words, self.task, self.incumbent + self.slack)
        if cost >= self.incumbent + self.slack:
            return []
        self.incumbent = min(self.incumbent, cost)
        return [((), tuple(words.tolist()))]


def together(words: int, upto: int) -> np.ndarray:
    """How many numbers of the range new words make two by two, at most: by how many there are, and the smallest.

    The i-th of them above the smallest, x, is x + i at least: any two make a difference, a sum if that is not too
    large, and a product if that is not.
    """
    table = np.zeros((words + 1, upto + 2), np.int64)
    x = np.arange(upto + 2)
    for j in range(words):
        new = np.zeros(upto + 2, np.int64)
        for i in range(j):
            new += 1 + (2 * x + i + j <= upto) + ((x + i) * (x + j) <= upto)
        table[j + 1] = table[j] + new
    return table


@entry
def _search_free(words, open_, reached, depth, together, task, found, incumbent, slack, budget):
    upto, limit, total = len(task.weights) - 1, task.limit, len(words)
    counter, gains = np.zeros((DIGITS + 1, 2), np.uint64), np.zeros(total, np.int64)
    nothing = np.zeros(0, np.int64)
    room = room_for(limit)
    seen = held = 0
    need = _needed(incumbent + slack, task.weights[1], upto, 2)
    while depth >= 0 and seen < budget and held < len(found):
        if not (open_[depth, 0] | open_[depth, 1]):
            depth -= 1
            continue
        words[depth] = take_largest(open_, depth)
        seen += 1
        low, high = with_word(reached[depth, 0], reached[depth, 1], words, depth, upto)
        if depth + 1 < total:
            depth += 1
            reached[depth, 0], reached[depth, 1] = low, high
            lacking = need - depth - size(low, high)
            _count_free_gains(words, depth, low, high, upto, counter)
            open_[depth, 0], open_[depth, 1] = _next_words(
                counter, words[depth - 1], total - depth, lacking, upto, together, gains
            )
        elif total + size(low, high) >= need:
            cost = cost_up_to(nothing, words, task, incumbent + slack, *room)
            if cost < incumbent + slack:
                found[held] = 0
                for word in words:
                    found[held, word] = 2
                held += 1
                incumbent = min(incumbent, cost)
                need = _needed(incumbent + slack, task.weights[1], upto, 2)
    return depth, seen, held, incumbent


@jit
def _count_free_gains(words, chosen, low, high, upto, counter):
    """Count for each number above the chosen words, which reach the numbers in the set, what it would add to them."""
    all_low, all_high = below(upto + 1)
    all_low &= ~np.uint64(1)
    new_low, new_high = all_low & ~low, all_high & ~high
    first = words[chosen - 1] + 1
    counter[:] = 0
    count(counter, all_low, all_high)
    count(counter, new_low, new_high)
    count(counter, *multiples(new_low, new_high, 2, 0, upto, first, upto + 1))
    squares = np.uint64(0)
    x = first
    while x * x <= upto:
        if holds(new_low, new_high, x * x):
            squares |= np.uint64(1) << np.uint64(x)
        x += 1
    count(counter, squares, np.uint64(0))
    for i in range(chosen):
        count(counter, *multiples(new_low, new_high, words[i], 0, upto, first, upto + 1))
        count(counter, *lowered(new_low, new_high, words[i]))
        count(counter, *lowered(new_low, new_high, -words[i]))


@jit
def _next_words(counter, last, left, lacking, upto, together, gains):
    """The numbers above the last word that can be the next one: with `left - 1` above them enough may be reached."""
    low, high = below(upto + 1)
    under_low, under_high = below(last + 1)
    low, high = low & ~under_low, high & ~under_high
    if left == 1:
        return at_least(counter, low, high, lacking)
    # A first look at all numbers at once leaves few to be looked at one by one.
    at_first = lacking - together[left, last + 1] - (left - 1) * most(counter, low, high)
    low, high = at_least(counter, low, high, at_first)
    if not (low | high):
        return low, high
    next_low, next_high = np.uint64(0), np.uint64(0)
    above = total = 0
    for x in range(upto, last, -1):
        gain = counted(counter, x)
        if above == left - 1 and gain + total + together[left, x] >= lacking:
            next_low, next_high = put(next_low, next_high, x)
        # `gains` has the largest ones of the numbers above, in descending order, and `total` is their sum.
        if above < left - 1:
            place = above
            above += 1
            total += gain
        elif gain > gains[above - 1]:
            place = above - 1
            total += gain - gains[place]
        else:
            continue
        while place > 0 and gains[place - 1] < gain:
            gains[place] = gains[place - 1]
            place -= 1
        gains[place] = gain
    return next_low & low, next_high & high


@entry
def _cost(words, task, stop):
    """What a lexicon costs, all words multipliers; no less than `stop` if it costs that much."""
    return cost_up_to(np.zeros(0, np.int64), words, task, stop, *room_for(task.limit))
