"""Selection on two axes: how the odds that an alternative is kept depend on its length and on its size.

Log odds of keeping an alternative are modelled as `intercept + length * (-delta_average) + size * (-delta_size)`: a
positive `length` means that shorter languages are preferred, a positive `size` that smaller lexicons are, and a
trade-off between the two needs both. Estimates are Firth's. Decisions of one run have a history in common, so intervals
come from resampling whole runs (bootstrap-t with clustered errors), and p-values from permuting the decisions of each
run among themselves. `python -m benchmarks.selection_power` shows how often both are right.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from ishango.evolution import firth as kernels
from ishango.evolution.stratified import LEVEL
from ishango.evolution.strength import FEWEST, Floats, decisions, determined, resampled_counts

_kernels: Any = kernels

RESAMPLES = (199, 999)
"""Fewest and most resamples of runs for intervals, and permutations for p-values."""

CERTAIN = 1000.0
"""Log odds above which decisions follow a rule without exception, as an oracle's do: their strength has no number."""

SAME = 1e-6
"""Estimates that differ by less, in parts of their size, are of the same decisions."""


@dataclass(frozen=True)
class TwoAxes:
    """Selection for length and for size, in log odds per symbol of average length and per word, with intervals."""

    runs: int
    decisions: int
    length: float
    length_low: float
    length_high: float
    length_p: float
    size: float
    size_low: float
    size_high: float
    size_p: float
    intercept: float
    inflation: float
    """How many times larger the variances are than if changes of length and of size had nothing to do with each
    other."""
    kept: float
    """Share of alternatives that were kept."""


_MEASURED = [each.name for each in fields(TwoAxes)][2:-1]


def two_axes(rounds: pd.DataFrame, run: str = "run", seed: int = 0, resamples: int | None = None) -> TwoAxes:
    """Selection in some runs; `rounds` has the columns `delta_average`, `delta_size`, `accepted` and the run's name.

    Where there is nothing to tell (no decisions, or all changes alike) or no number to tell it by (decisions follow a
    rule without exception), estimates are nan; where there are fewer than four runs, so are the intervals. There are
    999 resamples, and fewer where there are very many decisions.
    """
    table = decisions(rounds).dropna(subset="delta_size")  # not every table has it
    codes, names = pd.factorize(table[run], sort=True)
    design, kept = _design(table), table["accepted"].to_numpy(np.float64)
    share = float(kept.mean()) if len(kept) else float("nan")
    untold = TwoAxes(len(names), len(kept), **dict.fromkeys(_MEASURED, float("nan")), kept=share)
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return untold
    beta, covariance = _kernels.firth(design, kept, np.ones(len(kept)), np.zeros(3), kernels.CLOSE)
    if np.abs(beta).max() > CERTAIN:
        return untold
    rng = np.random.default_rng(seed)
    resamples = resamples or int(np.clip(5_000_000 // len(kept), *RESAMPLES))
    low, high = _interval(design, kept, codes, len(names), beta, covariance, rng, resamples)
    p = _p_values(design, kept, codes, beta, rng, resamples)
    numbers = (*(each[k] for k in (1, 2) for each in (beta, low, high, p)), beta[0], _inflation(design))
    found = {name: float(value) for name, value in zip(_MEASURED, numbers, strict=True)}
    return TwoAxes(len(names), len(kept), **found, kept=share)


def _design(table: pd.DataFrame) -> Floats:
    changes = table[["delta_average", "delta_size"]].to_numpy(np.float64)
    return np.column_stack([np.ones(len(table)), -changes])


def _interval(
    design: Floats, kept: Floats, codes: Any, runs: int, beta: Floats, covariance: Floats, rng: np.random.Generator,
    resamples: int,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Bootstrap-t over whole runs: resamples say how far estimates stray in units of their own errors."""
    if runs < FEWEST:
        return np.full(3, np.nan), np.full(3, np.nan)
    errors = _kernels.clustered_errors(design, kept, np.ones(len(kept)), codes, runs, beta, covariance)
    found, their_errors = _kernels.resampled(design, kept, codes, resampled_counts(resamples, runs, rng), beta)
    told = determined(their_errors)
    if not told.any():
        return np.full(3, np.nan), np.full(3, np.nan)
    strayed = ((found - beta) / their_errors)[told]
    below, above = np.quantile(strayed, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return beta - above * errors, beta - below * errors


def _p_values(
    design: Floats, kept: Floats, codes: Any, beta: Floats, rng: np.random.Generator, permutations: int
) -> Floats:
    """How often decisions that are shuffled within each run give an estimate as far from 0."""
    outcomes = np.tile(kept, (permutations, 1))
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        outcomes[:, rows] = rng.permuted(outcomes[:, rows], axis=1)
    found = _kernels.permuted(design, outcomes, np.array([beta[0], 0.0, 0.0]))
    # Two fits of the same decisions may differ in their last digits, and count as equal.
    as_far = np.abs(found) >= np.abs(beta) - SAME * np.maximum(1.0, np.abs(beta))
    return (1 + as_far.sum(axis=0)) / (1 + permutations)


def _inflation(design: Floats) -> float:
    """The variance inflation factor of two predictors."""
    correlation = float(np.corrcoef(design[:, 1], design[:, 2])[0, 1])
    return 1 / (1 - correlation**2)
