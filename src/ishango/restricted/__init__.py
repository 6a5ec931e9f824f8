"""Approximate and exact restricted numeral systems: what they cost, what is optimal, and agents that learn them."""

from ishango.restricted._best_systems import (
    chains,
    check_frontier_range,
    describe_system,
    expression_bands,
    least_cost,
    point_record,
    restricted_frontier,
    restricted_frontier_table,
    restricted_language_table,
    term_bands,
    walk,
)
from ishango.restricted._experiment import (
    LEARNING,
    Learning,
    LearningOptions,
    numbers,
    random_terms,
    restricted_ends,
    summary,
)
from ishango.restricted._term_system import (
    KINDS,
    NEED,
    WEBER,
    RestrictedKind,
    StudyLanguage,
    TermSystem,
    complexity,
    find_study_language,
    means,
    rest_cost,
    study_languages,
    word_costs,
    words_of,
)

__all__ = [
    "KINDS", "LEARNING", "NEED", "WEBER", "Learning", "LearningOptions", "RestrictedKind", "StudyLanguage",
    "TermSystem", "chains", "check_frontier_range", "complexity", "describe_system", "expression_bands",
    "find_study_language", "least_cost", "means", "numbers", "point_record", "random_terms", "rest_cost",
    "restricted_ends", "restricted_frontier", "restricted_frontier_table", "restricted_language_table",
    "study_languages", "summary", "term_bands", "walk", "word_costs", "words_of",
]  # fmt: skip
