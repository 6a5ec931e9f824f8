"""The law by brute force: every system of few words over few numbers, and what each costs, by other means than the
package's: lengths are the least fixed point of the grammar's rules, need and errors are written out."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np

from ishango.kinds import Law, OpenSystem

LARGEST = 4
"""Words of the largest systems."""

ERRORS = {
    "weber": lambda n, v: abs(n - v) / n,
    "log": lambda n, v: abs(np.log(n) - np.log(v)),
    "exact": lambda n, v: float(n != v),
}


@cache
def every_system(upto: int, largest: int = LARGEST) -> tuple[OpenSystem, ...]:
    """All systems of at most so many words, with and without multipliers."""
    words = range(1, upto + 1)
    return tuple(
        OpenSystem(d, m)
        for size in range(1, largest + 1)
        for digits in range(1, size + 1)
        for d, m in product(combinations(words, digits), combinations(words, size - digits))
    )


@cache
def lengths_by_hand(upto: int) -> np.ndarray:
    """The lengths of all numbers in all systems, (systems, range).

    number = digit | phrase | phrase + number | phrase - number; phrase = number * multiplier; all values up to 2N + 2.
    """
    systems, limit = every_system(upto), 2 * upto + 2
    numbers = np.full((limit + 1, len(systems)), np.inf)  # leaves of each value, a column a system
    for column, system in enumerate(systems):
        numbers[list(system.digits), column] = 1
    price = np.array([[1.0 if m in system.multipliers else np.inf for system in systems] for m in range(upto + 1)])
    phrases, before = np.full_like(numbers, np.inf), None
    while before is None or not np.array_equal(before, numbers):
        before = numbers.copy()
        for n, m in product(range(1, limit + 1), range(1, upto + 1)):
            if n * m <= limit:
                phrases[n * m] = np.minimum(phrases[n * m], numbers[n] + price[m])
        numbers = np.minimum(numbers, phrases)
        for phrase, number in product(range(1, limit + 1), repeat=2):
            for value in (phrase + number, phrase - number):
                if 1 <= value <= limit:
                    numbers[value] = np.minimum(numbers[value], phrases[phrase] + numbers[number])
    return (2 * numbers - 1)[1 : upto + 1].T


def costs_by_hand(law: Law) -> tuple[np.ndarray, np.ndarray]:
    """What saying costs in every system, and what is said, (systems, range), for needs that fall with the square."""
    meant = range(1, law.upto + 1)
    weights = np.array([n**-2.0 for n in meant]) / sum(n**-2.0 for n in meant)
    errors = np.array([[ERRORS[law.error](n, v) for v in meant] for n in meant])
    ways = law.effort * lengths_by_hand(law.upto)[:, None, :] + law.precision * errors
    return ways.min(axis=2) @ weights, ways.round(10).argmin(axis=2) + 1
