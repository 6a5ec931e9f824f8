"""The strength of selection: how the odds that an alternative is kept depend on how much shorter it is.

A lexicon may drift to the frontier without any selection, because of which modifications exist and which of
them still cover the range. Selection shows in each single decision: log odds of keeping an alternative are modelled
as `intercept + strength * (-delta_average)`, so a positive strength means that shorter alternatives are preferred.
A coin has strength 0. Estimates are Firth's, which stay finite when shorter alternatives are always kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats  # pyright: ignore[reportMissingTypeStubs]

from ishango.evolution import firth as kernels
from ishango.evolution.stratified import LEVEL

_stats: Any = stats
_kernels: Any = kernels

Floats = NDArray[np.float64]

_RESAMPLES = 500

FEWEST = 4
"""Runs below which resampling them says nothing, and no interval is given."""


@dataclass(frozen=True)
class Strength:
    """A strength of selection in log odds per symbol of average length, with its interval, and the raw shares."""

    strength: float
    low: float
    high: float
    intercept: float
    decisions: int
    shorter_kept: float
    """Share of shorter alternatives that were kept; nan if there were none."""
    longer_kept: float
    """Share of longer alternatives that were kept; nan if there were none."""


def strength_by_run(rounds: pd.DataFrame, run: str = "run") -> pd.DataFrame:
    """The strength of selection of every run, with Wald intervals.

    `rounds` has a row for each round with the columns `delta_average`, `accepted` and the run's name.
    """
    fits = {name: _fit_run(rows) for name, rows in decisions(rounds).groupby(run)}
    columns = [run, *Strength.__dataclass_fields__]
    return pd.DataFrame([{run: name, **vars(fit)} for name, fit in fits.items()], columns=columns)


def pooled_strength(rounds: pd.DataFrame, run: str = "run", seed: int = 0) -> Strength:
    """The strength over all runs together; the interval, from resampling whole runs, is nan for fewer than four."""
    table = decisions(rounds)
    found = _fit_run(table)
    codes, names = pd.factorize(table[run], sort=True)
    if not np.isfinite(found.low):
        return found
    if len(names) < FEWEST:
        return replace(found, low=float("nan"), high=float("nan"))
    counts = resampled_counts(_RESAMPLES, len(names), np.random.default_rng(seed))
    x, y = _arrays(table)
    drawn, errors = _kernels.resampled(_design(x), y, codes, counts, np.array([found.intercept, found.strength]))
    slopes = drawn[determined(errors), 1]
    low, high = np.quantile(slopes, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if len(slopes) else (np.nan, np.nan)
    return replace(found, low=float(low), high=float(high))


def determined(errors: Floats) -> NDArray[np.bool_]:
    """Which resamples tell a strength; none where too many do not, since the rest would be a chosen few."""
    told: NDArray[np.bool_] = np.all(np.isfinite(errors) & (errors > 0), axis=1, keepdims=True)[:, 0]
    return told if told.mean() > LEVEL else np.zeros_like(told)


def resampled_counts(resamples: int, runs: int, rng: np.random.Generator) -> Floats:
    """How often each resample has each run, (resamples, runs): as many runs as there are, drawn with replacement."""
    drawn = rng.integers(runs, size=(resamples, runs))
    return np.stack([np.bincount(each, minlength=runs) for each in drawn]).astype(np.float64)


def decisions(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds in which there was something to decide."""
    return rounds[rounds["accepted"].notna() & rounds["delta_average"].notna()]


def fit(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Firth's logistic regression of y (0 or 1) on x: the coefficients (intercept, slope) and their covariance.

    Equal values of x make the slope undetermined and give it the variance infinity.
    """
    if np.ptp(x) == 0:
        return np.zeros(2), np.full((2, 2), np.inf)
    return _kernels.firth(_design(x), y, np.ones_like(y), np.zeros(2), kernels.CLOSE)


def _design(x: Floats) -> Floats:
    return np.column_stack([np.ones_like(x), x])


def _fit_run(rows: pd.DataFrame) -> Strength:
    x, y = _arrays(rows)
    if not len(y):
        nan, inf = float("nan"), float("inf")
        return Strength(nan, -inf, inf, nan, 0, nan, nan)
    beta, covariance = fit(x, y)
    margin = _stats.norm.ppf((1 + LEVEL) / 2) * np.sqrt(covariance[1, 1])
    return Strength(
        strength=float(beta[1]),
        low=float(beta[1] - margin),
        high=float(beta[1] + margin),
        intercept=float(beta[0]),
        decisions=len(y),
        shorter_kept=_share(y[x > 0]),
        longer_kept=_share(y[x < 0]),
    )


def _arrays(rows: pd.DataFrame) -> tuple[Floats, Floats]:
    return -rows["delta_average"].to_numpy(np.float64), rows["accepted"].to_numpy(np.float64)


def _share(kept: Floats) -> float:
    return float(kept.mean()) if len(kept) else float("nan")
