"""Verdicts on tables made by hand, whose statistic, interval and ruling are known."""

import numpy as np
import pandas as pd
import pytest

from ishango.report.claims import Claim
from ishango.report.claims import evolution_claims as evolution
from ishango.report.claims import frontier_claims as frontier
from ishango.report.claims import learning_claims as learning
from ishango.report.claims.verdict import Verdict, mean

STARTS = [str(number) for number in range(1, 9)]
SCALE = pd.DataFrame([{"steps": 40_000, "side_steps": 5000, "learning_steps": 40_000}])
LANGUAGES = pd.DataFrame(
    {"grammar": ["modified", "hurford"] * 10, "gap": 0.02, "size": 12, "multiplier_count": [1, 1] * 6 + [3, 3] * 4}
)


def ends(study, gaps, before=1.0, add="lowest", **columns):
    """One run from each start."""
    table = {"study": study, "run": [f"{study}/{start}" for start in STARTS], "start": STARTS, "seed": 0, "add": add}
    return pd.DataFrame({**table, "gap": gaps, "gap_before": before, **columns})


def rounds(study, choose, shorter_kept, longer_kept, gap=0.1):
    """Eight runs of 100 decisions each, half of them on shorter alternatives, and their first round."""
    rows = []
    for start in STARTS:
        run = {"study": study, "run": f"{study}/{start}", "start": start, "seed": 0, "add": "lowest", "choose": choose}
        rows.append({**run, "round": 0, "gap": 1.0, "size": 9, "average_complexity": 2.0})
        for number in range(100):
            shorter, accepted = number % 2 == 0, (number // 2) / 50 < (shorter_kept if number % 2 == 0 else longer_kept)
            delta = -0.1 if shorter else 0.1
            final = {"gap": gap + int(start) / 1000, "size": 9, "average_complexity": 1.2}
            rows.append({**run, "round": number + 1, "delta_average": delta, "accepted": accepted, **final})
    return pd.DataFrame(rows)


def test_approaching_the_frontier():
    data = {"scale": SCALE, "ends": ends("agents", np.linspace(0.1, 0.8, 8))}
    verdict = evolution.toward_the_frontier(data)
    assert verdict.ruling == "holds"
    assert (verdict.value, verdict.low, verdict.high) == pytest.approx(mean(np.linspace(-0.9, -0.2, 8)))
    assert verdict.measured.startswith("8 of 8 runs")
    data["ends"] = ends("agents", np.linspace(1.1, 1.8, 8))
    assert evolution.toward_the_frontier(data).ruling == "does not hold"


def test_runs_without_a_gap_are_left_out():
    data = {"scale": SCALE, "ends": ends("agents", [0.5] * 7 + [np.nan])}
    verdict = evolution.toward_the_frontier(data)
    assert verdict.value == pytest.approx(-0.5)
    assert verdict.measured.startswith("7 of 7 runs")


@pytest.mark.parametrize(
    ("agents", "ruling"),
    [
        ((0.8, 0.2), "holds"),
        ((0.5, 0.5), "does not hold"),
        ((0.2, 0.8), "does not hold"),
        ((0.52, 0.5), "does not hold"),
    ],
)
def test_preferring_what_is_shorter(agents, ruling):
    groups = [("agents", "bandit", *agents), ("coin", "coin", 0.5, 0.5), ("oracle", "shorter", 1.0, 0.0)]
    table = pd.concat([rounds(*group) for group in groups])
    strengths = pd.DataFrame(
        [{"choose": choose, "add": "lowest", "strength": 0, "low": 0, "high": 0, "shorter_kept": a, "longer_kept": b}
         for _, choose, a, b in groups]
    )  # fmt: skip
    verdict = evolution.selection({"scale": SCALE, "rounds": table, "selection": strengths})
    assert verdict.ruling == ruling
    assert verdict.value == pytest.approx(agents[0] - agents[1])


@pytest.mark.parametrize(("gap", "ruling"), [(0.02, "holds"), (0.5, "does not hold")])
def test_ending_nearer_than_a_coin(gap, ruling):
    groups = [("agents", "bandit", gap), ("coin", "coin", 0.3), ("oracle", "shorter", 0.01)]
    table = pd.concat([rounds(study, choose, 0.5, 0.5, gap) for study, choose, gap in groups])
    finals = pd.concat([ends("agents", gap), ends("coin", 0.3)])
    verdict = evolution.more_than_drift({"scale": SCALE, "rounds": table, "ends": finals})
    assert verdict.ruling == ruling
    assert verdict.value == pytest.approx(gap - 0.3)


@pytest.mark.parametrize(("gap", "ruling"), [(0.03, "holds"), (0.3, "does not hold")])
def test_as_close_as_human_languages(gap, ruling):
    finals = pd.concat([ends("agents", gap), ends("coin", 0.1)])
    verdict = evolution.close_as_human_ones({"scale": SCALE, "ends": finals, "languages": LANGUAGES})
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(gap - 0.02))


