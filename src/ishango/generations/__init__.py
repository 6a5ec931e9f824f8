"""Generations: languages that are passed on from parents to children, who know what they heard."""

from ishango.generations._experiment import GENERATIONS, Generations, play_chain
from ishango.generations._options import GenerationOptions

__all__ = [
    "GENERATIONS",
    "GenerationOptions",
    "Generations",
    "play_chain",
]
