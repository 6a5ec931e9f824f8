"""Numeral systems without recursion: a few words that share out 1..N, their measures, and the 30 languages studied."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import count, pairwise
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.languages import Kind, Language, Term, look_up, parse_terms
from ishango.numerals import Need, check_range

RestrictedKind = Literal["exact restricted", "approximate"]
"""What a word means: one number and no other, the last word the rest; or numbers around a mean."""

KINDS: tuple[RestrictedKind, ...] = get_args(RestrictedKind)

HOW = "separate words by |, as in 1|2-4|5-"


@dataclass(frozen=True, slots=True)
class TermSystem:
    """A partition of 1..range into words, in the order of the least number that each one names.

    In an exact restricted system every word but the last names one number, from 1 on, and the last ("higher") the
    rest. Any partition can be an approximate system; people's are intervals, those of agents need not be.

    >>> pirahã = TermSystem.parse("1|2-4|5-", upto=100)
    >>> pirahã.kind, pirahã.size, str(pirahã)
    ('approximate', 3, '1|2-4|5-')
    """

    words: tuple[tuple[int, ...], ...]
    """The numbers that each word names."""
    kind: RestrictedKind

    def __post_init__(self) -> None:
        if not self.words or not all(self.words):
            raise RequestError("A system needs at least one word, and each word a number.")
        _refuse_gaps_and_overlaps(self.words)
        object.__setattr__(self, "words", tuple(sorted(tuple(sorted(word)) for word in self.words)))
        if self.kind not in KINDS:
            raise RequestError(f"There is no kind of system {self.kind!r}; choose {' or '.join(KINDS)}.")
        if self.kind == "exact restricted" and not is_exact(self.words):
            raise RequestError(
                f"The system {self} is not exact restricted: every word but the last must name one number, from 1 on."
            )

    @classmethod
    def of(cls, words: Iterable[Iterable[int]], kind: RestrictedKind | None = None) -> TermSystem:
        """A system of these words; without a kind it is exact restricted where it can be."""
        plain = tuple(tuple(word) for word in words)
        return cls(plain, kind or ("exact restricted" if is_exact(sorted(plain)) else "approximate"))

    @classmethod
    def parse(cls, text: str, upto: int = 100, kind: RestrictedKind | None = None) -> TermSystem:
        """Read words separated by |: numbers and stretches, `5-` for those from 5 to the end of the range."""
        check_range(upto)
        if not text.strip():
            raise RequestError(f"A system without words says nothing; {HOW}.")
        words = [_parse_word(part.strip(), upto, text) for part in text.split("|")]
        _refuse_gaps_and_overlaps(words, upto)
        return cls.of(words, kind)

    @classmethod
    def exact(cls, last: int, upto: int = 100) -> TermSystem:
        """The exact restricted system that names 1..last, and the rest with one word."""
        check_range(upto)
        if not 0 <= last < upto:
            raise RequestError(f"The last exact number is {last}; it must lie between 0 and {upto - 1}.")
        return cls((*((n,) for n in range(1, last + 1)), tuple(range(last + 1, upto + 1))), "exact restricted")

    @classmethod
    def from_word_map(cls, word_map: Sequence[int]) -> TermSystem:
        """The system that gives number i + 1 the word `word_map[i]`, whatever words are called."""
        numbers: dict[int, list[int]] = {}
        for number, word in enumerate(word_map, start=1):
            numbers.setdefault(int(word), []).append(number)
        return cls.of(numbers.values())

    @property
    def size(self) -> int:
        return len(self.words)

    @property
    def upto(self) -> int:
        return max(map(max, self.words))

    @property
    def contiguous(self) -> bool:
        """Whether every word names an interval."""
        return all(word[-1] - word[0] + 1 == len(word) for word in self.words)

    @property
    def word_map(self) -> tuple[int, ...]:
        """The index of the word for each number, from 1 on."""
        index_of = {number: index for index, word in enumerate(self.words) for number in word}
        return tuple(index_of[number] for number in range(1, self.upto + 1))

    def __str__(self) -> str:
        return "|".join(_format_word(word, self.upto) for word in self.words)


def is_exact(words: Sequence[Sequence[int]]) -> bool:
    """Whether every word but the last names one number, from 1 on."""
    return all(tuple(word) == (number,) for number, word in enumerate(words[:-1], start=1))


def stretches(word: Sequence[int]) -> list[tuple[int, int]]:
    """Maximal stretches of a sorted word: first and last number of each.

    >>> stretches((2, 3, 5))
    [(2, 3), (5, 5)]
    """
    found: list[tuple[int, int]] = []
    for number in word:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _refuse_gaps_and_overlaps(words: Sequence[Sequence[int]], upto: int | None = None) -> None:
    """Every number from 1 to the range, or to the largest named, has one word."""
    named = sorted(number for word in words for number in word)
    if named[0] < 1:
        raise RequestError(f"The number {named[0]} has a word; numbers begin with 1.")
    twice = next((number for number, following in pairwise(named) if number == following), None)
    if twice is not None:
        raise RequestError(f"The number {twice} has two words; words must not overlap.")
    gap = next((number for number, other in zip(count(1), named, strict=False) if number != other), len(named) + 1)
    if gap <= max(named[-1], upto or 0):
        raise RequestError(f"The number {gap} has no word; every number from 1 to {upto or named[-1]} needs one.")


def _parse_word(part: str, upto: int, text: str) -> tuple[int, ...]:
    numbers = [number for stretch in part.split(",") for number in _parse_stretch(stretch.strip(), upto, text)]
    if len(set(numbers)) < len(numbers):
        raise RequestError(f"The word {part!r} in {text!r} names a number twice.")
    return tuple(sorted(numbers))


def _parse_stretch(part: str, upto: int, text: str) -> Iterable[int]:
    match = re.fullmatch(r"([1-9][0-9]{0,4})(?:(-)([1-9][0-9]{0,4})?)?", part)
    if match is None:
        raise RequestError(f"{part!r} in {text!r} is not a word's extent; {HOW}.")
    first = int(match[1])
    last = int(match[3]) if match[3] else upto if match[2] else first
    if max(first, last) > upto:
        raise RequestError(f"The extent {part} in {text!r} reaches above the range {upto}.")
    if first > last:
        raise RequestError(f"The extent {part} in {text!r} runs backwards; write the smaller number first.")
    return range(first, last + 1)


def _format_word(word: Sequence[int], upto: int) -> str:
    return ",".join(_format_stretch(first, last, upto) for first, last in stretches(word))


def _format_stretch(first: int, last: int, upto: int) -> str:
    if first == last:
        return str(first)
    return f"{first}-" if last == upto else f"{first}-{last}"


# Xu, Liu and Regier's two measures: how complex a system's rules are, and what its words leave unsaid.
#
# A rule is a tree that says what a word or an expression means, and its complexity is the number of its nodes.

NUMBER, SUCCESSOR, HIGHER, GAUSSIAN = 3, 4, 4, 3
"""`three = 3`; `four = s(three)`; `many = > 4`; `few = g(3)`."""

Floats = NDArray[np.float64]

NEED = "power:2.02"
"""The need that Xu, Liu and Regier fitted to English, on 1..100."""
WEBER = 0.31
"""The Weber fraction of the approximate number sense: a word's spread over its mean (Pica et al. 2004)."""

