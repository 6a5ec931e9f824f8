"""Numeral systems that need not be recursive, nor name every number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.numerals import MODIFIED, GrammarName, NumeralSystem, as_grammar, format_set
from ishango.numerals.system import parse_set

Mask = NDArray[np.bool_]

HOW = "write its words as in 1-4,7,16 or, with multipliers, 1-9 | 10"


@dataclass(frozen=True, slots=True)
class OpenSystem:
    """Digits and multipliers, of which there may be none; numbers without an expression are said as others near them.

    >>> few = OpenSystem.parse("1-4,7,16")
    >>> few.size, str(few)
    (6, '1-4,7,16 | none')
    """

    digits: tuple[int, ...]
    multipliers: tuple[int, ...] = ()
    grammar: GrammarName = MODIFIED.name

    def __post_init__(self) -> None:
        rules = as_grammar(self.grammar)
        object.__setattr__(self, "grammar", rules.name)
        for name in ("digits", "multipliers"):
            words = tuple(sorted(set(getattr(self, name))))
            if words and words[0] < 1:
                raise RequestError(f"The word {words[0]} is no number from 1 up; {HOW}.")
            object.__setattr__(self, name, words)
        if not self.digits and not (self.multipliers and rules.bare_number):
            raise RequestError(f"A system without a digit says nothing; {HOW}.")

    @classmethod
    def parse(cls, text: str, grammar: GrammarName = MODIFIED.name) -> OpenSystem:
        """Read `DIGITS` or `DIGITS | MULTIPLIERS`; `str` writes the latter."""
        parts = text.split("|")
        if len(parts) > 2 or not parts[0].strip():
            raise RequestError(f"{text!r} is not a numeral system; {HOW}.")
        return cls(parse_set(parts[0]), parse_set(parts[1]) if len(parts) == 2 else (), grammar)

    @classmethod
    def of(cls, system: NumeralSystem) -> OpenSystem:
        """A recursive system as one that need not be."""
        return cls(system.digits, system.multipliers, system.grammar)

    @property
    def size(self) -> int:
        """|D| + |M|: a word in both sets counts twice."""
        return len(self.digits) + len(self.multipliers)

    def __str__(self) -> str:
        return f"{format_set(self.digits)} | {format_set(self.multipliers)}"


def lexicons(systems: Sequence[OpenSystem], upto: int) -> Mask:
    """Digits and multipliers of systems as masks (systems, 2, range)."""
    found = np.zeros((len(systems), 2, upto), np.bool_)
    for row, system in enumerate(systems):
        for role, words in enumerate((system.digits, system.multipliers)):
            if words and words[-1] > upto:
                raise RequestError(f"The word {words[-1]} lies outside the range 1 to {upto}.")
            found[row, role, np.array(words, np.intp) - 1] = True
    return found


def system_of(lexicon: Mask, grammar: GrammarName) -> OpenSystem:
    """The system of one mask (2, range)."""
    digits, multipliers = (tuple((np.flatnonzero(each) + 1).tolist()) for each in lexicon)
    return OpenSystem(digits, multipliers, grammar)


# Changes of a system that need not cover anything: a word comes, goes, or changes its role.


def change(system: OpenSystem, upto: int, rng: np.random.Generator) -> tuple[str, OpenSystem]:
    """One of the possible changes, each kind of change as likely as any other, and then each word.

    The first multiplier may come, and the last one go; what could not say anything is never proposed.

    >>> change(OpenSystem.parse("1"), 1, np.random.default_rng(0))
    ('add a multiplier', OpenSystem(digits=(1,), multipliers=(1,), grammar='modified'))
    """
    possible = changes(system, upto)
    name = list(possible)[int(rng.integers(len(possible)))]
    return name, possible[name][int(rng.integers(len(possible[name])))]


def changes(system: OpenSystem, upto: int) -> dict[str, list[OpenSystem]]:
    """All systems one change away, by the kind of change; kinds that lead nowhere are left out."""
    digits, multipliers = set(system.digits), set(system.multipliers)
    numbers = range(1, upto + 1)
    pairs = {
        "add a digit": [(digits | {n}, multipliers) for n in numbers if n not in digits],
        "add a multiplier": [(digits, multipliers | {n}) for n in numbers if n not in multipliers],
        "remove a digit": [(digits - {n}, multipliers) for n in digits],
        "remove a multiplier": [(digits, multipliers - {n}) for n in multipliers],
        "make a digit a multiplier": [(digits - {n}, multipliers | {n}) for n in digits - multipliers],
        "make a multiplier a digit": [(digits | {n}, multipliers - {n}) for n in multipliers - digits],
    }
    bare = as_grammar(system.grammar).bare_number
    made = {
        name: [OpenSystem(tuple(d), tuple(m), system.grammar) for d, m in each if d or (m and bare)]
        for name, each in pairs.items()
    }
    return {name: each for name, each in made.items() if each}
