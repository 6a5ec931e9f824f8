"""Verdicts about evolution on tables made by hand: holds, so does a coin, does not hold, and lacks data."""

import numpy as np
import pandas as pd
import pytest
from tests.report.by_hand import LANGUAGES, SCALE, STARTS, WORLD, coin, ends, paths, rounds

from ishango.report.claims import CLAIMS
from ishango.report.claims._evolution_claims import _correlation

HOLDS, COIN, NOT, LACKS = "holds", "so does a coin", "does not hold", "too little data here"
MIXED = [0.1, 1.9, 0.2, 1.8, 0.1, 1.9, 0.2, 1.8]
"""Gaps that come from 1 and change in either direction."""
WILD = -1.0
"""Stands for a coin whose runs from one start end anywhere."""


def drifted(gap, **columns):
    return coin(gap=1.0, noise=2.0, **columns) if gap == WILD else coin(gap=gap, **columns)


pytestmark = pytest.mark.usefixtures("few_draws")
"""What is tried here is clear with few draws."""


def ruled(name, **tables):
    return CLAIMS[name].verdict({"scale": SCALE, "languages": LANGUAGES, "world": WORLD, **tables})


GAPS = [
    (HOLDS, 0.05, 0.5),
    (COIN, 0.3, 0.3),
    (COIN, 0.32, 0.3),
    (NOT, 1.3, 0.5),
    (NOT, 0.98, 0.5),
    (LACKS, MIXED, 0.5),
    (LACKS, 0.5, WILD),
]
"""Gaps of agents and coin that began at 1; in the last case the coin's go in all directions."""


@pytest.mark.parametrize(("ruling", "agents", "drift"), GAPS)
def test_approaching_the_frontier(ruling, agents, drift):
    verdict = ruled("toward-the-frontier", ends=pd.concat([ends("agents", gap=agents), drifted(drift)]))
    mean = 1.0 if drift == WILD else drift
    assert verdict.ruling == ruling
    assert verdict.value == pytest.approx(np.mean(agents) - 1)
    assert verdict.coin == pytest.approx(mean - 1)
    assert verdict.contrast == pytest.approx(np.mean(agents) - mean)
    assert verdict.contrast_low < verdict.contrast_high
    assert verdict.measured.startswith(f"{sum(np.atleast_1d(np.full(8, agents)) < 1)} of 8 runs")


def test_a_few_starts_are_too_few_and_runs_without_a_gap_are_left_out():
    known = pd.concat([ends("agents", gap=0.05), coin(gap=0.5)])
    few = known[known["start"] <= "5"]
    assert ruled("toward-the-frontier", ends=few).ruling == LACKS
    lost = known.assign(gap=known["gap"].mask(known["run"] == "agents/lowest/8/0"))
    assert "7 of 7 runs of agents" in ruled("toward-the-frontier", ends=lost).measured


@pytest.mark.parametrize(
    ("ruling", "agents", "drift"),
    [(HOLDS, 0.05, 0.3), (COIN, 0.2, 0.2), (NOT, 0.49, 0.2), (NOT, 0.7, 0.2), (LACKS, [0.1, 0.9] * 4, 0.2)],
)
def test_the_distance_in_both_axes(ruling, agents, drift):
    """The gap says the opposite: here the distance counts."""
    table = pd.concat([ends("agents", distance=agents, gap=2.0), coin(distance=drift, gap=0.1)])
    verdict = ruled("more-than-drift", ends=table)
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(np.mean(agents) - 0.5))


def test_the_coin_of_the_agents_rate_is_told():
    controls = [coin("matched-coin", distance=0.4), ends("gap-oracle", distance=0.01), ends("oracle", distance=0.02)]
    verdict = ruled("more-than-drift", ends=pd.concat([ends("agents", distance=0.05), coin(distance=0.3), *controls]))
    assert "oracle 0.020, oracle on the gap 0.010" in verdict.measured
    assert (
        "a coin that keeps as many alternatives as each run of agents 0.400 (agents minus that coin -0.350"
        in verdict.measured
    )


