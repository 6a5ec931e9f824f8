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
