# pyright: basic
# A kernel: Numba infers the types of its arguments.
"""The checker's own search by reach, from the definitions in `docs/frontier.md`, with tables of truth values.

It goes through sets of multipliers, and for each through digits from the largest down. A choice of some words is given
up when the layers of one, two and three leaves cannot reach enough any more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ishango.compiling import entry, jit
from ishango.frontier.checker_bound import Lexicons
from ishango.frontier.checker_everything import CheaperError


def look_by_reach(lexicons: Lexicons, optimum: int, cost: Callable[..., int | None]) -> int:
    """How many choices of words were looked at, none of which leads below the optimum; raises if one does."""
    rules, weight, upto = lexicons.rules, lexicons.weights[1], lexicons.upto
    if any(each != weight for each in lexicons.weights[1:]):
        raise CheaperError("the bound by reach is for equal weights")
    if lexicons.overlap or rules.bare_number or rules.multiplier_words > 1:
        raise CheaperError("the bound by reach is for other lexicons than these")
    # The cost is twice the sum of leaves less the range, in weights; this is the largest sum that would be cheaper.
    leaves = -(-(optimum + weight * upto) // (2 * weight)) - 1
    seen = 0
    for m in range(1, min(lexicons.size - 1, lexicons.cap or lexicons.size) + 1):
        multipliers, more = np.arange(1, m + 1), True
        while more:
            more, many, held, found = _look(multipliers, lexicons.size - m, upto, 4 * upto - leaves)
            seen += many
            for digits in found[:held]:
                value = cost(lexicons, tuple(sorted(digits[:-m].tolist())), tuple(digits[-m:].tolist()))
                if value is not None and value < optimum:
                    raise CheaperError(f"with {m} multipliers there is a lexicon that costs less than the optimum")
    return seen


@entry
def _look(multipliers, d, upto, enough):
    """Go on from these multipliers until many lexicons are found that may be cheaper, each with its digits first."""
    m = len(multipliers)
    digits = np.zeros(d, np.int64)
    possible = np.zeros((d, upto + 1), np.bool_)
    found = np.zeros((10_000, d + m), np.int64)
    gain = np.zeros(upto + 1, np.int64)
    layers = np.zeros((2, upto + 1), np.bool_)
    seen = held = 0
    if d * _own_expressions(m, 0) + _shared_expressions(m, d) < enough:
        return False, 1, 0, found
    while held < 5_000:
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
            elif _sum_of_layers(multipliers, digits, upto, layers) >= enough:
                if held == len(found):
                    raise ValueError("more lexicons seem to be cheaper than there is room for")
                found[held, :d] = digits
                found[held, d:] = multipliers
                held += 1
        place = m - 1
        while place >= 0 and multipliers[place] == upto - (m - 1 - place):
            place -= 1
        if place < 0:
            return False, seen, held, found
        multipliers[place] += 1
        for j in range(place + 1, m):
            multipliers[j] = multipliers[j - 1] + 1
    return True, seen, held, found


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
