"""Algorithm 1 of the paper: modifications, choices, and the rounds of a run."""

from ishango.evolution.add_rules import ADD_RULES, AddRule
from ishango.evolution.algorithm_1 import EVOLUTION, Evolution, EvolutionState, load_state
from ishango.evolution.choosers import CHOOSERS, Chooser, Decision, Question
from ishango.evolution.evolution_options import Add, Choose, EvolutionOptions
from ishango.evolution.judges import JUDGES, Judge
from ishango.evolution.learners import LEARNERS, Learners
from ishango.evolution.modifications import MODIFICATIONS, Modification, alternatives
from ishango.evolution.starts import random_system, starting_system

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
