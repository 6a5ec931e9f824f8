# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The checker's own searches, from `docs/studies/frontier.md`: every lexicon of a small size, and by reach."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ishango.compiling import entry, jit
from ishango.frontiers._checker_bound import Lexicons, RefutedError

# Multipliers are chosen first, then digits, and numbers and phrases are kept level by level. Sums are whole numbers of
# 64 bits. Weights that do not fit are rounded down to 45 bits and the optimum up, and what then seems to be cheaper is
# evaluated with the weights as they are.

FITS, BITS = 62, 45


def look_at_everything(lexicons: Lexicons, optimum: int, cost: Callable[..., int | None]) -> int:
    """How many lexicons there are, none of which costs less than the optimum; raises if one does."""
    rules, size = lexicons.rules, lexicons.size
    if lexicons.overlap and not rules.bare_number:
        raise RefutedError("lexicons that overlap are not looked at one by one")
    if rules.multiplier_words > 1:
        raise RefutedError("lexicons in which a multiplier costs several words are not looked at one by one")
    top = size if lexicons.cap is None else min(size, lexicons.cap)
    counts = [top] if rules.bare_number else range(1, min(top, size - 1) + 1)
    total = sum(lexicons.weights)
    fits = (total * (4 * lexicons.limit + 8)).bit_length() <= FITS
    shift = 0 if fits else max(0, total.bit_length() - BITS)
    weights = np.array([weight >> shift for weight in lexicons.weights])
    # More than three times the limit is never reached: the least leaves are fewer than the values below the limit.
    target = min(-(-optimum >> shift), int(weights.sum()) * (4 * lexicons.limit + 8))
    flags = np.array([rules.bare_number, rules.bare_phrase, rules.plus, rules.minus, rules.flat])
    seen = 0
    for m in counts:
        multipliers, chosen = np.arange(1, m + 1), np.arange(size - m)
        resumed = False
        while True:
            found, many, digits = _look_at_all(multipliers, chosen, resumed, lexicons.limit, weights, flags, target)
            seen += many
            if not found:
                break
            exact = cost(lexicons, tuple(digits.tolist()), tuple(multipliers.tolist()))
            if exact is not None and exact < optimum:
                raise RefutedError(f"with {m} multipliers there is a lexicon that costs less than the optimum")
            resumed = True
    return seen


@entry
def _look_at_all(multipliers, chosen, resumed, limit, weights, flags, target):
    """Go on to the next lexicon that seems to be cheaper: whether there is one, how many were passed, its digits."""
    upto, d = len(weights) - 1, len(chosen)
    free = np.zeros(upto, np.int64)
    digits = np.zeros(d, np.int64)
    level = np.zeros((2, limit + 1), np.int64)
    values = np.zeros((2, limit + 1), np.int64)
    start = np.zeros((2, 4 * limit + 8), np.int64)
    seen = 0
    more_multipliers = True
    while more_multipliers:
        rest = 0
        for n in range(1, upto + 1):
            if not (multipliers == n).any():
                free[rest] = n
                rest += 1
        more_digits = d <= rest
        while more_digits:
            if resumed:
                resumed = False
            else:
                for i in range(d):
                    digits[i] = free[chosen[i]]
                seen += 1
                if not _hopeless(digits, multipliers, flags[0]) and cheaper(
                    digits, multipliers, limit, weights, flags, target, level, values, start
                ):
                    return True, seen, digits
            more_digits = _advance(chosen, rest - 1)
        for i in range(d):
            chosen[i] = i
        more_multipliers = _advance(multipliers, upto)
    return False, seen, digits


@jit
def _advance(chosen, last):
    """The next choice in order, of numbers up to `last`; whether there was one."""
    count = len(chosen)
    for i in range(count - 1, -1, -1):
        if chosen[i] < last - (count - 1 - i):
            chosen[i] += 1
            for j in range(i + 1, count):
                chosen[j] = chosen[i] + j - i
            return True
    return False


@jit
def _hopeless(digits, multipliers, bare_number):
    """Whether some number cannot have a numeral, whatever the number of leaves: the lemma on divisors."""
    divisor = 0
    for word in multipliers:
        divisor = np.gcd(divisor, word)
    if bare_number:
        for word in digits:
            divisor = np.gcd(divisor, word)
        return divisor > 1
    common = 0
    for word in digits:
        common = np.gcd(common, word)
    if common > 1 or divisor - 1 > 2 * len(digits):
        return True
    for remainder in range(1, divisor):
        if not ((digits % divisor == remainder) | (-digits % divisor == remainder)).any():
            return True
    return False


