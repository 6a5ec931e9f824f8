"""What is taught: a system by its name, its numerals or those of an irregular twin; random systems beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np

from ishango.errors import RequestError
from ishango.languages import find_language
from ishango.numerals import (
    STARTS,
    Expression,
    GrammarName,
    MinimalLanguage,
    Need,
    Notation,
    NumeralSystem,
    average_complexity,
    evaluate_many,
    minimal_language,
)

Numerals = Literal["shortest", "ties", "permuted"]

MOST_DRAWS = 50
"""How often a tied expression is drawn again because another number has its string."""


class Taught(NamedTuple):
    """The numerals that a learner hears."""

    said: Mapping[int, Expression]
    """The expression of each number."""
    tokens: Mapping[int, tuple[str, ...]]
    """The same as strings."""

    @property
    def homonyms(self) -> int:
        """How many numbers share their string with another one, so that nobody can tell them apart."""
        return sum(count for count in Counter(self.tokens.values()).values() if count > 1)


def named_system(text: str, grammar: GrammarName) -> NumeralSystem:
    """The system that a text names: DIGITS | MULTIPLIERS, 1 to 8 for the paper's starts, or a language.

    >>> str(named_system("7", "modified")), str(named_system("French", "modified"))
    ('1,4,12 | 9,25', '1-9 | 10,20')
    """
    if "|" in text:
        return NumeralSystem.parse(text, grammar)
    if re.fullmatch("[1-8]", text):
        return STARTS[int(text) - 1].with_grammar(grammar)
    try:
        system = find_language(text).system_under(grammar)
    except RequestError as error:
        raise RequestError(f"{error} Or give DIGITS | MULTIPLIERS, or 1 to 8 for one of the paper's starts.") from error
    if system is None:
        raise RequestError(
            f"{text} has no digits and multipliers under the grammar {grammar}; choose another language."
        )
    return system


def taught(
    system: NumeralSystem, numerals: Numerals, upto: int, notation: Notation, rng: np.random.Generator
) -> Taught:
    """The numerals of a system, or of an irregular twin, which has the same words and the same length for each number.

    Args:
        system: digits and multipliers.
        numerals: the shortest expressions; or one drawn from each number's ties, all as short; or the shortest
            expressions dealt out anew among the composed numbers of equal length, so that parts mean nothing.
        upto: numbers from 1 to this one.
        notation: how expressions are written.
        rng: draws the twin.

    >>> rng = np.random.default_rng(0)
    >>> twin = taught(NumeralSystem.parse("1-9 | 10"), "permuted", 99, "infix", rng)
    >>> str(twin.said[7]), twin.said[21].complexity
    ('7', 5)
    """
    language = minimal_language(system, upto)
    if language.missing:
        raise RequestError(f"The system {system} has no expression for {language.missing[0]}, but 1-{upto} is taught.")
    if numerals == "ties":
        return _tied(language, notation, rng)
    # Infix strings have no brackets: where two numbers would share one, `tokens` takes another of the ties.
    tokens, said = language.tokens(notation), language.expressions
    if numerals == "permuted":
        deal = _deal({number: len(string) for number, string in tokens.items()}, rng)
        return Taught({n: said[deal[n]] for n in said}, {n: tokens[deal[n]] for n in tokens})
    return Taught(said, tokens)


def _tied(language: MinimalLanguage, notation: Notation, rng: np.random.Generator) -> Taught:
    """One of the ties of each number; strings that another number has are drawn again, as long as there is hope."""
    said, usual = language.sample(rng), language.tokens(notation)
    owners: dict[tuple[str, ...], int] = {}
    for number in said:
        for _ in range(MOST_DRAWS if language.ties(number) > 1 else 0):
            if said[number].tokens(notation) not in owners:
                break
            said[number] = language.sample(rng)[number]
        string = said[number].tokens(notation)
        owners.setdefault(usual[number] if string in owners else string, number)
    strings = {number: string for string, number in owners.items()}
    return Taught(said, {number: strings.get(number, usual[number]) for number in said})


def _deal(lengths: Mapping[int, int], rng: np.random.Generator) -> dict[int, int]:
    """Whose expression each number takes over: words keep their own, others exchange theirs within a length."""
    deal = {number: number for number in lengths}
    for length in sorted({*lengths.values()} - {1}):
        equal = [number for number in lengths if lengths[number] == length]
        deal |= dict(zip(equal, rng.permutation(equal).tolist(), strict=True))
    return deal


# Random systems beside which a system is held.

PROPOSALS, MOST_STEPS, MOST_RESTARTS, PATIENCE = 48, 60, 8, 6
"""Exchanges that are looked at together, how often, from how many random systems, and how often in vain."""


def random_covering(size: int, rng: np.random.Generator, grammar: GrammarName, upto: int) -> NumeralSystem | None:
    """A random system of a size that covers the range and has the digit 1; None if few do."""
    for _ in range(MOST_STEPS):
        drawn = [_random(size, rng, grammar, upto) for _ in range(PROPOSALS)]
        covering = np.flatnonzero(~np.isnan(evaluate_many(drawn, "uniform", upto)))
        if covering.size:
            return drawn[int(covering[0])]
    return None


def _random(size: int, rng: np.random.Generator, grammar: GrammarName, upto: int) -> NumeralSystem:
    multipliers = int(rng.integers(1, max(2, size // 2 + 1)))
    words = (1 + rng.permutation(np.arange(1, upto))[: size - 1]).tolist()
    return NumeralSystem((1, *words[multipliers:]), tuple(words[:multipliers]), grammar)


def matched(
    system: NumeralSystem, rng: np.random.Generator, need: str = "power:2", upto: int = 99, within: float = 0.03
) -> NumeralSystem | None:
    """A random system of the same size and nearly the same average length, or None if none is found.

    Words of a random system are exchanged one at a time, each time for the best of some random exchanges, until its
    average length is within a share of the given system's.

    >>> found = matched(NumeralSystem.parse("1-9 | 10"), np.random.default_rng(0))
    >>> found.size, abs(average_complexity(found) / average_complexity("1-9 | 10") - 1) < 0.03
    (10, True)
    """
    wanted = average_complexity(system, need, upto)
    if wanted is None:
        raise RequestError(f"The system {system} does not cover 1-{upto}.")
    weighing = Need.parse(need)
    for _ in range(MOST_RESTARTS):
        current, off, vain = random_covering(system.size, rng, system.grammar, upto), np.inf, 0
        if current is None:
            return None
        for _ in range(MOST_STEPS):
            if vain == PATIENCE:
                break
            others = [_exchanged(current, rng, upto) for _ in range(PROPOSALS)]
            distances = np.abs(evaluate_many(others, weighing, upto) - wanted)
            distances[np.isnan(distances)] = np.inf
            best = int(distances.argmin())
            vain += 1
            if distances[best] < off:
                current, off, vain = others[best], float(distances[best]), 0
            if off <= within * wanted and current != system:
                return current
    return None


def _exchanged(system: NumeralSystem, rng: np.random.Generator, upto: int) -> NumeralSystem:
    """The same with one word, not the digit 1, exchanged for a free one, which may have the other role."""
    digits, multipliers = list(system.digits[1:]), list(system.multipliers)
    if rng.random() < 0.2 and (len(multipliers) > 1 or digits):
        return _moved(digits, multipliers, system.grammar, rng)
    free = np.setdiff1d(np.arange(2, upto + 1), system.words)
    place = int(rng.integers(len(digits) + len(multipliers)))
    sets, place = (digits, place) if place < len(digits) else (multipliers, place - len(digits))
    sets[place] = int(rng.choice(free))
    return NumeralSystem((1, *digits), tuple(multipliers), system.grammar)


def _moved(digits: list[int], multipliers: list[int], grammar: GrammarName, rng: np.random.Generator) -> NumeralSystem:
    """One word takes the other role; a multiplier always remains."""
    gives, takes = (multipliers, digits) if len(multipliers) > 1 and rng.random() < 0.5 else (digits, multipliers)
    if not gives:
        gives, takes = takes, gives
    takes.append(gives.pop(int(rng.integers(len(gives)))))
    return NumeralSystem((1, *digits), tuple(multipliers), grammar)
