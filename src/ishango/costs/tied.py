"""Irregularity among tied expressions: of sampled minimal languages, of the most regular one found, and a bound."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ishango.costs.automaton import Automaton, automaton_of, canonical_automaton, descend, numbered
from ishango.costs.cost import heard
from ishango.errors import require
from ishango.numerals import MinimalLanguage, Need, NumeralSystem, minimal_language
from ishango.numerals.derivations import Part, Role, Walk
from ishango.numerals.levels import fill_tables

String = tuple[str, ...]
Ints = NDArray[np.int64]

MOST_STRINGS = 64
"""Of each number's tied strings so many are looked at, the first ones in rule order."""

STARTS, DESCENTS, KICKS, SWEEPS = 200, 10, 40, 20
"""The search draws so many systematic languages, improves the best of them number by number, and then kicks the best
language, a few numbers at a time, to see whether it falls into a better one."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What the automaton of every minimal language has at least."""

    states: int
    transitions: int
    letters: int

    @property
    def bits(self) -> float:
        """Bits below which no minimal language of the system can be written down."""
        return Automaton(self.states, self.transitions, self.letters, 0, 0, 0.0).bits


@dataclass(frozen=True, slots=True)
class TiedLanguages:
    """Irregularity over the minimal languages of a system."""

    shipped: Automaton
    """Of the shipped tie rule."""
    sampled: tuple[Automaton, ...]
    """Of languages drawn uniformly."""
    best: Automaton
    """Of the most regular language that was found."""
    bound: Bound

    @property
    def average(self) -> float:
        """The average bits of the sampled languages."""
        return math.fsum(each.bits for each in self.sampled) / len(self.sampled)

    @property
    def proved(self) -> bool:
        """Whether no minimal language of the system is more regular than the one that was found."""
        return self.best.bits <= self.bound.bits


def tied_languages(
    system: NumeralSystem, need: Need | str = "power:2", upto: int = 99, *, samples: int = 100, seed: int = 0,
    operators: bool = False,
) -> TiedLanguages | None:  # fmt: skip
    """How irregular the minimal languages of a system are; None where the range is not covered.

    >>> found = tied_languages(NumeralSystem.parse("1-9 | 10", "hurford"), samples=10)
    >>> found.shipped.transitions, found.best.transitions, found.proved
    (40, 20, True)
    """
    shipped = canonical_automaton(system, need, upto, operators=operators)
    if shipped is None:
        return None
    drawing, searching = np.random.default_rng(seed).spawn(2)  # what the search finds must not hang on the samples
    language = minimal_language(system, upto)
    sampled = sampled_automata(language, samples, drawing, need, operators=operators)
    best = most_regular(language, searching, need, operators=operators)
    return TiedLanguages(shipped, sampled, best, bound(language, operators=operators))


def sampled_automata(
    language: MinimalLanguage, samples: int, rng: np.random.Generator, need: Need | str = "power:2", *,
    operators: bool = False,
) -> tuple[Automaton, ...]:  # fmt: skip
    """The automata of minimal languages that are drawn uniformly."""
    require(samples > 0, "samples", samples, "a positive number")
    weights = Need.parse(need).weights(language.upto)
    drawn = (language.sample(rng) for _ in range(samples))
    return tuple(
        automaton_of([heard(said[n], operators=operators) for n in sorted(said)], weights) for said in drawn
    )  # fmt: skip


def most_regular(
    language: MinimalLanguage, rng: np.random.Generator, need: Need | str = "power:2", *, operators: bool = False
) -> Automaton:
    """The automaton of the most regular minimal language that a search finds.

    Regularity lies in many numbers' choosing alike, so the search begins with languages in which all follow one rule:
    words and operators are ranked at random, and each number avoids what has the worst ranks. The best of these
    languages are improved by changing one number after the other. That nothing better exists is not proved by this,
    but where `bound` says so.
    """
    strings = _tied_strings(language)
    groups = np.cumsum([0, *map(len, strings)])
    whole = [string for tied in strings for string in tied]
    said = whole if operators else [string[::2] for string in whole]
    letters, starts = numbered(said)
    weights = Need.parse(need).weights(language.upto)

    def improved(chosen: Ints, order: Ints) -> tuple[Ints, float]:
        return descend(letters, starts, groups, chosen, weights, order, SWEEPS)

    nobody = np.zeros(0, np.int64)
    rules = [groups[:-1], *_systematic(whole, groups, rng)]
    rules.sort(key=lambda chosen: improved(chosen, nobody)[1])
    found = [improved(chosen, rng.permutation(len(strings))) for chosen in rules[:DESCENTS]]
    best, bits = min(found, key=lambda pair: pair[1])
    for _ in range(KICKS):
        kicked = best.copy()
        some = rng.choice(len(strings), size=min(len(strings), int(rng.integers(2, 9))), replace=False)
        kicked[some] = rng.integers(groups[some], groups[some + 1])
        other, its_bits = improved(kicked, rng.permutation(len(strings)))
        if its_bits <= bits:
            best, bits = other, its_bits
    return automaton_of([said[int(i)] for i in best], weights)


