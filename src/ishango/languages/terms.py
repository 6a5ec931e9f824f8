"""The words of systems without recursion: each names a stretch of numbers, the last one all that remain."""

from __future__ import annotations

import re
from typing import NamedTuple

from ishango.errors import RequestError


class Term(NamedTuple):
    """A word for the numbers from `first` to `last`; `last` is None where it has no upper end."""

    first: int
    last: int | None

    def __str__(self) -> str:
        if self.last is None:
            return f"{self.first}-"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def parse_terms(text: str) -> tuple[Term, ...]:
    """Read words and what they mean, as in `1|2-4|5-`: without holes, from 1 on, the last one open.

    >>> parse_terms("1|2-")
    (Term(first=1, last=1), Term(first=2, last=None))
    """
    terms = tuple(_parse_term(part.strip(), text) for part in text.split("|"))
    expected = 1
    for term in terms:
        if term.first != expected or (term.last is None) != (term is terms[-1]):
            raise RequestError(f"The terms {text!r} must follow one another from 1 on, the last one open: 1|2-4|5-.")
        expected = (term.last or term.first) + 1
    return terms


def format_terms(terms: tuple[Term, ...]) -> str:
    """Write terms the way `parse_terms` reads them."""
    return "|".join(map(str, terms))


def _parse_term(part: str, text: str) -> Term:
    match = re.fullmatch(r"([0-9]{1,5})(?:(-)([0-9]{1,5})?)?", part)
    if match is None or (match[3] and int(match[3]) < int(match[1])):
        raise RequestError(f"{part!r} in the terms {text!r} is not a word's extent; write them as in 1|2-4|5-.")
    if match[2] and not match[3]:
        return Term(int(match[1]), None)
    return Term(int(match[1]), int(match[3] or match[1]))
