# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""What is lost between neighbouring words on the line."""

import numpy as np

from ishango.compiling import entry


@entry
def lost_between(losses):
    """For each i < j the sum over all n between them of the lesser of losses[n, i] and losses[n, j].

    Sums begin at the first number, as NumPy's cumulative ones do: the same bits as without a kernel.
    """
    n = len(losses)
    by_word = np.ascontiguousarray(losses.T)  # by_word[v]: what is lost where v is said, number by number
    between = np.zeros((n, n))
    for i in range(n - 1):
        for j in range(i + 1, n):
            first, second, total, upto_i = by_word[i], by_word[j], 0.0, 0.0
            for k in range(j):
                total += min(first[k], second[k])
                if k == i:
                    upto_i = total
            between[i, j] = total - upto_i
    return between


# What it costs to say each number, for many systems at once.
#
# The error does not fall with the distance, so among expressions of one length only the nearest number below and the
# nearest above can be the cheapest: a walk up the line and one down it see them all.


@entry
def fill_least(leaves, efforts, losses, least):
    """Fill `least` (systems, range) with the least efforts[leaves of v] + losses[n, v] over all v that have leaves."""
    n_systems, n = leaves.shape
    nearest = np.empty(len(efforts), np.int64)
    for row in range(n_systems):
        for i in range(n):
            least[row, i] = np.inf
        for step in (1, -1):
            nearest[:] = -1
            longest = 0
            i = 0 if step == 1 else n - 1
            for _ in range(n):
                level = leaves[row, i]
                if level > 0:
                    nearest[level] = i
                    longest = max(longest, level)
                for level in range(1, longest + 1):
                    v = nearest[level]
                    if v >= 0:
                        cost = efforts[level] + losses[i, v]
                        if cost < least[row, i]:
                            least[row, i] = cost
                i += step
