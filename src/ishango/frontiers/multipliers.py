"""Where multipliers are numerals, the fewest multipliers with which a word set keeps its average complexity.

More multipliers never cost, so the sets M that are good enough are closed upwards, and what a failing set lacks is a
clause: at least one of the words outside it must be a multiplier. The fewest multipliers are a least set that meets
every clause; clauses are found as they are needed, each from a proposal that fails, grown as far as it still fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ishango.frontiers.problem import Problem
from ishango.numerals import NumeralSystem


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
