"""Depth-first branch and bound over lexicons, one number after the other; it stops and resumes at any node.

At depth c the numbers 1..c are decided. The kernel keeps its whole state in a `SearchTree`, returns when its budget
of nodes is spent or its buffer of optimal candidates is full, and goes on from there when it is called again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry
from ishango.frontier.bound import lower_bound
from ishango.frontier.problem import Problem
from ishango.numerals.batch import fill_many

NONE, DIGIT, MULTIPLIER, BOTH = 0, 1, 2, 3
BRANCHED, PRUNED, LEAF, UNCOVERED = 0, 1, 2, 3
DONE, PAUSED, FULL = 0, 1, 2

# Positions in SearchTree.where
_DEPTH, _DIGITS, _MULTIPLIERS, _CANDIDATES = 0, 1, 2, 3


def choices(problem: Problem) -> tuple[int, ...]:
    """What a number can be, in the order in which the search tries it."""
    if problem.hurford:
        return (MULTIPLIER, NONE) if problem.max_multipliers is None else (MULTIPLIER, DIGIT, NONE)
    return (DIGIT, MULTIPLIER, BOTH, NONE) if problem.overlap else (DIGIT, MULTIPLIER, NONE)


@dataclass
class SearchTree:
    """A search in progress for one size: where it stands, the best cost so far, the candidates and the record."""

    problem: Problem
    size: int
    incumbent: float = np.inf
    """In the search's units: `Problem.scale` times the average complexity."""
    slack: float = 0.0
    capacity: int = 4096
    state: NDArray[np.int8] = field(init=False)
    where: NDArray[np.int64] = field(init=False)
    digits: NDArray[np.int64] = field(init=False)
    multipliers: NDArray[np.int64] = field(init=False)
    found: NDArray[np.int8] = field(init=False)
    order: NDArray[np.int64] = field(init=False)
    codes: list[NDArray[np.uint8]] = field(default_factory=list)
    bounds: list[NDArray[np.float64]] = field(default_factory=list)
    nodes: int = 0

    def __post_init__(self) -> None:
        n = self.problem.upto
        self.state = np.full(n + 2, -1, np.int8)  # state[c]: the choice made for c, an index into choices
        self.where = np.zeros(4, np.int64)
        self.digits = np.zeros(2 * n, np.int64)
        self.multipliers = np.zeros(2 * n, np.int64)
        self.found = np.zeros((self.capacity, n + 1), np.int8)
        self.order = 1 + np.argsort(-self.problem.weights[1:], kind="stable")
        self.status = PAUSED

    def run(self, budget: int, record: bool = False) -> int:
        """Go on for at most `budget` nodes; DONE, PAUSED or FULL (take the candidates, then go on)."""
        p = self.problem
        codes = np.zeros(budget if record else 1, np.uint8)
        bounds = np.zeros(budget if record else 1)
        fewest, most = p.multiplier_counts(self.size)
        self.status, nodes, self.incumbent = _run(
            self.state, self.where, self.digits, self.multipliers, self.found, np.array(choices(p)), self.size,
            fewest, most, p.hurford, p.limit, p.weights, self.order, self.incumbent, self.slack, budget,
            record, codes, bounds, self.nodes == 0,
        )  # fmt: skip
        if record:
            self.codes.append(codes[:nodes])
            self.bounds.append(bounds[:nodes])
        self.nodes += nodes
        return self.status

    def take_candidates(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The lexicons recorded since the last call that may be optimal, as digits and multipliers."""
        rows = self.found[: self.where[_CANDIDATES]]
        self.where[_CANDIDATES] = 0
        return [
            (tuple(np.flatnonzero(row & DIGIT).tolist()), tuple(np.flatnonzero(row & MULTIPLIER).tolist()))
            for row in rows
        ]

    def open_bound(self) -> float:
        """The least bound of what is not yet searched: the untried choices along the path to the present node."""
        if self.status == DONE:
            return self.incumbent
        p = self.problem
        fewest, most = p.multiplier_counts(self.size)
        return _open_bound(
            self.state, self.where, np.array(choices(p)), self.size, fewest, most, p.hurford, p.limit, p.weights,
            self.order, self.incumbent,
        )  # fmt: skip


@entry
def _allowed(choice, nd, nm, c, size, fewest, most, hurford, n, overlap):  # type: ignore[no-untyped-def]
    """Whether some lexicon of the size remains when number c takes this choice: some split of the words to come."""
    nd += choice & 1
    nm += choice >> 1
    left = size - nd - nm
    room = n - c
    if left < 0 or (left > room and not overlap):
        return False
    least = max(0, fewest - nm, left - room)
    greatest = min(left, most - nm, room)
    if not hurford and nd == 0:
        greatest = min(greatest, left - 1)
    return least <= greatest


@entry
def _run(  # type: ignore[no-untyped-def]
    state, where, digits, multipliers, found, options, size, fewest, most, hurford, limit, weights, order,
    incumbent, slack, budget, record, codes, bounds, fresh,
):  # fmt: skip
    n = len(weights) - 1
    overlap = len(options) == 4
    c, nd, nm, held = where[0], where[1], where[2], where[3]
    leaves = np.zeros((1, n), np.int32)
    nodes = 0
    enter = fresh
    while True:
        if enter:
            if nodes == budget or held == len(found):
                # Pause before the node: the state says that it is entered next.
                where[0], where[1], where[2], where[3] = c, nd, nm, held
                state[0] = 1
                return (FULL if held == len(found) else PAUSED), nodes, incumbent
            left = size - nd - nm
            value = lower_bound(digits[:nd], multipliers[:nm], c, left, fewest, most, hurford, limit, weights, order)
            code = PRUNED if value >= incumbent + slack else BRANCHED
            if code == BRANCHED and left == 0:
                value = _cost(digits[:nd], multipliers[:nm], hurford, limit, weights, leaves)
                code = UNCOVERED if value == np.inf else LEAF
                if value < incumbent + slack or (value == incumbent and slack == 0.0 and held == 0):
                    held = _keep(found, held, digits[:nd], multipliers[:nm])
                    incumbent = min(incumbent, value)
            if record:
                codes[nodes] = code
                bounds[nodes] = value
            nodes += 1
            enter = False
            if code == BRANCHED:
                c += 1
                state[c] = -1
            elif c == 0:
                break
            else:
                nd, nm = _undo(options[state[c]], nd, nm)
        elif state[0] == 1:
            state[0] = -1
            enter = True
            continue
        # Take the next choice for number c, or go back up.
        state[c] += 1
        while state[c] < len(options) and not _allowed(
            options[state[c]], nd, nm, c, size, fewest, most, hurford, n, overlap
        ):
            state[c] += 1
        if state[c] < len(options):
            choice = options[state[c]]
            if choice & 1:
                digits[nd] = c
                nd += 1
            if choice & 2:
                multipliers[nm] = c
                nm += 1
            enter = True
        else:
            c -= 1
            if c == 0:
                break
            nd, nm = _undo(options[state[c]], nd, nm)
    where[0], where[1], where[2], where[3] = c, nd, nm, held
    return DONE, nodes, incumbent


@entry
def _undo(choice, nd, nm):  # type: ignore[no-untyped-def]
    return nd - (choice & 1), nm - (choice >> 1)


@entry
def _keep(found, held, digits, multipliers):  # type: ignore[no-untyped-def]
    found[held] = 0
    for word in digits:
        found[held, word] |= DIGIT
    for word in multipliers:
        found[held, word] |= MULTIPLIER
    return held + 1


@entry
def _cost(digits, multipliers, hurford, limit, weights, leaves):  # type: ignore[no-untyped-def]
    """The cost of a whole lexicon, infinite where it does not cover the range."""
    n = len(weights) - 1
    masks = np.zeros((2, 1, n), np.bool_)
    for word in digits:
        masks[0, 0, word - 1] = True
    for word in multipliers:
        masks[1, 0, word - 1] = True
    leaves[:] = 0
    fill_many(masks[0], masks[1], hurford, limit, leaves)
    total = 0.0
    for i in range(n):
        if leaves[0, i] == 0:
            return np.inf
        total += weights[i + 1] * (2 * leaves[0, i] - 1)
    return total


@entry
def _open_bound(state, where, options, size, fewest, most, hurford, limit, weights, order, incumbent):  # type: ignore[no-untyped-def]
    n = len(weights) - 1
    digits = np.zeros(2 * n, np.int64)
    multipliers = np.zeros(2 * n, np.int64)
    nd = nm = 0
    least = incumbent
    deepest = where[0]
    for c in range(1, deepest + 1):
        for i in range(state[c] + (0 if c == deepest and state[0] == 1 else 1), len(options)):
            if not _allowed(options[i], nd, nm, c, size, fewest, most, hurford, n, len(options) == 4):
                continue
            xd, xm = nd, nm
            if options[i] & 1:
                digits[xd] = c
                xd += 1
            if options[i] & 2:
                multipliers[xm] = c
                xm += 1
            bound = lower_bound(
                digits[:xd], multipliers[:xm], c, size - xd - xm, fewest, most, hurford, limit, weights, order
            )
            least = min(least, bound)
        if c < deepest:
            if options[state[c]] & 1:
                digits[nd] = c
                nd += 1
            if options[state[c]] & 2:
                multipliers[nm] = c
                nm += 1
    return least
