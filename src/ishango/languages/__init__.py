"""Human numeral systems: a table of them with sources, what people actually say, and tables of one's own."""

from ishango.languages._catalogue import (
    Disagreement,
    Likeness,
    Shipped,
    disagreements,
    find_language,
    last_lexicons,
    likeness,
    load_languages,
    load_languages_beside,
    look_up,
    nearest_languages,
    recursive_languages,
    search_languages,
)
from ishango.languages._language import KINDS, Clause, Clauses, Kind, Language, Term, format_terms, parse_terms
from ishango.languages._reading import read_languages
from ishango.languages._rows import cldf_tables, glosses_arithmetic, languages_csv, number_of_row, write_cldf

__all__ = [
    "KINDS", "Clause", "Clauses", "Disagreement", "Kind", "Language", "Likeness", "Shipped", "Term", "cldf_tables",
    "disagreements", "find_language", "format_terms", "glosses_arithmetic", "languages_csv", "last_lexicons",
    "likeness", "load_languages", "load_languages_beside", "look_up", "nearest_languages", "number_of_row",
    "parse_terms", "read_languages", "recursive_languages", "search_languages", "write_cldf",
]  # fmt: skip
