"""What is optimal: the Pareto frontier of lexicon size and average complexity, proved, checked and estimated."""

import sys
from types import ModuleType
from typing import Any

from ishango.frontier.checker import CheckedSize, ProofError, check
from ishango.frontier.distance import distance
from ishango.frontier.estimates import compare
from ishango.frontier.exact import FrontierPoint, NoCoverError, Optimum, SearchNews, frontier, solve
from ishango.frontier.frontier_files import as_document, as_record, write_frontier
from ishango.frontier.genetic import EstimatedFront, Generation, GeneticSettings, estimate
from ishango.frontier.measures import Measures, gap, measure, measure_language
from ishango.frontier.pareto import dominates, front, frontier_value, hypervolume
from ishango.frontier.problem import Problem
from ishango.frontier.proof import write_proof

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


class _Room(ModuleType):
    """Lets `ishango.frontier(...)` be the verb that its users expect: the name of this room is theirs, too."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from ishango.api.frontiers import frontier as prove

        return prove(*arguments, **options)


sys.modules[__name__].__class__ = _Room
