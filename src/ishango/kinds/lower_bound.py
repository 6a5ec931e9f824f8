"""What no system with multipliers can undercut.

With a words that are numerals by themselves and at most c expressions of two leaves, a number can be said

- by a word, itself or another, for effort + precision x error;
- by its own expression of two leaves, for 3 effort; there are at most c of them;
- by another number's expression of two leaves, for 3 effort and at least the least error that a number can suffer;
- by three leaves or more, for at least 5 effort.

Dropping all that ties these together leaves a problem on the line: choose a places. A price for each expression of two
leaves (a Lagrange multiplier) stands for there being c of them; every price gives a lower bound, and the best of some
is taken. `docs/kinds.md` has the proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ishango.frontiers import bound
from ishango.kinds.error_measures import Floats
from ishango.kinds.few_words import chains, gap_costs
from ishango.kinds.law import Law
from ishango.numerals import as_grammar

_bound: Any = bound

PRICES = 16
"""Prices of an expression of two leaves that are tried."""


def recursive_bounds(law: Law, largest: int | None = None) -> Floats:
    """For each size 0..range (or up to the largest): a lower bound of effort x E[length] + precision x E[error] with a
    multiplier or more.

    Infinite where there is no such system: a digit and a multiplier are two words.
    """
    tried, largest = prices(law), largest or law.upto
    by_price = np.stack([_least(law, price, largest) for price in tried])  # (prices, words), from one word on
    bounds = np.full(largest + 1, np.inf)
    for size, words, at_most in lexicon_counts(law, largest):
        bounds[size] = min(bounds[size], float((by_price[:, words - 1] - tried * at_most).max()))
    return bounds


def lexicon_counts(law: Law, largest: int) -> Iterator[tuple[int, int, int]]:
    """Each size up to the largest, divided into digits and multipliers in every way: the size, how many words are
    numerals by themselves, and how many expressions of exactly two leaves there are at most."""
    n, flags = law.upto, as_grammar(law.grammar).flags
    for size in range(1, largest + 1):
        for multipliers in range(1, size if not flags.bare_number else size + 1):
            counts = _bound.expression_counts(size - multipliers, multipliers, flags)  # of at most so many leaves
            words = min(int(counts[1]), n)
            if words:
                yield size, words, min(int(counts[2] - counts[1]), n)


def prices(law: Law) -> Floats:
    """From nothing to what a number saves at most by having an expression of its own."""
    dearest = float(2 * law.effort * law.weights.max())
    return np.concatenate([[0.0], np.geomspace(dearest * 1e-4, dearest, PRICES - 1)]) if dearest else np.zeros(1)


def line(law: Law, price: float) -> tuple[Floats, Floats, Floats]:
    """The problem on the line where an expression of two leaves has a price: what numbers between two neighbouring
    words cost together with the later word, those up to a first word, and those above a last one."""
    n, effort, weights = law.upto, law.effort, law.weights
    others = np.where(np.eye(n, dtype=bool), np.inf, law.losses).min(axis=1) if n > 1 else np.array([np.inf])
    otherwise = np.minimum(
        np.minimum(weights * 3 * effort + price, weights * (3 * effort + others)), weights * 5 * effort
    )
    by_word = weights[:, None] * (effort + law.losses)
    between, below, above = gap_costs(np.minimum(by_word, otherwise[:, None]))
    own = weights * effort
    return between + own, below + own, above


def _least(law: Law, price: float, most: int) -> Floats:
    """The least cost on the line with 1, 2, ... words."""
    return chains(*line(law, price), most)[0]
