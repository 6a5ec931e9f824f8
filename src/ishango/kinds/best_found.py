"""The best systems found so far, of each size."""

from __future__ import annotations

import numpy as np

from ishango.kinds.error_measures import Floats
from ishango.kinds.few_words import best_words
from ishango.kinds.law import Law
from ishango.kinds.open_system import Mask, OpenSystem, lexicons

LEAST = 1e-9
"""Costs that differ by less are equal."""


class BestFound:
    """The best lexicon of each size 1, 2, ... and what saying costs with it; to begin with those without multipliers,
    which are exact."""

    def __init__(self, law: Law, most: int) -> None:
        values, words = best_words(law, most)
        self.exact: Floats = values
        """What saying costs at least without multipliers."""
        self.values = values.copy()
        self.lexicons: list[Mask] = list(lexicons([OpenSystem(each, (), law.grammar) for each in words], law.upto))

    def offer(self, lexicon: Mask, value: float) -> None:
        """Keep the lexicon if it is better than what is known of its size; larger ones than can be worth it are not
        kept."""
        place = int(lexicon.sum()) - 1
        if place < len(self.values) and value < self.values[place] - LEAST:
            self.values[place], self.lexicons[place] = value, lexicon

    def at(self, word: float) -> int:
        """The place of the best lexicon at a price of a word; the smaller one in a tie."""
        totals = self._totals(word)
        return int(np.flatnonzero(totals <= totals.min() + LEAST)[0])

    def cost(self, word: float) -> float:
        """What the best one costs, with its words."""
        return float(self._totals(word).min())

    def _totals(self, word: float) -> Floats:
        return self.values + word * np.arange(1, len(self.values) + 1)