@jit
def cheaper(digits, multipliers, limit, weights, flags, optimum, level, values, start):
    """Whether a lexicon covers the range for less than the optimum; it is given up once it cannot."""
    upto = len(weights) - 1
    bare_number, bare_phrase, plus, minus, flat = flags[0], flags[1], flags[2], flags[3], flags[4]
    level[:] = 0
    numbers, phrases = values[0], values[1]
    start[:, :2] = 0
    found = made = 0
    missing = weights.sum()
    todo = upto
    total = missing
    for word in digits:
        numbers[found] = word
        level[0, word] = 1
        found += 1
    for word in multipliers:
        if bare_number and level[0, word] == 0:
            numbers[found] = word
            level[0, word] = 1
            found += 1
        if bare_phrase:
            phrases[made] = word
            level[1, word] = 1
            made += 1
    leaves, last_news = 1, 1
    cost = total
    while True:
        for i in range(start[0, leaves], found):
            if numbers[i] <= upto:
                missing -= weights[numbers[i]]
                todo -= 1
        start[0, leaves + 1], start[1, leaves + 1] = found, made
        if todo == 0:
            return cost < optimum
        cost += 2 * missing
        if cost >= optimum or leaves >= 2 * last_news:
            return False
        leaves += 1
        # What is multiplied: any number, or, without sums inside products, a word at first and then a product.
        factor = 1 if flat and leaves > 2 else 0
        for i in range(start[factor, leaves - 1], start[factor, leaves]):
            for word in multipliers:
                value = values[factor, i] * word
                if value <= limit and level[1, value] == 0:
                    level[1, value] = leaves
                    phrases[made] = value
                    made += 1
        for i in range(start[1, leaves], made):
            value = phrases[i]
            if level[0, value] == 0:
                level[0, value] = leaves
                numbers[found] = value
                found += 1
        for x in range(1, leaves):
            for i in range(start[1, x], start[1, x + 1]):
                for j in range(start[0, leaves - x], start[0, leaves - x + 1]):
                    value = phrases[i] + numbers[j]
                    if plus and value <= limit and level[0, value] == 0:
                        level[0, value] = leaves
                        numbers[found] = value
                        found += 1
                    value = phrases[i] - numbers[j]
                    if minus and value > 0 and level[0, value] == 0:
                        level[0, value] = leaves
                        numbers[found] = value
                        found += 1
        if found > start[0, leaves] or made > start[1, leaves]:
            last_news = leaves


# Search by reach, with tables of truth values. It goes through sets of multipliers, and for each through digits from
# the largest down. A choice of some words is given up when the layers of one, two and three leaves cannot reach enough.


