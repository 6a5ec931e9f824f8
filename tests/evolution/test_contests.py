"""A fair contest: independent streams, systems that are practised before they count, and new names for old words."""

from dataclasses import replace

import numpy as np
import pytest

from ishango.api import evolve
from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, Evolution, EvolutionOptions, Spoken, expressions, game_need, share_changed
from ishango.evolution import _choosers as conversation
from ishango.evolution._choosers import relabelled
from ishango.game import GameOptions
from ishango.generations import GENERATIONS, GenerationOptions, Generations
from ishango.kinds import OPEN_GENERATIONS, SOCIETY
from ishango.lab import config_of, play_in_memory, read_rounds, refuse_unread, run
from ishango.numerals import NumeralSystem
from ishango.restricted import LEARNING

SMALL = EvolutionOptions(start="7", rounds=3, steps=40, game=GameOptions(hidden=8, batch=4))
SYSTEM = NumeralSystem.parse("1,4,12 | 9,25")


def played(options: EvolutionOptions) -> list[dict]:
    return play_in_memory(Evolution(options))[0]


def decided(**options) -> list[bool]:
    return [each["accepted"] for each in evolve(choose="coin", rounds=60, **options).rounds[1:]]


# Streams


def agreement(one: list[bool], other: list[bool]) -> float:
    return float(np.mean([a == b for a, b in zip(one, other, strict=True)]))


def test_runs_of_one_seed_from_different_starts_do_not_share_their_luck():
    shared = [decided(start=start, seed=3, streams="seed") for start in ("1-9 | 10", "1-9,11 | 10")]
    assert agreement(*shared) > 0.9  # what was wrong before: one coin for both
    own = [decided(start=start, seed=3) for start in ("1-9 | 10", "1-9,11 | 10")]
    assert 0.2 < agreement(*own) < 0.8
    assert decided(start="1-9 | 10", seed=3) == own[0]  # a run is still a function of its config


def test_every_option_but_rounds_makes_another_stream():
    first = decided(start="7", seed=1)
    assert decided(start="7", seed=2) != first
    assert decided(start="7", seed=1, upto=98) != first
    assert [each["accepted"] for each in evolve("7", choose="coin", rounds=30, seed=1).rounds[1:]] == first[:30]


@pytest.mark.parametrize(
    "kind", [EVOLUTION, GENERATIONS, SOCIETY, OPEN_GENERATIONS, LEARNING], ids=lambda kind: kind.name
)
def test_runs_of_before_keep_the_streams_of_their_seed(kind):
    assert kind.complete({}, 2)["streams"] == "seed"
    assert kind.complete({})["streams"] == "run"
    with pytest.raises(RequestError, match="streams is"):
        kind.complete({"streams": "mine"})


# Competence and novelty


def test_rounds_record_what_is_understood_and_what_is_new():
    records = played(SMALL)
    need = game_need(SMALL)
    for before, record in zip([None, *records], records, strict=False):
        assert 1 <= record["messages"] <= 50
        assert 0 <= record["numbers_understood"] <= record["messages"]
        assert record["accuracy_greedy"] >= record["numbers_understood"] * need.min()
        if record["alternative"] is None:
            assert record["changed"] is None
            continue
        assert before is not None
        current = NumeralSystem(tuple(before["digits"]), tuple(before["multipliers"]))
        said, new = (expressions(Spoken(each), SMALL) for each in (current, NumeralSystem.parse(record["alternative"])))
        differs = [said[n] != new[n] for n in range(1, 51)]
        assert record["changed"] == pytest.approx(float(need @ np.array(differs)))
    assert {record["practice"] for record in records} == {None}


# Names


def test_a_word_that_is_renamed_changes_neither_size_nor_length():
    rng, names, need = np.random.default_rng(0), (), game_need(SMALL)
    plain = before = expressions(Spoken(SYSTEM), SMALL)
    for _ in range(50):
        names = relabelled(SYSTEM, names, 50, rng)
        assert names is not None
        assert sorted(names) == list(range(1, 51))  # everything has one name, and each its own
        said = expressions(Spoken(SYSTEM, names), SMALL)
        assert [len(said[n]) for n in said] == [len(plain[n]) for n in plain]
        changed = [n for n in said if said[n] != before[n]]
        assert changed
        assert share_changed(before, said, need) == pytest.approx(sum(need[n - 1] for n in changed))
        before = said


