"""Many systems at once: the least number of leaves for every number, with sets of values as bits of words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.numerals.need import Need
from ishango.numerals.system import Grammar, Limit, NumeralSystem, as_grammar, check_words, resolve_limit

Masks = NDArray[np.bool_]
"""One row a system, one column a number 1..range: whether the number is in the set."""


def masks(systems: Sequence[NumeralSystem], range: int) -> tuple[Masks, Masks]:
    """Digits and multipliers of systems as masks `(systems, range)`, the form that the batch evaluator takes."""
    digits = np.zeros((len(systems), range), dtype=np.bool_)
    multipliers = np.zeros_like(digits)
    for row, system in enumerate(systems):
        check_words(system, range)
        digits[row, np.array(system.digits, dtype=np.intp) - 1] = True
        multipliers[row, np.array(system.multipliers, dtype=np.intp) - 1] = True
    return digits, multipliers


def leaves_of_many(
    digits: Masks, multipliers: Masks, grammar: Grammar = "modified", limit: Limit = "default"
) -> NDArray[np.int32]:
    """The least leaves of each number for each system, `(systems, range)`; 0 where the number is missing.

    A number is missing when no derivation with all values up to the limit reaches it. Systems are given as
    masks, see `masks`.
    """
    limit = resolve_limit(digits.shape[1], limit)
    if limit is None:
        raise RequestError("The batch evaluator needs a value limit; for limit none use minimal_language.")
    if digits.shape != multipliers.shape:
        raise RequestError(f"The masks differ in shape: {digits.shape} and {multipliers.shape}.")
    leaves = np.zeros(digits.shape, dtype=np.int32)
    _fill_many(np.ascontiguousarray(digits), np.ascontiguousarray(multipliers), as_grammar(grammar) == "hurford",
               limit, leaves)  # fmt: skip
    return leaves


def evaluate_many(
    systems: Sequence[NumeralSystem],
    need: Need | str = "power:2",
    range: int = 99,
    limit: Limit = "default",
) -> NDArray[np.float64]:
    """The average complexity of each system, NaN where it does not cover the range; all of one grammar.

    >>> evaluate_many([NumeralSystem.parse("1-9,11 | 10"), NumeralSystem.parse("2 | 4")]).round(6).tolist()
    [1.19366, nan]
    """
    grammars = {system.grammar for system in systems}
    if len(grammars) > 1:
        raise RequestError("The batch evaluator takes systems of one grammar at a time.")
    if not systems:
        return np.zeros(0)
    leaves = leaves_of_many(*masks(systems, range), grammars.pop(), limit)
    return averages(leaves, Need.parse(need).weights(range))


def averages(leaves: NDArray[np.int32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average complexities from least leaves `(systems, range)`; NaN where a number is missing."""
    average = (2.0 * leaves - 1.0) @ weights
    average[(leaves == 0).any(axis=1)] = np.nan
    return average


@njit(cache=True, error_model="numpy")
def _fill_many(
    digits: Masks, multipliers: Masks, hurford: bool, limit: int, leaves: NDArray[np.int32]
) -> None:
    n_words = limit // 64 + 1
    inside = np.zeros(n_words, np.uint64)  # the bits 1..limit
    for value in range(1, limit + 1):
        _set(inside, value)
    levels = np.zeros((16, n_words), np.uint64)  # levels[k]: the numbers first found at level k
    mirrored = np.zeros((16, n_words), np.uint64)  # bit limit - n for each number n of levels[k]
    phrases = np.empty(limit, np.int64)
    phrase_start = np.zeros(18, np.int64)
    for row in range(len(digits)):
        level = 1
        found, n_found, last_new, n_phrases = _first_level(
            digits[row], multipliers[row], hurford, n_words, phrases, leaves[row]
        )
        seen_phrases = np.zeros(n_words, np.uint64)
        for i in range(n_phrases):
            _set(seen_phrases, phrases[i])
        phrase_start[2] = n_phrases
        levels[1] = found
        _mirror(found, limit, mirrored[1])
        while n_found < leaves.shape[1] and level < 2 * last_new:
            level += 1
            if level == len(levels):
                levels = np.concatenate((levels, np.zeros_like(levels)))
                mirrored = np.concatenate((mirrored, np.zeros_like(mirrored)))
                phrase_start = np.append(phrase_start, np.zeros_like(phrase_start))
            new = levels[level]
            new[:] = 0
            n_phrases = _multiply(levels[level - 1], multipliers[row], limit, seen_phrases, new, phrases, n_phrases)
            phrase_start[level + 1] = n_phrases
            for x in range(1, level):
                for i in range(phrase_start[x], phrase_start[x + 1]):
                    _or_shifted_up(new, levels[level - x], phrases[i])
                    _or_shifted_down(new, mirrored[level - x], limit - phrases[i])
            any_new = phrase_start[level + 1] > phrase_start[level]
            for w in range(n_words):
                new[w] &= inside[w] & ~found[w]
                found[w] |= new[w]
                any_new |= new[w] != 0
            if any_new:
                last_new = level
                _mirror(new, limit, mirrored[level])
                n_found += _record(new, level, leaves[row])
            else:
                mirrored[level] = 0


