"""Generations: languages that are passed on from parents to children, who know what they heard."""

from ishango.generations.generation_options import GenerationOptions
from ishango.generations.generation_record import GenerationRecord
from ishango.generations.passing_on import GENERATIONS, Generations, GenerationState, play_chain

__all__ = [
    "GENERATIONS",
    "GenerationOptions",
    "GenerationRecord",
    "GenerationState",
    "Generations",
    "play_chain",
]
