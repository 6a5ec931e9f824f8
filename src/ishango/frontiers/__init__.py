"""What is optimal: the Pareto frontier of lexicon size and average complexity, proved, checked and estimated."""

from ishango.frontiers.checker import CheckedSize, ProofError, check
from ishango.frontiers.exact import FrontierPoint, NoCoverError, Optimum, SearchNews, frontier, solve
from ishango.frontiers.genetic import EstimatedFront, Generation, GeneticSettings, compare, estimate
from ishango.frontiers.measures import (
    Measures,
    distance,
    dominates,
    front,
    frontier_value,
    gap,
    hypervolume,
    measure,
    measure_language,
)
from ishango.frontiers.problem import Problem
from ishango.frontiers.proof import as_document, as_record, write_frontier, write_proof

__all__ = [
    "CheckedSize",
    "EstimatedFront",
    "FrontierPoint",
    "Generation",
    "GeneticSettings",
    "Measures",
    "NoCoverError",
    "Optimum",
    "Problem",
    "ProofError",
    "SearchNews",
    "as_document",
    "as_record",
    "check",
    "compare",
    "distance",
    "dominates",
    "estimate",
    "front",
    "frontier",
    "frontier_value",
    "gap",
    "hypervolume",
    "measure",
    "measure_language",
    "solve",
    "write_frontier",
    "write_proof",
]
