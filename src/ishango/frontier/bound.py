"""The lower bound of the search: what every completion of a partial lexicon costs at least.

A partial lexicon has decided, for each of the numbers 1..c, whether it is a word; `a` digits and `b` multipliers above
c are still to come. The average is a sum over layers,

    sum of P(n) (2 leaves(n) - 1)  =  W + 2 * sum over k >= 1 of the weight of what k leaves do not reach,

W being the weight of all numbers, so an upper bound on the weight that k leaves can reach is all that is needed. The
layers 1 and 2 have two such bounds (by counting, by gains), the layers 3 to 5 count expressions. `docs/frontier.md`
proves them; the checker recomputes them from that text in rational arithmetic.
"""

from __future__ import annotations

import numpy as np

from ishango.compiling import entry

LAYERS = 5
"""Layers beyond this one are bounded by nothing: what 5 leaves do not reach is taken to have 6."""


@entry
def expression_counts(d, m, hurford):  # type: ignore[no-untyped-def]
    """How many expressions of at most k leaves there are, for each k; what commutes is counted as the docs say."""
    n = np.zeros(LAYERS + 1, np.int64)
    p = np.zeros(LAYERS + 1, np.int64)
    if hurford:
        n[1] = d + m
        p[1] = m
        p[2] = m * (m + 1) // 2 + d * m
        n[2] = p[2] + m * m + 2 * m * d
    else:
        n[1] = d
        p[2] = d * m
        n[2] = p[2]
        p[3] = d * m * (m + 1) // 2
        n[3] = p[3] + 2 * p[2] * n[1]
    for k in range(3, LAYERS + 1):
        if not hurford and k == 3:
            continue
        p[k] = n[k - 1] * m
        n[k] = p[k]
        for x in range(1, k):
            if not hurford and k == 4 and x == 2:
                n[k] += p[2] * p[2]
            else:
                n[k] += 2 * p[x] * n[k - x]
    for k in range(2, LAYERS + 1):
        n[k] += n[k - 1]
    return n


@entry
def levels_of(digits, multipliers, hurford, limit, last):  # type: ignore[no-untyped-def]
    """The least leaves of each value 1..limit, as far as level `last`; 0 beyond it."""
    number = np.zeros(limit + 1, np.int64)
    phrase = np.zeros(limit + 1, np.int64)
    numbers = np.empty(limit + 1, np.int64)
    phrases = np.empty(limit + 1, np.int64)
    n_end = np.zeros(last + 1, np.int64)
    p_end = np.zeros(last + 1, np.int64)
    n_count = 0
    p_count = 0
    for word in digits:
        number[word] = 1
    if hurford:
        for word in multipliers:
            number[word] = 1
            phrase[word] = 1
            phrases[p_count] = word
            p_count += 1
    for value in range(1, limit + 1):
        if number[value]:
            numbers[n_count] = value
            n_count += 1
    n_end[1] = n_count
    p_end[1] = p_count
    for k in range(2, last + 1):
        for i in range(n_end[k - 2], n_end[k - 1]):
            for m in multipliers:
                value = numbers[i] * m
                if value <= limit and not phrase[value]:
                    phrase[value] = k
                    phrases[p_count] = value
                    p_count += 1
                    if not number[value]:
                        number[value] = k
                        numbers[n_count] = value
                        n_count += 1
        p_end[k] = p_count
        for x in range(1, k):
            for i in range(p_end[x - 1], p_end[x]):
                for j in range(n_end[k - x - 1], n_end[k - x]):
                    for value in (phrases[i] + numbers[j], phrases[i] - numbers[j]):
                        if 1 <= value <= limit and not number[value]:
                            number[value] = k
                            numbers[n_count] = value
                            n_count += 1
        n_end[k] = n_count
    return number


@entry
def _two_leaves(digits, multipliers, hurford, size):  # type: ignore[no-untyped-def]
    """Which numbers up to `size` the decided words reach with one (first row) and with at most two leaves (second)."""
    reached = np.zeros((3, size + 1), np.bool_)
    for word in digits:
        reached[1, word] = True
    if hurford:
        for word in multipliers:
            reached[1, word] = True
    for x in range(1, size + 1):
        if reached[1, x]:
            reached[2, x] = True
            for m in multipliers:
                if x * m <= size:
                    reached[2, x * m] = True
                if hurford:
                    if x + m <= size:
                        reached[2, x + m] = True
                    if m > x:
                        reached[2, m - x] = True
    return reached