SUBITISED = 3
"""Numbers that are seen at a glance: their words need no successor."""


@dataclass(frozen=True)
class Position:
    """Where a system lies in the plane."""

    complexity: int
    """Nodes of all rule trees."""
    cost: float
    """Bits that a listener lacks, on average over the need."""


def position(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> Position:
    """Complexity and communicative cost of a system.

    >>> awa_pit = position(TermSystem.exact(4))
    >>> awa_pit.complexity, round(awa_pit.cost, 4)
    (17, 0.5671)
    """
    return Position(complexity(system), communicative_cost(system, need, weber))


def complexity(system: TermSystem) -> int:
    """The number of nodes of the rule trees, one tree a word."""
    if system.kind == "approximate":
        return GAUSSIAN * system.size
    return exact_complexity(system.size - 1)


def exact_complexity(last: int) -> int:
    """The complexity of the exact restricted system that names 1..last."""
    seen = min(last, SUBITISED)
    return NUMBER * seen + SUCCESSOR * (last - seen) + HIGHER


def communicative_cost(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> float:
    """The need-weighted mean of -log2 of the probability that the listener gives to the number meant."""
    weights = Need.parse(need).weights(system.upto)
    if system.kind == "exact restricted":
        return sum(rest_cost(word, weights) for word in system.words)
    check_weber(weber)
    return sum(float(word_costs(word, weights, weber).min()) for word in system.words)


def means(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> tuple[int, ...]:
    """The mean of each word of an approximate system: of the numbers it names the one that costs least."""
    check_weber(weber)
    weights = Need.parse(need).weights(system.upto)
    return tuple(word[int(np.argmin(word_costs(word, weights, weber)))] for word in system.words)


def ideal_cost(system: TermSystem, need: Need | str = NEED) -> float:
    """The least cost that any listener can have: it weighs the numbers inside a word by need alone.

    Unlike the Gaussian listener's this cost stays moderate for words whose numbers lie far apart.
    """
    weights = Need.parse(need).weights(system.upto)
    return sum(rest_cost(word, weights) for word in system.words)


def rest_cost(word: Sequence[int], weights: Floats) -> float:
    """What a word costs when the listener weighs its numbers by need."""
    inside = weights[np.asarray(word) - 1]
    inside = inside[inside > 0]
    return float(inside @ (np.log2(inside.sum()) - np.log2(inside))) if inside.size > 1 else 0.0


def word_costs(word: Sequence[int], weights: Floats, weber: float = WEBER) -> Floats:
    """What a Gaussian word costs for each of its numbers as the mean.

    The listener's probability of i is N(i; mean, (weber mean)^2) times the need of i, normalised inside the word.
    """
    numbers = np.asarray(word)
    needed = numbers[weights[numbers - 1] > 0]
    if not needed.size:
        return np.zeros(numbers.size)
    inside = weights[needed - 1]
    scores = log_gaussian(numbers, needed, weber) + np.log(inside)  # (means, numbers)
    total = np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return (total - scores) @ inside / np.log(2)


def log_gaussian(means: NDArray[np.int64], numbers: NDArray[np.int64], weber: float) -> Floats:
    """Log density, up to a constant of each mean, (means, numbers). In logarithms: far tails are 0 in floats."""
    check_weber(weber)
    distances = (numbers[None, :] - means[:, None]) / (weber * means[:, None])
    return -0.5 * distances**2


LEAST, GREATEST = 1e-3, 1e3
"""Weber fractions between which costs are numbers that mean something, and that floats have."""


def check_weber(weber: float) -> None:
    if not LEAST <= weber <= GREATEST:
        raise RequestError(f"The Weber fraction is {weber}; it must be a number from {LEAST:g} to {GREATEST:g}.")


@dataclass(frozen=True, slots=True)
class StudyLanguage:
    """One of the 30 languages of Xu, Liu and Regier's study.

    >>> find_study_language("Pirahã").system().words[1]
    (2, 3, 4)
    """

    name: str
    code: str
    """The study's code."""
    glottocode: str
    kind: Kind
    terms: str
    """The extents of its words; empty for recursive languages, which name every number exactly."""
    complexity: int
    """The published complexity."""
    rules: str
    """The rules that it counts, as in `number*3 successor higher`; empty for recursive languages."""
    source: str

    @property
    def recursive(self) -> bool:
        return self.kind == "recursive"

    def system(self, upto: int = 100) -> TermSystem:
        """Its words over 1..range; those for larger numbers are left out."""
        check_range(upto)
        if self.recursive:
            raise RequestError(f"{self.name} is recursive; it has no words with extents.")
        return _of_terms(parse_terms(self.terms), self.kind, upto)

    def position(self, need: Need | str = NEED, upto: int = 100, weber: float = WEBER) -> Position:
        """The published complexity and the cost that we compute; 0 for a recursive language."""
        cost = 0.0 if self.recursive else communicative_cost(self.system(upto), need, weber)
        return Position(self.complexity, cost)


@cache
def study_languages() -> tuple[StudyLanguage, ...]:
    text = files("ishango.restricted").joinpath("table.csv").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    rows: list[dict[str, Any]] = [{**row, "complexity": int(row["complexity"])} for row in csv.DictReader(lines)]
    return tuple(StudyLanguage(**row) for row in rows)


def find_study_language(name: str) -> StudyLanguage:
    """The language of that name or code; case and accents do not matter."""
    languages = study_languages()
    return look_up(name, {each.name: each for each in languages}, {each.code: each for each in languages})


def words_of(language: Language, upto: int = 100) -> TermSystem:
    """The system of a language of the tables that has a highest number: its words, the last one for all that is more.

    >>> from ishango.languages import find_language
    >>> str(words_of(find_language("Martuyhunira")))
    '1|2|3|4-'
    """
    check_range(upto)
    if not language.terms:
        raise RequestError(f"{language.name} has digits and multipliers, {language.system}, and no words with extents.")
    return _of_terms(language.terms, language.kind, upto)


def _of_terms(terms: Iterable[Term], kind: Kind, upto: int) -> TermSystem:
    words = [range(first, min(last or upto, upto) + 1) for first, last in terms if first <= upto]
    return TermSystem.of(words, cast(RestrictedKind, kind))


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
