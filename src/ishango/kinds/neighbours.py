"""Lexicons one word away, as masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ishango.kinds.open_system import Mask


def grown(lexicon: Mask) -> Mask:
    """All lexicons with a word more."""
    return flipped(lexicon, np.argwhere(~lexicon))


def shrunk(lexicon: Mask) -> Mask:
    """All lexicons with a word less."""
    return flipped(lexicon, np.argwhere(lexicon))


def exchanged(lexicon: Mask) -> Mask:
    """All lexicons with one word in another's place."""
    return np.concatenate([grown(each) for each in shrunk(lexicon)])


def moved(lexicon: Mask, farthest: int) -> Mask:
    """All lexicons with one word moved by up to so many numbers, in its role."""
    found: list[Mask] = []
    for role, place in np.argwhere(lexicon).tolist():
        near = range(max(0, place - farthest), min(lexicon.shape[1], place + farthest + 1))
        free = [[role, other] for other in near if not lexicon[role, other]]
        without = lexicon.copy()
        without[role, place] = False
        found.append(flipped(without, np.array(free, np.intp).reshape(-1, 2)))
    return np.concatenate(found)


def flipped(lexicon: Mask, places: NDArray[np.intp]) -> Mask:
    """The lexicon once for each place (role, number - 1): what was in it is not, and what was not is."""
    many = np.repeat(lexicon[None], len(places), axis=0)
    many[np.arange(len(places)), places[:, 0], places[:, 1]] ^= True
    return many
