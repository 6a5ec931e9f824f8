# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The lower bound of the search: what every completion of a partial lexicon costs at least.

A partial lexicon has decided, for each of the numbers 1..c, whether it is a word; `a` digits and `b` multipliers above
c are still to come. The average is a sum over layers,

    sum of P(n) (2 leaves(n) - 1)  =  W + 2 * sum over k >= 1 of the weight of what k leaves do not reach,

W being the weight of all numbers, so an upper bound on the weight that k leaves can reach is all that is needed. The
layers 1 and 2 have two such bounds (by counting, by gains), the layers 3 to 5 count expressions. `docs/frontier.md`
proves them; the checker recomputes them from that text in rational arithmetic.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ishango.compiling import entry, jit
from ishango.numerals import GrammarFlags, fill_many

LAYERS = 5
"""Layers beyond this one are bounded by nothing: what 5 leaves do not reach is taken to have 6."""


class Task(NamedTuple):
    """What does not change while lexicons of one size are searched."""

    size: int
    """Words: |D| + |M|, a multiplier counted for as many as the grammar says."""
    fewest: int
    """The least |M|."""
    most: int
    """The greatest |M|."""
    flags: GrammarFlags
    limit: int
    """The largest value in a derivation."""
    weights: np.ndarray
    """(range + 1,) the weight of each number; index 0 is not used."""
    order: np.ndarray
    """(range,) the numbers, heaviest first."""
    options: np.ndarray
    """What a number can be, in the order in which the search tries it."""
    words: int
    """How many words of the size a multiplier takes."""


class Partial(NamedTuple):
    """A partial lexicon: its words among the numbers 1..c."""

    digits: np.ndarray
    multipliers: np.ndarray
    c: int