def strengths(**groups):
    rows = [
        {"choose": choose, "add": "lowest", "strength": 21667.7, "low": 1.0, "high": 2.0, "shorter_kept": a,
         "longer_kept": b, "separated": (a, b) == (1, 0)}
        for choose, (a, b) in groups.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("ruling", "agents", "drift"),
    [
        (HOLDS, (0.8, 0.2), (0.5, 0.5)),
        (COIN, (0.7, 0.5), (0.7, 0.5)),
        (NOT, (0.5, 0.5), (0.5, 0.5)),
        (NOT, (0.2, 0.8), (0.5, 0.5)),
        (NOT, (0.52, 0.5), (0.5, 0.5)),
        (LACKS, ([0.1, 0.9] * 4, 0.5), (0.5, 0.5)),
    ],
)
def test_preferring_what_is_shorter(ruling, agents, drift):
    played = pd.concat([rounds("agents", "bandit", *agents), rounds("coin", "coin", *drift, seeds=8)])
    table = strengths(bandit=(0.4, 0.5), coin=drift, shorter=(1, 0))
    verdict = ruled("selection", rounds=played, selection=table)
    assert verdict.ruling == ruling
    assert verdict.value == pytest.approx(np.mean(agents[0]) - np.mean(agents[1]))
    assert "oracle separated" in verdict.measured
    assert "agents 21667.70" in verdict.measured, "only what is separated has no number"


@pytest.mark.parametrize(("ruling", "agents", "drift"), GAPS)
def test_the_literal_reading(ruling, agents, drift):
    table = [ends("literal", gap=agents, add="highest"), drifted(drift, add="highest"), coin(gap=0.0), ends("agents")]
    verdict = ruled("literal-reading", ends=pd.concat(table))
    assert (verdict.ruling, verdict.steps, verdict.scope) == (ruling, 5000, "at 5,000 steps")


@pytest.mark.parametrize(("ruling", "agents", "drift"), GAPS)
def test_a_need_that_falls_exponentially(ruling, agents, drift):
    known = [
        pd.DataFrame({"kind": "start", "start": STARTS, "need": "exp:0.2", "gap": 1.0}),
        drifted(drift).assign(kind="coin", need="exp:0.2")[["kind", "run", "start", "need", "gap"]],
        coin(gap=3.0).assign(kind="coin", need="power:2")[["kind", "run", "start", "need", "gap"]],
    ]
    table = pd.concat([ends("exponential", gap=agents), coin()])
    evaluations = pd.concat(known).rename(columns={"run": "name"})
    verdict = ruled("exponential-evolution", ends=table, evaluations=evaluations)
    assert verdict.ruling == ruling
    assert verdict.coin == pytest.approx(0 if drift == WILD else drift - 1)
    assert verdict.claim.startswith("Our question: ")


@pytest.mark.parametrize(
    ("ruling", "agents", "drift"),
    [
        (HOLDS, 0.03, 0.3),
        (COIN, 0.03, 0.03),
        (NOT, 0.3, 0.03),
        (LACKS, [0.01, 0.3] * 4, 0.3),
    ],
)
def test_as_close_as_human_languages(ruling, agents, drift):
    verdict = ruled("close-as-human-ones", ends=pd.concat([ends("agents", gap=agents), coin(gap=drift)]))
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(np.median(np.full(8, agents)) - 0.02))
    assert verdict.by_hand.endswith(f" of 10 languages: {ruling}")


def test_of_human_languages_each_family_counts_once():
    """One family has 300 varieties far from the frontier, four have three each on it."""
    gaps = [0.5 if family == "family 0" else 0.0 for family in WORLD["family"]]
    world = WORLD.assign(gap=gaps, languages=[300 if gap else 3 for gap in gaps])
    verdict = ruled("close-as-human-ones", ends=pd.concat([ends("agents", gap=0.1), coin(gap=0.3)]), world=world)
    assert verdict.value == pytest.approx(0.1)
    assert "of 624 human varieties 0.000 (greatest 0.500)" in verdict.measured


