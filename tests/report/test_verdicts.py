"""What all verdicts share: the words of their claims, one rule for short rounds, and that each has been tried."""

import inspect
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from scipy import stats

from ishango.report import Verdict, shipped_results
from ishango.report._results import contrasted
from ishango.report.claims import CLAIMS, Claim
from ishango.report.claims._claim import (
    NOT_JUDGED,
    beside_coin,
    beside_full,
    every,
    mean_of_blocks,
    mean_of_starts,
    share,
    unjudged,
)


@pytest.mark.parametrize("ruling", ["holds", "does not hold", "so does a coin"])
def test_short_rounds_change_no_ruling_but_are_named(ruling):
    """One rule, whichever way the ruling goes: it is about the steps that were played."""

    def judged(steps):
        verdict = Verdict("measured", "statistic", 1.0, 0.5, 1.5, "", ruling, steps)
        return Claim("name", "group", "What is claimed", lambda _data: verdict).verdict({})

    assert (judged(5000).ruling, judged(5000).scope) == (ruling, "at 5,000 steps")
    assert [judged(steps).scope for steps in (40_000, None)] == ["", ""]
    assert [judged(steps).ruling for steps in (40_000, None)] == [ruling, ruling]


def test_a_verdict_has_the_name_and_the_words_of_its_claim():
    judged = Verdict("measured", "statistic", 1.0, 0.5, 1.5, "", "holds")
    verdict = Claim("shorter", "group", "Languages get shorter", lambda _data: judged).verdict({})
    assert (verdict.name, verdict.claim, verdict.measured) == ("shorter", "Languages get shorter.", "measured")
    assert Claim("shorter", "group", "Do they?", lambda _data: judged).verdict({}).claim == "Do they?"


@pytest.mark.parametrize(
    ("own", "coin", "more", "ruling"),
    [
        ("holds", "holds", "holds", "holds"),
        ("holds", "does not hold", "holds", "holds"),
        ("holds", "holds", "too little data here", "so does a coin"),
        ("holds", "holds", "does not hold", "so does a coin"),
        ("holds", "does not hold", "too little data here", "too little data here"),
        ("holds", "too little data here", "too little data here", "too little data here"),
        ("does not hold", "holds", "holds", "does not hold"),
        ("too little data here", "holds", "holds", "too little data here"),
    ],
)
def test_agents_beside_a_coin(own, coin, more, ruling):
    assert beside_coin(own, coin, more) == ruling


def test_a_smaller_run_has_not_the_last_word_about_what_the_full_study_judged():
    """One short seed let claims hold that the full study calls undecided."""
    names = ["undecided", "decided", "agreed", "own", "not-judged"]
    said = [Verdict("", "", 1, 1, 1, "", "holds", 1200, name=name) for name in names[:-1]]
    full = pd.DataFrame({"name": ["undecided", "decided", "agreed", "not-judged"],
                         "ruling": ["too little data here", "does not hold", "holds", "holds"]})  # fmt: skip
    found = beside_full([*said, replace(unjudged("runs"), name="not-judged")], full)
    rulings = ["too little data here", "does not hold", "holds", "holds", "too little data here"]
    assert [each.ruling for each in found] == rulings
    assert [each.alone for each in found] == ["holds", "holds", "", "", ""]
    assert found[0].told == "too little data here (the full study; this run alone at 1,200 steps: holds)"
    assert [each.told for each in found[2:]] == ["holds at 1,200 steps", "holds at 1,200 steps", NOT_JUDGED]


def test_no_reproduction_lets_hold_what_the_full_study_does_not(judged):
    full = dict(shipped_results()["verdicts"][["name", "ruling"]].to_numpy())
    holding = {each.name for each in judged if each.ruling == "holds"}
    assert holding
    assert all(full[name] == "holds" for name in holding)


def test_p_values_are_corrected_for_all_contrasts_of_the_page(judged):
    known = [each for each in judged if each.beside_coin and each.p == each.p]
    assert len(known) > 4
    assert all(each.p <= each.p_holm <= 1 for each in known)
    least = min(known, key=lambda each: each.p)
    assert least.p_holm == pytest.approx(min(1, len(known) * least.p))


@pytest.mark.parametrize(("low", "high", "bounded"), [(-0.2, 0.1, True), (0.05, 0.3, False), (-0.3, -0.05, False)])
def test_a_contrast_that_shows_nothing_says_how_large_it_may_be(low, high, bounded):
    each = Verdict("", "", 1, 1, 1, "", "holds", contrast=0.1, contrast_low=low, contrast_high=high,
                   contrast_within=0.17, p=0.3, p_holm=0.9)  # fmt: skip
    said = contrasted(each)
    assert "p = 0.3 (0.9 for all contrasts together)" in said
    assert ("no more than 0.17 either way" in said) == bounded


def test_blocks_that_agree_seed_by_seed_are_not_taken_for_all_others():
    """Eight sizes differ more than two shared seeds do, and seeds may differ more than sizes."""
    index = pd.MultiIndex.from_product([range(8), ["seed 0", "seed 1"]])
    sizes = pd.Series([float(size) for size, _ in index], index)
    assert mean_of_starts(sizes)[1:] == (3.5, 3.5)
    assert mean_of_blocks(sizes).low < 2
    seeds = pd.Series([float(unit == "seed 1") for _, unit in index], index)
    assert mean_of_blocks(seeds) == mean_of_starts(seeds)


@pytest.mark.parametrize("count", [0, 1, 5, 8])
def test_shares_have_wilsons_interval(count):
    known = stats.binomtest(count, 8).proportion_ci(method="wilson")
    assert share(count / 8, 8) == pytest.approx((count / 8, known.low, known.high), abs=1e-12)
    assert share(count / 8, 0)[1:] == (0, 1)


def test_a_claim_of_several_parts():
    assert every(["holds", "holds"]) == "holds"
    assert every(["holds", "too little data here"]) == "too little data here"
    assert every(["too little data here", "does not hold", "holds"]) == "does not hold"


def test_every_study_that_a_claim_quotes_is_waited_for(judged):
    """Else a page of a part of the runs would say "nan"."""
    for name in (each.name for each in judged):
        quoted = re.findall(r"of_study\(data, ['\"]([a-z-]+)['\"]", inspect.getsource(CLAIMS[name].judge))
        assert set(quoted) <= set(CLAIMS[name].studies), name


def test_every_claim_is_tried(judged):
    """Each claim of this package stands in a test of verdicts on tables made by hand."""
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_verdicts_*.py"))
    assert {each.name for each in judged} <= set(re.findall(r'"([a-z0-9-]+)"', text))
    assert set(CLAIMS) >= {each.name for each in judged}
