# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Depth-first branch and bound over lexicons, one number after the other; it stops and resumes at any node.

At depth c the numbers 1..c are decided. The kernel keeps its whole state in a `SearchTree`, returns when its budget
of nodes is spent or its buffer of optimal candidates is full, and goes on from there when it is called again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry, jit
from ishango.frontiers.bound import Partial, Task, lower_bound
from ishango.frontiers.problem import Problem
from ishango.numerals.many_systems import ENDLESS, fill_many

NONE, DIGIT, MULTIPLIER, BOTH = 0, 1, 2, 3
BRANCHED, PRUNED, LEAF, UNCOVERED = 0, 1, 2, 3
DONE, PAUSED, FULL = 0, 1, 2

# Positions in Path.where
_DEPTH, _DIGITS, _MULTIPLIERS, _CANDIDATES = 0, 1, 2, 3


class Path(NamedTuple):
    """Where a search stands: the node it is at or enters next, and the candidates that were not yet taken."""

    state: NDArray[np.int8]
    """(range + 2,) state[c]: the choice made for c, an index into the options; state[0]: 1 to enter a node next."""
    where: NDArray[np.int64]
    """(4,) depth, digits and multipliers of the node, candidates."""
    digits: NDArray[np.int64]
    multipliers: NDArray[np.int64]
    found: NDArray[np.int8]
    """(capacity, range + 1) the candidates, a choice for each number."""

    @classmethod
    def start(cls, upto: int, capacity: int) -> Path:
        """At the root."""
        return cls(
            np.full(upto + 2, -1, np.int8),
            np.zeros(4, np.int64),
            np.zeros(2 * upto, np.int64),
            np.zeros(2 * upto, np.int64),
            np.zeros((capacity, upto + 1), np.int8),
        )


class Recording(NamedTuple):
    """The nodes of a search in preorder, where they are wanted."""

    wanted: bool
    codes: NDArray[np.uint8]
    bounds: NDArray[np.float64]


def task_of(problem: Problem, size: int) -> Task:
    """What is searched for one size."""
    fewest, most = problem.multiplier_counts(size)
    return Task(
        size,
        fewest,
        most,
        problem.rules.flags,
        problem.limit,
        problem.weights,
        1 + np.argsort(-problem.weights[1:], kind="stable"),
        np.array(choices(problem)),
        problem.rules.multiplier_words,
    )


