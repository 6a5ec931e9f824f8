"""Meta-grammars: which rules combine words to numerals, known by name.

    Num    = D | Phrase | Phrase + Num | Phrase - Num     (and M, if a multiplier may stand alone as a numeral)
    Phrase = Num * M                                      (and M, if it may stand alone as a phrase)

A grammar says which of the rules that are open here exist. What a phrase is, is a numeral too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ishango.errors import RequestError
from ishango.registry import Registry

GrammarName = str
"""The name of an entry of `GRAMMARS`."""


class GrammarFlags(NamedTuple):
    """The rules of a grammar as kernels take them."""

    bare_number: bool
    bare_phrase: bool
    plus: bool
    minus: bool


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

    def __post_init__(self) -> None:
        if self.bare_phrase and not self.bare_number:
            raise RequestError(
                f"The grammar {self.name} lets a multiplier be a phrase but not a numeral; every phrase is a numeral."
            )

    @property
    def flags(self) -> GrammarFlags:
        """The rules alone."""
        return GrammarFlags(self.bare_number, self.bare_phrase, self.plus, self.minus)


GRAMMARS: Registry[Grammar] = Registry("grammar", "ishango.grammars")

MODIFIED = GRAMMARS.add(
    Grammar("modified", "modified (the paper’s)", "the paper's, in which Phrase = Num * M", False, False)
)
HURFORD = GRAMMARS.add(
    Grammar("hurford", "Hurford’s", "Hurford's, in which a multiplier alone is a phrase too: Phrase = M | Num * M",
            True, True)
)  # fmt: skip


def as_grammar(name: str) -> Grammar:
    """The grammar of that name, or a clear refusal."""
    return GRAMMARS[name]
