"""What a numeral system is: its words and grammar, its minimal language, and what it costs."""

from ishango.numerals.expression import Expression, Notation, derives, word
from ishango.numerals.grammar import GRAMMARS, HURFORD, MODIFIED, PAPERS, Grammar, GrammarFlags, GrammarName, as_grammar
from ishango.numerals.many_systems import (
    average_complexity,
    averages,
    evaluate_many,
    language_average,
    leaves_of_many,
    masks,
    missing,
)
from ishango.numerals.minimal import MinimalLanguage, minimal_language
from ishango.numerals.need import NEEDS, ExponentialNeed, Need, NeedForm, PowerNeed, SpecError, TabledNeed, UniformNeed
from ishango.numerals.system import (
    MAX_RANGE,
    STARTS,
    NumeralSystem,
    check_range,
    format_set,
    parse_set,
    value_limit,
)

__all__ = [
    "GRAMMARS",
    "HURFORD",
    "MAX_RANGE",
    "MODIFIED",
    "NEEDS",
    "PAPERS",
    "STARTS",
    "ExponentialNeed",
    "Expression",
    "Grammar",
    "GrammarFlags",
    "GrammarName",
    "MinimalLanguage",
    "Need",
    "NeedForm",
    "Notation",
    "NumeralSystem",
    "PowerNeed",
    "SpecError",
    "TabledNeed",
    "UniformNeed",
    "as_grammar",
    "average_complexity",
    "averages",
    "check_range",
    "derives",
    "evaluate_many",
    "format_set",
    "language_average",
    "leaves_of_many",
    "masks",
    "minimal_language",
    "missing",
    "parse_set",
    "value_limit",
    "word",
]
