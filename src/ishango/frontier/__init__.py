"""What is optimal: the Pareto frontier of lexicon size against average complexity, proved."""

from ishango.frontier.pareto import gap

__all__ = ["gap"]