@njit(cache=True, error_model="numpy")
def _first_level(digits, multipliers, hurford, n_words, phrases, leaves):  # type: ignore[no-untyped-def]
    found = np.zeros(n_words, np.uint64)
    n_found = n_phrases = 0
    for i in range(len(digits)):
        if hurford and multipliers[i]:
            phrases[n_phrases] = i + 1
            n_phrases += 1
        if digits[i] or (hurford and multipliers[i]):
            _set(found, i + 1)
            leaves[i] = 1
            n_found += 1
    return found, n_found, 1, n_phrases


@njit(cache=True, error_model="numpy")
def _multiply(numbers, multipliers, limit, seen, new, phrases, n_phrases):  # type: ignore[no-untyped-def]
    """The phrases first found here: the newest numbers times each multiplier."""
    for i in range(len(multipliers)):
        if multipliers[i]:
            for value in range(1, limit // (i + 1) + 1):
                if _has(numbers, value) and not _has(seen, value * (i + 1)):
                    _set(seen, value * (i + 1))
                    _set(new, value * (i + 1))
                    phrases[n_phrases] = value * (i + 1)
                    n_phrases += 1
    return n_phrases


@njit(cache=True, error_model="numpy")
def _record(new, level, leaves):  # type: ignore[no-untyped-def]
    count = 0
    for i in range(len(leaves)):
        if _has(new, i + 1):
            leaves[i] = level
            count += 1
    return count


@njit(cache=True, error_model="numpy", inline="always")
def _has(bits, value):  # type: ignore[no-untyped-def]
    return (bits[value >> 6] >> np.uint64(value & 63)) & np.uint64(1) != 0


@njit(cache=True, error_model="numpy", inline="always")
def _set(bits, value):  # type: ignore[no-untyped-def]
    bits[value >> 6] |= np.uint64(1) << np.uint64(value & 63)


@njit(cache=True, error_model="numpy")
def _mirror(bits, limit, out):  # type: ignore[no-untyped-def]
    out[:] = 0
    for value in range(1, limit + 1):
        if _has(bits, value):
            _set(out, limit - value)


@njit(cache=True, error_model="numpy")
def _or_shifted_up(out, bits, by):  # type: ignore[no-untyped-def]
    """out |= bits << by: the sums of one phrase with a whole level of numbers."""
    skip = by >> 6
    shift = np.uint64(by & 63)
    if shift == 0:
        for w in range(skip, len(out)):
            out[w] |= bits[w - skip]
        return
    back = np.uint64(64) - shift
    out[skip] |= bits[0] << shift
    for w in range(skip + 1, len(out)):
        out[w] |= (bits[w - skip] << shift) | (bits[w - skip - 1] >> back)


@njit(cache=True, error_model="numpy")
def _or_shifted_down(out, bits, by):  # type: ignore[no-untyped-def]
    """out |= bits >> by: with mirrored bits, the differences of one phrase and a whole level of numbers."""
    skip = by >> 6
    shift = np.uint64(by & 63)
    last = len(out) - 1 - skip
    if shift == 0:
        for w in range(last + 1):
            out[w] |= bits[w + skip]
        return
    back = np.uint64(64) - shift
    for w in range(last):
        out[w] |= (bits[w + skip] >> shift) | (bits[w + skip + 1] << back)
    out[last] |= bits[len(out) - 1] >> shift
