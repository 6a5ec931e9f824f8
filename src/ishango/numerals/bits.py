"""Sets of values as bits of 64-bit words, for kernels: bit v of the array is set when v is in the set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import jit

Bits = NDArray[np.uint64]


@jit
def contains(bits: Bits, value: int) -> bool:
    """Whether the value is in the set."""
    return (bits[value >> 6] >> np.uint64(value & 63)) & np.uint64(1) != 0


@jit
def insert(bits: Bits, value: int) -> None:
    """Put the value into the set."""
    bits[value >> 6] |= np.uint64(1) << np.uint64(value & 63)


@jit
def mirror(bits: Bits, limit: int, out: Bits) -> None:
    """Make `out` the set of limit - v for each v of the set."""
    out[:] = 0
    for value in range(1, limit + 1):
        if contains(bits, value):
            insert(out, limit - value)


@jit
def or_shifted_up(out: Bits, bits: Bits, by: int) -> None:
    """out |= bits << by: the sums of one phrase with a whole level of numbers."""
    skip = by >> 6
    shift = np.uint64(by & 63)
    if shift == 0:
        for w in range(skip, len(out)):
            out[w] |= bits[w - skip]
        return
    back = np.uint64(64) - shift
    out[skip] |= bits[0] << shift
    for w in range(skip + 1, len(out)):
        out[w] |= (bits[w - skip] << shift) | (bits[w - skip - 1] >> back)


@jit
def or_shifted_down(out: Bits, bits: Bits, by: int) -> None:
    """out |= bits >> by: with mirrored bits, the differences of one phrase and a whole level of numbers."""
    skip = by >> 6
    shift = np.uint64(by & 63)
    last = len(out) - 1 - skip
    if shift == 0:
        for w in range(last + 1):
            out[w] |= bits[w + skip]
        return
    back = np.uint64(64) - shift
    for w in range(last):
        out[w] |= (bits[w + skip] >> shift) | (bits[w + skip + 1] << back)
    out[last] |= bits[len(out) - 1] >> shift
