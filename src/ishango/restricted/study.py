"""The 30 languages of Xu, Liu and Regier's study: what their words mean and how complex the study finds them."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

import numpy as np

from ishango.errors import RequestError
from ishango.languages import Kind, look_up, parse_terms
from ishango.numerals import Need
from ishango.numerals.system import check_range
from ishango.restricted.measures import NEED, WEBER, Floats, Position, communicative_cost
from ishango.restricted.term_system import RestrictedKind, TermSystem


@dataclass(frozen=True, slots=True)
class StudyLanguage:
    """A language of the study.

    >>> find_study_language("Pirahã").system().words[1]
    (2, 3, 4)
    """

    name: str
    code: str
    """The study's code."""
    kind: Kind
    terms: str
    """The extents of its words; empty for recursive languages, which name every number exactly."""
    complexity: int
    """The published complexity."""
    rules: str
    """The rules that it counts, as `rule_nodes` reads them; empty for recursive languages."""
    source: str

    @property
    def recursive(self) -> bool:
        """Whether it names every number exactly."""
        return self.kind == "recursive"

    def system(self, upto: int = 100) -> TermSystem:
        """Its words over 1..range; those for larger numbers are left out."""
        check_range(upto)
        if self.recursive:
            raise RequestError(f"{self.name} is recursive; it has no words with extents.")
        terms = [term for term in parse_terms(self.terms) if term.first <= upto]
        words = [range(first, min(last or upto, upto) + 1) for first, last in terms]
        return TermSystem.of(words, cast(RestrictedKind, self.kind))

    def position(self, need: Need | str = NEED, upto: int = 100, weber: float = WEBER) -> Position:
        """The published complexity and the cost that we compute; 0 for a recursive language."""
        cost = 0.0 if self.recursive else communicative_cost(self.system(upto), need, weber)
        return Position(self.complexity, cost)


@cache
def study_languages() -> tuple[StudyLanguage, ...]:
    """All 30, by name."""
    text = files("ishango.restricted").joinpath("table.csv").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(_language(row) for row in csv.DictReader(lines))


def _language(row: dict[str, str]) -> StudyLanguage:
    values: dict[str, Any] = {**row, "complexity": int(row["complexity"])}
    return StudyLanguage(**values)


def find_study_language(name: str) -> StudyLanguage:
    """The language of that name or code; case and accents do not matter."""
    languages = study_languages()
    return look_up(name, {each.name: each for each in languages}, {each.code: each for each in languages})


# How different two systems are, and which human one is most like a system.


@dataclass(frozen=True)
class Resemblance:
    """The human system with as many words that is most like a system."""

    language: str
    """The first of the languages that have it, by name."""
    variation: float
    """Variation of information, every number counting the same."""
    variation_by_need: float
    """Variation of information, numbers counting by need."""


def variation_of_information(one: TermSystem, other: TermSystem, need: Need | str = "uniform") -> float:
    """Bits that are needed to tell the word of either system from that of the other: 0 if they are the same.

    H(one | other) + H(other | one) for a number drawn by need (Meilă 2007); a metric where all numbers are needed.
    The kinds do not matter, only which numbers share a word.
    """
    if one.upto != other.upto:
        raise RequestError(f"Systems over 1..{one.upto} and 1..{other.upto} cannot be compared; use one range.")
    joint = np.zeros((one.size, other.size))
    np.add.at(joint, (one.word_map, other.word_map), Need.parse(need).weights(one.upto))
    return max(0.0, 2 * _entropy(joint) - _entropy(joint.sum(axis=0)) - _entropy(joint.sum(axis=1)))


def nearest_human(system: TermSystem, need: Need | str) -> Resemblance | None:
    """The most similar human system with as many words; None where no language of the study has so many."""
    found = [
        Resemblance(name, variation_of_information(system, human), variation_of_information(system, human, need))
        for name, human in _human_systems(system.upto)
        if human.size == system.size
    ]
    return min(found, key=lambda each: each.variation, default=None)


@cache
def _human_systems(upto: int) -> tuple[tuple[str, TermSystem], ...]:
    """The distinct partitions of the study's languages, each with the first language that has it."""
    found: dict[tuple[tuple[int, ...], ...], tuple[str, TermSystem]] = {}
    for language in study_languages():
        if not language.recursive:
            system = language.system(upto)
            found.setdefault(system.words, (language.name, system))
    return tuple(found.values())


def _entropy(probabilities: Floats) -> float:
    positive = probabilities[probabilities > 0]
    return float(-(positive @ np.log2(positive)))
