# pyright: basic
# A kernel: Numba infers the types of its arguments.
"""The checker's own look at every lexicon of a small size, from the definitions in `docs/frontier.md`.

Multipliers are chosen first, then digits, and numbers and phrases are kept level by level. Sums are whole numbers of 64
bits. Weights that do not fit are rounded down to 45 bits and the optimum up, and what then seems to be cheaper is
evaluated with the weights as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ishango.compiling import entry, jit
from ishango.frontiers.checker_bound import Lexicons

FITS, BITS = 62, 45


class CheaperError(Exception):
    """A lexicon costs less than the optimum that is claimed."""


def look_at_everything(lexicons: Lexicons, optimum: int, cost: Callable[..., int | None]) -> int:
    """How many lexicons there are, none of which costs less than the optimum; raises if one does."""
    rules, size = lexicons.rules, lexicons.size
    if lexicons.overlap and not rules.bare_number:
        raise CheaperError("lexicons that overlap are not looked at one by one")
    if rules.multiplier_words > 1:
        raise CheaperError("lexicons in which a multiplier costs several words are not looked at one by one")
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
            found, many, digits = _look(multipliers, chosen, resumed, lexicons.limit, weights, flags, target)
            seen += many
            if not found:
                break
            exact = cost(lexicons, tuple(digits.tolist()), tuple(multipliers.tolist()))
            if exact is not None and exact < optimum:
                raise CheaperError(f"with {m} multipliers there is a lexicon that costs less than the optimum")
            resumed = True
    return seen


@entry
def _look(multipliers, chosen, resumed, limit, weights, flags, target):
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
