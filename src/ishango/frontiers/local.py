"""Steepest descent over single replacements: a good incumbent for the sizes that the search does not close at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ishango.frontiers.problem import Problem, is_prime
from ishango.numerals import NumeralSystem
from ishango.numerals.many_systems import leaves_of_many, masks

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


# Where multipliers are numerals, the fewest multipliers with which a word set keeps its average complexity.
#
# More multipliers never cost, so the sets M that are good enough are closed upwards, and what a failing set lacks is a
# clause: at least one of the words outside it must be a multiplier. The fewest multipliers are a least set that meets
# every clause; clauses are found as they are needed, each from a proposal that fails, grown as far as it still fails.


def fewest_multipliers(problem: Problem, words: Sequence[int], average: Fraction) -> tuple[int, ...]:
    """The least M inside the words whose average is not above the given one; of several, the smallest in order."""
    ordered = sorted(words)

    def enough(chosen: frozenset[int]) -> bool:
        if not chosen:
            return False
        digits = tuple(word for word in ordered if word not in chosen)
        value = problem.average(NumeralSystem(digits, tuple(chosen), problem.grammar))
        return value is not None and value <= average

    clauses: list[frozenset[int]] = []
    while True:
        proposal = least_hitting_set(ordered, clauses)
        if enough(proposal):
            return tuple(sorted(proposal))
        clauses.append(frozenset(ordered) - _grown(proposal, ordered, enough))


def _grown(failing: frozenset[int], words: Sequence[int], enough: Callable[[frozenset[int]], bool]) -> frozenset[int]:
    # From the largest word down: large words are seldom needed, so the clause that is left names the small ones.
    for word in reversed(words):
        if word not in failing and not enough(failing | {word}):
            failing |= {word}
    return failing


def least_hitting_set(words: Sequence[int], clauses: Sequence[frozenset[int]]) -> frozenset[int]:
    """The smallest set, and of those the first in order, that has a word of every clause.

    >>> sorted(least_hitting_set([1, 2, 3], [frozenset({1, 2}), frozenset({2, 3})]))
    [2]
    """
    size = _disjoint(clauses)
    while True:
        found = _hit(tuple(words), list(clauses), size)
        if found is not None:
            return found
        size += 1


def _disjoint(clauses: Sequence[frozenset[int]]) -> int:
    """A lower bound on the size: clauses, small ones first, that have no word in common."""
    used: set[int] = set()
    count = 0
    for clause in sorted(clauses, key=len):
        if used.isdisjoint(clause):
            used |= clause
            count += 1
    return count


def _hit(words: tuple[int, ...], clauses: list[frozenset[int]], size: int) -> frozenset[int] | None:
    """The first set in order of at most `size` of the words that meets the clauses, or None."""
    if not clauses:
        return frozenset()
    if not words or _disjoint(clauses) > size:
        return None
    word, rest = words[0], words[1:]
    unmet = [clause for clause in clauses if word not in clause]
    if len(unmet) < len(clauses):
        found = _hit(rest, unmet, size - 1)
        if found is not None:
            return found | {word}
    without = [clause - {word} for clause in clauses]
    return None if frozenset() in without else _hit(rest, without, size)
