"""Approximate and exact restricted numeral systems: what they cost, what is optimal, and agents that learn them."""

from ishango.restricted.bands import expression_bands, term_bands
from ishango.restricted.frontier import Point, gap, least_cost, restricted_frontier
from ishango.restricted.languages import StudyLanguage, find_study_language, study_languages
from ishango.restricted.measures import (
    NEED,
    WEBER,
    Position,
    communicative_cost,
    complexity,
    ideal_cost,
    means,
    position,
)
from ishango.restricted.rules import rule_nodes
from ishango.restricted.system import RestrictedKind, TermSystem

__all__ = [
    "NEED",
    "WEBER",
    "Point",
    "Position",
    "RestrictedKind",
    "StudyLanguage",
    "TermSystem",
    "communicative_cost",
    "complexity",
    "expression_bands",
    "find_study_language",
    "gap",
    "ideal_cost",
    "least_cost",
    "means",
    "position",
    "restricted_frontier",
    "rule_nodes",
    "study_languages",
    "term_bands",
]
