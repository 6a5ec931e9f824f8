"""What a numeral system is: its words and grammar, its minimal language, and what it costs."""

from ishango.numerals._expression import Expression, Notation, derives, word
from ishango.numerals._levels import Part, Role, Walk, fill_levels, fill_tables
from ishango.numerals._many_systems import (
    ENDLESS,
    average_complexity,
    averages,
    changes,
    distinct,
    evaluate_many,
    fill_many,
    language_average,
    leaves_of_many,
    masks,
    missing,
    outer_base,
    system_of,
)
from ishango.numerals._minimal import (
    DIGIT,
    MULTIPLIER,
    MinimalLanguage,
    canonical_leaves,
    is_phrase,
    leaf_role,
    levels_of,
    listed,
    listing,
    minimal_language,
    outer_bases,
    spoken,
    words_of,
)
from ishango.numerals._need import NEEDS, GrammarChoice, Need, NeedForm, NeedSpec, SpecError
from ishango.numerals._system import (
    DEFAULT_GRAMMAR,
    GRAMMARS,
    HURFORD,
    MODIFIED,
    PAPERS,
    STARTS,
    Grammar,
    GrammarFlags,
    GrammarName,
    NumeralSystem,
    SystemLike,
    as_grammar,
    as_system,
    check_range,
    check_words,
    format_set,
    parse_set,
    value_limit,
    with_bar,
)

__all__ = [
    "DEFAULT_GRAMMAR", "DIGIT", "ENDLESS", "GRAMMARS", "HURFORD", "MODIFIED", "MULTIPLIER", "NEEDS", "PAPERS", "STARTS",
    "Expression", "Grammar", "GrammarChoice", "GrammarFlags", "GrammarName", "MinimalLanguage", "Need", "NeedForm",
    "NeedSpec", "Notation", "NumeralSystem", "Part", "Role", "SpecError", "SystemLike", "Walk", "as_grammar",
    "as_system", "average_complexity", "averages", "canonical_leaves", "changes", "check_range", "check_words",
    "derives", "distinct", "evaluate_many", "fill_levels", "fill_many", "fill_tables", "format_set", "is_phrase",
    "language_average", "leaf_role", "leaves_of_many", "levels_of", "listed", "listing", "masks", "minimal_language",
    "missing", "outer_base", "outer_bases", "parse_set", "spoken", "system_of", "value_limit", "with_bar", "word",
    "words_of",
]  # fmt: skip
