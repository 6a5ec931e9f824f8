"""Verdicts about learning on tables made by hand."""

import pandas as pd
import pytest
from tests.report.by_hand import SCALE, learned, rewarded, understood

from ishango.analysis.statistics import student_interval
from ishango.report.claims import CLAIMS
from ishango.report.claims._claim import mean_of_several

HOLDS, NOT, LACKS = "holds", "does not hold", "too little data here"


pytestmark = pytest.mark.usefixtures("few_draws")
"""What is tried here is clear with few draws."""


def ruled(name, **tables):
    return CLAIMS[name].verdict({"scale": SCALE, **tables})


@pytest.mark.parametrize(
    ("ruling", "gaps", "alike"),
    [
        (HOLDS, 0.1, 0.05),
        (NOT, 0.9, 0.05),
        (NOT, 0.1, 0.6),
        (LACKS, [0.1, 1.0, 0.2, 0.9] * 2, 0.05),
        (LACKS, 0.1, [0.0, 0.6, 0.0, 0.3] * 2),
    ],
)
def test_near_optimal_and_like_human_systems(ruling, gaps, alike):
    """From random systems, 1 bit above the frontier, to human languages, 0.1: half of the way is 0.55."""
    table = {"vocabulary": range(2, 10), "reward": "linear", "gap": gaps, "gap_random": 1.0, "gap_rank": 0.1,
             "variation": [0, 1, 2, 1, 1, 2, 3, 1], "variation_rank": alike, "seed": 0, "streams": "run",
             "run": [f"run {n}" for n in range(8)]}  # fmt: skip
    exact = {**table, "reward": "exact", "gap": 9.0}
    human = pd.DataFrame(
        {"kind": ["approximate", "recursive"], "complexity": [7, 99], "cost": [1.6, 5.0], "languages": 1}
    )
    optima = pd.DataFrame({"complexity": [5, 8], "cost": [1.5, 0.5]})
    agents = pd.concat([pd.DataFrame(table), pd.DataFrame(exact)])
    others = {
        "restricted_curves": pd.DataFrame({"run": ["a", "a", "b"], "round": [0, 20, 10]}),
        "restricted_languages": human.assign(range=20),
        "restricted_frontier": optima.assign(range=20),
    }
    verdict = ruled("near-optimal-without-grammar", restricted_agents=agents, **others)
    one_seed = ruled("near-optimal-without-grammar", restricted_agents=agents.assign(streams="seed"), **others)
    assert (one_seed.ruling, one_seed.value) == (LACKS, pytest.approx(verdict.value))
    assert (verdict.ruling, verdict.steps) == (ruling, 40_000)
    assert verdict.value == pytest.approx((1 - pd.Series(gaps).mean()) / 0.9)
    assert "1 run ends with the very words of a human language." in verdict.measured


