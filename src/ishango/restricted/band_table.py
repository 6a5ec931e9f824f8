"""Numeral systems of all kinds as tables of coloured bands: which words each number is said with."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ishango.numerals import Expression
from ishango.restricted.term_system import TermSystem, stretches

COLUMNS = ["system", "kind", "number", "part", "parts", "word", "order"]
"""A row for each word of each number's expression: `part` of `parts`, and the word's place in its system."""


def term_bands(name: str, system: TermSystem, last: int | None = None) -> pd.DataFrame:
    """The bands of a system without recursion over 1..last: every number is one word.

    >>> term_bands("Chiquitano", TermSystem.parse("1|2-", kind="approximate"), 3)["word"].tolist()
    ['1', '2 or more', '2 or more']
    """
    labels = [_label(word, system) for word in system.words]
    rows = [
        (name, system.kind, number, 0, 1, labels[index], index)
        for number, index in enumerate(system.word_map[:last], start=1)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def expression_bands(name: str, expressions: Mapping[int, Expression], last: int | None = None) -> pd.DataFrame:
    """The bands of a recursive system over 1..last: every number is as many words as its expression has leaves.

    The expressions are what is said (`Language.expressions`) or what would be shortest (`MinimalLanguage`).

    >>> from ishango.languages import find_language
    >>> bands = expression_bands("English", find_language("English").expressions("hurford"), 30)
    >>> bands[bands["number"] == 23]["word"].tolist()
    ['2', '10', '3']
    """
    said = {number: _words(expressions[number]) for number in sorted(expressions) if last is None or number <= last}
    order = {word: index for index, word in enumerate(sorted({word for words in said.values() for word in words}))}
    rows = [
        (name, "recursive", number, part, len(words), str(word), order[word])
        for number, words in said.items()
        for part, word in enumerate(words)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _words(expression: Expression) -> list[int]:
    """The words of an expression as they are said, operators left out."""
    return [int(token) for token in expression.tokens("infix") if token.isdecimal()]


def _label(word: tuple[int, ...], system: TermSystem) -> str:
    parts = [
        str(first) if first == last else f"{first} or more" if last == system.upto else f"{first}–{last}"
        for first, last in stretches(word)
    ]
    if system.kind == "exact restricted" and len(word) > 1:
        return "higher"
    return ", ".join(parts)
