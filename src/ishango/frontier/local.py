"""Steepest descent over single replacements: a good incumbent for the sizes that the search does not close at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ishango.frontier.problem import Problem
from ishango.numerals import NumeralSystem
from ishango.numerals.batch import leaves_of_many, masks

Mask = NDArray[np.bool_]


def improve(problem: Problem, system: NumeralSystem) -> NumeralSystem:
    """The local optimum that the system leads to when one word at a time is replaced by the best other one."""
    lexicon = np.concatenate(masks([system], problem.range), axis=1)[0]
    cost = costs(problem, lexicon[None])[0]
    while True:
        neighbours = _neighbours(problem, lexicon)
        values = costs(problem, neighbours)
        best = int(values.argmin()) if len(values) else -1
        if best < 0 or values[best] >= cost - max(problem.slack(every=False), 1e-9):
            n = problem.range
            digits, multipliers = (tuple((np.flatnonzero(half) + 1).tolist()) for half in (lexicon[:n], lexicon[n:]))
            return NumeralSystem(digits, multipliers, problem.grammar)
        lexicon, cost = neighbours[best], values[best]


def costs(problem: Problem, lexicons: Mask) -> NDArray[np.float64]:
    """The cost of lexicons `(lexicons, 2 x range)`, digits then multipliers, in the search's units; inf if uncovered."""
    n = problem.range
    leaves = leaves_of_many(lexicons[:, :n], lexicons[:, n:], problem.grammar, problem.limit)
    total = (2.0 * leaves - 1.0) @ problem.weights[1:]
    total[(leaves == 0).any(axis=1)] = np.inf
    return total


def _neighbours(problem: Problem, lexicon: Mask) -> Mask:
    n = problem.range
    removed = np.flatnonzero(lexicon)
    added = np.flatnonzero(~lexicon)
    rows = np.repeat(lexicon[None], len(removed) * len(added), axis=0)
    index = np.arange(len(rows))
    rows[index, np.repeat(removed, len(added))] = False
    rows[index, np.tile(added, len(removed))] = True
    fewest, most = problem.multiplier_counts(int(lexicon.sum()))
    multipliers = rows[:, n:].sum(axis=1)
    keep = (multipliers >= fewest) & (multipliers <= most)
    if problem.hurford or not problem.overlap:
        keep &= ~(rows[:, :n] & rows[:, n:]).any(axis=1)
    return rows[keep]
