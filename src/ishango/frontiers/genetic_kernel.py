# pyright: basic
# A kernel: Numba infers the types of its arguments.
"""The mutations of the genetic algorithm."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry


@entry
def mutate(lexicons: NDArray[np.bool_], counts: NDArray[np.int64], chances: NDArray[np.float64], cap: int) -> None:
    """Mutate each lexicon in place; a mutation that the rules forbid leaves it as it is.

    chances (lexicons, mutations, 4): which mutation, which set, which word goes, which number comes.
    """
    n = lexicons.shape[1] // 2
    for row in range(len(lexicons)):
        lexicon = lexicons[row]
        for i in range(counts[row]):
            kind = int(chances[row, i, 0] * 3)  # 0 add, 1 remove, 2 interchange
            start = n if chances[row, i, 1] < 0.5 else 0
            held = 0
            free = 0
            for j in range(n):
                held += lexicon[start + j]
                free += not (lexicon[j] or lexicon[n + j])
            if (kind != 1 and free == 0) or (kind == 1 and held == 1):
                continue
            if kind == 0 and start == n and held >= cap:
                continue
            goes = int(chances[row, i, 2] * held) if kind != 0 else -1
            comes = int(chances[row, i, 3] * free) if kind != 1 else -1
            out = -1
            into = -1
            for j in range(n):
                if lexicon[start + j]:
                    if goes == 0:
                        out = j
                    goes -= 1
                if not (lexicon[j] or lexicon[n + j]):
                    if comes == 0:
                        into = j
                    comes -= 1
            if out >= 0:
                lexicon[start + out] = False
            if into >= 0:
                lexicon[start + into] = True
