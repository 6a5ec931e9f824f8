"""Selection on two axes: the fit, its interval and its test on decisions whose selection is known."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from ishango.analysis.ends import pull, restoring_force
from ishango.analysis.selection import pooled_strength, two_axes
from ishango.analysis.statistics import fit, fits


def decided(runs: int, length: float, size: float, seed: int, rounds: int = 100) -> pd.DataFrame:
    """Decisions under a known selection; changes of length and size go together as when words are added."""
    rng = np.random.default_rng(seed)
    count = runs * rounds
    delta_size = rng.integers(-1, 2, count)
    delta_average = 0.3 * rng.standard_normal(count) - 0.1 * delta_size
    logit = -length * delta_average - size * delta_size
    return pd.DataFrame(
        {
            "run": np.repeat(np.arange(runs), rounds),
            "delta_average": delta_average,
            "delta_size": delta_size,
            "accepted": rng.random(count) < 1 / (1 + np.exp(-logit)),
            "size": 10,
        }
    )


def test_the_fit_agrees_with_a_direct_maximisation():
    table = decided(3, 2.0, 0.5, 0, rounds=30)
    design = np.column_stack([np.ones(90), -table["delta_average"], -table["delta_size"]])
    y = table["accepted"].to_numpy(float)
    weight = np.repeat([1.0, 2.0, 0.0], 30)

    def loss(beta):
        p = 1 / (1 + np.exp(-design @ beta))
        information = (design * (weight * p * (1 - p))[:, None]).T @ design
        likelihood = (weight * (y * np.log(p) + (1 - y) * np.log(1 - p))).sum()
        return -likelihood - 0.5 * np.linalg.slogdet(information)[1]

    # With weights that are counts, it is the fit of as many copies of the rows.
    copies = np.repeat(np.arange(90), weight.astype(int))
    alone = fit(design[copies], y[copies])
    counted = tuple(each[0] for each in fits(design, y[None], np.zeros(3), weight[None]))
    assert counted[0] == pytest.approx(alone[0], abs=1e-8)
    assert counted[1] == pytest.approx(alone[1], abs=1e-8)
    assert counted[0] == pytest.approx(minimize(loss, np.zeros(3), tol=1e-10).x, abs=1e-4)


def test_a_known_selection_is_found_and_its_interval_is_about_right():
    found = two_axes(decided(24, 2.0, 0.5, 1), permutations=299)
    assert (found.runs, found.units, found.decisions) == (24, 24, 2400)
    assert found.length_low < 2.0 < found.length_high
    assert found.size_low < 0.5 < found.size_high
    assert found.length_p == found.size_p == pytest.approx(1 / 300)
    assert 1.0 < found.inflation < 1.3
    # The intervals of independent decisions are about as wide as their information says.
    design = np.column_stack(
        [np.ones(2400), *(-decided(24, 2.0, 0.5, 1)[["delta_average", "delta_size"]].to_numpy().T)]
    )
    y = decided(24, 2.0, 0.5, 1)["accepted"].to_numpy(float)
    covariance = fit(design, y)[1]
    assert found.length_high - found.length_low == pytest.approx(2 * 1.96 * math.sqrt(covariance[1, 1]), rel=0.5)


def test_a_coin_is_at_the_origin():
    fits = [two_axes(decided(24, 0.0, 0.0, seed), permutations=199) for seed in range(2, 12)]
    assert sum(fit.length_p < 0.05 for fit in fits) <= 2
    assert sum(fit.size_p < 0.05 for fit in fits) <= 2
    assert sum(fit.length_low < 0 < fit.length_high for fit in fits) >= 8
    assert np.mean([fit.kept for fit in fits]) == pytest.approx(0.5, abs=0.02)


def test_runs_that_differ_make_the_interval_wider():
    """Half of the runs prefer shorter languages, half prefer longer ones: as a whole there is nothing for sure."""
    one, other = decided(12, 3.0, 0.0, 3), decided(12, -3.0, 0.0, 4)
    table = pd.concat([one, other.assign(run=other["run"] + 12)])
    mixed, alike = two_axes(table, permutations=199), two_axes(decided(24, 0.0, 0.0, 5), permutations=199)
    assert mixed.length_low < 0 < mixed.length_high
    assert mixed.length_high - mixed.length_low > 2 * (alike.length_high - alike.length_low)


def test_what_cannot_be_told_is_nan():
    few = two_axes(decided(3, 1.0, 0.0, 6))
    assert few.length > 0
    assert math.isnan(few.length_low)
    none = two_axes(decided(4, 1.0, 0.0, 7).assign(delta_size=1))
    assert math.isnan(none.length)
    assert none.kept == pytest.approx(0.5, abs=0.2)
    assert math.isnan(two_axes(decided(4, 1.0, 0.0, 7)[:0]).kept)
    assert two_axes(decided(4, 1.0, 0.0, 7).assign(delta_size=np.nan)).decisions == 0


def test_a_rule_without_exception_has_no_strength():
    table = decided(24, 0.0, 0.0, 8)
    oracle = two_axes(table.assign(accepted=table["delta_average"] < 0))
    assert math.isnan(oracle.length)
    assert oracle.kept == pytest.approx(0.5, abs=0.05)


def test_the_restoring_force_by_hand():
    rounds = pd.DataFrame(
        {
            "run": ["a", "a", "a", "b", "b"],
            "delta_average": [0.1] * 5,
            "delta_size": [1, 1, -1, -1, 1],
            "accepted": [True, False, True, True, False],
            "size": [11, 11, 10, 10, 10],  # after the round
        }
    )
    force = restoring_force(rounds).set_index("size")
    # At 10: up by one and refused; at 11: refused, down by one, down by one.
    assert force.loc[10, "change"] == 0.5
    assert force.loc[10, "decisions"] == 2
    assert force.loc[11, "change"] == pytest.approx(-2 / 3)
    assert force.loc[11, "decisions"] == 3


def test_a_size_to_which_lexicons_return_is_found():
    """A walk that steps down more often the larger it is, around 15; and one that does not care."""
    rng = np.random.default_rng(0)

    def walk(name, drawn_back):
        size, rows = 22, []  # far from where it returns to, so that on the whole it falls
        for _ in range(60):
            before, down = size, rng.random() < 0.5 + drawn_back * (size - 15)
            kept = rng.random() < 0.5
            size += kept * (-1 if down else 1)
            rows.append({"run": name, "delta_average": 0.1, "delta_size": -1 if down else 1, "accepted": kept})
            rows[-1]["size"] = size
            assert abs(size - before) <= 1
        return pd.DataFrame(rows)

    returning = pull(pd.concat([walk(str(i), 0.05) for i in range(40)]))
    assert returning.slope_low < -0.05 < returning.slope_high < 0  # kept half of the time, twice 0.05 a word
    assert returning.returns_low < 15 < returning.returns_high
    wandering = pull(pd.concat([walk(str(i), 0.0) for i in range(40)]))
    assert math.isnan(wandering.returns_to)
    assert wandering.slope_low < 0 < wandering.slope_high
    assert math.isnan(pull(walk("one", 0.05)).slope)


def test_decisions_that_shuffling_cannot_change_have_the_p_value_1():
    for seed in range(6):
        rng = np.random.default_rng(seed)
        table = pd.DataFrame(
            {
                "run": np.repeat(["a", "b", "c"], 5),
                "delta_average": rng.choice([-1.0, 0.0, 1.0], 15),
                "delta_size": rng.choice([-1, 0, 1], 15),
            }
        )
        found = two_axes(table.assign(accepted=table["run"] == "a"))  # it keeps everything, the others nothing
        assert (found.length_p, found.size_p) == (1.0, 1.0)


def test_resamples_that_tell_nothing_give_no_interval():
    changes = [-1.0, 1.0, -0.5, 0.5, -1.0, 1.0]
    one = pd.DataFrame(
        {
            "run": np.repeat(list("abcd"), 6),
            "delta_average": changes + [0.1] * 18,  # without the first run there is no slope
            "accepted": np.array([1, 0, 1, 0, 0, 1] + [1, 0, 1, 0, 1, 0] * 3, bool),
        }
    )
    found = pooled_strength(one)
    assert np.isfinite(found.strength)
    assert np.isnan([found.low, found.high]).all()
    all_tell = pooled_strength(one.assign(delta_average=changes * 4))
    assert all_tell.low < all_tell.strength < all_tell.high
