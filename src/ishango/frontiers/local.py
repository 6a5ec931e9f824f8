"""Steepest descent over single replacements: a good incumbent for the sizes that the search does not close at once."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from ishango.frontiers.problem import Problem, is_prime
from ishango.numerals import NumeralSystem
from ishango.numerals.batch import leaves_of_many, masks

Mask = NDArray[np.bool_]


def improve(problem: Problem, system: NumeralSystem, deadline: float | None = None) -> NumeralSystem:
    """The local optimum that the system leads to when one word at a time is replaced by the best other one.

    Descent stops early at the deadline, a time of `time.monotonic`.
    """
    lexicon = np.concatenate(masks([system], problem.upto), axis=1)[0]
    cost = costs(problem, lexicon[None])[0]
    size = int(sizes(problem, lexicon[None])[0])
    while deadline is None or time.monotonic() < deadline:
        neighbours = _replacements(lexicon)
        neighbours = _legal(problem, neighbours[sizes(problem, neighbours) == size], size)
        values = costs(problem, neighbours)
        if not len(values) or values.min() >= cost - 1e-9:
            break
        lexicon, cost = neighbours[values.argmin()], values.min()
    return _system(problem, lexicon)


def extend(problem: Problem, system: NumeralSystem, size: int) -> NumeralSystem | None:
    """The system grown to a larger size, each time by the word that helps most; None where no growth is legal."""
    lexicon = np.concatenate(masks([system], problem.upto), axis=1)[0]
    if problem.free_split:
        lexicon = _as_multipliers(problem, lexicon, size)
    while sizes(problem, lexicon[None])[0] < size:
        larger = np.repeat(lexicon[None], int((~lexicon).sum()), axis=0)
        larger[np.arange(len(larger)), np.flatnonzero(~lexicon)] = True
        larger = _legal(problem, larger[sizes(problem, larger) <= size], size)
        if not len(larger):
            return None
        lexicon = larger[costs(problem, larger).argmin()]
    return _system(problem, lexicon) if len(_legal(problem, lexicon[None], size)) else None


def primes(problem: Problem, size: int) -> list[NumeralSystem]:
    """The digit 1 with all primes for multipliers, which covers the range under every grammar, if it fits the size."""
    found = tuple(filter(is_prime, range(2, problem.upto + 1)))
    fits = found and problem.rules.size(1, len(found)) <= size and len(found) <= problem.multiplier_counts(size)[1]
    return [NumeralSystem((1,), found, problem.grammar)] if fits else []


def _as_multipliers(problem: Problem, lexicon: Mask, size: int) -> Mask:
    """Digits turned into multipliers, as many as the cap allows, which never costs where these are numerals."""
    n = problem.upto
    lexicon = lexicon.copy()
    most = problem.multiplier_counts(size)[1]
    for word in np.flatnonzero(lexicon[:n])[: max(0, most - int(lexicon[n:].sum()))]:
        lexicon[word], lexicon[n + word] = False, True
    return lexicon


def _system(problem: Problem, lexicon: Mask) -> NumeralSystem:
    halves = lexicon[: problem.upto], lexicon[problem.upto :]
    digits, multipliers = (tuple((np.flatnonzero(half) + 1).tolist()) for half in halves)
    return NumeralSystem(digits, multipliers, problem.grammar)


def costs(problem: Problem, lexicons: Mask) -> NDArray[np.float64]:
    """The cost of lexicons `(lexicons, 2 x range)`, digits then multipliers, in the search's units; inf: uncovered."""
    n = problem.upto
    leaves = leaves_of_many(lexicons[:, :n], lexicons[:, n:], problem.grammar)
    total = (2.0 * leaves - 1.0) @ problem.weights[1:]
    total[(leaves == 0).any(axis=1)] = np.inf
    return total


def sizes(problem: Problem, lexicons: Mask) -> NDArray[np.int64]:
    """The size of lexicons `(lexicons, 2 x range)`, digits then multipliers, in words."""
    return lexicons.astype(np.int64) @ np.repeat((1, problem.rules.multiplier_words), problem.upto)


def _replacements(lexicon: Mask) -> Mask:
    removed = np.flatnonzero(lexicon)
    added = np.flatnonzero(~lexicon)
    rows = np.repeat(lexicon[None], len(removed) * len(added), axis=0)
    index = np.arange(len(rows))
    rows[index, np.repeat(removed, len(added))] = False
    rows[index, np.tile(added, len(removed))] = True
    return rows


def _legal(problem: Problem, rows: Mask, size: int) -> Mask:
    """The lexicons that belong to the problem, or may grow into some that do: there is room for enough multipliers."""
    n = problem.upto
    fewest, most = problem.multiplier_counts(size)
    multipliers = rows[:, n:].sum(axis=1)
    room = (size - sizes(problem, rows)) // problem.rules.multiplier_words
    keep = (multipliers <= most) & (multipliers + room >= fewest)
    if problem.rules.bare_number or not problem.overlap:
        keep &= ~(rows[:, :n] & rows[:, n:]).any(axis=1)
    return rows[keep]
