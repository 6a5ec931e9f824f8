"""Numeral systems without recursion: a few words that share out the numbers 1..N among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Literal, get_args

from ishango.errors import RequestError
from ishango.numerals.system import check_range

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
        """How many words it has."""
        return len(self.words)

    @property
    def upto(self) -> int:
        """The largest number."""
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
