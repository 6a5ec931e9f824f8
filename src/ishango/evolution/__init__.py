"""Algorithm 1 of the paper: mutations, choices, and the rounds of a run."""

from ishango.evolution.algorithm_1 import Evolution, EvolutionState, experiment_from_config, load_state
from ishango.evolution.evolution_options import Choose, EvolutionOptions, complete_config, options_from_config
from ishango.evolution.mutations import MUTATIONS, Add, alternatives
from ishango.evolution.starts import random_system, starting_system

__all__ = [
    "MUTATIONS",
    "Add",
    "Choose",
    "Evolution",
    "EvolutionOptions",
    "EvolutionState",
    "alternatives",
    "complete_config",
    "experiment_from_config",
    "load_state",
    "options_from_config",
    "random_system",
    "starting_system",
]
