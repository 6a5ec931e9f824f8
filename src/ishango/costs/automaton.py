"""Minimal automata of sets of strings, and what is counted in them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ishango.costs.automaton_kernel import Counts, bits, canonical_strings, count
from ishango.numerals import Need, NumeralSystem, value_limit
from ishango.numerals.system import check_words

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Automaton:
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
    from there, an end of the string being one of them."""

    @property
    def bits(self) -> float:
        """What it takes to write the automaton down: each transition names its letter and the state it leads to."""
        return float(bits(self.states, self.transitions, self.letters))


def automaton_of(strings: Iterable[Sequence[Hashable]], weights: Sequence[float] | Floats | None = None) -> Automaton:
    """The automaton of any strings; weights say how often each is used, and count for processing alone.

    >>> found = automaton_of([("one",), ("two",), ("ten", "one"), ("ten", "two")])
    >>> found.states, found.transitions, found.processing
    (3, 5, 2.084962500721156)
    """
    letters, starts = numbered(strings)
    n = len(starts) - 1
    used = np.full(n, 1 / max(n, 1)) if weights is None else np.asarray(weights, dtype=np.float64)
    return _automaton(count(letters, starts, used))


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
    check_words(system, upto)
    letters, starts = canonical_strings(
        np.array(system.digits, dtype=np.int32),
        np.array(system.multipliers, dtype=np.int32),
        system.rules.flags,
        upto,
        value_limit(upto),
        operators,
    )
    return None if len(starts) <= upto else _automaton(count(letters, starts, Need.parse(need).weights(upto)))


def _automaton(found: Counts) -> Automaton:
    *whole, processing = found
    return Automaton(*map(int, whole), processing=float(processing))
