# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Sets of numbers up to 127 as two words of 64 bits, and counters for all numbers at once.

A counter is a stack of such sets: the bit of n in the i-th is the i-th binary digit of the count of n. Adding one
for each member of a set takes a few operations on words, for all numbers together.
"""

import numpy as np

from ishango.compiling import entry, jit

DIGITS = 8
"""Binary digits of a counter."""
LARGEST = 127


@jit
def holds(low, high, n):
    if n < 64:
        return (low >> np.uint64(n)) & np.uint64(1) == 1
    return (high >> np.uint64(n - 64)) & np.uint64(1) == 1


@jit
def put(low, high, n):
    if n < 64:
        return low | (np.uint64(1) << np.uint64(n)), high
    return low, high | (np.uint64(1) << np.uint64(n - 64))


@jit
def below(n):
    if n < 64:
        return (np.uint64(1) << np.uint64(n)) - np.uint64(1), np.uint64(0)
    return ~np.uint64(0), (np.uint64(1) << np.uint64(n - 64)) - np.uint64(1)


@jit
def lowered(low, high, by):
    """The set {n - by : n in the set, n - by in 0..127}, for any whole number."""
    if by >= 128 or by <= -128:
        return np.uint64(0), np.uint64(0)
    if by >= 64:
        return high >> np.uint64(by - 64), np.uint64(0)
    if by > 0:
        return (low >> np.uint64(by)) | (high << np.uint64(64 - by)), high >> np.uint64(by)
    if by == 0:
        return low, high
    if by > -64:
        return low << np.uint64(-by), (high << np.uint64(-by)) | (low >> np.uint64(64 + by))
    return np.uint64(0), low << np.uint64(-by - 64)


@jit
def mirrored(low, high):
    """The set {127 - n : n in the set}."""
    return _turned(high), _turned(low)


@jit
def _turned(word):
    for by, mask in (
        (1, 0x5555555555555555),
        (2, 0x3333333333333333),
        (4, 0x0F0F0F0F0F0F0F0F),
        (8, 0x00FF00FF00FF00FF),
        (16, 0x0000FFFF0000FFFF),
    ):
        shift, half = np.uint64(by), np.uint64(mask)
        word = ((word >> shift) & half) | ((word & half) << shift)
    return (word >> np.uint64(32)) | (word << np.uint64(32))


@jit
def size(low, high):
    return _ones(low) + _ones(high)


@jit
def _ones(word):
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit
def multiples(low, high, times, plus, upto, first, top):
    """The set {x : first <= x < top, x * times + plus in the set and in 1..upto}."""
    found_low, found_high = np.uint64(0), np.uint64(0)
    x, value = first, first * times + plus
    while x < top and value <= upto:
        if value >= 1 and holds(low, high, value):
            found_low, found_high = put(found_low, found_high, x)
        x += 1
        value += times
    return found_low, found_high


@jit
def count(counter, low, high):
    """Add one for each member of the set."""
    i = 0
    while low | high:
        carry_low, carry_high = counter[i, 0] & low, counter[i, 1] & high
        counter[i, 0] ^= low
        counter[i, 1] ^= high
        low, high = carry_low, carry_high
        i += 1


@jit
def counted(counter, n):
    place, digit, total = n // 64, np.uint64(n % 64), 0
    for i in range(DIGITS):
        total |= np.int64((counter[i, place] >> digit) & np.uint64(1)) << i
    return total


@jit
def most(counter, low, high):
    """The largest count of a member of the set."""
    largest = 0
    for i in range(DIGITS - 1, -1, -1):
        with_low, with_high = low & counter[i, 0], high & counter[i, 1]
        if with_low | with_high:
            low, high = with_low, with_high
            largest |= 1 << i
    return largest


@jit
def at_least(counter, low, high, least):
    """The members of the set that are counted at least so often."""
    if least <= 0:
        return low, high
    above_low, above_high = np.uint64(0), np.uint64(0)
    if least >= 1 << DIGITS:
        return above_low, above_high
    for i in range(DIGITS - 1, -1, -1):
        if least >> i & 1:
            low, high = low & counter[i, 0], high & counter[i, 1]
        else:
            above_low, above_high = above_low | (low & counter[i, 0]), above_high | (high & counter[i, 1])
            low, high = low & ~counter[i, 0], high & ~counter[i, 1]
    return above_low | low, above_high | high


@jit
def take_largest(sets, i):
    """Remove the largest number from the i-th set, and return it."""
    n = 127
    while not holds(sets[i, 0], sets[i, 1], n):
        n -= 1
    if n < 64:
        sets[i, 0] &= ~(np.uint64(1) << np.uint64(n))
    else:
        sets[i, 1] &= ~(np.uint64(1) << np.uint64(n - 64))
    return n


# Good lexicons where every word is a multiplier, a numeral and a phrase: a climb over what two leaves reach.
#
# The search by reach (`reach_free`) is the shorter the better the lexicon that is to be beaten.


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