def choices(problem: Problem) -> tuple[int, ...]:
    """What a number can be, in the order in which the search tries it."""
    if problem.rules.bare_number:
        free = problem.free_split and problem.max_multipliers is None
        return (MULTIPLIER, NONE) if free else (MULTIPLIER, DIGIT, NONE)
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
    task: Task = field(init=False)
    path: Path = field(init=False)
    codes: list[NDArray[np.uint8]] = field(default_factory=list)
    bounds: list[NDArray[np.float64]] = field(default_factory=list)
    nodes: int = 0

    def __post_init__(self) -> None:
        self.task = task_of(self.problem, self.size)
        self.path = Path.start(self.problem.upto, self.capacity)
        self.status = PAUSED

    def run(self, budget: int, record: bool = False) -> int:
        """Go on for at most `budget` nodes; DONE, PAUSED or FULL (take the candidates, then go on)."""
        room = budget if record else 1
        recording = Recording(record, np.zeros(room, np.uint8), np.zeros(room))
        self.status, nodes, self.incumbent = _run(
            self.path, self.task, recording, self.incumbent, self.slack, budget, self.nodes == 0
        )
        if record:
            self.codes.append(recording.codes[:nodes])
            self.bounds.append(recording.bounds[:nodes])
        self.nodes += nodes
        return self.status

    def take_candidates(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The lexicons recorded since the last call that may be optimal, as digits and multipliers."""
        rows = self.path.found[: self.path.where[_CANDIDATES]]
        self.path.where[_CANDIDATES] = 0
        return [
            (tuple(np.flatnonzero(row & DIGIT).tolist()), tuple(np.flatnonzero(row & MULTIPLIER).tolist()))
            for row in rows
        ]

    def open_bound(self) -> float:
        """The least bound of what is not yet searched: the untried choices along the path to the present node."""
        if self.status == DONE:
            return self.incumbent
        return _open_bound(self.path, self.task, self.incumbent)


@jit
def _allowed(choice, nd, nm, c, task):
    """Whether some lexicon of the size remains when number c takes this choice: some split of the words to come."""
    nd += choice & 1
    nm += choice >> 1
    left = task.size - nd - task.words * nm
    room = len(task.weights) - 1 - c
    overlap = len(task.options) == 4
    if left < 0:
        return False
    for b in range(max(0, task.fewest - nm), min(left // task.words, task.most - nm) + 1):
        a = left - task.words * b
        fits = max(a, b) <= room if overlap else a + b <= room
        if fits and (task.flags.bare_number or nd + a > 0):
            return True
    return False


@entry
def _run(path, task, recording, incumbent, slack, budget, fresh):
    state, where, digits, multipliers, found = path.state, path.where, path.digits, path.multipliers, path.found
    options = task.options
    c, nd, nm, held = where[0], where[1], where[2], where[3]
    leaves = np.zeros((1, len(task.weights) - 1), np.int32)
    nodes = 0
    enter = fresh
    while True:
        if enter:
            if nodes == budget or held == len(found):
                # Pause before the node: the state says that it is entered next.
                where[0], where[1], where[2], where[3] = c, nd, nm, held
                state[0] = 1
                return (FULL if held == len(found) else PAUSED), nodes, incumbent
            partial = Partial(digits[:nd], multipliers[:nm], c)
            value = lower_bound(partial, task)
            code = PRUNED if value >= incumbent + slack else BRANCHED
            if code == BRANCHED and nd + task.words * nm == task.size:
                value = _cost(partial, task, leaves)
                code = UNCOVERED if value == np.inf else LEAF
                if value < incumbent + slack or (value == incumbent and slack == 0.0 and held == 0):
                    held = _keep(found, held, partial)
                    incumbent = min(incumbent, value)
            if recording.wanted:
                recording.codes[nodes] = code
                recording.bounds[nodes] = value
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
        while state[c] < len(options) and not _allowed(options[state[c]], nd, nm, c, task):
            state[c] += 1
        if state[c] < len(options):
            nd, nm = _take(options[state[c]], c, digits, multipliers, nd, nm)
            enter = True
        else:
            c -= 1
            if c == 0:
                break
            nd, nm = _undo(options[state[c]], nd, nm)
    where[0], where[1], where[2], where[3] = c, nd, nm, held
    return DONE, nodes, incumbent


@jit
def _take(choice, c, digits, multipliers, nd, nm):
    if choice & 1:
        digits[nd] = c
        nd += 1
    if choice & 2:
        multipliers[nm] = c
        nm += 1
    return nd, nm


@jit
def _undo(choice, nd, nm):
    return nd - (choice & 1), nm - (choice >> 1)


@jit
def _keep(found, held, partial):
    found[held] = 0
    for word in partial.digits:
        found[held, word] |= DIGIT
    for word in partial.multipliers:
        found[held, word] |= MULTIPLIER
    return held + 1


@jit
def _cost(partial, task, leaves):
    """The cost of a whole lexicon, infinite where it does not cover the range."""
    weights = task.weights
    n = len(weights) - 1
    masks = np.zeros((2, 1, n), np.bool_)
    for word in partial.digits:
        masks[0, 0, word - 1] = True
    for word in partial.multipliers:
        masks[1, 0, word - 1] = True
    leaves[:] = 0
    fill_many(masks[0], masks[1], task.flags, task.limit, leaves, ENDLESS)
    total = 0.0
    for i in range(n):
        if leaves[0, i] == 0:
            return np.inf
        total += weights[i + 1] * (2 * leaves[0, i] - 1)
    return total


@entry
def _open_bound(path, task, incumbent):
    n = len(task.weights) - 1
    state, options = path.state, task.options
    digits = np.zeros(2 * n, np.int64)
    multipliers = np.zeros(2 * n, np.int64)
    nd = nm = 0
    least = incumbent
    deepest = path.where[0]
    for c in range(1, deepest + 1):
        for i in range(state[c] + (0 if c == deepest and state[0] == 1 else 1), len(options)):
            if not _allowed(options[i], nd, nm, c, task):
                continue
            xd, xm = _take(options[i], c, digits, multipliers, nd, nm)
            least = min(least, lower_bound(Partial(digits[:xd], multipliers[:xm], c), task))
        if c < deepest:
            nd, nm = _take(options[state[c]], c, digits, multipliers, nd, nm)
    return least