def look_by_reach(lexicons: Lexicons, optimum: int, cost: Callable[..., int | None]) -> int:
    """How many choices of words were looked at, none of which leads below the optimum; raises if one does."""
    rules, weight, upto = lexicons.rules, lexicons.weights[1], lexicons.upto
    if any(each != weight for each in lexicons.weights[1:]):
        raise RefutedError("the bound by reach is for equal weights")
    if rules.multiplier_words > 1 or (lexicons.overlap and not rules.bare_number):
        raise RefutedError("the bound by reach is for other lexicons than these")
    # The cost is twice the sum of leaves less the range, in weights; this is the largest sum that would be cheaper.
    leaves = -(-(optimum + weight * upto) // (2 * weight)) - 1
    seen = 0
    if rules.bare_number:
        if not rules.bare_phrase or (lexicons.cap is not None and lexicons.cap < lexicons.size):
            raise RefutedError("the bound by reach is for other lexicons than these")
        return _look_at_words(lexicons, optimum, 3 * upto - leaves, cost)
    # With equal weights the cost of a lexicon is a multiple of one of them.
    alike, target = np.ones(upto + 1, np.int64), -(-optimum // weight)
    alike[0] = 0
    flags = np.array([rules.bare_number, rules.bare_phrase, rules.plus, rules.minus, rules.flat])
    for m in range(1, min(lexicons.size - 1, lexicons.cap or lexicons.size) + 1):
        multipliers, digits = np.arange(1, m + 1), np.zeros(lexicons.size - m, np.int64)
        found, many = _look(multipliers, digits, lexicons.limit, alike, flags, target, 4 * upto - leaves)
        seen += many
        if found:
            raise RefutedError(f"with {m} multipliers there is a lexicon that costs less than the optimum")
    return seen


def _look_at_words(lexicons: Lexicons, optimum: int, enough: int, cost: Callable[..., int | None]) -> int:
    """The same where every word is a multiplier and a phrase."""
    total, upto = lexicons.size, lexicons.upto
    words, possible = np.zeros(total, np.int64), np.zeros((total, upto + 1), np.bool_)
    possible[0, 1:] = True
    pairs = np.array([[_most_by_pairs(x, left, upto) for x in range(upto + 1)] for left in range(total + 1)])
    chosen = seen = 0
    while chosen >= 0:
        chosen, many, whole = _go_on(words, possible, chosen, enough, pairs)
        seen += many
        if whole:
            value = cost(lexicons, (), tuple(words.tolist()))
            if value is not None and value < optimum:
                raise RefutedError("there is a lexicon that costs less than the optimum")
    return seen


def _most_by_pairs(x: int, left: int, upto: int) -> int:
    """The most numbers that `left` new words, x the smallest, make two by two: differences, sums, products."""
    pairs = [(x + i, x + j) for j in range(left) for i in range(j)]
    return len(pairs) + sum(a + b <= upto for a, b in pairs) + sum(a * b <= upto for a, b in pairs)


@entry
def _go_on(words, possible, chosen, enough, pairs):
    """Go on to the next set of words of which two leaves reach enough: where it stands, how many were passed."""
    total, upto = len(words), possible.shape[1] - 1
    reached = np.zeros((total + 1, upto + 1), np.bool_)
    for i in range(chosen):
        _join(words[: i + 1], reached[i], reached[i + 1])
    seen = 0
    while chosen >= 0:
        word = upto
        while word > 0 and not possible[chosen, word]:
            word -= 1
        if word == 0:
            chosen -= 1
            continue
        possible[chosen, word] = False
        words[chosen] = word
        seen += 1
        _join(words[: chosen + 1], reached[chosen], reached[chosen + 1])
        lacking = enough - chosen - 1 - reached[chosen + 1].sum()
        if chosen + 1 == total:
            if lacking <= 0:
                return chosen, seen, True
        else:
            chosen += 1
            left = total - chosen
            _possible_words(words[:chosen], lacking, reached[chosen], pairs[left], left, possible[chosen])
    return chosen, seen, False


@jit
def _join(words, before, reached):
    """What at most two leaves reach when the last word, the largest, joins the others: products, sums, differences."""
    upto, x = len(reached) - 1, words[-1]
    for n in range(upto + 1):
        reached[n] = before[n]
    reached[x] = True
    for y in words:
        if x * y <= upto:
            reached[x * y] = True
        if x + y <= upto:
            reached[x + y] = True
        if x > y:
            reached[x - y] = True


@jit
def _possible_words(words, lacking, reached, pairs, left, possible):
    """Mark the numbers that can be the next word, the smallest of the `left` ones to come."""
    upto, last = len(reached) - 1, words[-1]
    possible[:] = False
    gain = _gains(words, reached)
    if last == upto or left * gain[last + 1 :].max() + pairs[last + 1] < lacking:
        return
    # The largest gains of the numbers above x: those of the words that come behind it, at most.
    others, smallest, total = np.zeros(left - 1, np.int64), 0, 0
    for x in range(upto, last, -1):
        if x + left - 1 <= upto:
            possible[x] = gain[x] + total + pairs[x] >= lacking
        if left > 1 and gain[x] > smallest:
            others[others.argmin()] = gain[x]
            smallest, total = others.min(), others.sum()


@jit
def _gains(words, reached):
    """How many numbers each number above the last word would add, to the words and to what two leaves reach."""
    upto, next_word = len(reached) - 1, words[-1] + 1
    gain = np.ones(upto + 1, np.int64)
    for n in range(1, upto + 1):
        if reached[n]:
            continue
        gain[n] += 1
        if 2 * next_word <= n and n % 2 == 0:
            gain[n // 2] += 1
        if next_word * next_word <= n:
            root = int(np.sqrt(n) + 0.5)
            gain[root] += root * root == n
        for y in words:
            if y * next_word <= n and n % y == 0:
                gain[n // y] += 1
            if n > y:
                gain[n - y] += 1
            if n + y <= upto:
                gain[n + y] += 1
    return gain


@entry
def _look(multipliers, digits, limit, weights, flags, optimum, enough):
    """Go through all lexicons with so many multipliers and digits: whether one is cheaper, and how many were passed."""
    m, d, upto = len(multipliers), len(digits), len(weights) - 1
    possible = np.zeros((d, upto + 1), np.bool_)
    gain = np.zeros(upto + 1, np.int64)
    layers = np.zeros((2, upto + 1), np.bool_)
    level, values = np.zeros((2, limit + 1), np.int64), np.zeros((2, limit + 1), np.int64)
    start = np.zeros((2, 4 * limit + 8), np.int64)
    seen = 0
    if d * _own_expressions(m, 0) + _shared_expressions(m, d) < enough:
        return False, 1
    while True:
        _possible_digits(multipliers, digits[:0], d, upto, enough, layers, gain, possible[0])
        chosen, last = 0, upto + 1
        while chosen >= 0:
            seen += 1
            word = last - 1
            while word > 0 and not possible[chosen, word]:
                word -= 1
            if word == 0:
                chosen -= 1
                if chosen >= 0:
                    last = digits[chosen]
                continue
            digits[chosen] = last = word
            if chosen < d - 1:
                chosen += 1
                _possible_digits(multipliers, digits[:chosen], d - chosen, upto, enough, layers, gain, possible[chosen])
            elif _sum_of_layers(multipliers, digits, upto, layers) >= enough and cheaper(
                digits, multipliers, limit, weights, flags, optimum, level, values, start
            ):
                return True, seen
        place = m - 1
        while place >= 0 and multipliers[place] == upto - (m - 1 - place):
            place -= 1
        if place < 0:
            return False, seen
        multipliers[place] += 1
        for j in range(place + 1, m):
            multipliers[j] = multipliers[j - 1] + 1


@jit
def _own_expressions(m, d):
    """What one digit can add: itself to three layers, its products to two, to the third what has it and others."""
    return 3 + 2 * m + m * (m + 1) // 2 + 2 * m + 4 * m * d


@jit
def _shared_expressions(m, left):
    """The sums and differences x y + z, x y - z of two new digits x and z in either order."""
    return 2 * m * left * (left - 1)


@jit
def _sum_of_layers(multipliers, digits, upto, layers):
    """How many numbers one leaf, at most two and at most three leaves reach, added up; `layers` has the last two."""
    layers[:] = False
    for x in digits:
        layers[:, x] = True
        for y in multipliers:
            if x * y <= upto:
                layers[:, x * y] = True
            for z in multipliers:
                if x * y * z <= upto:
                    layers[1, x * y * z] = True
            for z in digits:
                if x * y + z <= upto:
                    layers[1, x * y + z] = True
                if 0 < x * y - z <= upto:
                    layers[1, x * y - z] = True
    return len(digits) + layers.sum()


@jit
def _new(layer, value, upto):
    return 1 if 0 < value <= upto and not layer[value] else 0


@jit
def _possible_digits(multipliers, digits, left, upto, enough, layers, gain, possible):
    """Mark the numbers that can be the largest digit of the `left` ones to come."""
    m, d = len(multipliers), len(digits)
    possible[:] = False
    lacking = enough - _sum_of_layers(multipliers, digits, upto, layers) - _shared_expressions(m, left)
    if left * _own_expressions(m, d) < lacking:
        return
    two, three = layers[0], layers[1]
    largest = 0
    top = digits[d - 1] if d else upto + 1
    for x in range(1, top):
        if (multipliers == x).any():
            continue
        gain[x] = 1 + _new(two, x, upto) + _new(three, x, upto)
        for i in range(m):
            y = multipliers[i]
            gain[x] += _new(two, x * y, upto) + _new(three, x * y, upto)
            gain[x] += _new(three, x * y + x, upto) + _new(three, x * y - x, upto)
            for j in range(i, m):
                gain[x] += _new(three, x * y * multipliers[j], upto)
            for z in digits:
                gain[x] += _new(three, x * y + z, upto) + _new(three, x * y - z, upto)
                gain[x] += _new(three, z * y + x, upto) + _new(three, z * y - x, upto)
        largest = max(largest, gain[x])
        possible[x] = True
    for x in range(1, top):
        if possible[x] and gain[x] + (left - 1) * largest < lacking:
            possible[x] = False
