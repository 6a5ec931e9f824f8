"""Learnability: how fast a learner from scratch understands one numeral system, and what it makes of new numbers."""

from ishango.learnability._experiment import LEARNABILITY, Learnability
from ishango.learnability._options import LearnabilityOptions, matched, taught

__all__ = ["LEARNABILITY", "Learnability", "LearnabilityOptions", "matched", "taught"]
