import numpy as np
import pandas as pd
import pytest

from ishango.analysis.selection import fit, pooled_strength, strength_by_run


def decisions(strength: float, runs: int, rounds: int, seed: int = 0) -> pd.DataFrame:
    """Decisions whose log odds are strength * (-delta)."""
    rng = np.random.default_rng(seed)
    delta = rng.normal(0, 0.3, size=runs * rounds)
    kept = rng.random(delta.size) < 1 / (1 + np.exp(strength * delta))
    return pd.DataFrame({"run": np.repeat(np.arange(runs), rounds), "delta_average": delta, "accepted": kept})


@pytest.mark.parametrize("strength", [0.0, 2.0, -3.0])
def test_the_strength_is_recovered(strength):
    fit = pooled_strength(decisions(strength, runs=40, rounds=100))
    assert fit.low < strength < fit.high
    assert fit.strength == pytest.approx(strength, abs=0.35)
    assert fit.decisions == 4000


def test_intervals_cover_as_often_as_they_say():
    inside = 0
    for seed in range(200):
        fit = strength_by_run(decisions(1.0, runs=1, rounds=100, seed=seed)).iloc[0]
        inside += fit.low < 1.0 < fit.high
    assert 180 <= inside <= 199


def test_the_fit_agrees_with_a_direct_maximisation():
    from scipy.optimize import minimize

    rng = np.random.default_rng(1)
    x = rng.normal(size=30)
    y = (rng.random(30) < 1 / (1 + np.exp(-x))).astype(float)
    design = np.column_stack([np.ones_like(x), x])

    def minus_penalised(beta):
        eta = design @ beta
        p = 1 / (1 + np.exp(-eta))
        information = design.T @ ((p * (1 - p))[:, None] * design)
        return -(y @ eta - np.logaddexp(0, eta).sum() + 0.5 * np.linalg.slogdet(information)[1])

    direct = minimize(minus_penalised, np.zeros(2), tol=1e-12)
    assert fit(x, y)[0] == pytest.approx(direct.x, abs=1e-4)


def test_a_few_runs_have_a_strength_without_an_interval():
    """Resampling two or three runs says nothing, and Wald's interval takes the rounds of a run for independent."""
    for runs in (1, 2, 3):
        fit = pooled_strength(decisions(1.0, runs=runs, rounds=100))
        assert np.isfinite(fit.strength)
        assert np.isnan([fit.low, fit.high]).all()
    assert np.isfinite(pooled_strength(decisions(1.0, runs=4, rounds=100)).low)


def test_an_oracle_has_a_finite_strength():
    table = decisions(0.0, runs=2, rounds=100)
    table["accepted"] = table["delta_average"] < 0
    fit = pooled_strength(table)
    assert np.isfinite(fit.strength)
    assert fit.strength > 20
    assert (fit.shorter_kept, fit.longer_kept) == (1.0, 0.0)


def test_rounds_without_a_decision_do_not_count():
    table = decisions(1.0, runs=1, rounds=50)
    nothing = pd.DataFrame({"run": [0], "delta_average": [np.nan], "accepted": [None]})
    table = pd.concat([nothing, table.astype({"accepted": object})], ignore_index=True)
    assert strength_by_run(table).decisions.tolist() == [50]


def test_decisions_that_all_look_alike_say_nothing():
    table = pd.DataFrame({"run": [0, 0], "delta_average": [0.1, 0.1], "accepted": [True, False]})
    fit = strength_by_run(table).iloc[0]
    assert (fit.low, fit.high) == (-np.inf, np.inf)
