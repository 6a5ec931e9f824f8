"""Numbers with their intervals: what verdicts are ruled by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats  # pyright: ignore[reportMissingTypeStubs]

from ishango.analysis.comparable import under_start, units
from ishango.analysis.statistics import LEVEL, over_starts, redrawn, shared, student_interval

_stats: Any = stats

FEWEST_PAIRS = 4
"""Pairs below which a rank correlation has no interval."""


class Estimate(NamedTuple):
    """A number with its interval."""

    value: float
    low: float
    high: float


def mean(values: Iterable[float]) -> Estimate:
    """The mean with Student's interval; without bounds where there is only one value."""
    array = np.asarray(list(values), np.float64)
    centre = float(array.mean()) if len(array) else float("nan")
    if len(array) < 2:
        return Estimate(centre, float("-inf"), float("inf"))
    low, high, _ = student_interval(array)
    return Estimate(centre, low, high)


def mean_of_starts(values: pd.Series) -> Estimate:
    """The mean over starts of a number of runs, each under its start and unit, with its interval over either."""
    value, interval = over_starts(values)
    return Estimate(value, interval.low, interval.high)


def share(count: int, of: int) -> Estimate:
    """A share with Wilson's interval."""
    if not of:
        return Estimate(float("nan"), 0.0, 1.0)
    test = _stats.binomtest(count, of)
    interval = test.proportion_ci(LEVEL, method="wilson")
    return Estimate(count / of, float(interval.low), float(interval.high))


def regrouped(statistic: Callable[..., float], *samples: Sequence[np.ndarray], seed: int = 0) -> Estimate:
    """A statistic of samples that consist of blocks (starts, seeds, families), with an interval from redrawing them."""
    value, interval = redrawn(statistic, *samples, seed=seed)
    return Estimate(value, interval.low, interval.high)


def correlated(one: np.ndarray, other: np.ndarray) -> float:
    """Spearman's rank correlation; nan where one of the two does not vary."""
    ranks = [_stats.rankdata(each) - (len(each) + 1) / 2 for each in (one, other)]
    spread = math.sqrt((ranks[0] ** 2).sum() * (ranks[1] ** 2).sum())
    return float((ranks[0] * ranks[1]).sum() / spread) if spread else float("nan")


def rank_correlation(one: np.ndarray, other: np.ndarray) -> Estimate:
    """The same with Bonett and Wright's interval, by Fisher's transformation.

    Pairs that are in perfect order have the error of those in which two neighbours are not: else it would be 0.
    """
    value, n = correlated(one, other), len(one)
    if n < FEWEST_PAIRS or np.isnan(value):
        return Estimate(value, float("-inf"), float("inf"))
    imperfect = 1 - 12 / (n * (n**2 - 1))
    r = float(np.clip(value, -imperfect, imperfect))
    margin = _stats.norm.ppf((1 + LEVEL) / 2) * math.sqrt((1 + r**2 / 2) / (n - 3))
    low, high = np.tanh(np.arctanh(r) + np.array([-margin, margin]))
    return Estimate(value, min(value, float(low)), max(value, float(high)))


def grouped(table: pd.DataFrame, by: str, column: str) -> list[np.ndarray]:
    """The numbers of a column, group by group."""
    return [rows[column].to_numpy(float) for _, rows in table.groupby(by)]


def blocks(runs: pd.DataFrame, column: str) -> list[np.ndarray]:
    """The numbers of a column of runs (a row each) in blocks that are independent.

    These are starts; or seeds where runs of one seed share their random numbers, whatever start they are from.
    """
    if shared(under_start(runs, runs[column])):
        return [rows[column].to_numpy(float) for _, rows in runs.groupby(units(runs))]
    return grouped(runs, "start", column)
