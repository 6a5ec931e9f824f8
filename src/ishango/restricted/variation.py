"""How different two systems are, and which human one is most like a system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ishango.errors import RequestError
from ishango.numerals import Need
from ishango.restricted.measures import Floats
from ishango.restricted.study_table import study_languages
from ishango.restricted.term_system import TermSystem


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
