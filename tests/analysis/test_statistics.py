"""Two groups of runs compared within their starts, by permutation."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ishango.analysis.statistics import (
    _UNBOUNDED,
    FEWEST,
    _bounds,
    contrast,
    flipped,
    holm,
    jackknife,
    jackknife_of_two,
    student_interval,
    student_p,
)

STARTS = [str(number) for number in range(1, 9)]


def runs(values, seeds):
    """So many runs from each start, a number each."""
    return pd.Series(values, index=[start for start in STARTS for _ in range(seeds)], dtype=float)


def test_two_groups_that_agree_are_not_told_apart():
    rng = np.random.default_rng(1)
    hard = np.repeat(np.arange(8.0), 20)
    found = contrast(runs(rng.exponential(size=16) + hard[::10], 2), runs(rng.exponential(size=160) + hard, 20))
    assert found.low < 0 < found.high
    assert found.p > 0.05


def test_a_shift_is_found_and_lies_in_its_interval():
    rng = np.random.default_rng(2)
    hard = np.repeat(10 * np.arange(8.0), 20)
    mine, others = runs(rng.exponential(size=16) + hard[::10] - 3, 2), runs(rng.exponential(size=160) + hard, 20)
    found = contrast(mine, others)
    assert found.p < 0.001
    assert found.low < -3 < found.high < -1
    moved = contrast(mine + 5, others)
    assert (moved.value, moved.low, moved.high) == pytest.approx(tuple(each + 5 for each in found[:3]))


def test_the_interval_leaves_out_what_the_test_rejects():
    """The bounds are where the one-sided tests come to 2.5 %."""
    rng = np.random.default_rng(3)
    mine, others = runs(rng.normal(size=8), 1), runs(rng.normal(size=80), 10)
    found = contrast(mine, others)
    for bound, outward in ((found.low, -0.02), (found.high, 0.02)):
        assert contrast(mine - bound - outward, others).p < 0.05 < contrast(mine - bound + outward, others).p


def test_starts_that_only_one_group_has_do_not_count():
    mine = pd.Series([1.0, 2.0], index=["1", "9"])
    assert contrast(mine, pd.Series([0.5, 0.5, 7.0], index=["1", "1", "2"])).value == 0.5
    assert np.isnan(contrast(mine, pd.Series([1.0], index=["2"])).value)


def test_signs_are_flipped_in_every_pattern():
    values = np.array([0.3, 0.5, -0.1, 0.8, 0.2, 0.9, 0.4])
    low, high, _ = flipped(values)

    def p_above(shift):
        moved = values - shift
        sums = [np.dot(signs, moved) for signs in itertools.product((1, -1), repeat=7)]
        return np.mean(np.array(sums) >= moved.sum() - 1e-9)

    assert p_above(low - 1e-6) <= 0.025 < p_above(low + 1e-6)
    assert flipped(-values)[:2] == pytest.approx((-high, -low))
    assert flipped(values[:5])[:2] == (float("-inf"), float("inf"))
    assert flipped(np.full(20, 2.0)) == pytest.approx((2, 2, 2))
    assert flipped([]) == _UNBOUNDED


def test_holm_by_hand():
    assert holm(np.array([0.01, 0.04, 0.03])).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm(np.array([0.5, 0.9])).tolist() == [1.0, 1.0]
    assert np.isnan(holm(np.array([np.nan, 0.02]))).tolist() == [True, False]
    assert holm(np.array([np.nan, 0.02]))[1] == 0.02  # what is not known does not count


def test_what_two_one_sided_tests_exclude():
    """The bound is where the larger of two one-sided p-values is 5 %."""
    values = np.array([0.3, -0.2, 0.5, 0.1, -0.4, 0.2])
    found = student_interval(values)
    error, freedom = stats.sem(values), len(values) - 1
    above = stats.t.cdf((values.mean() - found.within) / error, freedom)  # against an effect of +within
    below = stats.t.sf((values.mean() + found.within) / error, freedom)
    assert max(above, below) == pytest.approx(0.05)
    rng = np.random.default_rng(5)
    mine, others = runs(rng.normal(size=16), 2), runs(rng.normal(size=80), 10)
    shifted = contrast(mine, others)
    assert 0 < shifted.within <= max(-shifted.low, shifted.high)
    for bound in (shifted.within, -shifted.within):
        assert contrast(mine - bound, others).p < 0.11  # twice the one-sided 5 %, or less


def test_thirty_nine_shuffles_are_the_fewest_that_exclude_anything():
    """Only one order of forty may lie beyond each bound: 2.5 %."""
    shuffled, labels = np.linspace(-1, 1, 39), np.linspace(-1, 0.5, 39)
    assert np.isfinite(_bounds(5.0, shuffled, labels, 0.95)).all()
    assert np.isinf(_bounds(5.0, shuffled[1:], labels[1:], 0.95)).all()


@pytest.mark.parametrize("one", [np.array([1.0, 4.0, 2.0, 8.0]), np.array([1.0, 4.0])])
def test_leaving_one_out_is_students_for_a_mean_and_welchs_for_two(one):
    other = np.array([3.0, 3.5, 2.5])
    without = [np.array([np.delete(each, i).mean() for i in range(len(each))]) for each in (one, other)]
    if len(one) >= FEWEST:
        assert jackknife(one.mean(), without[0]) == pytest.approx(student_interval(one))
    error, freedom = jackknife_of_two(without[0] - other.mean(), one.mean() - without[1])
    welch = stats.ttest_ind(one, other, equal_var=False)
    assert student_p(one.mean() - other.mean(), error, freedom) == pytest.approx(welch.pvalue)
    assert freedom == pytest.approx(welch.df)
