"""A verdict on a claim: what was measured, how sure that is, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import stats

LEVEL = 0.95
"""Confidence of all intervals."""
RESAMPLES = 2000

Ruling = Literal["holds", "does not hold", "too little data here"]


@dataclass(frozen=True)
class Verdict:
    """One row of the table of claims."""

    name: str
    claim: str
    """What the paper says, in short."""
    measured: str
    """What we did and found, in a sentence or two."""
    statistic: str
    """What the number is."""
    value: float
    low: float
    high: float
    """The interval; both equal the value where it is exact."""
    each: str
    """The value of every run, seed or size behind the statistic."""
    ruling: Ruling


class Estimate(NamedTuple):
    """A number with its interval."""

    value: float
    low: float
    high: float


def exactly(value: float) -> Estimate:
    """A number that was not sampled."""
    return Estimate(value, value, value)


def mean(values: Sequence[float]) -> Estimate:
    """The mean with Student's interval; without bounds where there is only one value."""
    array = np.asarray(values, np.float64)
    centre = float(array.mean())
    if len(array) < 2:
        return Estimate(centre, float("-inf"), float("inf"))
    margin = float(stats.t.ppf((1 + LEVEL) / 2, len(array) - 1) * stats.sem(array))
    return Estimate(centre, centre - margin, centre + margin)


def share(count: int, of: int) -> Estimate:
    """A share with Wilson's interval."""
    if not of:
        return Estimate(float("nan"), 0.0, 1.0)
    interval: Any = stats.binomtest(count, of).proportion_ci(LEVEL, method="wilson")
    return Estimate(count / of, float(interval.low), float(interval.high))


def resampled(rows: int, statistic: Any, seed: int = 0) -> Estimate:
    """A statistic of row numbers, with an interval from drawing rows again and again."""
    rng = np.random.default_rng(seed)
    drawn = [statistic(rng.integers(rows, size=rows)) for _ in range(RESAMPLES)]
    low, high = np.nanquantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(statistic(np.arange(rows))), float(low), float(high))


def rule(estimate: Estimate, *, above: float | None = None, below: float | None = None, margin: float = 0.0) -> Ruling:
    """Whether the whole interval lies where the claim puts it, or within `margin` of the bound or on its other side."""
    assert (above is None) != (below is None)
    if above is not None:
        inside, outside = estimate.low > above, estimate.high <= above + margin
    else:
        assert below is not None
        inside, outside = estimate.high < below, estimate.low >= below - margin
    return "holds" if inside else "does not hold" if outside else "too little data here"


def listed(values: Iterable[float], places: int = 3) -> str:
    """Numbers one after the other."""
    return " ".join("–" if np.isnan(value) else f"{value:.{places}f}" for value in values)
