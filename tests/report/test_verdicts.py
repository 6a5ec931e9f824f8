"""What all verdicts share: the words of their claims, one rule for short rounds, and that each has been tried."""

import inspect
import re
from pathlib import Path

import pytest

from ishango.report import Verdict
from ishango.report.claims import CLAIMS, Claim
from ishango.report.claims._claim import beside_coin, every


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
