# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Good lexicons where every word is a multiplier, a numeral and a phrase: a climb over what two leaves reach.

The search by reach (`reach_free`) is the shorter the better the lexicon that is to be beaten.
"""

import numpy as np

from ishango.compiling import entry, jit
from ishango.frontiers.reach_bits import put, size


@entry
def climb(words, upto, tries, rng):
    """So many words with which two leaves reach much: the best of sets that no replacement of one word improves."""
    best, most_reached = np.zeros(words, np.int64), -1
    for _ in range(tries):
        lexicon = _drawn(words, upto, rng)
        reached = _climbed(lexicon, upto)
        if reached > most_reached:
            best, most_reached = lexicon, reached
    best.sort()
    return best


@jit
def _drawn(words, upto, rng):
    """Different words of the range, drawn at random."""
    lexicon = np.zeros(words, np.int64)
    for i in range(words):
        while lexicon[i] == 0:
            word = 1 + int(rng.random() * upto)
            if not _among(word, lexicon):
                lexicon[i] = word
    return lexicon


@jit
def _climbed(lexicon, upto):
    """Replace one word after the other by the best, until none is replaced; returns how many numbers are reached."""
    reached, before = _reach(lexicon, upto), -1
    while reached > before:
        before = reached
        for i in range(len(lexicon)):
            best = lexicon[i]
            for word in range(1, upto + 1):
                if _among(word, lexicon):
                    continue
                lexicon[i] = word
                now = _reach(lexicon, upto)
                if now > reached:
                    reached, best = now, word
            lexicon[i] = best
    return reached


@jit
def _among(word, lexicon):
    for each in lexicon:  # noqa: SIM110 - kernels have no generators
        if each == word:
            return True
    return False


@jit
def _reach(lexicon, upto):
    """How many numbers two leaves reach."""
    low, high = np.uint64(0), np.uint64(0)
    for last in range(len(lexicon)):
        low, high = with_word(low, high, lexicon, last, upto)
    return size(low, high)


@jit
def with_word(low, high, words, last, upto):
    """What two leaves reach when the last word joins the others."""
    x = words[last]
    low, high = put(low, high, x)
    if 2 * x <= upto:
        low, high = put(low, high, 2 * x)
    if x * x <= upto:
        low, high = put(low, high, x * x)
    for i in range(last):
        if x * words[i] <= upto:
            low, high = put(low, high, x * words[i])
        if x + words[i] <= upto:
            low, high = put(low, high, x + words[i])
        low, high = put(low, high, abs(x - words[i]))
    return low, high
