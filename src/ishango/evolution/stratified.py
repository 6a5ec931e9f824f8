"""Two groups of runs compared within their starts, by permutation: no distribution of their numbers is assumed.

Runs from one start share its difficulty, so who decided is shuffled only among the runs from each start. The interval
holds the shifts that the same test does not reject: gaps are skewed, which Student's interval does not forgive.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

LEVEL = 0.95
"""Confidence of all intervals."""
PERMUTATIONS = 9999

Floats = NDArray[np.float64]


class Contrast(NamedTuple):
    """A difference of two groups, mean over starts, with its interval and the p-value of the permutation test."""

    value: float
    low: float
    high: float
    p: float


UNKNOWN = Contrast(float("nan"), float("-inf"), float("inf"), float("nan"))
"""Where the two have no start in common."""


def contrast(mine: pd.Series, others: pd.Series) -> Contrast:
    """The numbers of two groups of runs, each run under its start: the first minus the second, start by start."""
    pairs = _pairs(mine, others)
    if not pairs:
        return UNKNOWN
    rng, permutations = np.random.default_rng(0), PERMUTATIONS
    observed = float(np.mean([a.mean() - b.mean() for a, b in pairs]))
    shuffled, labels = np.zeros(permutations), np.zeros(permutations)
    for a, b in pairs:
        pool, count = np.concatenate([a, b]), len(a)
        order = rng.permuted(np.tile(np.arange(len(pool)), (permutations, 1)), axis=1)
        shuffled += _difference(pool[order], count) / len(pairs)
        labels += _difference((order < count).astype(np.float64), count) / len(pairs)
    p = (1 + (np.abs(shuffled) >= abs(observed) - 1e-12).sum()) / (1 + permutations)
    return Contrast(observed, *_not_rejected(observed, shuffled, labels), float(p))


def flipped(values: Iterable[float]) -> tuple[float, float]:
    """The interval of a mean from flipping signs, every pattern of them; unbounded for fewer than six values."""
    array = np.asarray(list(values), np.float64)
    if not len(array):
        return float("-inf"), float("inf")
    if len(array) > _EXACT:
        signs = np.random.default_rng(0).choice(np.array([-1.0, 1.0]), (PERMUTATIONS, len(array)))
    else:
        patterns = np.arange(1, 2 ** len(array), dtype=np.int64)
        signs = 1.0 - 2.0 * ((patterns[:, None] >> np.arange(len(array))) & 1).astype(np.float64)
    return _not_rejected(float(array.mean()), signs @ array / len(array), signs.mean(axis=1))


_EXACT = 12
"""Numbers of values up to which every pattern of signs is tried."""


def _pairs(mine: pd.Series, others: pd.Series) -> Sequence[tuple[Floats, Floats]]:
    """The numbers of both groups from each start that both have, in the order of the starts."""
    known: list[dict[Hashable, Floats]] = []
    for each in (mine.dropna(), others.dropna()):
        known.append({start: rows.to_numpy(np.float64) for start, rows in each.groupby(level=0)})
    return [(known[0][start], known[1][start]) for start in sorted(set(known[0]) & set(known[1]), key=str)]


def _difference(rows: Floats, count: int) -> Floats:
    return rows[:, :count].mean(axis=1) - rows[:, count:].mean(axis=1)


def _not_rejected(observed: float, shuffled: Floats, labels: Floats) -> tuple[float, float]:
    """The shifts d of the first group that the test does not reject.

    Shifted by d, the observed statistic is `observed - d` and a shuffled one `shuffled - d * labels`; they are equal
    at (observed - shuffled) / (1 - labels). So each shuffle votes for one d, and the interval is between quantiles.
    The order that was observed is one of all orders: it rejects nothing, on either side.
    """
    moved = labels < 1 - 1e-12
    votes = np.sort((observed - shuffled[moved]) / (1 - labels[moved]))
    unmoved = len(labels) - len(votes) + 1
    outside = int(np.floor((1 - LEVEL) / 2 * (len(labels) + 1))) - unmoved
    if outside < 0 or not len(votes):
        return float("-inf"), float("inf")
    return float(votes[outside]), float(votes[-1 - outside])
