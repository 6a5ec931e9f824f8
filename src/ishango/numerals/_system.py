"""What a numeral system is: digits, multipliers, and the meta-grammar whose rules combine them.

    Num    = D | Phrase | Phrase + Num | Phrase - Num     (and M, if a multiplier may stand alone as a numeral)
    Phrase = Num * M                                      (and M, if it may stand alone as a phrase)
           | Word * M | Phrase * M                        (instead, if there are no sums inside products: flat)

A grammar says which of the rules that are open here exist, and how many words a multiplier costs. What a phrase is, is
a numeral too. Beside those with a name there is one for every choice of rules: `rules:bare_number+plus` has the two
that it names, and says so wherever it is recorded. A file of one's own stands for such a choice.

>>> len(STARTS), str(STARTS[6])
(8, '1,4,12 | 9,25')
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from ishango.errors import RequestError, damage
from ishango.registry import Labelled, Registry

GrammarName = str
"""The name of an entry of `GRAMMARS`, or rules written out."""
WRITTEN, NONE = "rules:", "none"
"""What the names of grammars begin with that are nothing but their rules, and what stands there if there is none."""
WORDS = "multiplier_words"
"""What says, in files and in rules written out, how many words a multiplier costs."""
MOST_WORDS = 99
"""The most words that a multiplier may cost."""


class GrammarFlags(NamedTuple):
    """The rules of a grammar as kernels take them."""

    bare_number: bool
    bare_phrase: bool
    plus: bool
    minus: bool
    flat: bool = False


@dataclass(frozen=True)
class Grammar(Labelled):
    """One way to combine words.

    >>> Grammar("short", "short", "no subtraction", False, False, True, False).flags.minus
    False
    """

    bare_number: bool
    """Whether a multiplier may stand alone as a numeral."""
    bare_phrase: bool
    """Whether it may stand alone as a phrase, and so head sums and differences."""
    plus: bool = True
    """Whether there are sums."""
    minus: bool = True
    """Whether there are differences."""
    flat: bool = False
    """Whether products are without sums inside: what is multiplied is a word or a phrase, no sum or difference."""
    multiplier_words: int = 1
    """How many words a multiplier counts for in the size of a lexicon."""

    def __post_init__(self) -> None:
        if not 1 <= self.multiplier_words <= MOST_WORDS:
            raise RequestError(
                f"In the grammar {self.name} a multiplier costs {self.multiplier_words} words; it must be a whole"
                f" number from 1 to {MOST_WORDS}."
            )
        if self.bare_phrase and not self.bare_number:
            raise RequestError(
                f"The grammar {self.name} lets a multiplier be a phrase but not a numeral; every phrase is a numeral."
            )

    @property
    def flags(self) -> GrammarFlags:
        return GrammarFlags(self.bare_number, self.bare_phrase, self.plus, self.minus, self.flat)

    @property
    def record(self) -> dict[str, bool | int]:
        """The rules as files of results have them; what most grammars are without is left out where it is not there."""
        rules: dict[str, bool | int] = {"bare_number": self.bare_number, "bare_phrase": self.bare_phrase,
                                        "plus": self.plus, "minus": self.minus}  # fmt: skip
        if self.flat:
            rules["flat"] = True
        if self.multiplier_words > 1:
            rules[WORDS] = self.multiplier_words
        return rules

    def size(self, digits: int, multipliers: int) -> int:
        """The size of a lexicon with so many digits and multipliers, in words.

        >>> NATURAL_PLUS.size(digits=9, multipliers=1)
        11
        """
        return digits + self.multiplier_words * multipliers


class Grammars(Registry[Grammar]):
    """Grammars by name; those whose rules are written out are known, too, though they are not listed."""

    def __getitem__(self, name: str) -> Grammar:
        return _written(name) if name.startswith(WRITTEN) else super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        try:
            return super().__contains__(name) or (isinstance(name, str) and bool(_written(name)))
        except RequestError:
            return False

    def refusal(self, name: object) -> str:
        return f"{super().refusal(name).removesuffix('.')}, rules as in {WRITTEN}bare_number+plus, or a {SUFFIX} file."


GRAMMARS = Grammars("grammar", "ishango.grammars")

MODIFIED = GRAMMARS.add(
    Grammar("modified", "modified (the paper’s)", "the paper's, in which Phrase = Num * M", False, False)
)
HURFORD = GRAMMARS.add(
    Grammar("hurford", "Hurford’s", "Hurford's, in which a multiplier alone is a phrase too: Phrase = M | Num * M",
            True, True)
)  # fmt: skip


PAPERS = (MODIFIED.name, HURFORD.name)
"""The grammars that the paper compares."""
DEFAULT_GRAMMAR = MODIFIED
"""What every function and command takes where no grammar is given."""

NATURAL = GRAMMARS.add(
    Grammar("natural", "natural", "the paper's, but a multiplier alone is a numeral: 10 is one word, 12 is 1 * 10 + 2",
            True, False)
)  # fmt: skip
ADDITION = GRAMMARS.add(Grammar("addition", "without subtraction", "the paper's without differences", False, False,
                                minus=False))  # fmt: skip


FLAT = GRAMMARS.add(
    Grammar("flat", "without sums in products", "the paper's without sums inside products: Phrase = D * M | Phrase * M",
            False, False, flat=True)
)  # fmt: skip
NATURAL_PLUS = GRAMMARS.add(
    Grammar("natural+", "natural+ (a multiplier is 2 words)", "Hurford's, but a multiplier costs two words",
            True, True, multiplier_words=2)
)  # fmt: skip
NATURAL_PLUS_3 = GRAMMARS.add(
    Grammar("natural+3", "natural+3 (a multiplier is 3 words)", "Hurford's, but a multiplier costs three words",
            True, True, multiplier_words=3)
)  # fmt: skip


def as_grammar(name: str) -> Grammar:
    """The grammar of that name, of rules that are written out or of a file, or a clear refusal.

    >>> as_grammar("rules:plus+bare_number").name
    'rules:bare_number+plus'
    >>> as_grammar("rules:bare_number").sentence
    'a multiplier alone is a numeral; no sums; no differences'
    """
    if not str(name).endswith(SUFFIX):
        return GRAMMARS[str(name)]
    rules, words = read_rules(Path(name))
    try:
        flags = GrammarFlags(**{flag: rules.get(flag, flag in ("plus", "minus")) for flag in GrammarFlags._fields})
        return _of(flags, words)
    except RequestError as error:
        raise RequestError(f"{name}: {error}") from None


def _written(name: str) -> Grammar:
    """The grammar with the rules that a name lists."""
    chosen = name.removeprefix(WRITTEN)
    flags = [] if chosen == NONE else chosen.split("+")
    words = next((flag for flag in flags if re.fullmatch(rf"{WORDS}=[1-9][0-9]?", flag)), None)
    flags = [flag for flag in flags if flag != words]
    if chosen == name or not set(flags) <= set(GrammarFlags._fields) or len(set(flags)) < len(flags):
        raise RequestError(
            f"{name!r} is no choice of rules; write {WRITTEN} and some of {', '.join(GrammarFlags._fields)} and"
            f" {WORDS}=2, each once, with + in between, or {WRITTEN}{NONE}."
        )
    return _of(
        GrammarFlags(**{flag: flag in flags for flag in GrammarFlags._fields}), int(words.split("=")[1]) if words else 1
    )


def _of(flags: GrammarFlags, words: int) -> Grammar:
    """The grammar that is called after these rules, also if there is one with a name: records must not depend on it."""
    bare = "a phrase" if flags.bare_phrase else "a numeral" if flags.bare_number else "nothing"
    said = [f"a multiplier alone is {bare}"] + ["no sums"] * (not flags.plus) + ["no differences"] * (not flags.minus)
    said += ["no sums inside products"] * flags.flat + [f"a multiplier costs {words} words"] * (words > 1)
    there = [flag for flag, there in flags._asdict().items() if there] + [f"{WORDS}={words}"] * (words > 1)
    name = WRITTEN + ("+".join(there) or NONE)
    return Grammar(name, name.removeprefix(WRITTEN).replace("+", ", "), "; ".join(said), *flags, multiplier_words=words)


# Grammars from files: TOML with a line `rule = true` or `rule = false` for each rule that is not as in the paper's.
#
# A line `multiplier_words = 2` says that a multiplier costs two words.

SUFFIX = ".toml"
LARGEST = 100_000
"""Bytes of a file that are read; rules take a hundred."""


def read_rules(path: Path) -> tuple[dict[str, bool], int]:
    """The rules that a file switches on and off, and how many words a multiplier costs.

    It may also have a `name` and an `about`, which only people read.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST).decode("utf-8")
        document: dict[str, Any] = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:  # ValueError: not TOML, not UTF-8, a path with a zero byte
        raise RequestError(f"The grammar {path} cannot be read ({damage(error)}).") from None
    rules = {name: value for name, value in document.items() if name not in ("name", "about", WORDS)}
    count = document.get(WORDS, 1)
    if isinstance(count, bool) or not isinstance(count, int):
        raise RequestError(f"{path}: {WORDS} is {count!r}; write a whole number.")
    for name, value in rules.items():
        if name not in GrammarFlags._fields:
            known = ", ".join((*GrammarFlags._fields, WORDS))
            raise RequestError(f"{path}: there is no rule {name!r}; choose from {known}.")
        if not isinstance(value, bool):
            raise RequestError(f"{path}: the rule {name} is {value!r}; write true or false.")
    if not rules and WORDS not in document:
        raise RequestError(f"{path} switches no rule on or off; write lines such as bare_number = true.")
    return rules, count


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
        """Read digits and multipliers, `1-9,11 | 10` or `1-9,11 10`, sets as `parse_set` reads them."""
        parts = with_bar(text).split("|")
        if len(parts) != 2:
            raise RequestError(f"{text!r} is not a numeral system; {_NOTATION}.")
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


