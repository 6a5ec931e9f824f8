"""Algorithm 1 for systems of every kind: what is tried, who decides, what is said, and taking a run up again."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ishango.cli import main
from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, Chooser, Decision
from ishango.game import GameOptions
from ishango.kinds import SOCIETY, Law, OpenSystem, Society, SocietyOptions, costs
from ishango.kinds._experiment import expressions, rewards, worth
from ishango.kinds._law import change, changes
from ishango.lab import parse_plan, read_rounds, rounds_table, run, sweep

SMALL = GameOptions(hidden=8, batch=4, effort=0.05, upto=20)


def contents(directory):
    files = {path.name: path.read_bytes() for path in directory.iterdir() if path.name != "resumes.jsonl"}
    clock = {"seconds": 0, "steps_per_second": 0}
    return files | {"rounds.jsonl": [record | clock for record in read_rounds(directory)]}


def test_every_change_is_one_word_and_all_come():
    system = OpenSystem.parse("1,2 | 2")
    possible = changes(system, 5)
    assert {name: len(each) for name, each in possible.items()} == {
        "add a digit": 3, "add a multiplier": 4, "remove a digit": 2, "remove a multiplier": 1,
        "make a digit a multiplier": 1,
    }  # fmt: skip
    assert OpenSystem((1, 2)) in possible["remove a multiplier"]  # the last one goes
    rng = np.random.default_rng(0)
    tried = Counter(change(system, 5, rng)[0] for _ in range(2000))
    assert all(abs(count - 400) < 100 for count in tried.values())  # five kinds, five standard deviations
    assert "remove a digit" not in changes(OpenSystem.parse("1 | 3"), 5)  # nothing could be said


def test_the_speaker_reads_what_it_says():
    law = Law(precision=3, effort=0.05, upto=20)
    assert expressions(OpenSystem.parse("1,2,5"), law)[4] == ("5",)
    words = expressions(OpenSystem.parse("1-3 | 10"), law)
    assert words[12] == ("1", "*", "10", "+", "2")
    assert words[16] in {("2", "*", "10", "-", "3"), ("1", "*", "10", "+", "3")}  # 16 itself cannot be said
    table = rewards(law)
    assert table[3, 3] == 1
    assert table[3, 4] == pytest.approx(np.exp(-3 / 4))


def test_what_a_system_is_worth_is_the_law_where_errors_are_small():
    law = Law(precision=0.01, word=0.002, effort=0.05, upto=20)
    differences = [
        worth(system, law) + costs(system, law).total
        for system in map(OpenSystem.parse, ("1,2", "1-4 | 5", "1-9 | 10"))
    ]
    assert differences == pytest.approx([1 + law.effort] * 3, abs=1e-4)


def test_the_costs_alone_and_a_coin(tmp_path):
    options = {"game": SMALL, "rounds": 60, "precision": 5.0, "start": "1,2"}
    run(Society(SocietyOptions(choose="law", **options)), tmp_path / "law")
    law = read_rounds(tmp_path / "law")
    assert law[-1]["cost"] < law[0]["cost"] - 0.1
    assert all(record["scores"] is None and record["steps_per_second"] is None for record in law)
    run(Society(SocietyOptions(choose="coin", **options)), tmp_path / "coin")
    coin = read_rounds(tmp_path / "coin")
    assert 15 < sum(record["accepted"] for record in coin[1:]) < 45
    for before, record in pairwise(coin):
        kept = {"digits": before["digits"], "multipliers": before["multipliers"]}
        if not record["accepted"]:
            assert kept.items() <= record.items()


def test_agents_decide_by_what_they_earn_and_runs_are_taken_up_again(tmp_path):
    options = {"game": SMALL, "steps": 40, "precision": 0.5, "precision_to": 5.0, "precision_rounds": 4, "word": 0.4}
    for rounds in (2, 5):
        run(Society(SocietyOptions(rounds=rounds, **options)), tmp_path / "cut")
    run(Society(SocietyOptions(rounds=5, **options)), tmp_path / "whole")
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")
    records = read_rounds(tmp_path / "whole")
    assert [record["precision"] for record in records] == pytest.approx([0.5 * 10 ** (min(r, 4) / 4) for r in range(6)])
    assert any((record["scores"][1] > record["scores"][0]) != record["accepted"] for record in records[1:])
    for record in records[1:]:
        current, other = record["scores"]
        assert record["accepted"] == (other - 0.4 * record["delta_size"] > current)


def test_plans_and_refusals(tmp_path, capsys):
    plan = (
        "experiment = 'kinds'\nbase = {rounds = 3, choose = 'coin'}\nvary = {start = ['1,2', '1-9 | 10'], seed = '0-1'}"
    )
    assert [result.status for result in sweep(parse_plan(plan), tmp_path, workers=1)] == ["done"] * 4
    assert set(rounds_table(tmp_path)["kind"]) <= {"approximate", "exact restricted", "partly recursive", "recursive"}
    assert SOCIETY.name == "kinds"
    for wrong in (
        ["--start", "60"],
        ["--choose", "king"],
        ["--precision", "-1"],
        ["--precision", "0", "--precision-to", "1"],
        ["--grammar", "natural+"],
        ["--game.range", "3000"],
        ["--game.effort", "2e6"],
        ["--game.reward", "linear"],
        ["--game.epsilon", "0.5"],
        ["--game.alpha", "0.5"],
    ):
        assert main(["kinds", "evolve", *wrong, "--out", str(tmp_path / "x")]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
        assert not (tmp_path / "x").exists()
    bandit = SocietyOptions(arms="bandit", game=GameOptions(epsilon=0.5, alpha=0.5))  # to whom they mean something
    assert SocietyOptions(judge="q", game=GameOptions(alpha=0.5)).game.alpha == bandit.game.alpha
    with pytest.raises(RequestError, match="learners is 'old'"):
        SocietyOptions(learners="old")


def test_a_precision_rises_to_the_greatest_and_not_beyond():
    """The rise ends at a product of rounded numbers."""
    options = SocietyOptions(precision=61599.68041380491, precision_to=1e6, precision_rounds=1)
    assert options.law(1).precision == 1e6


@pytest.mark.parametrize("choose", ["shorter", "biased", "aa"])
def test_whoever_decides_for_recursive_systems_decides_here(choose):
    """The loop is one: choosers of `evolve` need nothing of their own here."""
    options = SocietyOptions(choose=choose, game=SMALL, steps=20, rounds=20, start="1-4 | 5", keep=1.0)
    records = [outcome.record for outcome in rounds_in_memory(Society(options))][1:]
    if choose == "aa":
        assert {record["alternative"] for record in records} == {"1-4 | 5"}
        assert {record["changed"] for record in records} == {0.0}
    elif choose == "biased":
        assert all(record["accepted"] for record in records)
    else:
        assert any(record["accepted"] for record in records)
        lengths = [record["length"] for record in records]
        assert all(
            not r["accepted"] or now < before for (before, now), r in zip(pairwise(lengths), records[1:], strict=True)
        )


def test_a_chooser_of_ones_own_is_asked_about_partial_systems():
    asked = []

    def decide(question):
        asked.append((question.delta_size, question.delta_cost, question.words))
        return Decision(question.delta_size > 0)

    chooser = CHOOSERS.add(Chooser("hoarder", "a hoarder", "keeps what has more words", False, decide))
    try:
        options = SocietyOptions(choose="hoarder", game=SMALL, rounds=30)
        records = [outcome.record for outcome in rounds_in_memory(Society(options))]
    finally:
        CHOOSERS.remove(chooser.name)
    assert records[-1]["size"] == 2 + sum(size > 0 for size, _, _ in asked) > 5
    for (size, cost, words), record in zip(asked, records[1:], strict=True):
        assert size == record["delta_size"]
        assert np.isfinite(cost)
        assert set(words[0]) == set(range(1, 21))


def test_only_what_covers_the_range_has_a_gap():
    with pytest.raises(RequestError, match=r"choose is 'nearer'.*only what covers the range has a gap"):
        SocietyOptions(choose="nearer")


def test_states_of_before_go_on():
    """Version 0.2 called the generator of changes otherwise."""
    society = Society(SocietyOptions(choose="coin", game=SMALL))
    state, _ = society.start(lambda _done, _of: None)
    saved = json.loads(society.save(state)["state"].tobytes())
    saved["changes_rng"] = saved.pop("grammar_rng")
    loaded = society.load({"state": np.frombuffer(json.dumps(saved).encode(), np.uint8)})
    assert loaded.grammar_rng.random() == state.grammar_rng.random()


def rounds_in_memory(experiment):
    state, outcome = experiment.start(lambda _done, _of: None)
    yield outcome
    for number in range(1, experiment.options.rounds + 1):
        state, outcome = experiment.play(state, number, lambda _done, _of: None)
        yield outcome
