"""What a checker needs to see for itself that no system costs less than a lower bound.

The problem on the line is a shortest way from word to word, so a table of what k words with a given last one cost at
least proves itself: it is enough that no step undercuts it. One table stands for systems without multipliers, and one
for each price of an expression of two leaves that some number of digits and multipliers needs. Larger systems than the
tables have rows cost too much by their words alone. `docs/kinds.md` has the proof, `certificate_check` the check.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from ishango.kinds.error_measures import Floats
from ishango.kinds.few_words import gap_costs, walk
from ishango.kinds.law import Law
from ishango.kinds.lower_bound import lexicon_counts, line, prices
from ishango.kinds.optimum import TOLERANCE, Optimum


def certificate(best: Optimum) -> dict[str, Any]:
    """The optimum with all that its lower bound rests on, as JSON."""
    law, rows = best.law, _rows(best)
    between, below, _ = gap_costs(law.losses * law.weights[:, None])
    return {
        "law": asdict(law),
        "weights": law.weights.tolist(),
        "digits": list(best.system.digits),
        "multipliers": list(best.system.multipliers),
        "cost": best.costs.total,
        "lower": best.lower,
        "proved": best.proved,
        "plain": _table(between, below, rows),
        "priced": [
            {"price": price, "table": _table(*line(law, price)[:2], rows)} for price in _needed(law, best.lower, rows)
        ],
    }


def _table(between: Floats, below: Floats, rows: int) -> list[list[float | None]]:
    """What 1, 2, ... words cost at least, by the last one; null where there is no room for so many."""
    return [[x if math.isfinite(x) else None for x in value.tolist()] for value, _ in walk(between, below, rows)]


def _rows(best: Optimum) -> int:
    """A system of more words costs more than the bound by its words and one symbol alone."""
    law = best.law
    spare = (best.lower - law.effort) / law.word if law.word else math.inf
    return max(1, min(law.upto, math.floor(spare) + 1 if math.isfinite(spare) else law.upto))


def _needed(law: Law, lower: float, rows: int) -> list[float]:
    """Prices that reach the bound for every number of digits and multipliers, few of them."""
    tried = prices(law).tolist()
    values: dict[float, Floats] = {}
    for price in tried:
        between, below, above = line(law, price)
        values[price] = np.array([float((value + above).min()) for value, _ in walk(between, below, rows)])
    kept: list[float] = []
    for size, words, at_most in lexicon_counts(law, rows):
        reached = {price: values[price][words - 1] - price * at_most + law.word * size for price in tried}
        if not any(reached[price] >= lower - TOLERANCE / 10 for price in kept):
            kept.append(max(tried, key=reached.__getitem__))
    return kept