_NOTATION = "write its digits and multipliers as in 1-9,11 | 10"


def with_bar(text: str) -> str:
    """A system as text with a bar between digits and multipliers, which may be just two words; others stay as they are.

    >>> with_bar("1-9,11 10"), with_bar("1, 2|3"), with_bar("random:7")
    ('1-9,11 | 10', '1, 2|3', 'random:7')
    """
    text = text.strip()
    return text if "|" in text else re.sub(r"(?<![,-])\s+(?![\s,-])", " | ", text)


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
    if not isinstance(upto, Integral) or upto is True or not 1 <= upto <= MAX_RANGE:
        raise RequestError(f"The range is {upto!r}; it must be an integer between 1 and {MAX_RANGE}.")
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
        most = "on" if kind == "size" and value < 1 else f"to {MAX_RANGE}"  # greatest sizes depend on the range
        raise RequestError(f"The {kind} {value} is not allowed; {all_} are integers from 1 {most}.")
    return value


class HasSystem(Protocol):
    """A human language, or whatever else has a numeral system."""

    @property
    def system(self) -> NumeralSystem | None:
        """The system; None where it has no recursive one."""


SystemLike = NumeralSystem | HasSystem | str
"""A system, a language, or text such as `1-9,11 | 10`."""


def as_system(given: SystemLike) -> NumeralSystem:
    """The numeral system that is meant.

    >>> str(as_system("1-9,11 | 10"))
    '1-9,11 | 10'
    """
    found = NumeralSystem.parse(given) if isinstance(given, str) else getattr(given, "system", given)
    if not isinstance(found, NumeralSystem):
        what = "has no digits and multipliers" if found is None else "is none"
        raise RequestError(f"A numeral system, a language or text such as 1-9,11 | 10 is needed; {given!r} {what}.")
    return found


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
