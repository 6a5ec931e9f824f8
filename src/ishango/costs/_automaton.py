# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The automaton behind irregularity and processing, and its kernels.

A set of strings that is finite has a minimal automaton without loops. It is found in one pass: the strings make a tree,
and from the leaves upwards two nodes are one state when both end a string or neither does, and the same letters lead
from them to the same states.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry, jit
from ishango.numerals import Need, NumeralSystem, spoken

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

OPERATORS = 3
"""Letters that stand for operators; a word is the letter of its value plus this many."""


class Automaton(NamedTuple):
    """The minimal deterministic automaton that accepts a finite set of strings: partial, without a sink."""

    states: int
    transitions: int
    letters: int
    """Different letters in the strings."""
    strings: int
    """Different strings."""
    homonyms: int
    """Of the strings that were given, those that were given more than once."""
    processing: float
    """Expected bits to follow a string through the automaton: at every state the logarithm of the ways that go on
    from there, an end of the string being one of them; weighted by how often each string is used."""

    @property
    def bits(self) -> float:
        """What it takes to write the automaton down: each transition names its letter and the state it leads to."""
        return float(bits(self.states, self.transitions, self.letters))


@entry
def count(letters: Ints, starts: Ints, weights: Floats) -> Automaton:
    """Build the minimal automaton of the strings `letters[starts[i] : starts[i + 1]]`, and count."""
    n_strings = len(starts) - 1
    size = len(letters) + 1
    letter = np.zeros(size, np.int64)
    parent = np.full(size, -1, np.int64)
    child = np.full(size, -1, np.int64)  # the one with the least letter; the others follow as its siblings
    sibling = np.full(size, -1, np.int64)
    ends = np.zeros(size, np.int64)
    end_of = np.zeros(n_strings, np.int64)
    nodes = 1
    for i in range(n_strings):
        node = 0
        for j in range(starts[i], starts[i + 1]):
            before, here = -1, child[node]
            while here >= 0 and letter[here] < letters[j]:
                before, here = here, sibling[here]
            if here < 0 or letter[here] != letters[j]:
                letter[nodes] = letters[j]
                parent[nodes] = node
                sibling[nodes] = here
                if before < 0:
                    child[node] = nodes
                else:
                    sibling[before] = nodes
                here = nodes
                nodes += 1
            node = here
        ends[node] += 1
        end_of[i] = node
    states, transitions = _merge(letter, child, sibling, ends, nodes)
    strings = homonyms = 0
    spent = np.zeros(size)
    for node in range(nodes):
        strings += ends[node] > 0
        homonyms += ends[node] if ends[node] > 1 else 0
        choices = 1 if ends[node] > 0 else 0
        here = child[node]
        while here >= 0:
            choices += 1
            here = sibling[here]
        # What was spent on the way here comes first: parents are made before their children.
        spent[node] = (spent[parent[node]] if node > 0 else 0.0) + (math.log2(choices) if choices > 0 else 0.0)
    processing = 0.0
    for i in range(n_strings):
        processing += weights[i] * spent[end_of[i]]
    return Automaton(states, transitions, _distinct(letters), strings, homonyms, processing)


@jit
def _merge(letter: Ints, child: Ints, sibling: Ints, ends: Ints, nodes: int) -> tuple[int, int]:
    """How many states and transitions are left when equal nodes of the tree are one."""
    room = 4
    while room < 2 * nodes:
        room *= 2
    table = np.full(room, -1, np.int64)
    state = np.zeros(nodes, np.int64)
    states = transitions = 0
    for node in range(nodes - 1, -1, -1):  # children before their parents
        mix = np.uint64(1 if ends[node] > 0 else 2)
        degree = 0
        here = child[node]
        while here >= 0:
            mix = (mix * np.uint64(1099511628211)) ^ np.uint64(letter[here])
            mix = (mix * np.uint64(1099511628211)) ^ np.uint64(state[here])
            degree += 1
            here = sibling[here]
        slot = np.int64((mix ^ (mix >> np.uint64(29))) & np.uint64(room - 1))
        while table[slot] >= 0 and not _alike(node, table[slot], letter, child, sibling, ends, state):
            slot = (slot + 1) & (room - 1)
        if table[slot] < 0:
            table[slot] = node
            states += 1
            transitions += degree
        state[node] = table[slot]
    return states, transitions