def test_different_ends_need_two_seeds():
    one = ends("agents", 0.1, digits="1-3", multipliers="4")
    other = one.assign(seed=1, digits=["1-3"] * 6 + ["1-4"] * 2)
    assert evolution.different_ends({"scale": SCALE, "ends": one}).ruling == "too little data here"
    verdict = evolution.different_ends({"scale": SCALE, "ends": pd.concat([one, other])})
    assert (verdict.value, verdict.ruling) == (0.25, "holds")
    assert evolution.different_ends({"scale": SCALE, "ends": pd.concat([one, one.assign(seed=1)])}).value == 0


def test_a_wider_span_of_sizes():
    sizes = ends("agents", 0.1, size=[3, 6, 9, 12, 15, 18, 21, 24])
    both = pd.concat([sizes, sizes.assign(seed=1)])
    verdict = evolution.wider_span({"scale": SCALE, "ends": both, "languages": LANGUAGES})
    assert verdict.ruling == "holds"
    assert verdict.value == pytest.approx(np.subtract(*np.quantile(both["size"], [0.9, 0.1])))


def test_fewer_multipliers():
    counts = {"multiplier_count": [2] * 8, "multiplier_count_before": [3, 2, 4, 12, 6, 6, 2, 7]}
    finals = pd.concat([ends("agents", 0.1, **counts), ends("coin", 0.1, **counts)])
    verdict = evolution.fewer_multipliers({"scale": SCALE, "ends": finals})
    assert verdict.value == pytest.approx(-3.25)
    assert verdict.ruling == "holds"


def test_the_literal_reading_has_shorter_rounds():
    finals = pd.concat([ends("literal", 1.2), ends("coin", 1.2, add="highest"), ends("agents", 0.1)])
    verdict = evolution.literal_reading({"scale": SCALE, "ends": finals})
    assert (verdict.ruling, verdict.steps) == ("does not hold", 5000)


@pytest.mark.parametrize(("rank", "ruling"), [(0.05, "holds"), (0.6, "does not hold")])
def test_near_optimal_beside_random_systems(rank, ruling):
    agents = pd.DataFrame(
        {"reward": ["linear"] * 3 + ["exact"], "vocabulary": [2, 3, 4, 4], "gap_rank": [rank, rank, rank + 0.03, 0.9],
         "gap": 0.1, "gap_random": 1.0, "variation": [0, 1, 2, 0]}
    )  # fmt: skip
    curves = pd.DataFrame({"run": ["a"], "round": [20]})
    scale = SCALE.assign(restricted_steps=2000)
    data = {"scale": scale, "restricted_agents": agents, "restricted_curves": curves}
    verdict = learning.near_optimal_without_grammar(data)
    assert (verdict.ruling, verdict.steps, verdict.value) == (ruling, 40_000, pytest.approx(rank + 0.01))
    assert "1 of them" in verdict.measured


def learned(start, optimum):
    rows = [
        *(("start", size, f"start {size}", 2.0, won) for size, won in ((12, start), (7, start), (5, start + 0.01))),
        *(("optimum", size, f"optimum {size}", 1.2, optimum) for size in (12, 7, 5)),
    ]
    return pd.DataFrame(rows, columns=["kind", "size", "system", "average_complexity", "accuracy"])


@pytest.mark.parametrize(("optimum", "ruling"), [(0.95, "holds"), (0.7, "does not hold")])
def test_optima_are_easier_than_starts_of_their_sizes(optimum, ruling):
    verdict = learning.easier_to_learn({"scale": SCALE, "learning": learned(0.8, optimum)})
    assert verdict.ruling == ruling
    assert verdict.value == pytest.approx(optimum - 0.8 - 0.01 / 3)


def rewarded(**won):
    settings = {
        "exact": ("exact", 100, 32),
        "linear": ("linear", 100, 32),
        "inverse": ("inverse", 100, 32),
        "exponential": ("exponential", 100, 32),
        "small": ("exact", 25, 32),
        "few": ("exact", 100, 8),
    }
    rows = [
        (*settings[name], start, seed, accuracy + 0.001 * seed * (name != "exact"))
        for name, accuracy in won.items()
        for start in ("1", "1-11 | 12")
        for seed in range(3)
    ]
    return pd.DataFrame(rows, columns=["reward", "hidden", "batch", "start", "seed", "accuracy"])


ALIKE = {"exact": 0.9, "linear": 0.9, "inverse": 0.9, "exponential": 0.9, "small": 0.9, "few": 0.9}


@pytest.mark.parametrize(
    ("change", "verdict", "ruling"),
    [
        ({"linear": 0.1, "inverse": 0.5, "exponential": 0.6}, learning.exact_reward, "holds"),
        ({"linear": 0.1, "inverse": 0.5, "exponential": 0.95}, learning.exact_reward, "does not hold"),
        ({}, learning.exact_reward, "does not hold"),
        ({"linear": 0.1, "inverse": 0.5, "exponential": 0.98}, learning.exact_is_harder, "holds"),
        ({"linear": 0.1, "inverse": 0.5, "exponential": 0.6}, learning.exact_is_harder, "does not hold"),
        ({"small": 0.6}, learning.larger_layers, "holds"),
        ({}, learning.larger_layers, "does not hold"),
        ({"few": 0.6}, learning.larger_batch, "holds"),
        ({"few": 0.97}, learning.larger_batch, "does not hold"),
    ],
)
def test_rewards_layers_and_batches(change, verdict, ruling):
    assert verdict({"scale": SCALE, "rewards": rewarded(**{**ALIKE, **change})}).ruling == ruling


