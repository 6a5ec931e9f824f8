"""What is optimal: the Pareto frontier of lexicon size and average complexity, proved, checked and estimated."""

from ishango.frontiers._bound import expression_counts
from ishango.frontiers._checker import CheckedSize, ProofError, check
from ishango.frontiers._exact import FrontierPoint, Optimum, SearchNews, frontier, solve
from ishango.frontiers._genetic import (
    TABLE_4,
    EstimatedFront,
    Generation,
    GeneticSettings,
    check_estimable,
    compare,
    estimate,
    frontier_table,
    genetic_table,
    minimal_table,
    not_found,
    regularity,
)
from ishango.frontiers._measures import (
    LARGEST_RANGE,
    NODE_LIMIT,
    Measures,
    distance,
    frontier_value,
    gap,
    measure,
    measure_language,
    problem_of,
)
from ishango.frontiers._problem import TOLERANCE, Problem
from ishango.frontiers._proof import KeptFrontier, as_record, check_estimate, write_frontier, write_proof

__all__ = [
    "LARGEST_RANGE", "NODE_LIMIT", "TABLE_4", "TOLERANCE", "CheckedSize", "EstimatedFront", "FrontierPoint",
    "Generation", "GeneticSettings", "KeptFrontier", "Measures", "Optimum", "Problem", "ProofError", "SearchNews",
    "as_record", "check", "check_estimable", "check_estimate", "compare", "distance", "estimate", "expression_counts",
    "frontier", "frontier_table", "frontier_value", "gap", "genetic_table", "measure", "measure_language",
    "minimal_table", "not_found", "problem_of", "regularity", "solve", "write_frontier", "write_proof",
]  # fmt: skip
