"""Algorithm 1 of the paper: modifications, choices, and the rounds of a run."""

from ishango.evolution.choosers import CHOOSERS, JUDGES, LEARNERS, Chooser, Decision, Judge, Learners, Question
from ishango.evolution.experiment import EVOLUTION, Evolution, EvolutionState, load_state
from ishango.evolution.modifications import (
    ADD_RULES,
    MODIFICATIONS,
    AddRule,
    Modification,
    alternatives,
    random_system,
    starting_system,
)
from ishango.evolution.options import Add, Choose, EvolutionOptions

__all__ = [
    "ADD_RULES",
    "CHOOSERS",
    "EVOLUTION",
    "JUDGES",
    "LEARNERS",
    "MODIFICATIONS",
    "Add",
    "AddRule",
    "Choose",
    "Chooser",
    "Decision",
    "Evolution",
    "EvolutionOptions",
    "EvolutionState",
    "Judge",
    "Learners",
    "Modification",
    "Question",
    "alternatives",
    "load_state",
    "random_system",
    "starting_system",
]