@entry
def _product_numbers(digits, multipliers, c, size):  # type: ignore[no-untyped-def]
    """Which numbers may still be a digit times a multiplier, both above 1 and at least one of them undecided."""
    possible = np.zeros(size + 1, np.bool_)
    for y in range(max(c, 1) + 1, size + 1):
        for d in digits:
            if d > 1 and d * y <= size:
                possible[d * y] = True
        for m in multipliers:
            if m > 1 and m * y <= size:
                possible[m * y] = True
        for x in range(max(c, 1) + 1, size // y + 1):
            possible[x * y] = True
    return possible


@entry
def _gains(multipliers, hurford, c, weights, reached):  # type: ignore[no-untyped-def]
    """What each undecided number adds to the layers 1 and 2, as a digit and as a multiplier, beside the decided words.

    Returned as prefix sums of the gains in descending order: what `a` digits, what `b` multipliers gain at most.
    """
    size = len(weights) - 1
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
            for value in (w * m, w + m if hurford else 0):
                if 0 < value <= size and stamp[value] != mark and not reached[2, value]:
                    stamp[value] = mark
                    gain += weights[value]
        as_digit[i] = gain
        mark += 1
        gain = 0.0
        if hurford:
            gain = weights[w]
            for value in (w, 2 * w, w * w):
                if value <= size and stamp[value] != mark and not reached[2, value]:
                    stamp[value] = mark
                    gain += weights[value]
        for x in range(1, c + 1):
            if reached[1, x]:
                for value in (w * x, w + x if hurford else 0, w - x if hurford else 0):
                    if 0 < value <= size and stamp[value] != mark and not reached[2, value]:
                        stamp[value] = mark
                        gain += weights[value]
        as_multiplier[i] = gain
    return _prefix(as_digit), _prefix(as_multiplier)


@entry
def _prefix(gains):  # type: ignore[no-untyped-def]
    ordered = np.sort(gains)
    sums = np.zeros(len(gains) + 1)
    for i in range(len(gains)):
        sums[i + 1] = sums[i] + ordered[len(gains) - 1 - i]
    return sums


@entry
def _both_new(a, b, c, size):  # type: ignore[no-untyped-def]
    """How many products up to `size`, both factors above 1, a new digit and a new multiplier can make."""
    count = 0
    least = max(c, 1)
    for i in range(1, a + 1):
        count += max(0, min(b, size // (least + i) - least))
    return count


@entry
def _one_new(a, b, c, size, digits, multipliers):  # type: ignore[no-untyped-def]
    """How many products up to `size`, both factors above 1, a decided word and a new one can make."""
    count = 0
    least = max(c, 1)
    for m in multipliers:
        if m > 1:
            count += max(0, min(a, size // m - least))
    for d in digits:
        if d > 1:
            count += max(0, min(b, size // d - least))
    return count


@entry
def _heaviest(order, weights, count, skip, least):  # type: ignore[no-untyped-def]
    """The weight of the `count` heaviest numbers from `least` on that are not in `skip`."""
    total = 0.0
    for n in order:
        if count <= 0:
            break
        if n >= least and not skip[n]:
            total += weights[n]
            count -= 1
    return total


@entry
def _bonus_hurford(a, b, c, order, weights, reached):  # type: ignore[no-untyped-def]
    """What pairs of new words can add to layer 2 under Hurford's grammar: a product, a sum and a difference each."""
    pairs = a * b + b * (b - 1) // 2
    products = sums = differences = pairs
    from_product = (c + 1) * (c + 2)
    from_sum = 2 * c + 3
    if from_product < from_sum:
        from_sum = from_product
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
    return total


@entry
def _reach_by_counting(a, b, c, digits, multipliers, hurford, order, weights, reached, possible, new):  # type: ignore[no-untyped-def]
    """Upper bound, by counting, on what completions add to the layers 1 and 2 together."""
    first = a + b if hurford else a
    total = 0.0
    count = 0
    for n in order:
        if count == first:
            break
        if n > c:
            total += weights[n]
            count += 1
    if hurford:
        return total + _heaviest(order, weights, new, reached[2], 1)
    size = len(weights) - 1
    others = a
    if c == 0 or (len(digits) > 0 and digits[0] == 1):
        others += b  # one times a new multiplier
    left = others + _both_new(a, b, c, size) + _one_new(a, b, c, size, digits, multipliers)
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


@entry
def lower_bound(digits, multipliers, c, left, fewest, most, hurford, limit, weights, order):  # type: ignore[no-untyped-def]
    """The least cost of every lexicon that has these words up to c and `left` more above c, |M| in fewest..most."""
    size = len(weights) - 1
    total = weights.sum()
    nd = len(digits)
    nm = len(multipliers)
    reached = _two_leaves(digits, multipliers, hurford, size)
    known = 0.0
    for n in range(1, size + 1):
        known += weights[n] * reached[1, n] + weights[n] * reached[2, n]
    possible = reached[2] if hurford else _product_numbers(digits, multipliers, c, size)
    gain_digit, gain_multiplier = _gains(multipliers, hurford, c, weights, reached)
    decided = expression_counts(nd, nm, hurford)
    levels = np.zeros(0, np.int64)
    best = np.inf
    for b in range(max(0, fewest - nm), min(left, most - nm) + 1):
        a = left - b
        if not hurford and nd + a == 0:
            continue
        if a > size - c or b > size - c:
            continue
        new = expression_counts(nd + a, nm + b, hurford) - decided
        counted = _reach_by_counting(a, b, c, digits, multipliers, hurford, order, weights, reached, possible, new[2])
        gained = gain_digit[a] + gain_multiplier[b]
        if hurford:
            gained += _bonus_hurford(a, b, c, order, weights, reached)
        else:
            gained += _heaviest(order, weights, _both_new(a, b, c, size), reached[2], (max(c, 1) + 1) ** 2)
            if c == 0:
                gained += _heaviest(order, weights, b, reached[2], 1)  # one times a new multiplier
        bound = total + 2.0 * max(0.0, 2.0 * total - known - min(counted, gained))
        for k in range(3, LAYERS + 1):
            if new[k] >= size:
                break
            if len(levels) == 0:
                levels = levels_of(digits, multipliers, hurford, limit, LAYERS)
            bound += 2.0 * _unreached(order, weights, new[k], levels, k)
        best = min(best, bound)
    return best


@entry
def _unreached(order, weights, count, levels, k):  # type: ignore[no-untyped-def]
    """The weight that stays unreached in layer k when `count` more numbers, the heaviest, are reached."""
    total = 0.0
    for n in order:
        if levels[n] == 0 or levels[n] > k:
            if count > 0:
                count -= 1
            else:
                total += weights[n]
    return total