@entry
def expression_counts(d, m, flags):
    """How many expressions of at most k leaves there are, for each k; what commutes is counted as the docs say."""
    signs = int(flags.plus) + int(flags.minus)
    n = np.zeros(LAYERS + 1, np.int64)
    p = np.zeros(LAYERS + 1, np.int64)
    n[1] = d
    p[2] = d * m
    if flags.bare_number:
        n[1] += m
        p[2] += m * (m + 1) // 2
    n[2] = p[2]
    if flags.bare_phrase:
        p[1] = m
        n[2] += _pairs(m, flags) + signs * m * d
    for k in range(3, LAYERS + 1):
        p[k] = (p[k - 1] if flags.flat else n[k - 1]) * m
        if k == 3 and not flags.bare_number:
            p[k] = d * (m * (m + 1) // 2)
        n[k] = p[k]
        for x in range(1, k):
            if k == 4 and x == 2 and not flags.bare_phrase:
                n[k] += _pairs(p[2], flags)
            else:
                n[k] += signs * p[x] * n[k - x]
    for k in range(2, LAYERS + 1):
        n[k] += n[k - 1]
    return n


@jit
def _pairs(count, flags):
    """How many sums and positive differences so many phrases have among themselves."""
    total = 0
    if flags.plus:
        total += count * (count + 1) // 2
    if flags.minus:
        total += count * (count - 1) // 2
    return total


@jit
def leaves_up_to(partial, task, most):
    """The least leaves of each number 1..range that the decided words name with at most so many; 0 for the others."""
    size = len(task.weights) - 1
    masks, leaves = np.zeros((2, 1, size), np.bool_), np.zeros((1, size), np.int32)
    for word in partial.digits:
        masks[0, 0, word - 1] = True
    for word in partial.multipliers:
        masks[1, 0, word - 1] = True
    fill_many(masks[0], masks[1], task.flags, task.limit, leaves, most)
    return leaves[0]


@jit
def _two_leaves(partial, flags, size):
    """Which numbers up to `size` the decided words reach with at most 0 (none), 1 and 2 leaves, a row each."""
    reached = np.zeros((3, size + 1), np.bool_)
    for word in partial.digits:
        reached[1, word] = True
    if flags.bare_number:
        for word in partial.multipliers:
            reached[1, word] = True
    multipliers = partial.multipliers
    sums = flags.bare_phrase and flags.plus
    differences = flags.bare_phrase and flags.minus
    for x in range(1, size + 1):
        if reached[1, x]:
            reached[2, x] = True
            for m in multipliers:
                if x * m <= size:
                    reached[2, x * m] = True
                if sums and x + m <= size:
                    reached[2, x + m] = True
                if differences and m > x:
                    reached[2, m - x] = True
    return reached


@jit
def _product_numbers(partial, size):
    """Which numbers may still be a digit times a multiplier, both above 1 and at least one of them undecided."""
    digits, multipliers = partial.digits, partial.multipliers
    possible = np.zeros(size + 1, np.bool_)
    first = max(partial.c, 1) + 1
    for y in range(first, size + 1):
        for d in digits:
            if d > 1 and d * y <= size:
                possible[d * y] = True
        for m in multipliers:
            if m > 1 and m * y <= size:
                possible[m * y] = True
        for x in range(first, size // y + 1):
            possible[x * y] = True
    return possible


@jit
def _gains(partial, flags, weights, reached):
    """What each undecided number adds to the layers 1 and 2, as a digit and as a multiplier, beside the decided words.

    Returned as prefix sums of the gains in descending order: what `a` digits, what `b` multipliers gain at most.
    """
    c, multipliers = partial.c, partial.multipliers
    size = len(weights) - 1
    sums = flags.bare_phrase and flags.plus
    differences = flags.bare_phrase and flags.minus
    as_digit = np.zeros(size - c)
    as_multiplier = np.zeros(size - c)
    stamp = np.zeros(size + 1, np.int64)
    for w in range(c + 1, size + 1):
        i = w - c - 1
        mark = 2 * w
        gain = weights[w]
        if not reached[2, w]:
            gain += weights[w]
        stamp[w] = mark
        for m in multipliers:
            for value in (w * m, w + m if sums else 0):
                if 0 < value <= size and stamp[value] != mark and not reached[2, value]:
                    stamp[value] = mark
                    gain += weights[value]
        as_digit[i] = gain
        mark += 1
        gain = 0.0
        if flags.bare_number:
            gain = weights[w]
            for value in (w, 2 * w if sums else 0, w * w):
                if 0 < value <= size and stamp[value] != mark and not reached[2, value]:
                    stamp[value] = mark
                    gain += weights[value]
        for x in range(1, c + 1):
            if reached[1, x]:
                for value in (w * x, w + x if sums else 0, w - x if differences else 0):
                    if 0 < value <= size and stamp[value] != mark and not reached[2, value]:
                        stamp[value] = mark
                        gain += weights[value]
        as_multiplier[i] = gain
    return _prefix(as_digit), _prefix(as_multiplier)


@jit
def _prefix(gains):
    ordered = np.sort(gains)
    sums = np.zeros(len(gains) + 1)
    for i in range(len(gains)):
        sums[i + 1] = sums[i] + ordered[len(gains) - 1 - i]
    return sums


@jit
def _both_new(a, b, c, size):
    """How many products up to `size`, both factors above 1, a new digit and a new multiplier can make."""
    count = 0
    least = max(c, 1)
    for i in range(1, a + 1):
        count += max(0, min(b, size // (least + i) - least))
    return count


@jit
def _one_new(a, b, partial, size):
    """How many products up to `size`, both factors above 1, a decided word and a new one can make."""
    count = 0
    least = max(partial.c, 1)
    for m in partial.multipliers:
        if m > 1:
            count += max(0, min(a, size // m - least))
    for d in partial.digits:
        if d > 1:
            count += max(0, min(b, size // d - least))
    return count


@jit
def _heaviest(order, weights, count, skip, least):
    """The weight of the `count` heaviest numbers from `least` on that are not in `skip`."""
    total = 0.0
    for n in order:
        if count <= 0:
            break
        if n >= least and not skip[n]:
            total += weights[n]
            count -= 1
    return total


@jit
def _with_pairs(gained, a, b, partial, task, reached):
    """What is gained, and what pairs of new words can add to layer 2: products, sums and differences."""
    flags, order, weights = task.flags, task.order, task.weights
    c = partial.c
    if not flags.bare_number:
        new = _both_new(a, b, c, len(weights) - 1)
        gained += _heaviest(order, weights, new, reached[2], (max(c, 1) + 1) ** 2)
        if c == 0:
            gained += _heaviest(order, weights, b, reached[2], 1)  # one times a new multiplier
        return gained
    pairs = a * b + b * (b - 1) // 2
    products = pairs
    sums = pairs if flags.bare_phrase and flags.plus else 0
    differences = pairs if flags.bare_phrase and flags.minus else 0
    from_product = (c + 1) * (c + 2)
    from_sum = min(2 * c + 3, from_product)
    total = 0.0
    for n in order:
        if reached[2, n]:
            continue
        if n >= from_product and products > 0:
            products -= 1
        elif n >= from_sum and sums > 0:
            sums -= 1
        elif differences > 0:
            differences -= 1
        else:
            continue
        total += weights[n]
    return gained + total


@jit
def _reach_by_counting(a, b, partial, task, reached, possible, new):
    """Upper bound, by counting, on what completions add to the layers 1 and 2 together."""
    flags, order, weights = task.flags, task.order, task.weights
    c = partial.c
    first = a + b if flags.bare_number else a
    total = _heaviest(order, weights, first, reached[0], c + 1)
    if flags.bare_number:
        # Words, products and sums with a new word lie above c; differences need not.
        least = 1 if flags.bare_phrase and flags.minus else c + 1
        return total + _heaviest(order, weights, new, reached[2], least)
    size = len(weights) - 1
    others = a
    if c == 0 or (len(partial.digits) > 0 and partial.digits[0] == 1):
        others += b  # one times a new multiplier
    left = others + _both_new(a, b, c, size) + _one_new(a, b, partial, size)
    for n in order:
        if left == 0:
            break
        if n <= c or reached[2, n]:
            continue
        if not possible[n]:
            if others == 0:
                continue
            others -= 1
        total += weights[n]
        left -= 1
    return total


@jit
def lower_bound(partial, task):
    """The least cost of every lexicon of the task's size that has these words up to c and the others above c."""
    flags, order, weights = task.flags, task.order, task.weights
    c = partial.c
    size = len(weights) - 1
    total = weights.sum()
    nd = len(partial.digits)
    nm = len(partial.multipliers)
    left = task.size - nd - task.words * nm
    reached = _two_leaves(partial, flags, size)
    known = 0.0
    for n in range(1, size + 1):
        known += weights[n] * reached[1, n] + weights[n] * reached[2, n]
    possible = reached[2] if flags.bare_number else _product_numbers(partial, size)
    gain_digit, gain_multiplier = _gains(partial, flags, weights, reached)
    decided = expression_counts(nd, nm, flags)
    levels = np.zeros(0, np.int32)
    best = np.inf
    for b in range(max(0, task.fewest - nm), min(left // task.words, task.most - nm) + 1):
        a = left - task.words * b
        if not flags.bare_number and nd + a == 0:
            continue
        if a > size - c or b > size - c:
            continue
        new = expression_counts(nd + a, nm + b, flags) - decided
        counted = _reach_by_counting(a, b, partial, task, reached, possible, new[2])
        gained = _with_pairs(gain_digit[a] + gain_multiplier[b], a, b, partial, task, reached)
        bound = total + 2.0 * max(0.0, 2.0 * total - known - min(counted, gained))
        for k in range(3, LAYERS + 1):
            if new[k] >= size:
                break
            if len(levels) == 0:
                levels = leaves_up_to(partial, task, LAYERS)
            bound += 2.0 * _unreached(order, weights, new[k], levels, k)
        best = min(best, bound)
    return best


@jit
def _unreached(order, weights, count, levels, k):
    """The weight that stays unreached in layer k when `count` more numbers, the heaviest, are reached."""
    total = 0.0
    for n in order:
        if levels[n - 1] == 0 or levels[n - 1] > k:
            if count > 0:
                count -= 1
            else:
                total += weights[n]
    return total