@jit
def _alike(one: int, other: int, letter: Ints, child: Ints, sibling: Ints, ends: Ints, state: Ints) -> bool:
    """Whether two nodes go on in the same ways; their children are merged already."""
    if (ends[one] > 0) != (ends[other] > 0):
        return False
    a, b = child[one], child[other]
    while a >= 0 and b >= 0:
        if letter[a] != letter[b] or state[a] != state[b]:
            return False
        a, b = sibling[a], sibling[b]
    return bool(a < 0 and b < 0)


@jit
def _distinct(letters: Ints) -> int:
    """How many different letters occur."""
    seen = np.zeros(letters.max() + 1 if len(letters) > 0 else 1, np.bool_)
    for each in letters:
        seen[each] = True
    return seen.sum()


@entry
def descend(
    letters: Ints, starts: Ints, groups: Ints, chosen: Ints, weights: Floats, order: Ints, sweeps: int
) -> tuple[Ints, float]:
    """Change one number's string after the other as long as that makes the automaton smaller, in bits.

    String i is `letters[starts[i] : starts[i + 1]]`; those of number n are `groups[n]`..`groups[n + 1] - 1`, of which
    `chosen[n]` is taken at first.
    """
    chosen = chosen.copy()
    best = _bits_of(letters, starts, chosen, weights)
    for _ in range(sweeps):
        better = False
        for number in order:
            for other in range(groups[number], groups[number + 1]):
                kept = chosen[number]
                if other == kept:
                    continue
                chosen[number] = other
                bits = _bits_of(letters, starts, chosen, weights)
                if bits < best:
                    best, better = bits, True
                else:
                    chosen[number] = kept
        if not better:
            break
    return chosen, best


@jit
def _bits_of(letters: Ints, starts: Ints, chosen: Ints, weights: Floats) -> float:
    begins = np.zeros(len(chosen) + 1, np.int64)
    for i in range(len(chosen)):
        begins[i + 1] = begins[i] + starts[chosen[i] + 1] - starts[chosen[i]]
    said = np.zeros(begins[-1], np.int64)
    for i in range(len(chosen)):
        said[begins[i] : begins[i + 1]] = letters[starts[chosen[i]] : starts[chosen[i] + 1]]
    found = count(said, begins, weights)
    return bits(found.states, found.transitions, found.letters)


@entry
def bits(states: int, transitions: int, letters: int) -> float:
    """Each transition names its letter and the state it leads to."""
    return transitions * (math.log2(letters) + math.log2(states)) if transitions > 0 else 0.0


def automaton_of(strings: Iterable[Sequence[Hashable]], weights: Sequence[float] | Floats | None = None) -> Automaton:
    """The automaton of any strings; weights say how often each is used, and count for processing alone.

    >>> found = automaton_of([("one",), ("two",), ("ten", "one"), ("ten", "two")])
    >>> found.states, found.transitions, found.processing
    (3, 5, 2.084962500721156)
    """
    letters, starts = numbered(strings)
    n = len(starts) - 1
    used = np.full(n, 1 / max(n, 1)) if weights is None else np.asarray(weights, dtype=np.float64)
    return count(letters, starts, used)


def numbered(strings: Iterable[Sequence[Hashable]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Strings as kernels take them: letters are numbers, all strings stand in one row."""
    numbers: dict[Hashable, int] = {}
    letters: list[int] = []
    starts = [0]
    for string in strings:
        letters += [numbers.setdefault(letter, len(numbers)) for letter in string]
        starts.append(len(letters))
    return np.array(letters, dtype=np.int64), np.array(starts, dtype=np.int64)


def canonical_automaton(
    system: NumeralSystem, need: Need | str = "power:2", upto: int = 99, *, operators: bool = False
) -> Automaton | None:
    """The automaton of a system's minimal language under the shipped tie rule; None where the range is not covered.

    This is the fast way: no expression is made.

    >>> canonical_automaton(NumeralSystem.parse("1-9 | 10")).transitions
    19
    """
    said = spoken(system, upto)
    letters: Ints = said.word.astype(np.int64) + OPERATORS
    starts = said.start[1:]
    if not np.diff(starts).all():
        return None
    if operators:
        both = np.column_stack((said.sign.astype(np.int64) - 1, letters)).ravel()
        letters, starts = both[both >= 0], 2 * starts - np.arange(upto + 1)
    return count(letters, starts, Need.parse(need).weights(upto))
