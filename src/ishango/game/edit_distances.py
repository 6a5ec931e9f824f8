# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""How far strings of symbols are from one another."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry, jit


def edit_distances(strings: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """Least number of symbols to insert, delete or replace between the strings of each pair: of the first with all
    behind it, then of the second, and so on.

    >>> edit_distances([("a", "b", "c"), ("b", "c", "d"), ()]).tolist()
    [2, 3, 3]
    """
    numbers: dict[str, int] = {}
    lengths = np.array([len(string) for string in strings], np.int64)
    table = np.zeros((len(strings), max(lengths, default=0)), np.int64)
    for row, string in zip(table, strings, strict=True):
        row[: len(string)] = [numbers.setdefault(symbol, len(numbers)) for symbol in string]
    return _all_pairs(table, lengths)


@jit
def _distance(one, other, row):
    """Row i has the distances of one[:i] from every beginning of the other string."""
    for j in range(other.size + 1):
        row[j] = j
    for i in range(one.size):
        diagonal, row[0] = row[0], i + 1
        for j in range(other.size):
            above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + (one[i] != other[j]))
            diagonal = above
    return row[other.size]


@entry
def _all_pairs(table, lengths):
    count, longest = table.shape
    found = np.empty(count * (count - 1) // 2, np.int64)
    row = np.empty(longest + 1, np.int64)
    at = 0
    for one in range(count):
        for other in range(one + 1, count):
            found[at] = _distance(table[one, : lengths[one]], table[other, : lengths[other]], row)
            at += 1
    return found
