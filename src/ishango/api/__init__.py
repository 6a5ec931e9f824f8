"""The verbs of `import ishango`; what they give can be printed, tabled and drawn."""

from ishango.api.descriptions import Description, describe
from ishango.api.frontiers import Frontier, frontier
from ishango.api.language_costs import Costs, costs_of
from ishango.api.runs import EvolutionRun, SweepResults, evolve, load_runs, sweep
from ishango.lab.archiving import Archived, archive
from ishango.lab.load_table import load_table
from ishango.lab.unarchiving import Unarchived, unarchive

__all__ = [
    "Archived",
    "Costs",
    "Description",
    "EvolutionRun",
    "Frontier",
    "SweepResults",
    "Unarchived",
    "archive",
    "costs_of",
    "describe",
    "evolve",
    "frontier",
    "load_runs",
    "load_table",
    "sweep",
    "unarchive",
]
