"""Generations: languages that are passed on from parents to children, who know what they heard."""

from ishango.generations.experiment import GENERATIONS, Generations, GenerationState, play_chain
from ishango.generations.options import GenerationOptions
from ishango.generations.record import GenerationRecord

__all__ = [
    "GENERATIONS",
    "GenerationOptions",
    "GenerationRecord",
    "GenerationState",
    "Generations",
    "play_chain",
]
