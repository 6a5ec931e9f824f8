"""Proofs that a number can never be expressed: no expression has its residue for some modulus."""

from __future__ import annotations

from collections.abc import Iterable

from ishango.numerals.system import NumeralSystem

LARGEST_MODULUS = 120
"""Moduli tried; a proof by a larger one would be missed and the number reported as not found instead."""


def impossible(system: NumeralSystem, numbers: Iterable[int]) -> dict[int, int]:
    """For each number that no expression can name, the least modulus that proves it.

    >>> impossible(NumeralSystem.parse("2,6 | 4"), [3, 8])
    {3: 2}
    """
    open_ = set(numbers)
    proofs: dict[int, int] = {}
    for modulus in range(2, LARGEST_MODULUS + 1):
        if not open_:
            break
        residues = _residues(system, modulus)
        proved = {n for n in open_ if n % modulus not in residues}
        proofs |= dict.fromkeys(proved, modulus)
        open_ -= proved
    return dict(sorted(proofs.items()))


def _residues(system: NumeralSystem, modulus: int) -> set[int]:
    """The residues of all numbers: the least sets closed under the rules of the grammar."""
    rules = system.rules
    words = {word % modulus for word in (system.digits + system.multipliers * rules.bare_number)}
    numbers, phrases = words, set[int]()
    bare_phrases = {m % modulus for m in system.multipliers * rules.bare_phrase}
    signs = (1,) * rules.plus + (-1,) * rules.minus
    while len(numbers) < modulus:
        factors = words | phrases if rules.flat else numbers
        before, phrases = phrases, {n * m % modulus for n in factors for m in system.multipliers} | bare_phrases
        grown = numbers | phrases | {(p + s * n) % modulus for p in phrases for n in numbers for s in signs}
        if grown == numbers and phrases == before:
            break
        numbers = grown
    return numbers
