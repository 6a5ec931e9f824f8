"""What becomes of the words of a system that is passed on, where who did not hear a word does not know it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ishango.kinds.error_measures import Floats
from ishango.kinds.law import Law, lengths_of, said
from ishango.kinds.open_system import OpenSystem, lexicons
from ishango.numerals import Expression, NumeralSystem, as_grammar, format_set, minimal_language

DIGIT, MULTIPLIER = 0, 1
Word = tuple[int, int]
"""A role and a number."""
Words = frozenset[Word]


def words_heard(system: OpenSystem, law: Law, meant: Iterable[int]) -> Words:
    """The words in what parents say where they mean these numbers.

    >>> sorted(words_heard(OpenSystem.parse("1-9 | 10"), Law(precision=100), [12]))
    [(0, 1), (0, 2), (1, 10)]
    """
    chosen = said(system, law)
    spoken = {int(chosen[number - 1]) for number in meant}
    if not system.multipliers:
        return frozenset((DIGIT, word) for word in spoken)
    language = minimal_language(NumeralSystem(system.digits, system.multipliers, system.grammar), law.upto)
    return frozenset(each for number in spoken for each in _words_in(language.expression(number), system))


def coined(words: Words, law: Law, multiplier_share: float, uniform: bool, rng: np.random.Generator) -> Words:
    """The words and one more: its role is drawn first, then a number that has no word in it; nothing where all have,
    or where nothing would be gained. For n with a probability proportional to what it loses, or uniformly."""
    role = MULTIPLIER if rng.random() < multiplier_share else DIGIT
    free = np.array([(role, number) not in words for number in range(1, law.upto + 1)])
    weights = free * (1.0 if uniform else losses(system_of(words, law), law))
    if weights.sum() <= 0:
        return words
    return words | {(role, int(rng.choice(law.upto, p=weights / weights.sum())) + 1)}


def losses(system: OpenSystem, law: Law) -> Floats:
    """Need x what it costs to say each number, beyond the one symbol that a word of its own would take.

    >>> losses(OpenSystem.parse("1,3"), Law(precision=3, upto=3)).round(3).tolist()
    [0.0, 0.276, 0.0]
    """
    chosen = said(system, law) - 1
    lengths = lengths_of(lexicons([system], law.upto), law)[0][chosen]
    return law.weights * (law.effort * (lengths - 1) + law.losses[np.arange(law.upto), chosen])


def spared(words: Words, number: int, law: Law, rng: np.random.Generator) -> Words:
    """The words without some that are drawn uniformly; the last one that says something stays."""
    for _ in range(number):
        droppable = [word for word in sorted(words) if _says_something(words - {word}, law)]
        if droppable:
            words = words - {droppable[int(rng.integers(len(droppable)))]}
    return words


def words_of(system: OpenSystem) -> Words:
    """The words of a system, each in its role."""
    return frozenset({(DIGIT, n) for n in system.digits} | {(MULTIPLIER, n) for n in system.multipliers})


def system_of(words: Words, law: Law) -> OpenSystem:
    """The system that has these words."""
    return OpenSystem(_in_role(words, DIGIT), _in_role(words, MULTIPLIER), law.grammar)


def written(words: Words) -> str | None:
    """Words as `D | M`, either of which may be none; null where there are none."""
    return f"{format_set(_in_role(words, DIGIT))} | {format_set(_in_role(words, MULTIPLIER))}" if words else None


def _in_role(words: Words, role: int) -> tuple[int, ...]:
    return tuple(sorted(number for each, number in words if each == role))


def _says_something(words: Words, law: Law) -> bool:
    return any(role == DIGIT or as_grammar(law.grammar).bare_number for role, _ in words)


def _words_in(expression: Expression, system: OpenSystem) -> Iterable[Word]:
    """A factor is a multiplier, and so is what a sum or difference begins with; other words are digits, if they can."""
    stack = [(expression, DIGIT)]
    while stack:
        node, role = stack.pop()
        if node.left is None or node.right is None:
            yield (role if node.value in system.digits else MULTIPLIER), node.value
        else:
            product = node.operator == "*"
            stack += ((node.left, DIGIT if product else MULTIPLIER), (node.right, MULTIPLIER if product else DIGIT))
