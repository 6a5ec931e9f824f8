"""How like a human lexicon a system is: the languages nearest to it, and what human systems have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ishango.languages.catalogue import load_languages
from ishango.languages.language import Language


@dataclass(frozen=True)
class Likeness:
    """Traits of a system by which it can be compared with human ones."""

    size: int
    """Its words, |D| + |M|, whatever a multiplier costs under its grammar."""
    multipliers: int
    single: bool
    """Whether it has one multiplier."""
    based: bool
    """Whether some multiplier is one more than the digits below it, which are all there: counting up to a base."""
    distance: int
    """Words to add or to take away to have the nearest human lexicon; a change of role counts twice."""
    nearest: str
    """The language that has it."""


def nearest_languages(digits: Iterable[int], multipliers: Iterable[int], count: int = 1) -> list[tuple[int, Language]]:
    """The languages whose lexicon differs least, with how many words to add or to take away; ties by name.

    >>> [(distance, language.name) for distance, language in nearest_languages(range(1, 10), [10])][0][0]
    0
    """
    mine = {("D", word) for word in digits} | {("M", word) for word in multipliers}
    found = sorted((len(mine ^ words), language.name) for language, words in _lexicons())
    by_name = {language.name: language for language, _ in _lexicons()}
    return [(distance, by_name[name]) for distance, name in found[:count]]


def likeness(digits: Iterable[int], multipliers: Iterable[int]) -> Likeness:
    """The traits of a system.

    >>> likeness([*range(1, 10), 30], [10]).based
    True
    >>> likeness([1, 2, 4], [5]).based
    False
    """
    d, m = set(digits), set(multipliers)
    distance, language = nearest_languages(d, m)[0]
    based = any(all(n in d for n in range(1, base)) for base in m)
    return Likeness(len(d) + len(m), len(m), len(m) == 1, based, distance, language.name)


@cache
def recursive_languages() -> tuple[Language, ...]:
    """The languages that have digits and multipliers."""
    return tuple(language for language in load_languages() if language.system)


@cache
def _lexicons() -> tuple[tuple[Language, frozenset[tuple[str, int]]], ...]:
    systems = ((each, each.system) for each in recursive_languages())
    return tuple(
        (each, frozenset({("D", word) for word in system.digits} | {("M", word) for word in system.multipliers}))
        for each, system in systems
        if system
    )