def test_where_every_number_is_a_word_there_is_no_other_name():
    assert relabelled(NumeralSystem.parse("1-9 | 10"), (), 10, np.random.default_rng(0)) is None


def test_a_run_that_only_renames_keeps_its_system_and_goes_on_bit_by_bit(tmp_path):
    options = replace(SMALL, modifications="relabel", rounds=4)
    run(Evolution(replace(options, rounds=2)), tmp_path / "stopped")
    run(Evolution(options), tmp_path / "stopped")
    run(Evolution(options), tmp_path / "whole")
    pair = [read_rounds(tmp_path / name) for name in ("stopped", "whole")]
    for record, twin in zip(*pair, strict=True):
        assert {k: v for k, v in record.items() if "seconds" not in k and k != "steps_per_second"} == {
            k: v for k, v in twin.items() if "seconds" not in k and k != "steps_per_second"
        }
    for record in pair[0][1:]:
        assert record["action"] == "relabel"
        assert record["alternative"] == str(SYSTEM)
        assert record["delta_average"] == record["delta_size"] == 0
        assert 0 < record["changed"] < 1


def test_names_stay_with_a_coin_that_keeps_them():
    _, state = play_in_memory(Evolution(replace(SMALL, choose="coin", modifications="relabel", rounds=20)))
    assert sorted(state.names) == list(range(1, 51))
    assert state.names != tuple(range(1, 51))
    experiment = Evolution(replace(SMALL, choose="coin", modifications="relabel", rounds=20))
    assert experiment.load(experiment.save(state)).names == state.names


# Contests


def test_practice_comes_before_what_counts():
    records = played(replace(SMALL, contest="practised", practice=30))
    assert [record["practice"] for record in records] == [None, 60, 60, 60]
    assert all(sum(record["uses"]) == SMALL.steps for record in records[1:])
    longer = played(replace(SMALL, contest="practised"))
    assert longer[1]["practice"] == 2 * SMALL.steps  # by default as long as a round, for each


def test_a_criterion_that_is_met_ends_practice():
    easy = played(replace(SMALL, contest="criterion", practice=2_000, criterion=0.0))
    assert [record["practice"] for record in easy[1:]] == [500] * 3
    never = played(replace(SMALL, contest="criterion", practice=400, criterion=1.0))
    assert [record["practice"] for record in never[1:]] == [800] * 3


@pytest.mark.parametrize("criterion", [0.0, 1.0])
def test_progress_counts_practice_also_where_less_is_needed(criterion):
    seen = []
    experiment = Evolution(replace(SMALL, contest="criterion", practice=400, criterion=criterion))
    experiment.play(experiment.start(lambda _done, _of: None)[0], 1, lambda done, of: seen.append((done, of)))
    assert {of for _done, of in seen} == {2 * 400 + SMALL.steps}
    assert seen[-1][0] == seen[-1][1]


def test_both_systems_must_meet_the_criterion(monkeypatch):
    shares = iter([[1.0, 0.5], [0.5, 1.0], [0.9, 0.9], [1.0, 1.0]])

    class Block:
        def accuracy_by_arm(self):
            return next(shares)

    monkeypatch.setattr(conversation, "converse", lambda *_given, **_named: Block())
    options = replace(SMALL, contest="criterion", practice=5_000, criterion=0.9)
    agents, arms = object(), ({}, {})
    practised = conversation.compete(agents, arms, options, np.random.default_rng(0), lambda _done, _of: None)[1]
    assert practised == 3 * conversation.BLOCK


def test_what_makes_no_sense_of_a_contest_is_refused():
    for wrong, sentence in (
        ({"practice": 5}, "systems count at once, and nothing is practised"),
        ({"criterion": 0.9}, "nothing is learnt to a criterion"),
        ({"contest": "practised", "criterion": 0.9}, "nothing is learnt to a criterion"),
        ({"contest": "criterion", "criterion": 1.5}, "criterion is 1.5"),
        ({"contest": "criterion", "practice": 0}, "practice is 0"),
        ({"contest": "late"}, "contest is"),
    ):
        with pytest.raises(RequestError, match=sentence):
            refuse_unread(EVOLUTION, wrong)


