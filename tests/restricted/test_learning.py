from __future__ import annotations

import json
from pathlib import Path

import pytest

from ishango.errors import RequestError
from ishango.game import GameOptions, speak
from ishango.lab import columns, read_rounds, refuse_unread, rounds_table, run
from ishango.restricted import LEARNING, LearningOptions, TermSystem, numbers
from ishango.restricted._best_systems import restricted_gap
from ishango.restricted._experiment import read_system

SMALL = {"range": 8, "vocabulary": 3, "rounds": 3, "steps": 300, "batch": 32, "hidden": 20}
TIMES = ("seconds", "steps_per_second")


def play(directory: Path, **config) -> list[dict]:
    run(LEARNING.from_config({**SMALL, **config}), directory)
    return [{k: v for k, v in record.items() if k not in TIMES} for record in read_rounds(directory)]


def test_a_record_says_where_the_words_lie(tmp_path: Path) -> None:
    records = play(tmp_path)
    assert [record["round"] for record in records] == [0, 1, 2, 3]
    assert records[0]["mean_reward"] is None
    for record in records:
        system = TermSystem.parse(record["words"], 8)
        assert (system.size, system.kind, system.contiguous) == (
            record["size"],
            record["kind"],
            record["contiguous"],
        )
        assert len(record["guesses"]) == system.size <= 3
        assert record["gap"] == restricted_gap(system)


def test_runs_are_functions_of_their_config(tmp_path: Path) -> None:
    assert play(tmp_path / "a") == play(tmp_path / "b")
    assert play(tmp_path / "a")[1:] != play(tmp_path / "c", seed=1)[1:]


def test_a_run_that_is_stopped_and_continued_is_the_same(tmp_path: Path) -> None:
    play(tmp_path / "parts", rounds=1)
    assert play(tmp_path / "parts") == play(tmp_path / "whole")


def test_the_state_survives_saving() -> None:
    experiment = LEARNING.from_config(SMALL)
    state, _ = experiment.start(lambda _done, _of: None)
    again = experiment.load(experiment.save(state))
    _, one = experiment.play(state, 1, lambda _done, _of: None)
    _, two = experiment.play(again, 1, lambda _done, _of: None)
    assert one.curve is not None
    assert two.curve is not None
    assert one.curve.tolist() == two.curve.tolist()


def test_words_are_what_the_speaker_says_most_often() -> None:
    state, _ = LEARNING.from_config(SMALL).start(lambda _done, _of: None)
    system, guesses = read_system(state.agents)
    said = [int(speak(state.agents, numbers(8), n)[0].argmax()) for n in range(1, 9)]
    assert TermSystem.from_word_map(said) == system
    assert all(1 <= guess <= 8 for guess in guesses)


def test_agents_learn_to_earn(tmp_path: Path) -> None:
    """Two words for four numbers that are needed alike: halves, guessed right or off by one."""
    last = play(tmp_path, range=4, vocabulary=2, need="uniform", rounds=6, steps=1000)[-1]
    assert last["words"] == "1-2|3-"
    assert last["mean_reward"] > 0.85


def test_entropies_are_halved() -> None:
    game = GameOptions(vocabulary=4, listener_entropy=0.4, lost_entropy=0.2, speaker_entropy=0.1)
    options = LearningOptions(halving=2, game=game)
    assert options.game_in_round(1) == game
    third = options.game_in_round(3)
    assert (third.listener_entropy, third.lost_entropy, third.speaker_entropy) == (0.2, 0.1, 0.05)
    kept = LearningOptions(halving=0)
    assert kept.game_in_round(9) == kept.game


def test_the_reward_is_that_of_the_options() -> None:
    """Before anything is learned a linear reward is the largest and an exact one the smallest."""
    earned = []
    for reward in ("linear", "inverse", "exponential", "exact"):
        experiment = LEARNING.from_config({**SMALL, "reward": reward})
        state, _ = experiment.start(lambda _done, _of: None)
        curve = experiment.play(state, 1, lambda _done, _of: None)[1].curve
        assert curve is not None
        earned.append(curve[0])
    assert earned == sorted(earned, reverse=True)
    assert earned[0] > earned[-1] + 0.1


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"vocabulary": 9}, "vocabulary is 9, but must be between 1 and the range, 8"),
        ({"vocabulary": 0}, "vocabulary is 0"),
        ({"reward": "cubic"}, "reward is 'cubic'"),
        ({"weber": 0}, "weber"),
        ({"halving": -1}, "halving"),
        ({"steps": 0}, "steps"),
        ({"need": "often"}, "not a need"),
        ({"alpha": 0.2}, "There is no option alpha"),
        ({"game": {"alpha": 0.2}}, "game.alpha changes nothing here, because there is one way to say a number"),
        ({"game": {"words": 3}}, "There is no option game.words"),
        ({"words": 3}, "There is no option words"),
        ({"vocabulary": "many"}, 'vocabulary is "many", but must be an integer'),
    ],
)
def test_what_cannot_be_played_is_refused(config: dict, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        refuse_unread(LEARNING, {**SMALL, **config})


def test_configs_are_complete() -> None:
    config = LEARNING.complete({})
    assert json.loads(json.dumps(config)) == config == LEARNING.complete(config)


def test_flat_names_are_other_names_of_nested_ones() -> None:
    nested = {"game": {"range": 8, "vocabulary": 3, "batch": 32, "hidden": 20}, "rounds": 3, "steps": 300}
    assert LEARNING.complete(SMALL) == LEARNING.complete(nested) == LEARNING.complete({**nested, **SMALL})
    config = LEARNING.complete(SMALL)
    assert (config["game"]["reward"], config["game"]["learning_rate"], config["game"]["baseline"]) == (
        "linear", 0.001, "mean",
    )  # fmt: skip
    assert "reward" not in config
    with pytest.raises(RequestError, match=r"vocabulary is 3 and game\.vocabulary is 5"):
        LEARNING.complete({**SMALL, "game": {"vocabulary": 5}})


def test_tables_have_both_names(tmp_path: Path) -> None:
    play(tmp_path / "new", rounds=1)
    table = rounds_table(tmp_path)
    for name in ("range", "vocabulary", "reward", "batch", "hidden", "learning_rate"):
        assert set(table[name]) == set(table[f"game.{name}"])
    assert set(table["vocabulary"]) == {3}
    config = LEARNING.complete({**SMALL, "rounds": 1})
    flat = {name: value for name, value in LEARNING.columns(config).items() if not name.startswith("game.")}
    (tmp_path / "old").mkdir()
    (tmp_path / "old/run.json").write_text(
        json.dumps({"format": 2, "experiment": "restricted", "config": flat, "seed": 0})
    )
    (tmp_path / "old/rounds.jsonl").write_bytes((tmp_path / "new/rounds.jsonl").read_bytes())
    both = rounds_table(tmp_path)
    assert set(both["run"]) == {"new", "old"}
    assert both["game.reward"].tolist() == both["reward"].tolist() == ["linear"] * 4


def test_a_record_has_the_fields_that_are_described(tmp_path: Path) -> None:
    run(LEARNING.from_config({**SMALL, "rounds": 1}), tmp_path)
    fields = """round words size kind contiguous complexity cost ideal_cost gap ideal_gap nearest variation
    variation_by_need guesses mean_reward accuracy seconds steps_per_second""".split()  # noqa: SIM905
    assert [each.name for each in columns(LEARNING.record)] == fields
    assert all(list(record) == fields for record in read_rounds(tmp_path))
