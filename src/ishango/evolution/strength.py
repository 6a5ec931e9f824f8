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
from scipy import special, stats  # pyright: ignore[reportMissingTypeStubs]

_special: Any = special
_stats: Any = stats

Floats = NDArray[np.float64]

LEVEL = 0.95
"""Confidence of all intervals."""

_RESAMPLES = 500


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
    """The strength over all runs together; the interval comes from resampling whole runs."""
    table = decisions(rounds)
    fit = _fit_run(table)
    groups = [_arrays(rows) for _, rows in table.groupby(run)]
    if len(groups) < 2:
        return fit
    rng = np.random.default_rng(seed)
    guess = (fit.intercept, fit.strength)
    slopes = [_resampled(groups, rng, guess) for _ in range(_RESAMPLES)]
    low, high = np.quantile(slopes, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return replace(fit, low=float(low), high=float(high))


def decisions(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds in which there was something to decide."""
    return rounds[rounds["accepted"].notna() & rounds["delta_average"].notna()]


def firth(x: Floats, y: Floats, guess: tuple[float, float] = (0.0, 0.0)) -> tuple[Floats, Floats]:
    """Firth's logistic regression of y (0 or 1) on x: the coefficients (intercept, slope) and their covariance.

    Newton's method on the likelihood times the root of the Fisher information; equal rows of the design make the
    slope undetermined and give it the variance infinity.
    """
    design = np.column_stack([np.ones_like(x), x])
    beta: Floats = np.array(guess)
    covariance: Floats = np.full((2, 2), np.inf)
    if np.ptp(x) == 0:
        return beta, covariance
    for _ in range(100):
        logits: Floats = design @ beta
        p: Floats = _special.expit(logits)
        weight = p * (1 - p)
        covariance = np.asarray(np.linalg.inv(design.T @ (weight[:, None] * design)), np.float64)
        leverage: Floats = weight * ((design @ covariance) * design).sum(axis=1)
        step: Floats = covariance @ (design.T @ (y - p + leverage * (0.5 - p)))
        change = float(np.abs(design @ step).max())
        if change < 1e-9:
            break
        # Long steps overshoot where the data are nearly separated.
        beta = beta + step * min(1.0, (5.0 + 0.5 * float(np.abs(logits).max())) / change)
    return beta, covariance


def _fit_run(rows: pd.DataFrame) -> Strength:
    x, y = _arrays(rows)
    if not len(y):
        nan, inf = float("nan"), float("inf")
        return Strength(nan, -inf, inf, nan, 0, nan, nan)
    beta, covariance = firth(x, y)
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


def _resampled(groups: list[tuple[Floats, Floats]], rng: np.random.Generator, guess: tuple[float, float]) -> float:
    chosen: list[int] = rng.integers(len(groups), size=len(groups)).tolist()
    drawn = [groups[i] for i in chosen]
    beta, _ = firth(np.concatenate([x for x, _ in drawn]), np.concatenate([y for _, y in drawn]), guess)
    return float(beta[1])


def _share(kept: Floats) -> float:
    return float(kept.mean()) if len(kept) else float("nan")