@pytest.mark.parametrize(
    ("ruling", "other"),
    [
        (HOLDS, ["1-6"] * 8),
        (NOT, ["1-4"] * 8),
        (NOT, ["1-5"] * 8),
        (LACKS, ["1-6", "1-3"] * 4),
    ],
)
def test_different_ends(ruling, other):
    """What one modification changes, up to two words, is no difference."""
    one = ends("agents", digits="1-3", multipliers="4")
    table = pd.concat([one, one.assign(seed=1, run=one["run"] + " again", digits=other), coin()])
    verdict = ruled("different-ends", ends=table)
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(np.mean([each == "1-6" for each in other])))
    assert ruled("different-ends", ends=pd.concat([one, coin()])).ruling == LACKS
    shared = ruled("different-ends", ends=table.assign(streams="seed"))
    assert (shared.ruling, shared.value) == (LACKS, verdict.value)  # two seeds are one pair, from however many starts


def test_correlations_over_seeds_that_starts_share_stay_within_1():
    """Three seeds of which two agree perfectly: Student's interval would reach far beyond."""
    sizes = {0: [1, 2, 3, 4], 1: [1, 2, 4, 3], 2: [2, 1, 3, 4]}
    rows = [(start, seed, start, size) for seed, known in sizes.items() for start, size in enumerate(known)]
    table = pd.DataFrame(rows, columns=["start", "seed", "one", "other"])
    found = _correlation(table.assign(run=table.index, streams="seed"), "one", "other")
    assert -1 <= found.low < found.value <= found.high <= 1


@pytest.mark.parametrize(
    ("ruling", "sizes"),
    [(HOLDS, [3, 24] * 4), (NOT, [12] * 8), (LACKS, [12] * 7 + [20])],
)
def test_a_wider_span_of_sizes(ruling, sizes):
    """Sizes of human languages do not differ here at all."""
    both = ends("agents", seeds=2, size=sizes)
    verdict = ruled("wider-span", ends=pd.concat([both, coin()]))
    assert verdict.ruling == ruling
    assert verdict.value == pytest.approx(np.subtract(*np.quantile(both["size"], [0.9, 0.1])))
    humans = WORLD.assign(size=range(5, 25))
    told = ruled("wider-span", ends=pd.concat([both, coin()]), world=humans)
    assert "from 5 to 23 (middle 80 %, where families count once: 7 to 21)" in told.measured
    assert told.value == pytest.approx(verdict.value - 14.4)
    assert told.by_hand == verdict.by_hand, "the languages checked by hand are the same"
    assert ruled("wider-span", ends=pd.concat([both.query("seed == 0"), coin()])).ruling == LACKS, "one seed"


BEFORE = [5, 7, 9, 11, 13, 15, 17, 19]


@pytest.mark.parametrize(
    ("ruling", "after"),
    [(HOLDS, BEFORE), (NOT, BEFORE[::-1]), (LACKS, [9, 7, 13, 5, 11, 19, 8, 12])],
)
def test_large_starts_end_large(ruling, after):
    drawn = [f"random:{seed}" for seed in range(8)]
    own = ends("random-starts", starts=drawn, size_before=BEFORE, size=after)
    drift = ends("random-coin", starts=drawn, size_before=BEFORE, size=BEFORE[::-1])
    verdict = ruled("span-of-the-starts", ends=pd.concat([own, drift, ends("agents")]))
    assert verdict.ruling == ruling
    assert "For the coin the same correlation is -1.00" in verdict.measured


@pytest.mark.parametrize(
    ("ruling", "arrivals"),
    [
        (HOLDS, [1, 3, 5, 7, 9, 11, 13, 99]),
        (NOT, [13, 11, 9, 7, 5, 3, 2, 1]),
        (LACKS, [5, 2, 9, 1, 8, 3, 7, 4]),
        (LACKS, [99] * 8),
    ],
)
def test_farther_starts_need_more_rounds(ruling, arrivals):
    befores = [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6]
    table = pd.concat([paths("agents", arrivals, befores), paths("coin", range(1, 9), befores)])
    verdict = ruled("farther-starts", rounds=table)
    assert verdict.ruling == ruling
    assert f"{sum(each < 99 for each in arrivals)} of 8 runs of agents come" in verdict.measured