def areas(**easier):
    """For each learner how much easier the optimum is at each of six sizes."""
    rows = [
        {"learner": learner, "size": 4 + place, "area_random": 0.3, "area_optimum": 0.3 + value}
        for learner, values in easier.items()
        for place, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


MUCH, NOTHING, WORSE, UNCLEAR = [0.1, 0.11] * 3, [0.0, 0.002] * 3, [-0.1, -0.11] * 3, [0.2, -0.1] * 3
ONE = [0.015, 0.085] * 3
"""Above 0 for whoever asks one question, and not for who asks three."""


@pytest.mark.parametrize(
    ("ruling", "pair"), [(HOLDS, MUCH), (NOT, NOTHING), (NOT, WORSE), (LACKS, UNCLEAR), (LACKS, ONE)]
)
def test_optima_are_easier_than_random_systems_of_their_sizes_for_each_learner(ruling, pair):
    table = areas(classes=MUCH, line=MUCH, pair=pair)
    verdict = ruled("easier-to-learn", learnability=table)
    assert (verdict.ruling, verdict.steps) == (ruling, 10_000)
    assert verdict.value == pytest.approx(min(pd.Series(pair).mean(), 0.105))
    assert ruled("easier-to-learn", learnability=table[table["learner"] != "line"]).statistic == "not judged"
    assert ruled("easier-to-learn").statistic == "not judged"


def test_three_learners_need_wider_intervals_than_one():
    values = pd.Series(UNCLEAR)
    one, three = (mean_of_several(values, questions) for questions in (1, 3))
    assert one[:3] == pytest.approx((0.05, *student_interval(values.to_numpy())[:2]))
    assert three.high - three.low > 1.2 * (one.high - one.low)


def test_what_the_reproduction_says_itself_stands_beside_the_study():
    verdict = ruled("easier-to-learn", learnability=areas(classes=MUCH, line=MUCH, pair=MUCH), learning=learned(0.1))
    assert "pairs that learn from scratch win +10.0% [+10.0%, +10.0%] more games" in verdict.measured


@pytest.mark.parametrize(
    ("ruling", "name", "change"),
    [
        (HOLDS, "exact-reward", {"linear": 0.1, "inverse": 0.5, "exponential": 0.6}),
        (NOT, "exact-reward", {"linear": 0.1, "inverse": 0.5, "exponential": 0.95}),
        (NOT, "exact-reward", {}),
        (LACKS, "exact-reward", {"linear": 0.1, "inverse": 0.5, "exponential": 0.85, "noise": 0.2}),
        (HOLDS, "larger-layers", {"small": 0.6}),
        (NOT, "larger-layers", {}),
        (LACKS, "larger-layers", {"small": 0.8, "noise": 0.2}),
        (HOLDS, "larger-batch", {"few": 0.6}),
        (NOT, "larger-batch", {"few": 0.97}),
        (LACKS, "larger-batch", {"few": 0.8, "noise": 0.2}),
    ],
)
def test_rewards_layers_and_batches(ruling, name, change):
    assert ruled(name, rewards=rewarded(**change)).ruling == ruling


def test_the_exact_reward_must_be_better_than_each_and_not_only_than_the_nearest():
    """The inverse reward is farther away in the mean, and too noisy to tell."""
    table = rewarded(linear=0.8, inverse=0.75, exponential=0.6)
    assert ruled("exact-reward", rewards=table).ruling == HOLDS
    noisy = table["reward"] == "inverse"
    table.loc[noisy, "accuracy"] += 0.5 * (table.loc[noisy, "seed"] - 1)
    assert ruled("exact-reward", rewards=table).ruling == LACKS


def test_systems_that_share_their_seeds_do_not_count_for_more():
    """Three seeds that disagree tell as little from ten systems as from two."""
    table = rewarded(small=0.8, noise=0.2)
    many = pd.concat([table.assign(start=table["start"] + f" {n}") for n in range(5)])
    few, more = (ruled("larger-layers", rewards=each) for each in (table, many))
    assert (few.ruling, more.ruling) == (LACKS, LACKS)
    assert (more.low, more.high) == (pytest.approx(few.low), pytest.approx(few.high))


def test_runs_that_are_missing_on_one_side_leave_the_other_pairs():
    table = rewarded(small=0.6)
    some = table[~((table["hidden"] == 25) & (table["seed"] == 2))]
    verdict = ruled("larger-layers", rewards=some)
    assert (verdict.ruling, verdict.value) == (HOLDS, pytest.approx(0.3, abs=0.01))


def test_the_exact_reward_is_judged_once():
    assert [name for name in CLAIMS if name.startswith("exact")] == ["exact-reward"]


@pytest.mark.parametrize(("ruling", "share"), [(HOLDS, 0.008), (NOT, 0.02)])
def test_large_numbers_are_rare_under_the_papers_need(ruling, share):
    """Under another need they are rarer still, which does not matter."""
    rows = [
        {"need": need, "number": number, "share": above / 20 if number > 30 else (1 - above) / 30}
        for need, above in (("power:2", share), ("exp:0.2", 0.001))
        for number in range(1, 51)
    ]
    verdict = ruled("large-numbers-are-rare", shares=pd.DataFrame(rows))
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(share))
    assert f"each number above 30 still comes up {round(1_280_000 * share / 20):,} times" in verdict.measured


MIXED = [0.9, 0.1, 1.0, 1.0, 0.9, 0.7, 1.0, 0.8]


@pytest.mark.parametrize(("ruling", "large"), [(HOLDS, 0.2), (NOT, 0.9), (NOT, 0.88), (LACKS, MIXED)])
def test_large_numbers_are_lost(ruling, large):
    verdict = ruled("large-numbers-are-lost", understood=understood(large))
    untold = understood(large).drop(columns=["seed", "streams"])  # as in tables of before: one seed for all starts
    assert ruled("large-numbers-are-lost", understood=untold).ruling == LACKS
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(pd.Series(large).mean() - 0.9))


@pytest.mark.parametrize(("ruling", "large"), [(HOLDS, 0.2), (NOT, 0.9), (LACKS, MIXED)])
def test_large_numbers_under_an_exponential_need(ruling, large):
    table = pd.concat([understood(0.9), understood(large, need="exp:0.2")])
    verdict = ruled("exponential-is-worse", understood=table)
    assert verdict.ruling == ruling
    assert verdict.claim.startswith("Our question: ")


def test_where_nothing_is_understood_nothing_can_be_lost():
    table = pd.concat([understood(0.02), understood(0.0, need="exp:0.2")])
    assert ruled("exponential-is-worse", understood=table).ruling == LACKS
