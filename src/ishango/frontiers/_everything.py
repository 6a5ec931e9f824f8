# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Small sizes by looking at every lexicon: where numbers need many leaves no bound says much, and lexicons are few.

Most lexicons need no derivation: they cannot name 1, or not every remainder (`docs/studies/frontier.md`). The
others are derived leaf by leaf until they cost more than the best one.
"""

from __future__ import annotations

import math

import numpy as np

from ishango.compiling import entry, jit
from ishango.frontiers._prices import understood
from ishango.frontiers._problem import Problem
from ishango.frontiers._search import ROOM, Exhaustive, Lexicon, lexicons_of

MOST_LEXICONS = 2_500_000_000
"""With more lexicons than this a size is left to the other searches."""
MOST_WORDS = ROOM.bit_length() - 1
"""With more words than this there is not room for all splits of a word set into D and M: 2^words may be optimal."""


def lexicon_count(problem: Problem, size: int) -> int:
    """How many lexicons of a size there are to look at, D and M disjoint.

    >>> lexicon_count(Problem(), 3), lexicon_count(Problem("hurford"), 4)
    (941094, 3764376)
    """
    fewest, most = problem.multiplier_counts(size)
    return math.comb(problem.upto, size) * sum(math.comb(size, m) for m in range(fewest, most + 1))


def few_enough(problem: Problem, size: int) -> bool:
    """Whether every lexicon can be looked at: they are few, do not overlap, and nothing about them is unknown here."""
    disjoint = problem.rules.bare_number or not problem.overlap
    return understood(problem) and disjoint and lexicon_count(problem, size) <= MOST_LEXICONS


class Everything(Exhaustive):
    """All lexicons of a size, one word set after another."""

    def __init__(self, problem: Problem, size: int, incumbent: float, slack: float) -> None:
        super().__init__(problem, size, incumbent, slack)
        self._words = np.arange(1, size + 1)

    def run(self, budget: int) -> list[Lexicon]:
        found = self.candidates()
        self.done, seen, held, self.incumbent = _look(self._words, self.task, found, self.incumbent, self.slack, budget)
        self.seen += seen
        return lexicons_of(found[:held])


@entry
def _look(words, task, found, incumbent, slack, budget):
    """Go through word sets from `words` on, which is left at the next one; every split of each into D and M."""
    size, upto, limit = task.size, len(task.weights) - 1, task.limit
    splits = 1 << size
    room = room_for(limit)
    digits = np.zeros(size, np.int64)
    multipliers = np.zeros(size, np.int64)
    seen = held = 0
    while seen < budget and held + splits <= len(found):
        for split in range(splits):
            nd = nm = 0
            for i in range(size):
                if split >> i & 1:
                    multipliers[nm] = words[i]
                    nm += 1
                else:
                    digits[nd] = words[i]
                    nd += 1
            if nm < task.fewest or nm > task.most:
                continue
            if not _may_cover(digits[:nd], multipliers[:nm], task.flags):
                continue
            cost = cost_up_to(digits[:nd], multipliers[:nm], task, incumbent + slack, *room)
            if cost < incumbent + slack:
                found[held] = 0
                for i in range(size):
                    found[held, words[i]] = 2 if split >> i & 1 else 1
                held += 1
                incumbent = min(incumbent, cost)
        seen += 1
        if not next_choice(words, upto):
            return True, seen, held, incumbent
    return False, seen, held, incumbent


@jit
def next_choice(words, upto):
    """Go to the next choice, in order, of as many numbers up to `upto`; whether there was one."""
    count = len(words)
    i = count - 1
    while i >= 0 and words[i] == upto - (count - 1 - i):
        i -= 1
    if i < 0:
        return False
    words[i] += 1
    for j in range(i + 1, count):
        words[j] = words[j - 1] + 1
    return True


@jit
def _may_cover(digits, multipliers, flags):
    """Whether the lemma on divisors leaves it open that a lexicon covers the range."""
    common = 0
    for word in digits:
        common = np.gcd(common, word)
    if flags.bare_number:
        for word in multipliers:
            common = np.gcd(common, word)
        return common == 1
    if common != 1:
        return False
    by = 0
    for word in multipliers:
        by = np.gcd(by, word)
    if by > 2 * len(digits) + 1:
        return False
    for left in range(1, by):
        there = False
        for word in digits:
            if word % by == left or (by - word % by) % by == left:
                there = True
        if not there:
            return False
    return True


@jit
def room_for(limit):
    """What `cost_up_to` works in: levels of numbers and phrases, their lists, and where a level ends in these."""
    return (
        np.zeros(limit + 1, np.int16), np.zeros(limit + 1, np.int16), np.zeros(limit + 1, np.int64),
        np.zeros(limit + 1, np.int64), np.zeros((2, 2 * limit + 4), np.int64),
    )  # fmt: skip


@jit
def cost_up_to(digits, multipliers, task, stop, number, phrase, numbers, phrases, ends):
    """The cost of a lexicon, infinite where it does not cover the range or costs more than `stop`."""
    flags, weights, limit = task.flags, task.weights, task.limit
    upto = len(weights) - 1
    total = weights.sum()
    number[:] = 0
    phrase[:] = 0
    n_end, p_end = ends[0], ends[1]
    n_count = p_count = 0
    n_end[0] = p_end[0] = 0
    reached = 0.0
    covered = 0
    for word in digits:
        number[word] = 1
        numbers[n_count] = word
        n_count += 1
        reached += weights[word]
        covered += 1
    for word in multipliers:
        if flags.bare_number and number[word] == 0:
            number[word] = 1
            numbers[n_count] = word
            n_count += 1
            reached += weights[word]
            covered += 1
        if flags.bare_phrase:
            phrase[word] = 1
            phrases[p_count] = word
            p_count += 1
    n_end[1], p_end[1] = n_count, p_count
    cost = total + 2.0 * (total - reached)
    k = newest = 1
    while covered < upto:
        if cost > stop or k >= 2 * newest:
            return np.inf
        k += 1
        factors, end = (phrases, p_end) if flags.flat and k > 2 else (numbers, n_end)
        for i in range(end[k - 2], end[k - 1]):
            for m in multipliers:
                value = factors[i] * m
                if value <= limit and phrase[value] == 0:
                    phrase[value] = k
                    phrases[p_count] = value
                    p_count += 1
                    if number[value] == 0:
                        number[value] = k
                        numbers[n_count] = value
                        n_count += 1
        p_end[k] = p_count
        for x in range(1, k):
            for i in range(p_end[x - 1], p_end[x]):
                for j in range(n_end[k - x - 1], n_end[k - x]):
                    if flags.plus:
                        value = phrases[i] + numbers[j]
                        if value <= limit and number[value] == 0:
                            number[value] = k
                            numbers[n_count] = value
                            n_count += 1
                    if flags.minus:
                        value = phrases[i] - numbers[j]
                        if value >= 1 and number[value] == 0:
                            number[value] = k
                            numbers[n_count] = value
                            n_count += 1
        n_end[k] = n_count
        for i in range(n_end[k - 1], n_count):
            if numbers[i] <= upto:
                reached += weights[numbers[i]]
                covered += 1
        if n_count > n_end[k - 1] or p_count > p_end[k - 1]:
            newest = k
        cost += 2.0 * max(0.0, total - reached)
    return cost
