"""Pressures of Algorithm 1: who learns, who judges, what words cost, and a bed in which nothing is biased."""

import json
from itertools import count
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from tests.game.test_sampling import fits

from ishango.analysis.ends import judge_noise
from ishango.cli import main
from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, JUDGES, MODIFICATIONS, PAPER, Evolution, EvolutionOptions
from ishango.evolution import _experiment as algorithm_1
from ishango.evolution._choosers import by_law
from ishango.evolution._modifications import Replacement, alternatives, parse_modifications, replacements, swaps
from ishango.game import GameOptions, Round
from ishango.lab import read_rounds, run
from ishango.numerals import STARTS, NumeralSystem, minimal_language

SMALL = GameOptions(hidden=8, batch=4)
SYSTEM = NumeralSystem.parse("1-4,6,9 | 5,10")
FREE = [n for n in range(1, 51) if n not in SYSTEM.words]


def drawn(name: str, monkeypatch, times: int = 4000) -> list[NumeralSystem]:
    """What a modification leads to under the rule that draws, before systems that do not cover are left out."""
    seen = []
    monkeypatch.setattr(
        "ishango.evolution._modifications.masks", lambda systems, _upto: (seen.extend(systems), np.zeros((0, 50)))
    )
    monkeypatch.setattr("ishango.evolution._modifications.leaves_of_many", lambda *_: [np.ones(1)])
    rng = np.random.default_rng(0)
    for _ in range(times):
        alternatives(SYSTEM, 50, "any", parse_modifications(name), rng)
    return seen


@pytest.mark.parametrize(
    ("name", "choices"),
    [("m0", FREE), ("m1", FREE), ("m2", (5, 10)), ("m3", SYSTEM.digits), ("m4", SYSTEM.digits), ("m5", (5, 10)),
     ("m6", replacements(SYSTEM, FREE)), ("m7", swaps(SYSTEM, FREE))],
)  # fmt: skip
def test_picks_are_uniform_before_anything_is_left_out(name, choices, monkeypatch):
    modification = MODIFICATIONS[name]
    expected = [str((modification.take or modification.apply)(SYSTEM, choice)) for choice in choices]
    found = [str(each) for each in drawn(name, monkeypatch)]
    assert set(found) <= set(expected)
    assert fits(np.array([found.count(each) for each in expected]), np.ones(len(expected)))
    assert len(set(expected)) == len(choices)


def test_choices_of_the_two_more():
    assert str(MODIFICATIONS["m6"].take(SYSTEM, Replacement(True, 9, 7))) == "1-4,6,7 | 5,10"
    assert str(MODIFICATIONS["m6"].take(SYSTEM, Replacement(False, 5, 7))) == "1-4,6,9 | 7,10"
    assert str(MODIFICATIONS["m7"].take(SYSTEM, (3, 10))) == "1,2,4,6,9,10 | 3,5"
    assert len(replacements(SYSTEM, FREE)) == 8 * 42
    assert len(swaps(SYSTEM, FREE)) == 12
    assert len(swaps(NumeralSystem.parse("1-3,5 | 5,10"), [])) == 3


def test_the_bed_covers_and_names_what_was_done():
    rng, names = np.random.default_rng(1), set()
    for start in STARTS:
        for _ in range(30):
            for other, name in alternatives(start, 50, "any+", PAPER, rng).items():
                names.add(name)
                assert minimal_language(other, 50).covers
                assert other != start
    assert names == {f"m{i}" for i in range(8)}
    assert "m6" not in {name for _ in range(30) for name in alternatives(SYSTEM, 50, "any", PAPER, rng).values()}
    with pytest.raises(RequestError, match="needs a random generator"):
        alternatives(SYSTEM, 50, "any")


def a_round(arms, rewards) -> Round:
    round_ = Round.empty(2, 4).extended(len(arms))
    for t, (arm, reward) in enumerate(zip(arms, rewards, strict=True)):
        round_.record(t, arm, reward, reward, 0, alpha=0.5)
    return round_


