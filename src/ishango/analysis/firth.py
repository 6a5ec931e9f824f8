"""Firth's logistic regression in NumPy, for many outcomes or many weights at once.

Estimates maximise the likelihood times the root of the Fisher information's determinant, so they stay finite when the
data are separated (shorter alternatives always kept) and have less bias than the likelihood's own. Newton's steps are
taken for all fits together: a permutation test is one call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CLOSE = 1e-9
"""No logit moves by more in the last step."""
_MOST_STEPS = 100
_SINGULAR = 1e-12
"""A scaled information matrix with a smaller eigenvalue determines nothing."""
_AT_ONCE = 60_000
"""Decisions times fits that are computed at once: about what a processor keeps near."""
_EXACT = 4_000_000
"""Decisions times units up to which leaving one out is fitted anew; beyond, one of Newton's steps will do."""


class Fits(NamedTuple):
    """Coefficients (fits, columns) and their covariances; infinite where the data do not determine them."""

    beta: Floats
    covariance: Floats


class _State(NamedTuple):
    """One of Newton's steps, for several fits."""

    step: Floats
    covariance: Floats
    largest: Floats
    change: Floats


def fit(design: Floats, kept: Floats) -> tuple[Floats, Floats]:
    """The coefficients of 0s and 1s on the columns of a design, and their covariance.

    >>> beta, covariance = fit(np.array([[1.0, -1], [1, 1], [1, 2], [1, -2]]), np.array([0.0, 1, 1, 0]))
    >>> bool(beta[1] > 0), bool(np.isfinite(covariance).all())
    (True, True)
    """
    guess: Floats = np.zeros(int(design.shape[1]))
    found = fits(design, kept[None], guess)
    return found.beta[0], found.covariance[0]


def fits(design: Floats, outcomes: Floats, guess: Floats, weights: Floats | None = None, close: float = CLOSE) -> Fits:
    """A fit for each row of `outcomes` (or of `weights`, which say how often each decision counts)."""
    count = len(outcomes) if weights is None else len(weights)
    size = design.shape[1]
    beta, covariance = np.empty((count, size)), np.empty((count, size, size))
    rows = max(1, _AT_ONCE // max(1, len(design)))
    for first in range(0, count, rows):
        part = slice(first, min(first + rows, count))
        y = outcomes if len(outcomes) == 1 else outcomes[part]
        beta[part], covariance[part] = _newton(design, y, None if weights is None else weights[part], guess, close)
    return Fits(beta, covariance)


def without_each(design: Floats, kept: Floats, codes: NDArray[np.intp], units: int, beta: Floats) -> Floats:
    """The coefficients without each unit in turn, (units, columns); nan where the rest does not determine them."""
    if len(kept) * units <= _EXACT:
        weights = (codes[None] != np.arange(units)[:, None]).astype(np.float64)
        found = fits(design, kept[None], beta, weights, close=1e-6)
        told = np.isfinite(found.covariance[:, 0, 0])
        return np.where(told[:, None], found.beta, np.nan)
    return _one_step_without_each(design, kept, codes, units, beta)


def _one_step_without_each(design: Floats, kept: Floats, codes: NDArray[np.intp], units: int, beta: Floats) -> Floats:
    """The same by one step from the whole fit: a unit takes its score and its information with it."""
    p = _expit(design @ beta)
    spread = p * (1 - p)
    products = _products(design)
    size = design.shape[1]
    information = (spread @ products).reshape(size, size)
    leverage = spread * (products @ np.linalg.inv(information).ravel())
    pull = (kept - p + leverage * (0.5 - p))[:, None] * design
    scores = np.stack([np.bincount(codes, pull[:, k], units) for k in range(size)], axis=1)
    parts = np.stack([np.bincount(codes, spread * products[:, k], units) for k in range(size * size)], axis=1)
    return beta - np.linalg.solve(information - parts.reshape(-1, size, size), scores[..., None])[..., 0]


def _newton(
    design: Floats, outcomes: Floats, weights: Floats | None, guess: Floats, close: float
) -> tuple[Floats, Floats]:
    count, size = (len(outcomes) if weights is None else len(weights)), design.shape[1]
    beta, covariance = np.tile(guess, (count, 1)), np.full((count, size, size), np.inf)
    products, active = _products(design), np.arange(count)
    for _ in range(_MOST_STEPS):
        y = outcomes if len(outcomes) == 1 else outcomes[active]
        found = _step(design, products, y, None if weights is None else weights[active], beta[active])
        covariance[active] = found.covariance
        told = np.isfinite(found.covariance[:, 0, 0])
        going = told & ~(found.change < close)
        # Long steps overshoot where the data are nearly separated.
        with np.errstate(divide="ignore"):
            scale = np.minimum(1.0, (5.0 + 0.5 * found.largest) / found.change)
        beta[active[going]] += scale[going, None] * found.step[going]
        active = active[going]
        if not len(active):
            break
    return beta, covariance


def _step(design: Floats, products: Floats, y: Floats, weights: Floats | None, beta: Floats) -> _State:
    size = design.shape[1]
    logit = beta @ design.T
    p = _expit(logit)
    spread = p * (1 - p)
    information = ((spread if weights is None else weights * spread) @ products).reshape(-1, size, size)
    covariance = _inverses(information)
    usable = np.where(np.isfinite(covariance), covariance, 0.0)
    pull = y - p + spread * (usable.reshape(-1, size * size) @ products.T) * (0.5 - p)
    score = (pull if weights is None else weights * pull) @ design
    step = np.einsum("bij,bj->bi", usable, score)
    moved = np.abs(step @ design.T)
    if weights is not None:
        moved = np.where(weights > 0, moved, 0.0)
    return _State(step, covariance, np.abs(logit).max(axis=1), moved.max(axis=1))


def _inverses(information: Floats) -> Floats:
    """The inverse of each matrix; infinite where there is none but for rounding."""
    diagonal = np.einsum("bii->bi", information)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = information / (scale[:, :, None] * scale[:, None, :])
    told = (diagonal > 0).all(axis=1) & (np.linalg.eigvalsh(scaled)[:, 0] > _SINGULAR)
    found = np.full_like(information, np.inf)
    found[told] = np.linalg.inv(scaled[told]) / (scale[told, :, None] * scale[told, None, :])
    return found


def _products(design: Floats) -> Floats:
    """The products of the columns with one another, decision by decision: (decisions, columns squared)."""
    return (design[:, :, None] * design[:, None, :]).reshape(len(design), -1)


def _expit(logit: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-logit))
