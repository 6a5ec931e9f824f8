"""Meta-grammars: which rules combine words to numerals, known by name.

    Num    = D | Phrase | Phrase + Num | Phrase - Num     (and M, if a multiplier may stand alone as a numeral)
    Phrase = Num * M                                      (and M, if it may stand alone as a phrase)
           | Word * M | Phrase * M                        (instead, if there are no sums inside products: flat)

A grammar says which of the rules that are open here exist, and how many words a multiplier costs. What a phrase is, is
a numeral too. Beside those with a name there is one for every choice of rules: `rules:bare_number+plus` has the two
that it names, and says so wherever it is recorded. A file of one's own stands for such a choice.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ishango.errors import RequestError
from ishango.registry import Registry

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
class Grammar:
    """One way to combine words.

    >>> Grammar("short", "short", "no subtraction", False, False, True, False).flags.minus
    False
    """

    name: str
    """What options, plans and files call it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
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
        """The rules alone."""
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
        """The sentence for a name that is not known."""
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
    if not name.endswith(SUFFIX):
        return GRAMMARS[name]
    rules, words = read_rules(Path(name), GrammarFlags._fields, WORDS)
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


def read_rules(path: Path, known: Collection[str], words: str) -> tuple[dict[str, bool], int]:
    """The rules that a file switches on and off, and how many words a multiplier costs, which the line `words` tells.

    It may also have a `name` and an `about`, which only people read.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST).decode("utf-8")
        document: dict[str, Any] = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:  # ValueError: not TOML, not UTF-8, a path with a zero byte
        raise RequestError(f"The grammar {path} cannot be read ({error}).") from None
    rules = {name: value for name, value in document.items() if name not in ("name", "about", words)}
    count = document.get(words, 1)
    if isinstance(count, bool) or not isinstance(count, int):
        raise RequestError(f"{path}: {words} is {count!r}; write a whole number.")
    for name, value in rules.items():
        if name not in known:
            raise RequestError(f"{path}: there is no rule {name!r}; choose from {', '.join((*known, words))}.")
        if not isinstance(value, bool):
            raise RequestError(f"{path}: the rule {name} is {value!r}; write true or false.")
    if not rules and words not in document:
        raise RequestError(f"{path} switches no rule on or off; write lines such as bare_number = true.")
    return rules, count
