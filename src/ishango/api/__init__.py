"""The verbs of `import ishango`; what they give can be printed, tabled and drawn."""

from ishango.api.descriptions import Costs, Description, Survey, costs_of, describe, survey
from ishango.api.frontiers import Frontier, frontier
from ishango.api.runs import EvolutionRun, Selection, SweepResults, evolve, load_runs, load_table, selection, sweep
from ishango.lab.archives import Archived, Unarchived, archive, unarchive

__all__ = [
    "Archived",
    "Costs",
    "Description",
    "EvolutionRun",
    "Frontier",
    "Selection",
    "Survey",
    "SweepResults",
    "Unarchived",
    "archive",
    "costs_of",
    "describe",
    "evolve",
    "frontier",
    "load_runs",
    "load_table",
    "selection",
    "survey",
    "sweep",
    "unarchive",
]
