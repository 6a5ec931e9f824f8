"""Human numeral systems: a table of them with sources, what people actually say, and tables of one's own."""

from ishango.languages.catalogue import find_language, load_languages, load_languages_beside, look_up
from ishango.languages.clauses import Clause, Clauses
from ishango.languages.language import KINDS, Kind, Language
from ishango.languages.nearest import Likeness, likeness, nearest_languages, recursive_languages
from ishango.languages.read import read_languages
from ishango.languages.terms import Term, format_terms, parse_terms

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
    "likeness",
    "load_languages",
    "load_languages_beside",
    "look_up",
    "nearest_languages",
    "parse_terms",
    "read_languages",
    "recursive_languages",
]