def test_generations_hold_the_same_contests():
    options = GenerationOptions(
        rounds=6, agents="neural", invent=1.0, imitation=10, steps=20, pretraining=20, contest="practised", practice=15,
        game=GameOptions(hidden=8, batch=4),
    )  # fmt: skip
    records, _ = play_in_memory(Generations(options))
    contested = [record for record in records if record["action"] == "coin"]
    assert contested
    assert all(record["practice"] == 30 and 0 < record["changed"] <= 1 for record in contested)
    assert all(sum(record["uses"]) == 20 for record in contested)
    with pytest.raises(RequestError, match="Only agents who communicate"):
        GenerationOptions(contest="criterion")
    with pytest.raises(RequestError, match="practice changes nothing here, because there is no contest"):
        refuse_unread(GENERATIONS, config_of(replace(options, contest="none")))


# Presets


def test_a_preset_is_options_by_name_and_what_is_given_counts_more():
    able = EVOLUTION.options_from({"preset": "able"})
    assert able.game.lost_entropy > 0
    assert EVOLUTION.options_from({"preset": "paper"}) == EvolutionOptions()
    own = EVOLUTION.options_from({"preset": "able", "game": {"lost_entropy": 0.5}})
    assert own.game.lost_entropy == 0.5
    assert GENERATIONS.options_from({"preset": "able"}).game == able.game
    assert "preset" not in EVOLUTION.complete({"preset": "able"})
    with pytest.raises(RequestError, match="preset is 'clever', but must be paper or able"):
        EVOLUTION.options_from({"preset": "clever"})


def test_the_command_line_takes_presets(tmp_path, capsys):
    from ishango.cli import main

    small = ["--rounds", "0", "--steps", "5", "--game.hidden", "4"]
    for words, weight in ((["--preset", "able"], None), (["--preset=able", "--game.lost-entropy", "0.5"], 0.5)):
        assert main(["evolve", *small, *words, "--out", str(tmp_path / words[-1])]) == 0
        config = EVOLUTION.options_from({"preset": "able"})
        assert (
            f'"lost_entropy": {weight or config.game.lost_entropy}' in (tmp_path / words[-1] / "run.json").read_text()
        )
    assert main(["evolve", "--preset", "clever"]) == 2
    assert "clever" in capsys.readouterr().err


# What one sees


def test_agents_who_understand_few_numbers_are_told_once(tmp_path, capsys):
    from ishango.cli import main

    assert main(["evolve", "--rounds", "2", "--steps", "5", "--game.hidden", "4", "--out", str(tmp_path / "run")]) == 0
    told = capsys.readouterr().err
    understood = read_rounds(tmp_path / "run")[0]["numbers_understood"]
    assert told.count(f"these agents understand {understood} of 50 numbers. What helps: --preset able") == 1
    able = ["--preset", "able", "--rounds", "0", "--steps", "5", "--game.hidden", "4"]
    assert main(["evolve", *able, "--out", str(tmp_path / "able")]) == 0
    assert "numbers. What helps: more steps" in capsys.readouterr().err  # they are able already
    assert main(["evolve", "--choose", "coin", "--rounds", "2", "--out", str(tmp_path / "coin")]) == 0
    assert "understand" not in capsys.readouterr().err


def test_a_dictionary_is_written_with_brackets(tmp_path, capsys):
    from ishango.cli import main

    words = ["--start", "1,2,5 | 7,20", "--rounds", "0", "--steps", "5", "--game.hidden", "4", "--out", str(tmp_path)]
    assert main(["evolve", *words]) == 0
    capsys.readouterr()
    assert main(["agents", str(tmp_path), "dictionary", "--json"]) == 0
    import json

    entries = json.loads(capsys.readouterr().out)["entries"]
    from ishango.numerals import Expression

    assert all(Expression.parse(each["expression"]).value == each["number"] for each in entries)
    assert any("(" in each["expression"] for each in entries)