def test_judges_by_example():
    round_ = a_round([0, 1, 0, 1, 0, 1], [0.0, 1.0, 0.5, 0.0, 1.0, 0.0])
    assert JUDGES["q"].scores(round_).tolist() == [0.625, 0.125]
    assert JUDGES["mean"].scores(round_) == pytest.approx([0.5, 1 / 3])
    assert JUDGES["late"].scores(round_) == pytest.approx([1.0, 0.0])
    assert np.isnan(JUDGES["mean"].scores(a_round([0, 0], [1.0, 1.0]))[1])


def evolve(tmp_path, **options):
    options = {"start": "7", "rounds": 6, "steps": 60, "game": SMALL} | options
    run(Evolution(EvolutionOptions(**options)), tmp_path)
    return read_rounds(tmp_path)


def test_what_decides_is_the_score_less_the_cost_of_words(tmp_path):
    for word, judge in ((0.0, "mean"), (0.05, "late"), (0.02, "q")):
        records = evolve(tmp_path / judge, word=word, judge=judge, add="any", rounds=25)
        for record in records[1:]:
            one, other = record["scores"]
            assert record["accepted"] == (other - one > word * record["delta_size"])
        if judge == "q":
            assert all(record["scores"] == record["q"] for record in records[1:])
    assert records[0]["scores"] is None


def test_new_learners_are_new_and_others_stay():
    for learners in ("same", "new", "new-listener"):
        experiment = Evolution(EvolutionOptions(start="7", steps=20, learners=learners, pretraining=20, game=SMALL))
        state, _ = experiment.start(lambda *_: None)
        before = state.agents.copy()
        state, _ = experiment.play(state, 1, lambda *_: None)
        after = state.agents
        # A new pair has practised the current system for as long as the comparison lasts.
        speaker, listener = {"same": (40, 40), "new": (40, 40), "new-listener": (60, 40)}[learners]
        assert after.listener.steps[0] == listener
        assert after.speaker.steps[0] == (speaker if learners == "new-listener" else 40)
        moved = [np.abs(a.value - b.value).mean() for a, b in
                 ((after.speaker, before.speaker), (after.listener, before.listener))]  # fmt: skip
        assert (moved[0] > 0.05) == (learners == "new")
        assert (moved[1] > 0.05) == (learners != "same")


@pytest.mark.parametrize(("learners", "steps"), [("same", 20), ("new", 50), ("new-listener", 50)])
def test_the_speed_of_a_round_counts_what_new_agents_practise(monkeypatch, learners, steps):
    monkeypatch.setattr(algorithm_1, "time", SimpleNamespace(perf_counter=count().__next__))  # all takes a second
    experiment = Evolution(EvolutionOptions(start="7", steps=20, learners=learners, pretraining=30, game=SMALL))
    _, outcome = experiment.play(experiment.start(lambda *_: None)[0], 1, lambda *_: None)
    assert outcome.record["steps_per_second"] == steps


def test_a_new_pair_does_not_practise_unless_asked(tmp_path):
    first = evolve(tmp_path, learners="new", rounds=1)[0]
    assert first["accuracy"] is None
    assert first["steps_per_second"] is None
    experiment = Evolution(EvolutionOptions(start="7", steps=20, learners="new", game=SMALL))
    state, _ = experiment.start(lambda *_: None)
    state, _ = experiment.play(state, 1, lambda *_: None)
    assert state.agents.speaker.steps[0] == 20


def test_new_learners_have_a_stream_of_their_own(tmp_path):
    """With other learners, the same modifications are tried from the same numbers."""
    same, new = (
        evolve(tmp_path / who, learners=who, pretraining=0, rounds=1, streams="seed") for who in ("same", "new")
    )
    assert same[1]["alternative"] == new[1]["alternative"]


@pytest.mark.parametrize("learners", ["new", "new-listener"])
def test_taken_up_again_new_learners_are_the_same(learners, tmp_path):
    options = {"learners": learners, "judge": "mean", "arms": "even", "add": "any+", "word": 0.001}
    whole = evolve(tmp_path / "whole", **options, rounds=6)
    evolve(tmp_path / "cut", **options, rounds=3)
    cut = evolve(tmp_path / "cut", **options, rounds=6)
    untimed = [[record | {"seconds": 0, "steps_per_second": 0} for record in records] for records in (whole, cut)]
    assert untimed[0] == untimed[1]
    assert (tmp_path / "whole/checkpoint.npz").read_bytes() == (tmp_path / "cut/checkpoint.npz").read_bytes()
    assert all(record["uses"] == [30, 30] for record in whole[1:])


