"""The best systems without multipliers, exactly: words share out the line, so the last word's place is all that
dynamic programming has to know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ishango.kinds.error_measures import Floats
from ishango.kinds.law import Law
from ishango.kinds.line_kernel import lost_between  # pyright: ignore[reportUnknownVariableType]


def best_words(law: Law, most: int | None = None) -> tuple[Floats, list[tuple[int, ...]]]:
    """For each number of words 1..range (or up to `most`): the least effort x E[length] + precision x E[error], and
    words that have it.

    >>> values, words = best_words(Law(precision=3))
    >>> words[4]
    (1, 2, 3, 6, 13)
    """
    values, places = chains(*_gaps(law), most)
    return law.effort * law.weights.sum() + values, [tuple((np.array(each) + 1).tolist()) for each in places]


@lru_cache(maxsize=2)
def _gaps(law: Law) -> tuple[Floats, Floats, Floats]:
    """Few words are asked for before many, under the same law."""
    return gap_costs(law.losses * law.weights[:, None])


def gap_costs(losses: Floats) -> tuple[Floats, Floats, Floats]:
    """What is lost between two neighbouring words i < j (range, range), below a first word and above a last one.

    `losses[n, v]` is what is lost where v is said for n, weighted by need.
    """
    between: Floats = lost_between(losses)
    below, above = np.triu(losses, 1).sum(axis=0), np.tril(losses, -1).sum(axis=0)
    return between, below, above


def chains(between: Floats, below: Floats, above: Floats, most: int | None = None) -> tuple[Floats, list[list[int]]]:
    """The cheapest choices of 1, 2, ... places on a line (`most` at most): their costs, and the places."""
    values: list[float] = []
    before: list[NDArray[np.intp]] = []
    places: list[list[int]] = []
    for value, step in walk(between, below, most):
        before += [] if step is None else [step]
        total = value + above
        last = int(total.argmin())
        values.append(float(total[last]))
        places.append(_traced(before, last))
    return np.array(values), places


def walk(between: Floats, below: Floats, most: int | None = None) -> Iterator[tuple[Floats, NDArray[np.intp] | None]]:
    """What 1, 2, ... places cost at least where the last one is given, and the place before it."""
    n = len(below)
    value = below
    yield value, None
    blocked = np.where(np.arange(n)[:, None] < np.arange(n)[None, :], between, np.inf)
    for _ in range(1, min(n, most or n)):
        steps = value[:, None] + blocked
        value = steps.min(axis=0)
        yield value, steps.argmin(axis=0)


def _traced(before: list[NDArray[np.intp]], last: int) -> list[int]:
    found = [last]
    for step in reversed(before):
        found.append(int(step[found[-1]]))
    return found[::-1]
