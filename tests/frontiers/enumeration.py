"""Every lexicon of a small range, evaluated with Python integers as sets: shares nothing with the package.

`rules` says what the grammar has: `bare_number`, `bare_phrase`, `plus`, `minus` and `flat`, and how many words a
multiplier costs, `multiplier_words`. It must be hashable.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

Lexicon = tuple[tuple[int, ...], tuple[int, ...]]


def leaves(digits: tuple[int, ...], multipliers: tuple[int, ...], rules: Any, n: int, limit: int) -> list[int] | None:
    """Least leaves of 1..n, or None where one of them has no derivation with values in 1..limit."""
    inside = (1 << (limit + 1)) - 2
    words = sum(1 << d for d in digits)
    bare = sum(1 << m for m in multipliers)
    numbers = [0, words | bare if rules.bare_number else words]
    phrases = [0, bare if rules.bare_phrase else 0]
    seen, seen_phrases, found = numbers[1], phrases[1], {}
    for value in range(1, n + 1):
        if seen >> value & 1:
            found[value] = 1
    k = newest = 1
    while len(found) < n and k < 2 * newest:
        k += 1
        factors = _members((phrases if rules.flat and k > 2 else numbers)[k - 1])
        products = sum(1 << p for p in {x * m for x in factors for m in multipliers if x * m <= limit})
        products &= ~seen_phrases
        new = products
        for x in range(1, k):
            for p in _members(phrases[x]):
                if rules.plus:
                    new |= numbers[k - x] << p
                if rules.minus:
                    new |= sum(1 << (p - y) for y in _members(numbers[k - x]) if y < p)
        new &= inside & ~seen
        seen |= new
        seen_phrases |= products
        numbers.append(new)
        phrases.append(products)
        if new or products:
            newest = k
        for value in _members(new):
            if value <= n:
                found[value] = k
    return [found[value] for value in range(1, n + 1)] if len(found) == n else None


@cache
def _members(bits: int) -> tuple[int, ...]:
    return tuple(i for i in range(bits.bit_length()) if bits >> i & 1)


def lexicons(n: int, size: int, overlap: bool, rules: Any) -> Iterator[Lexicon]:
    """Every pair of sets with `size` words in all."""
    for m in range(1, size // rules.multiplier_words + 1):
        d = size - m * rules.multiplier_words
        if d == 0 and not rules.bare_number:
            continue
        for multipliers in combinations(range(1, n + 1), m):
            rest = range(1, n + 1) if overlap else [w for w in range(1, n + 1) if w not in multipliers]
            for digits in combinations(rest, d):
                yield digits, multipliers


@cache
def table(n: int, size: int, rules: Any) -> dict[Lexicon, tuple[int, ...]]:
    """The least leaves of every lexicon of that size, overlapping ones included, that covers 1..n."""
    evaluated = ((x, leaves(*x, rules, n, 2 * n + 2)) for x in lexicons(n, size, True, rules))
    return {lexicon: tuple(found) for lexicon, found in evaluated if found is not None}


def optima(
    n: int, size: int, need: list[Fraction], rules: Any, overlap: bool, cap: int | None
) -> tuple[Fraction, set[Lexicon]] | None:
    """The least average and every lexicon that attains it; None where no lexicon covers the range."""
    denominators = [weight.denominator for weight in need]
    unit = 1
    for denominator in denominators:
        unit *= denominator
    units = [int(weight * unit) for weight in need]
    best: int | None = None
    found: set[Lexicon] = set()
    for (digits, multipliers), counts in table(n, size, rules).items():
        if (cap is not None and len(multipliers) > cap) or (not overlap and not set(digits).isdisjoint(multipliers)):
            continue
        cost = sum(u * (2 * k - 1) for u, k in zip(units, counts, strict=True))
        if best is None or cost < best:
            best, found = cost, set()
        if cost == best:
            found.add((digits, multipliers))
    return None if best is None else (Fraction(best, unit), found)