def _systematic(strings: Sequence[String], groups: Ints, rng: np.random.Generator) -> Iterator[Ints]:
    """Languages in which one ranking decides, of words and of operators, whether these are heard or not."""
    letters, starts = numbered(strings)
    uses = np.zeros((len(strings), int(letters.max()) + 1))
    np.add.at(uses, (np.repeat(np.arange(len(strings)), np.diff(starts)), letters), 1)
    for _ in range(STARTS):
        prices = uses @ 2.0 ** rng.permutation(uses.shape[1])
        yield np.array([first + np.argmin(prices[first:last]) for first, last in pairwise(groups.tolist())])


def bound(language: MinimalLanguage, *, operators: bool = False) -> Bound:
    """What no automaton of a minimal language of the system can do without.

    - Its longest string passes through one state more than it has letters, all different, since there are no loops.
    - The numbers that are words are strings of one letter, so each has its transition from the first state.
    - Every other string ends on a transition that begins elsewhere, with one of the letters on which the number's tied
      expressions may end: there are at least as many as it takes to have one of them for every such number.
    - Every state of the longest string but the first and the last has a transition, too; where operators are heard,
      every second of these is an operator, and so is none of those before.
    """
    leaves = language.leaves
    longest = int(leaves.max())
    words = frozenset(str(n) for n in language if leaves[n - 1] == 1)
    composed = [n for n in language if leaves[n - 1] > 1]
    walk = _walk(language)
    last = _last_letters(walk, composed)
    ends = _least_hitting(last)
    letters = len(words) + _least_hitting([each for each in last if not each & words])
    if not operators:
        return Bound(longest + 1, len(words) + max(ends, longest - 1), letters)
    signs = [frozenset(way.operator for way in walk.ways(Part(n, Role.NUMBER))) for n in composed]
    steps = max(ends + longest - 1, 2 * longest - 2)
    return Bound(2 * longest, len(words) + steps, letters + _least_hitting(signs))


def _least_hitting(sets: Sequence[frozenset[str]]) -> int:
    """A number of elements below which no choice has one of each set: sets that share nothing need one each."""
    needed, taken = 0, frozenset[str]()
    for each in sorted(sets, key=lambda each: (len(each), sorted(each))):
        if not each & taken:
            needed, taken = needed + 1, taken | each
    return needed


def _walk(language: MinimalLanguage) -> Walk:
    return Walk(fill_tables(language.system, language.upto, language.limit))


def _by_leaves(walk: Walk, numbers: Iterable[int]) -> Sequence[Part]:
    """The parts that the numbers' tied expressions are made of, each behind those that it is made of."""
    found: set[Part] = set()
    stack = [Part(n, Role.NUMBER) for n in numbers]
    while stack:
        part = stack.pop()
        if part not in found:
            found.add(part)
            stack += [each for _, *below in walk.ways(part) for each in below]
    return sorted(found, key=lambda part: (1 if part.role == Role.MULTIPLIER else walk.source.level(part), part))


def _tied_strings(language: MinimalLanguage) -> list[list[String]]:
    """For each number the strings of its tied expressions, operators included, as many as are looked at."""
    walk = _walk(language)
    known: dict[Part, list[String]] = {}
    for part in _by_leaves(walk, language):
        strings: dict[String, None] = {}
        for operator, left, right in walk.ways(part):
            strings |= {(*a, operator, *b): None for a in known[left] for b in known[right]}
            if len(strings) >= MOST_STRINGS:
                break
        known[part] = list(strings)[:MOST_STRINGS] or [(str(part.value),)]
    return [known[Part(n, Role.NUMBER)] for n in language]


def _last_letters(walk: Walk, numbers: Sequence[int]) -> list[frozenset[str]]:
    """For each number the letters on which its tied expressions may end."""
    known: dict[Part, frozenset[str]] = {}
    for part in _by_leaves(walk, numbers):
        ways = [known[right] for _, _, right in walk.ways(part)]
        known[part] = frozenset[str]().union(*ways) if ways else frozenset({str(part.value)})
    return [known[Part(n, Role.NUMBER)] for n in numbers]
