# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Firth's logistic regression, fast enough to be repeated thousands of times on resampled runs.

Estimates maximise the likelihood times the root of the Fisher information's determinant, so they stay finite when the
data are separated (shorter alternatives always kept) and have less bias than the likelihood's own.
"""

import math

import numpy as np

from ishango.compiling import entry, jit

_MOST_STEPS = 100
CLOSE = 1e-9
"""No logit moves by more in the last step."""
_NEAR = 1e-5
"""The same for resamples: their spread is what is wanted, not their last digits."""
_SINGULAR = 1e-12
"""A pivot that is smaller than this part of what it was is 0 but for rounding."""


@jit
def _inverse(matrix):
    """The inverse of a small positive definite matrix, by Gauss and Jordan; infinite where it has none."""
    size = matrix.shape[0]
    left, right = matrix.copy(), np.eye(size)
    for pivot in range(size):
        if not left[pivot, pivot] > max(_SINGULAR * matrix[pivot, pivot], 1e-300):
            return np.full((size, size), np.inf)
        scale = 1 / left[pivot, pivot]
        for column in range(size):
            left[pivot, column] *= scale
            right[pivot, column] *= scale
        for row in range(size):
            if row != pivot:
                factor = left[row, pivot]
                for column in range(size):
                    left[row, column] -= factor * left[pivot, column]
                    right[row, column] -= factor * right[pivot, column]
    return right


@jit
def _quadratic(matrix, row):
    """row @ matrix @ row."""
    total = 0.0
    for i in range(row.size):
        for j in range(row.size):
            total += row[i] * matrix[i, j] * row[j]
    return total


@jit
def _dot(row, beta):
    total = 0.0
    for i in range(row.size):
        total += row[i] * beta[i]
    return total


@jit
def _information(design, weight, beta, p):
    """The Fisher information and the largest logit; fills the probabilities p."""
    size, largest = design.shape[1], 0.0
    information = np.zeros((size, size))
    for n in range(design.shape[0]):
        logit = _dot(design[n], beta)
        p[n] = 1 / (1 + math.exp(-logit))
        largest = max(largest, abs(logit))
        spread = weight[n] * p[n] * (1 - p[n])
        for i in range(size):
            scaled = spread * design[n, i]
            for j in range(i + 1):
                information[i, j] += scaled * design[n, j]
    for i in range(size):
        for j in range(i):
            information[j, i] = information[i, j]
    return information, largest


@jit
def _pull(y, p, row, covariance):
    """What one decision adds to the gradient of the penalised likelihood, as a multiple of its row."""
    leverage = p * (1 - p) * _quadratic(covariance, row)
    return y - p + leverage * (0.5 - p)


@jit
def _score(design, y, weight, p, covariance):
    """The gradient of the penalised likelihood."""
    score = np.zeros(design.shape[1])
    for n in range(design.shape[0]):
        pull = weight[n] * _pull(y[n], p[n], design[n], covariance)
        for i in range(score.size):
            score[i] += pull * design[n, i]
    return score


@entry
def firth(design, y, weight, guess, close):
    """The coefficients of y (0 or 1) on the columns of `design`, and their covariance.

    `weight` says how often each row counts: whole runs are resampled by giving their rows other weights. Columns that
    do not determine the coefficients give an infinite covariance and leave the guess as it was. Newton's steps end
    when no logit moves by `close` any more.
    """
    beta, p = guess.copy(), np.zeros(y.size)
    covariance = np.full((beta.size, beta.size), np.inf)
    for _ in range(_MOST_STEPS):
        information, largest = _information(design, weight, beta, p)
        covariance = _inverse(information)
        if not np.isfinite(covariance[0, 0]):
            return beta, covariance
        score, change = _score(design, y, weight, p, covariance), 0.0
        step = np.zeros(beta.size)
        for i in range(beta.size):
            for j in range(beta.size):
                step[i] += covariance[i, j] * score[j]
        for n in range(design.shape[0]):
            if weight[n] > 0:
                change = max(change, abs(_dot(design[n], step)))
        if change < close:
            break
        # Long steps overshoot where the data are nearly separated.
        scale = min(1.0, (5.0 + 0.5 * largest) / change)
        for i in range(beta.size):
            beta[i] += scale * step[i]
    return beta, covariance


@entry
def clustered_errors(design, y, weight, run, runs, beta, covariance):
    """Standard errors that allow for decisions of one run having something in common.

    The sandwich estimator with the sums of scores over whole runs, times runs / (runs - 1). `weight` counts the rows
    of a run alike, and so it counts the run.
    """
    size = beta.size
    scores, times = np.zeros((runs, size)), np.zeros(runs)
    for n in range(design.shape[0]):
        p = 1 / (1 + math.exp(-_dot(design[n], beta)))
        pull = _pull(y[n], p, design[n], covariance)
        times[run[n]] = weight[n]
        for i in range(size):
            scores[run[n], i] += pull * design[n, i]
    meat, count = np.zeros((size, size)), times.sum()
    for r in range(runs):
        for i in range(size):
            for j in range(size):
                meat[i, j] += times[r] * scores[r, i] * scores[r, j]
    errors = np.zeros(size)
    for k in range(size):
        for i in range(size):
            for j in range(size):
                errors[k] += covariance[k, i] * meat[i, j] * covariance[j, k]
        errors[k] = math.sqrt(errors[k] * count / max(count - 1, 1))
    return errors


@entry
def resampled(design, y, run, counts, beta):
    """The coefficients and clustered errors of each resample; `counts` (resamples, runs): how often it has each run.

    Where a resample does not determine the coefficients, its errors are infinite.
    """
    found, errors = np.zeros((counts.shape[0], beta.size)), np.zeros((counts.shape[0], beta.size))
    weight = np.zeros(y.size)
    for b in range(counts.shape[0]):
        for n in range(y.size):
            weight[n] = counts[b, run[n]]
        coefficients, covariance = firth(design, y, weight, beta, _NEAR)
        found[b] = coefficients
        if not np.isfinite(covariance[0, 0]):
            errors[b] = np.inf
            continue
        errors[b] = clustered_errors(design, y, weight, run, counts.shape[1], coefficients, covariance)
    return found, errors


@entry
def permuted(design, outcomes, beta):
    """The coefficients for each row of `outcomes` (permutations, decisions)."""
    weight, found = np.ones(design.shape[0]), np.zeros((outcomes.shape[0], beta.size))
    for b in range(outcomes.shape[0]):
        found[b] = firth(design, outcomes[b], weight, beta, CLOSE)[0]
    return found
