"""Algorithm 1 of the paper: mutations, choices, and the rounds of a run."""

from ishango.evolution.algorithm_1 import EVOLUTION, Evolution, EvolutionState, load_state
from ishango.evolution.choosers import CHOOSERS, Chooser, Decision, Question
from ishango.evolution.evolution_options import Choose, EvolutionOptions
from ishango.evolution.mutations import MUTATIONS, Add, alternatives
from ishango.evolution.starts import random_system, starting_system

__all__ = [
    "CHOOSERS",
    "EVOLUTION",
    "MUTATIONS",
    "Add",
    "Choose",
    "Chooser",
    "Decision",
    "Evolution",
    "EvolutionOptions",
    "EvolutionState",
    "Question",
    "alternatives",
    "load_state",
    "random_system",
    "starting_system",
]
