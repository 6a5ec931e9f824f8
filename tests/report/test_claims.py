"""Intervals and rulings."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ishango.report.claims._claim import Estimate, listed, mean_of_starts, rank_correlation, regrouped, rule, share


def test_the_interval_of_a_mean_over_seeds_that_starts_share_is_students():
    values = [0.1, 0.4, -0.2, 0.3]
    index = pd.MultiIndex.from_product([["1", "2"], range(4)])
    estimate = mean_of_starts(pd.Series([each - 1 for each in values] + [each + 1 for each in values], index))
    low, high = stats.t.interval(0.95, 3, loc=np.mean(values), scale=stats.sem(values))
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((0.15, low, high))
    one = pd.Series([1.0, 1.0], pd.MultiIndex.from_product([["1", "2"], [0]]))
    assert mean_of_starts(one) == Estimate(1.0, float("-inf"), float("inf"))


def test_the_interval_of_a_share_stays_within_0_and_1():
    estimate = share(1.0, 8)
    assert estimate.value == 1
    assert 0.6 < estimate.low < estimate.high <= 1
    assert np.isnan(share(float("nan"), 0).value)


def test_a_statistic_that_is_never_defined_has_no_interval():
    estimate = regrouped(lambda _values: float("nan"), [np.zeros(1)] * 3)
    assert np.isnan(estimate.value)
    assert rule(estimate, above=0) == "too little data here"


def test_the_interval_of_a_rank_correlation_covers_it_and_is_never_empty():
    rng = np.random.default_rng(0)
    true = 6 / np.pi * np.arcsin(0.6 / 2)  # Spearman's of two normal numbers whose Pearson correlation is 0.6
    drawn = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], (600, 8))
    covered = [low <= true <= high for _, low, high in (rank_correlation(*each.T) for each in drawn)]
    assert 0.93 < np.mean(covered) < 0.98
    perfect = rank_correlation(np.arange(8), np.arange(8) ** 2)
    assert perfect.value == perfect.high == 1
    assert 0.6 < perfect.low < 0.95
    assert rule(rank_correlation(np.arange(3), np.arange(3)), above=0) == "too little data here"
    assert rule(rank_correlation(np.arange(8), np.zeros(8)), above=0) == "too little data here"


def test_resampling_covers_the_mean():
    values = np.random.default_rng(1).normal(5, 1, 200)
    estimate = regrouped(np.mean, np.split(values, 200))
    assert estimate.low < values.mean() == estimate.value < estimate.high
    assert estimate.high - estimate.low == pytest.approx(4 * values.std() / np.sqrt(200), rel=0.15)
    assert regrouped(np.mean, np.split(values, 200)) == estimate


@pytest.mark.parametrize(
    ("estimate", "ruling"),
    [
        ((-0.5, -0.9, -0.1), "holds"),
        ((-0.5, -1.1, 0.1), "too little data here"),
        ((0.5, 0.1, 0.9), "does not hold"),
        ((0.0, -0.01, 0.01), "does not hold"),
        ((-0.02, -0.04, -0.01), "does not hold"),
        ((float("nan"), float("nan"), float("nan")), "too little data here"),
    ],
)
def test_a_claim_of_less_than_nothing(estimate, ruling):
    assert rule(Estimate(*estimate), below=0, margin=0.05) == ruling
    opposite = Estimate(*(-each for each in (estimate[0], estimate[2], estimate[1])))
    assert rule(opposite, above=0, margin=0.05) == ruling


def test_numbers_are_listed():
    assert listed([1.23456, float("nan")], 2) == "1.23 –"