MANY = [3, 2, 4, 12, 6, 6, 2, 7]


@pytest.mark.parametrize(
    ("ruling", "agents", "drift"),
    [
        (HOLDS, [1] * 8, [5] * 8),
        (COIN, [1, 2] * 4, [1] * 8),
        (NOT, [each + 2 for each in MANY], [1] * 8),
        (NOT, MANY, [1] * 8),
        (LACKS, [12, 1] * 4, [1] * 8),
    ],
)
def test_fewer_multipliers(ruling, agents, drift):
    tables = [ends("agents", multiplier_count=agents, multiplier_count_before=MANY)]
    tables += [
        coin(multiplier_count=[each + extra for each in drift], multiplier_count_before=MANY).assign(
            run=lambda rows, extra=extra: rows["run"] + f"/{extra}"  # other runs have other names
        )
        for extra in (0, 1)
    ]
    verdict = ruled("fewer-multipliers", ends=pd.concat(tables))
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(np.mean(agents) - np.mean(MANY)))


@pytest.mark.parametrize(
    ("ruling", "counts"),
    [(HOLDS, MANY), (HOLDS, [each + 3 for each in MANY]), (NOT, [1] * 8), (LACKS, [12, 1] * 4)],
)
def test_multipliers_under_hurfords_grammar(ruling, counts):
    tables = [ends("hurford", multiplier_count=counts, multiplier_count_before=MANY, gap=np.nan), ends("agents")]
    tables.append(coin("hurford-coin", multiplier_count=MANY, multiplier_count_before=MANY))
    verdict = ruled("hurford-multipliers", ends=pd.concat(tables))
    assert (verdict.ruling, verdict.coin) == (ruling, 0)
    assert verdict.contrast == verdict.value


@pytest.mark.parametrize(("ruling", "sign"), [(HOLDS, [1] * 8), (NOT, [-1] * 8), (LACKS, [1, -1] * 4)])
def test_small_changes_cost_less(ruling, sign):
    rows = [
        {"run": f"agents/lowest/{start}/0", "start": start, "round": number, "changed": number / 10, "before": 0.9,
         "early": 0.7 - slope * number / 100}
        for start, slope in zip(STARTS, sign, strict=True)
        for number in range(1, 9)
    ]  # fmt: skip
    learning = pd.DataFrame({"won": [0.5]})
    verdict = ruled("small-changes", changes=pd.DataFrame(rows), learning=learning, ends=ends("agents"))
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(np.mean(sign)))


def test_runs_that_share_their_luck_are_as_many_as_their_seeds():
    """One seed tells nothing of others, from however many starts; six seeds that agree do."""
    clear = pd.concat([ends("agents", gap=0.05), coin(gap=0.5)])
    assert ruled("toward-the-frontier", ends=clear).ruling == HOLDS
    verdict = ruled("toward-the-frontier", ends=clear.drop(columns="streams"))  # as all were that do not tell
    assert (verdict.ruling, verdict.low) == (LACKS, -np.inf)
    several = pd.concat([ends("agents", 6, 0.01, gap=0.05), coin(gap=0.5)]).drop(columns="streams")
    verdict = ruled("toward-the-frontier", ends=several)
    assert verdict.ruling == HOLDS
    assert abs(verdict.contrast) < verdict.contrast_within < 0.6


def test_a_correlation_over_starts_that_share_one_seed_has_no_interval():
    drawn = [f"random:{seed}" for seed in range(8)]
    own = ends("random-starts", starts=drawn, size_before=BEFORE, size=BEFORE, streams="seed")
    drift = ends("random-coin", starts=drawn, size_before=BEFORE, size=BEFORE[::-1], streams="seed")
    verdict = ruled("span-of-the-starts", ends=pd.concat([own, drift, ends("agents")]))
    assert (verdict.ruling, verdict.value) == (LACKS, 1)
