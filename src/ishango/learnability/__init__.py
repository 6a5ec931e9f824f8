"""Learnability: how fast a learner from scratch understands one numeral system, and what it makes of new numbers."""

from ishango.learnability._experiment import LEARNABILITY, Learnability, LearnabilityRecord, LearnabilityState
from ishango.learnability._options import LearnabilityOptions
from ishango.learnability._systems import Taught, matched, named_system, taught

__all__ = [
    "LEARNABILITY",
    "Learnability",
    "LearnabilityOptions",
    "LearnabilityRecord",
    "LearnabilityState",
    "Taught",
    "matched",
    "named_system",
    "taught",
]