def test_the_costs_alone(tmp_path):
    game = GameOptions(effort=0.2)
    records = evolve(tmp_path / "law", choose="law", word=0.006, game=game, add="any", rounds=60, start="1")
    kept = [0.2 * record["delta_average"] + 0.006 * record["delta_size"] < 0 for record in records[1:]]
    assert [record["accepted"] for record in records[1:]] == kept
    assert 5 < sum(kept) < 55
    noisy = evolve(
        tmp_path / "noisy", choose="law", word=0.006, game=game, add="any", rounds=60, start="1", judge_noise=0.1
    )
    against = [r["accepted"] != (0.2 * r["delta_average"] + 0.006 * r["delta_size"] < 0) for r in noisy[1:]]
    assert 5 < sum(against) < 40
    assert by_law.__doc__


def test_both_arms_are_the_current_system(tmp_path):
    """The judge's own noise: equal arms, whose scores differ by chance alone, and a system that never changes."""
    records = evolve(tmp_path / "aa", choose="aa", learners="new", judge="mean", arms="even", rounds=12, seed=1)
    assert {(str(r["digits"]), str(r["multipliers"])) for r in records} == {
        (str(records[0]["digits"]), str(records[0]["multipliers"]))
    }
    for record in records[1:]:
        assert record["delta_average"] == record["delta_size"] == record["delta_gap"] == 0
        assert record["action"] is None
        assert record["accepted"] == (record["scores"][1] > record["scores"][0])
    assert 0 < sum(record["accepted"] for record in records[1:]) < 12
    table = pd.DataFrame(records).assign(run="aa")
    found = judge_noise(table)
    differences = [r["scores"][1] - r["scores"][0] for r in records[1:]]
    assert found.noise == pytest.approx(np.sqrt(np.mean(np.square(differences))))
    assert (found.runs, found.rounds) == (1, 12)
    several = judge_noise(pd.concat([table.assign(run=str(i)) for i in range(5)]))
    assert several.noise_low == pytest.approx(several.noise_high) == pytest.approx(found.noise)  # five equal runs


def test_selection_reads_runs_that_decide_nothing(tmp_path, capsys):
    evolve(tmp_path / "aa", choose="aa", rounds=2)
    assert main(["selection", str(tmp_path), "--figures", str(tmp_path / "figures")]) == 0
    out = capsys.readouterr().out
    assert "The judge's own noise" in out
    assert "Strength of selection" not in out
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"ends"}


def test_selection_tells_the_noise_and_compares_nothing_else(tmp_path, capsys):
    evolve(tmp_path / "aa", choose="aa", rounds=2)
    evolve(tmp_path / "coin", choose="coin", rounds=6)
    assert main(["selection", str(tmp_path), "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert [row["choose"] for row in tables["judges"]] == ["aa"]
    assert tables["judges"][0]["rounds"] == 2
    assert {row["choose"] for row in tables["two_axes"]} == {"coin"}
    assert tables["against_coin"] == tables["selection_by_run"] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"choose": "law"}, "nothing costs; set word or game.effort"),
        ({"learners": "old"}, "learners is 'old', but must be same, new or new-listener"),
        ({"judge": "me"}, "judge is 'me', but must be q, mean or late"),
        ({"arms": "odd"}, "arms is 'odd'"),
        ({"word": -1}, "word is -1"),
        ({"judge_noise": float("nan")}, "judge_noise is nan"),
    ],
)
def test_what_cannot_be(options, said):
    with pytest.raises(RequestError, match=said):
        EvolutionOptions(**options)


def test_options_that_are_off_leave_no_trace_in_a_checkpoint(tmp_path):
    """Nothing is added to the state of a run with the paper's learners."""
    evolve(tmp_path, rounds=1)
    with np.load(tmp_path / "checkpoint.npz") as arrays:
        state = next(arrays[name] for name in arrays.files if name.endswith("state"))
    assert sorted(json.loads(state.tobytes())) == ["game_rng", "grammar_rng", "system"]
    assert EVOLUTION.options_from({"start": "1"}).learners == "same"
