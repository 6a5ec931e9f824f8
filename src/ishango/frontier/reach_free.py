# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The search by reach where every word is a multiplier, a numeral and a phrase: layers one and two, words ascending.

As in `reach`, but two leaves already make sums and differences, and there are no digits to choose
(`docs/frontier.md`, "The bound by reach").
"""

from __future__ import annotations

import numpy as np

from ishango.compiling import entry, jit
from ishango.frontier.everything import cost_up_to, room_for
from ishango.frontier.problem import Problem
from ishango.frontier.reach import FOUND, needed_alike
from ishango.frontier.reach_bits import (
    DIGITS,
    at_least,
    below,
    count,
    holds,
    lowered,
    most,
    multiples,
    put,
    size,
    take_largest,
)  # fmt: skip
from ishango.frontier.search import MULTIPLIER, task_of

MOST_WORDS = 9
"""Nine words take a minute, and each further one many times as long; from 12 on counting closes all sizes up to 99."""


def reaches_free(problem: Problem, words: int) -> bool:
    """Whether a size can be settled so: equal weights, every word a multiplier and a phrase, and few of them.

    >>> reaches_free(Problem("hurford", "uniform"), 9), reaches_free(Problem(need="uniform"), 9)
    (True, False)
    """
    free = problem.free_split and problem.rules.bare_phrase and problem.multiplier_counts(words) == (words, words)
    return needed_alike(problem) and words <= MOST_WORDS and free


class FreeReach:
    """All sets of so many words, as far as they were looked at."""

    def __init__(self, problem: Problem, words: int, incumbent: float, slack: float) -> None:
        self.task = task_of(problem, words)
        self.incumbent: float = incumbent
        self.slack = slack
        self.seen: int = 0
        """Choices of some words that were looked at."""
        self._words = np.zeros(words, np.int64)
        self._open = np.zeros((words, 2), np.uint64)
        self._reached = np.zeros((words, 2), np.uint64)
        self._depth = 0
        for word in range(1, problem.upto + 1):
            self._open[0, word // 64] |= np.uint64(1) << np.uint64(word % 64)

    @property
    def done(self) -> bool:
        """Whether all are looked at."""
        return self._depth < 0

    def run(self, budget: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Look at so many choices more; returns the lexicons that may be optimal, all words multipliers."""
        found = np.zeros((FOUND, len(self.task.weights)), np.int8)
        self._depth, seen, held, self.incumbent = _search(
            self._words, self._open, self._reached, self._depth, self.task, found, self.incumbent, self.slack, budget
        )
        self.seen += seen
        return [((), tuple(np.flatnonzero(row & MULTIPLIER).tolist())) for row in found[:held]]


@entry
def _search(words, open_, reached, depth, task, found, incumbent, slack, budget):
    upto, limit, total = len(task.weights) - 1, task.limit, len(words)
    counter = np.zeros((DIGITS + 1, 2), np.uint64)
    nothing = np.zeros(0, np.int64)
    room = room_for(limit)
    seen = held = 0
    need = _needed(incumbent + slack, task.weights[1], upto)
    while depth >= 0 and seen < budget and held < len(found):
        if not (open_[depth, 0] | open_[depth, 1]):
            depth -= 1
            continue
        words[depth] = take_largest(open_, depth)
        seen += 1
        low, high = _with_word(reached[depth, 0], reached[depth, 1], words, depth, upto)
        if depth + 1 < total:
            depth += 1
            reached[depth, 0], reached[depth, 1] = low, high
            open_[depth, 0], open_[depth, 1] = _next_words(words, depth, total - depth, low, high, need, upto, counter)
        elif total + size(low, high) >= need:
            cost = cost_up_to(nothing, words, task, incumbent + slack, *room)
            if cost < incumbent + slack:
                found[held] = 0
                for word in words:
                    found[held, word] = 2
                held += 1
                incumbent = min(incumbent, cost)
                need = _needed(incumbent + slack, task.weights[1], upto)
    return depth, seen, held, incumbent


@jit
def _needed(stop, weight, upto):
    """How much the first two layers have to reach together for a cost below `stop`."""
    if stop == np.inf:
        return 0
    return 3 * upto - (int(np.ceil((stop / weight + upto) / 2)) - 1)


@jit
def _with_word(low, high, words, last, upto):
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
        low, high = put(low, high, x - words[i])
    return low, high


@jit
def _next_words(words, chosen, left, low, high, need, upto, counter):
    """The numbers that can be the next word, above those that are chosen."""
    last = words[chosen - 1]
    all_low, all_high = below(upto + 1)
    all_low &= ~np.uint64(1)
    new_low, new_high = all_low & ~low, all_high & ~high
    counter[:] = 0
    count(counter, all_low, all_high)
    count(counter, new_low, new_high)
    count(counter, *multiples(new_low, new_high, 2, 0, upto, upto + 1))
    squares = np.uint64(0)
    x = 1
    while x * x <= upto:
        if holds(new_low, new_high, x * x):
            squares |= np.uint64(1) << np.uint64(x)
        x += 1
    count(counter, squares, np.uint64(0))
    for i in range(chosen):
        count(counter, *multiples(new_low, new_high, words[i], 0, upto, upto + 1))
        count(counter, *lowered(new_low, new_high, words[i]))
        count(counter, *lowered(new_low, new_high, -words[i]))
    under_low, under_high = below(last + 1)
    free_low, free_high = all_low & ~under_low, all_high & ~under_high
    lacking = need - chosen - size(low, high) - _pairs(last, left, upto)
    largest, total = _largest_counts(counter, free_low, free_high, left)
    if total < lacking:
        return np.uint64(0), np.uint64(0)
    return at_least(counter, free_low, free_high, lacking - (left - 1) * largest)


@jit
def _pairs(last, left, upto):
    """How many numbers two new words make together: a difference each, sums and products if they are not too large."""
    each = 1 + (2 * last + 3 <= upto) + ((last + 1) * (last + 2) <= upto)
    return each * (left * (left - 1) // 2)


@jit
def _largest_counts(counter, low, high, left):
    """The largest count of a member of the set, and the sum of the so many largest ones."""
    first = total = 0
    while left > 0 and (low | high):
        largest = most(counter, low, high)
        with_low, with_high = at_least(counter, low, high, largest)
        if largest == 0:
            break
        if first == 0:
            first = largest
        total += largest * min(left, size(with_low, with_high))
        left -= size(with_low, with_high)
        low, high = low & ~with_low, high & ~with_high
    return first, total
