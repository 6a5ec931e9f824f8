from __future__ import annotations

import json
from pathlib import Path

import pytest

from ishango.errors import RequestError
from ishango.game import speak
from ishango.lab import read_rounds, run
from ishango.restricted import TermSystem, restricted_gap
from ishango.restricted.learning import experiment_from_config, numbers, read_system
from ishango.restricted.learning_options import LearningOptions, complete_config

SMALL = {"range": 8, "vocabulary": 3, "rounds": 3, "steps": 300, "batch": 32, "hidden": 20}
TIMES = ("seconds", "steps_per_second")


def play(directory: Path, **config) -> list[dict]:
    run(experiment_from_config({**SMALL, **config}), directory)
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
    experiment = experiment_from_config(SMALL)
    state, _ = experiment.start(lambda _done, _of: None)
    again = experiment.load(experiment.save(state))
    _, one = experiment.play(state, 1, lambda _done, _of: None)
    _, two = experiment.play(again, 1, lambda _done, _of: None)
    assert one.curve is not None
    assert two.curve is not None
    assert one.curve.tolist() == two.curve.tolist()


def test_words_are_what_the_speaker_says_most_often() -> None:
    state, _ = experiment_from_config(SMALL).start(lambda _done, _of: None)
    system, guesses = read_system(state.agents)
    said = [int(speak(state.agents, numbers(8), n)[0].argmax()) for n in range(1, 9)]
    assert TermSystem.from_word_map(said) == system
    assert all(1 <= guess <= 8 for guess in guesses)


def test_agents_learn_to_earn(tmp_path: Path) -> None:
    """Two words for four numbers that are needed alike: halves, guessed right or off by one."""
    last = play(tmp_path, upto=4, vocabulary=2, need="uniform", rounds=6, steps=1000)[-1]
    assert last["words"] == "1-2|3-"
    assert last["mean_reward"] > 0.85


def test_entropies_are_halved() -> None:
    options = LearningOptions(halving=2, listener_entropy=0.4, lost_entropy=0.2, speaker_entropy=0.1)
    assert options.in_round(1) == options
    third = options.in_round(3)
    assert (third.listener_entropy, third.lost_entropy, third.speaker_entropy) == (0.2, 0.1, 0.05)
    kept = LearningOptions(halving=0)
    assert kept.in_round(9) == kept


def test_the_reward_is_that_of_the_options() -> None:
    """Before anything is learned a linear reward is the largest and an exact one the smallest."""
    earned = []
    for reward in ("linear", "inverse", "exponential", "exact"):
        experiment = experiment_from_config({**SMALL, "reward": reward})
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
        ({"words": 3}, "There is no option words"),
        ({"vocabulary": "many"}, "wrong type"),
    ],
)
def test_what_cannot_be_played_is_refused(config: dict, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        complete_config({**SMALL, **config})


def test_configs_are_complete() -> None:
    config = complete_config({})
    assert json.loads(json.dumps(config)) == config == complete_config(config)
    assert "alpha" not in config
