"""Changes of a system that need not cover anything: a word comes, goes, or changes its role."""

from __future__ import annotations

import numpy as np

from ishango.kinds.open_system import OpenSystem
from ishango.numerals import as_grammar


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