def optima(fewest, most, series="modified", first=2):
    sizes = range(first, first + len(fewest))
    table = {"series": series, "size": sizes, "fewest": fewest, "most": most, "proved": True}
    return pd.DataFrame({**table, "digits": "1", "multipliers": "2", "average_complexity": 1.1})


def test_a_single_multiplier():
    overlap = optima([1, 1, 2, 2], [1, 1, 2, 2], "modified, overlap")
    single = frontier.single_multiplier({"frontier": pd.concat([optima([1] * 4, [1] * 4), overlap])})
    assert (single.ruling, single.value) == ("holds", 0)
    assert "2 of 4 sizes, from 4 on" in single.measured
    several = frontier.single_multiplier({"frontier": pd.concat([optima([1] * 4, [1, 1, 2, 1]), overlap])})
    assert (several.ruling, several.value) == ("does not hold", 1)


@pytest.mark.parametrize(
    ("fewest", "most", "distance"),
    [
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], 0.0),
        ([1, 1, 1, 1, 1], [5, 5, 5, 5, 5], 0.0),
        ([5, 5, 5, 5, 5], [5, 5, 5, 5, 5], 0.8),
        ([1, 1, 1, 1, 1], [1, 1, 1, 1, 1], 0.8),
        ([1, 2, 5, 5, 5], [2, 5, 5, 5, 5], 0.4),
        ([1] * 9 + [5] * 3, [1] * 9 + [5] * 3, 0.6),
    ],
)
def test_a_uniform_spread(fewest, most, distance):
    verdict = frontier.spread_of_multipliers({"frontier": optima(fewest, most, "Hurford, at most 5")})
    assert verdict.value == pytest.approx(distance)
    assert verdict.ruling == ("holds" if distance < 0.1 else "does not hold")


def test_few_multipliers_and_sizes_of_languages():
    assert frontier.few_multipliers_in_languages({"languages": LANGUAGES}).value == pytest.approx(0.6)
    assert frontier.few_multipliers_in_languages({"languages": LANGUAGES}).ruling == "too little data here"
    assert frontier.sizes_of_languages({"languages": LANGUAGES}).ruling == "holds"
    assert frontier.sizes_of_languages({"languages": LANGUAGES.assign(size=6)}).ruling == "does not hold"


@pytest.mark.parametrize(
    ("above", "low", "high", "ruling"),
    [
        ([0, 0, 0.001], [0, 0, 0], [0.005, 0, 0.002], "holds"),
        ([0, 0, 0.001], [0, 0, 0], [0.5, 0, 0.002], "too little data here"),
        ([0.2, 0.3, 0.001], [0.1, 0.1, 0], [0.5, 0.4, 0.002], "does not hold"),
        ([0, 0], [0, 0], [0, 0], "does not hold"),
    ],
)
def test_genetic_estimates(above, low, high, ruling):
    """The last has not found one of the three proved sizes."""
    found = pd.DataFrame(
        {"search": "modified", "size": range(2, 2 + len(above)), "above": above, "low": low, "high": high}
    )
    verdict = frontier.genetic_estimate({"genetic": found.assign(seeds=3), "frontier": optima([1] * 3, [1] * 3)})
    assert verdict.ruling == ruling


def test_numbers_beyond_99():
    table = pd.DataFrame(
        {"average_99": [1.0, 2.0], "average_999": [1.04, 2.02], "optimum_99": 1.0, "optimum_999": 1.03}
    )
    verdict = frontier.beyond_99({"beyond": table})
    assert (verdict.ruling, verdict.value) == ("holds", pytest.approx(0.04))
    assert "-0.010 to +0.010" in verdict.measured
    assert frontier.beyond_99({"beyond": table.assign(average_999=table["average_999"] + 1)}).ruling == "does not hold"


def test_short_rounds_refute_nothing_and_long_ones_may():
    def ruling(steps):
        judged = Verdict("measured", "statistic", 1.0, 0.5, 1.5, "", "does not hold", steps)
        return Claim("name", "group", "What is claimed", lambda _data: judged).verdict({}).ruling

    assert ruling(5000) == "too little data here"
    assert ruling(40_000) == ruling(None) == "does not hold"


def test_a_verdict_has_the_name_and_the_words_of_its_claim():
    judged = Verdict("measured", "statistic", 1.0, 0.5, 1.5, "", "holds")
    verdict = Claim("shorter", "group", "Languages get shorter", lambda _data: judged).verdict({})
    assert (verdict.name, verdict.claim, verdict.measured) == ("shorter", "Languages get shorter.", "measured")
    assert Claim("shorter", "group", "Do they?", lambda _data: judged).verdict({}).claim == "Do they?"
