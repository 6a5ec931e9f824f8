"""What is optimal: the Pareto frontier of lexicon size and average complexity, proved, checked and estimated."""

from ishango.frontiers.checker import CheckedSize, ProofError, check
from ishango.frontiers.distance import distance
from ishango.frontiers.estimates import compare
from ishango.frontiers.exact import FrontierPoint, NoCoverError, Optimum, SearchNews, frontier, solve
from ishango.frontiers.frontier_files import as_document, as_record, write_frontier
from ishango.frontiers.genetic import EstimatedFront, Generation, GeneticSettings, estimate
from ishango.frontiers.measures import Measures, gap, measure, measure_language
from ishango.frontiers.pareto import dominates, front, frontier_value, hypervolume
from ishango.frontiers.problem import Problem
from ishango.frontiers.proof import write_proof

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
