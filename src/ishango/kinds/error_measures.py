"""How wrong it is to say one number for another, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ishango.registry import by_name

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ErrorMeasure:
    """One way to measure what is lost. It must be 0 for the number itself, and must not fall with the distance on
    either side of it: then numbers that share a word lie side by side, which the optima rest on."""

    name: str
    sentence: str
    of: Callable[[Floats, Floats], Floats]
    """The error of saying the second number for the first, elementwise."""


WEBER = ErrorMeasure("weber", "the distance over the number meant", lambda meant, said: np.abs(meant - said) / meant)
LOGARITHM = ErrorMeasure(
    "log", "the distance between the logarithms", lambda meant, said: np.abs(np.log(meant) - np.log(said))
)
EXACT = ErrorMeasure("exact", "1 for every other number", lambda meant, said: (meant != said).astype(np.float64))

ERROR_MEASURES = by_name(WEBER, LOGARITHM, EXACT)


def error_table(name: str, upto: int) -> Floats:
    """The error of saying v for n, (range, range)."""
    numbers = np.arange(1.0, upto + 1)
    return ERROR_MEASURES[name].of(numbers[:, None], numbers[None, :])
