"""The verbs of `import ishango`; what they give can be printed, tabled and drawn."""

from ishango.api._descriptions import Costs, Description, Survey, costs_of, describe, survey, typology
from ishango.api._frontiers import Frontier, frontier
from ishango.api._runs import (
    EvolutionRun,
    PlayedRun,
    Selection,
    SweepResults,
    comparable,
    compare,
    evolve,
    first_rounds,
    load_runs,
    load_table,
    play,
    read_runs,
    refuse_changed_needs,
    selection,
    sweep,
    with_numbers,
)
from ishango.lab import Archived, Unarchived, archive, unarchive

__all__ = [
    "Archived", "Costs", "Description", "EvolutionRun", "Frontier", "PlayedRun", "Selection", "Survey", "SweepResults",
    "Unarchived", "archive", "comparable", "compare", "costs_of", "describe", "evolve", "first_rounds", "frontier",
    "load_runs", "load_table", "play", "read_runs", "refuse_changed_needs", "selection", "survey", "sweep", "typology",
    "unarchive", "with_numbers",
]  # fmt: skip
