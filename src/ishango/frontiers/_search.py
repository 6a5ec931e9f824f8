# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Searches over lexicons: steepest descent to a good incumbent, the fewest multipliers, branch and bound."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry, jit
from ishango.frontiers._bound import Partial, Task, leaves_up_to, lower_bound
from ishango.frontiers._problem import Problem, is_prime
from ishango.numerals import ENDLESS, NumeralSystem, leaves_of_many, masks, system_of

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
    return system_of(lexicon, problem.grammar)


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
    return system_of(lexicon, problem.grammar) if len(_legal(problem, lexicon[None], size)) else None


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
    """The first set in order of at most `size` of the words that has a word of every clause."""
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


# Depth-first branch and bound over lexicons, one number after the other; it stops and resumes at any node.
#
# At depth c the numbers 1..c are decided. The kernel keeps its whole state in a `SearchTree`, returns when its budget
# of nodes is spent or its buffer of optimal candidates is full, and goes on from there when it is called again.

NONE, DIGIT, MULTIPLIER, BOTH = 0, 1, 2, 3
BRANCHED, PRUNED, LEAF, UNCOVERED = 0, 1, 2, 3
DONE, PAUSED, FULL = 0, 1, 2

_CANDIDATES = 3
"""The position of the candidates in `Path.where`."""
ROOM = 4096
"""Candidates that a search keeps before they are taken."""

Lexicon = tuple[tuple[int, ...], tuple[int, ...]]
"""Digits and multipliers."""


def lexicons_of(rows: NDArray[np.int8]) -> list[Lexicon]:
    """The lexicons of candidates, each a row with the choice made for every number from 0 on."""
    return [
        (tuple(np.flatnonzero(row & DIGIT).tolist()), tuple(np.flatnonzero(row & MULTIPLIER).tolist())) for row in rows
    ]


class Exhaustive(ABC):
    """A search through all lexicons of a size, which stops and resumes."""

    def __init__(self, problem: Problem, size: int, incumbent: float, slack: float) -> None:
        self.task = task_of(problem, size)
        self.incumbent: float = incumbent
        self.slack = slack
        self.seen: int = 0
        """Choices of some words, or of all, that were looked at."""
        self.done = False

    @abstractmethod
    def run(self, budget: int) -> list[Lexicon]:
        """Look at so many choices more, or somewhat more than that; returns the lexicons that may be optimal."""

    def candidates(self) -> NDArray[np.int8]:
        """Room for lexicons that may be optimal, before they are taken."""
        return np.zeros((ROOM, len(self.task.weights)), np.int8)


class Path(NamedTuple):
    """Where a search stands: the node it is at or enters next, and the candidates that were not yet taken."""

    state: NDArray[np.int8]
    """(range + 2,) state[c]: the choice made for c, an index into the options; state[0]: 1 to enter a node next."""
    where: NDArray[np.int64]
    """(4,) depth, digits and multipliers of the node, candidates."""
    digits: NDArray[np.int64]
    multipliers: NDArray[np.int64]
    found: NDArray[np.int8]
    """(ROOM, range + 1) the candidates, a choice for each number."""


class Recording(NamedTuple):
    """The nodes of a search in preorder, where they are wanted."""

    wanted: bool
    codes: NDArray[np.uint8]
    bounds: NDArray[np.float64]


def task_of(problem: Problem, size: int, wasteful: bool = False) -> Task:
    """What is searched for one size; `wasteful`, see `choices`."""
    fewest, most = problem.multiplier_counts(size)
    return Task(
        size,
        fewest,
        most,
        problem.rules.flags,
        problem.limit,
        problem.weights,
        1 + np.argsort(-problem.weights[1:], kind="stable"),
        np.array(choices(problem, wasteful)),
        problem.rules.multiplier_words,
    )


def choices(problem: Problem, wasteful: bool = False) -> tuple[int, ...]:
    """What a number can be, in the order in which the search tries it.

    Where multipliers are numerals, a digit that is one too wastes a word. That never helps, and costs nothing where
    what is needed has words already: `wasteful` keeps such lexicons, for lists of all optima.
    """
    if wasteful and problem.overlap and not problem.free_split:
        return (DIGIT, MULTIPLIER, BOTH, NONE)
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
    wasteful: bool = False
    task: Task = field(init=False)
    path: Path = field(init=False)
    codes: list[NDArray[np.uint8]] = field(default_factory=list)
    bounds: list[NDArray[np.float64]] = field(default_factory=list)
    nodes: int = 0

    def __post_init__(self) -> None:
        self.task = task_of(self.problem, self.size, self.wasteful)
        upto = self.problem.upto
        self.path = Path(
            np.full(upto + 2, -1, np.int8),
            np.zeros(4, np.int64),
            np.zeros(2 * upto, np.int64),
            np.zeros(2 * upto, np.int64),
            np.zeros((ROOM, upto + 1), np.int8),
        )
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

    def take_candidates(self) -> list[Lexicon]:
        """The lexicons recorded since the last call that may be optimal, as digits and multipliers."""
        found = lexicons_of(self.path.found[: self.path.where[_CANDIDATES]])
        self.path.where[_CANDIDATES] = 0
        return found

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
                value = _cost(partial, task)
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
def _cost(partial, task):
    """The cost of a whole lexicon, infinite where it does not cover the range."""
    leaves = leaves_up_to(partial, task, ENDLESS)
    total = 0.0
    for i in range(len(leaves)):
        if leaves[i] == 0:
            return np.inf
        total += task.weights[i + 1] * (2 * leaves[i] - 1)
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
