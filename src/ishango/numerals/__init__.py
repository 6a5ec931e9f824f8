"""What a numeral system is: its words and grammar, its minimal language, and what it costs."""

from ishango.numerals.batch import averages, evaluate_many, leaves_of_many, masks
from ishango.numerals.costs import average_complexity, language_average, missing
from ishango.numerals.expression import Expression, Notation, derives, word
from ishango.numerals.minimal import MinimalLanguage, minimal_language
from ishango.numerals.need import Need
from ishango.numerals.paper_starts import STARTS
from ishango.numerals.system import (
    GRAMMARS,
    MAX_LIMIT,
    MAX_RANGE,
    GrammarName,
    Limit,
    NumeralSystem,
    format_set,
    parse_set,
    resolve_limit,
)

__all__ = [
    "GRAMMARS",
    "MAX_LIMIT",
    "MAX_RANGE",
    "STARTS",
    "Expression",
    "GrammarName",
    "Limit",
    "MinimalLanguage",
    "Need",
    "Notation",
    "NumeralSystem",
    "average_complexity",
    "averages",
    "derives",
    "evaluate_many",
    "format_set",
    "language_average",
    "leaves_of_many",
    "masks",
    "minimal_language",
    "missing",
    "parse_set",
    "resolve_limit",
    "word",
]
