"""Human numeral systems: a table of them with sources, what people actually say, and tables of one's own."""

from ishango.languages._catalogue import (
    Likeness,
    find_language,
    last_lexicons,
    likeness,
    load_languages,
    load_languages_beside,
    look_up,
    nearest_languages,
    read_languages,
    recursive_languages,
)
from ishango.languages._language import KINDS, Clause, Clauses, Kind, Language, Term, format_terms, parse_terms

__all__ = [
    "KINDS",
    "Clause",
    "Clauses",
    "Kind",
    "Language",
    "Likeness",
    "Term",
    "find_language",
    "format_terms",
    "last_lexicons",
    "likeness",
    "load_languages",
    "load_languages_beside",
    "look_up",
    "nearest_languages",
    "parse_terms",
    "read_languages",
    "recursive_languages",
]
