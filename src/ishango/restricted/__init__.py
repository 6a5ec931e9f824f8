"""Approximate and exact restricted numeral systems: what they cost, what is optimal, and agents that learn them."""

from ishango.restricted.against_chance import expression_bands, term_bands
from ishango.restricted.best_systems import RestrictedPoint, least_cost, restricted_frontier, restricted_gap
from ishango.restricted.experiment import LEARNING, Learning, LearningOptions
from ishango.restricted.term_system import (
    NEED,
    WEBER,
    Position,
    RestrictedKind,
    StudyLanguage,
    TermSystem,
    communicative_cost,
    complexity,
    find_study_language,
    ideal_cost,
    means,
    position,
    rule_nodes,
    study_languages,
)

__all__ = [
    "LEARNING",
    "NEED",
    "WEBER",
    "Learning",
    "LearningOptions",
    "Position",
    "RestrictedKind",
    "RestrictedPoint",
    "StudyLanguage",
    "TermSystem",
    "communicative_cost",
    "complexity",
    "expression_bands",
    "find_study_language",
    "ideal_cost",
    "least_cost",
    "means",
    "position",
    "restricted_frontier",
    "restricted_gap",
    "rule_nodes",
    "study_languages",
    "term_bands",
]
