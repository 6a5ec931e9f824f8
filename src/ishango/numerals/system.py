"""What a numeral system is: digits, multipliers and the meta-grammar that combines them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import cast

from ishango.errors import RequestError
from ishango.numerals.grammar import GRAMMARS, MODIFIED, Grammar, GrammarName, as_grammar

MAX_RANGE = 10_000
"""The largest range that is accepted: tables hold every value up to the limit and take time with its square."""


@dataclass(frozen=True, slots=True)
class NumeralSystem:
    """Digits D and multipliers M, finite sets of positive integers, under a meta-grammar.

    M is never empty, and D may be empty only where a multiplier is a numeral. A word may be in both sets (it then
    counts twice in the size). Sets are kept sorted and free of repetitions.

    >>> english = NumeralSystem.parse("1-9,11 | 10")
    >>> english.size, str(english)
    (11, '1-9,11 | 10')
    """

    digits: tuple[int, ...]
    multipliers: tuple[int, ...]
    grammar: GrammarName = MODIFIED.name

    def __post_init__(self) -> None:
        object.__setattr__(self, "grammar", as_grammar(self.grammar).name)  # that of a file is not its path
        object.__setattr__(self, "digits", _as_words(self.digits, "digit"))
        object.__setattr__(self, "multipliers", _as_words(self.multipliers, "multiplier"))
        if not self.multipliers:
            raise RequestError("A numeral system needs at least one multiplier; the set given is empty.")
        if not self.digits and not self.rules.bare_number:
            allow = " or ".join(name for name, grammar in GRAMMARS.items() if grammar.bare_number)
            raise RequestError(f"The {self.grammar} grammar needs at least one digit; only {allow} allows none.")

    @classmethod
    def parse(cls, text: str, grammar: GrammarName = MODIFIED.name) -> NumeralSystem:
        """Read `DIGITS | MULTIPLIERS`, each a set as `parse_set` reads it; `str` writes this form."""
        parts = text.split("|")
        if len(parts) != 2:
            raise RequestError(f"{text!r} is not a numeral system; write DIGITS | MULTIPLIERS as in 1-9,11 | 10.")
        return cls(parse_set(parts[0]), parse_set(parts[1]), grammar)

    def __str__(self) -> str:
        return f"{format_set(self.digits)} | {format_set(self.multipliers)}"

    @property
    def rules(self) -> Grammar:
        """The grammar itself, of which the system keeps the name."""
        return as_grammar(self.grammar)

    @property
    def size(self) -> int:
        """|D| + |M|: a word in both sets counts twice; a multiplier counts for as many words as the grammar says."""
        return self.rules.size(len(self.digits), len(self.multipliers))

    @property
    def words(self) -> tuple[int, ...]:
        """The distinct words of both sets, ascending."""
        return tuple(sorted({*self.digits, *self.multipliers}))

    @property
    def overlap(self) -> tuple[int, ...]:
        """The words that are in both sets, ascending."""
        return tuple(sorted(set(self.digits) & set(self.multipliers)))

    def with_grammar(self, grammar: GrammarName) -> NumeralSystem:
        """The same words under another meta-grammar."""
        return NumeralSystem(self.digits, self.multipliers, grammar)


def parse_set(text: str, noun: str = "word") -> tuple[int, ...]:
    """Read a set of words such as `1-9,11`; `none` is the empty set. Refusals call a member by the noun.

    >>> parse_set("1-3,11"), parse_set("none")
    ((1, 2, 3, 11), ())
    """
    text = text.strip()
    if text == "none":
        return ()
    if not text:
        raise RequestError(f"A set of {noun}s is missing; write it as in 1-9,11 or, for the empty set, none.")
    return tuple(sorted({word for part in text.split(",") for word in _parse_stretch(part.strip(), text, noun)}))


def format_set(words: Sequence[int]) -> str:
    """Write a sorted set the way `parse_set` reads it; three or more in a row become a stretch.

    >>> format_set((1, 2, 3, 5, 6)), format_set(())
    ('1-3,5,6', 'none')
    """
    stretches: list[list[int]] = []
    for word in words:
        if stretches and stretches[-1][-1] == word - 1:
            stretches[-1].append(word)
        else:
            stretches.append([word])
    return ",".join(_format_stretch(stretch) for stretch in stretches) or "none"


def check_range(upto: int) -> int:
    """The range itself when it is one that the package works on."""
    if not isinstance(upto, Integral) or not 1 <= upto <= MAX_RANGE:
        raise RequestError(f"The range is {upto}; it must be an integer between 1 and {MAX_RANGE}.")
    return upto


def value_limit(upto: int) -> int:
    """The largest value that a part of an expression may have: 2N + 2 for a range 1..N, as in the published work.

    >>> value_limit(99)
    200
    """
    return 2 * check_range(upto) + 2


def check_words(system: NumeralSystem, upto: int) -> None:
    """Refuse a system with a word outside 1..range."""
    if system.words[-1] > upto:
        raise RequestError(
            f"The word {system.words[-1]} lies above the range {upto}; leave it out or use a larger range."
        )


def _parse_stretch(part: str, text: str, noun: str) -> Iterable[int]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", part, flags=re.ASCII)
    if match is None:
        raise RequestError(
            f"{part!r} in {text!r} is not a {noun} or a stretch of {noun}s; use positive integers as in 1-9,11."
        )
    # Length is checked before conversion: Python refuses to convert very long digit strings.
    if any(len(end) > 9 for end in match.groups() if end):
        raise RequestError(f"A {noun} in {text!r} is too large; the largest allowed is {MAX_RANGE}.")
    first = int(match[1])
    last = int(match[2] or match[1])
    if first > last:
        raise RequestError(f"The stretch {part} runs backwards; write the smaller {noun} first: {last}-{first}.")
    _check_word(first, noun, f"{noun}s")
    _check_word(last, noun, f"{noun}s")
    return range(first, last + 1)


def _format_stretch(stretch: list[int]) -> str:
    return f"{stretch[0]}-{stretch[-1]}" if len(stretch) > 2 else ",".join(map(str, stretch))


def _as_words(words: Iterable[object], kind: str) -> tuple[int, ...]:
    return tuple(sorted({_check_word(word, kind) for word in words}))


def _check_word(word: object, kind: str, all_: str = "words") -> int:
    if isinstance(word, bool) or not hasattr(word, "__index__"):
        raise RequestError(f"The {kind} {word!r} is not an integer; {all_} are positive integers.")
    value = int(cast(int, word))
    if not 1 <= value <= MAX_RANGE:
        raise RequestError(f"The {kind} {value} is not allowed; {all_} are integers from 1 to {MAX_RANGE}.")
    return value


# The eight starting systems of the paper's table.
#
# >>> len(STARTS), str(STARTS[6])
# (8, '1,4,12 | 9,25')

STARTS: tuple[NumeralSystem, ...] = tuple(
    NumeralSystem.parse(text)
    for text in (
        "1,2,3,20,35,37,40,47,49 | 4,25,45",
        "1,4,7,8,15 | 10,33",
        "1,20,25,28,31,39,41,45 | 2,3,4,15",
        "1,4,19,21,39,40,45,47,49 | 3,5,8,10,18,23,28,30,37,42,43,48",
        "1,2,3,4,5,10,20,30,35,40,47,49 | 6,11,13,15,45,50",
        "1,2,35,37,40,47,49 | 3,5,10,20,30,40",
        "1,4,12 | 9,25",
        "1,4,17,22,49 | 9,10,25,28,31,41,45",
    )
)
"""The paper's eight starts: random systems off the frontier that cover 1..50; `STARTS[0]` is the paper's number 1."""
