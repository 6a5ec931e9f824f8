"""A reward from outside: one entry, and the options, the help, refusals, games and tables know it."""

import json

import numpy as np
import pytest

from ishango.cli import main
from ishango.errors import RequestError
from ishango.game import REWARDS, Agents, GameOptions, Reward, play, reward_table

WORDS = {n: (str(n),) for n in range(1, 7)}


def neighbours(meant, guessed, upto):
    return (np.abs(meant - guessed) <= 1) * upto


@pytest.fixture
def near():
    yield REWARDS.add(Reward("near", "near misses", "the range if it is at most one off", neighbours))
    REWARDS.remove("near")


def test_the_game_is_played_for_it(near):
    assert reward_table("near", 3).tolist() == [[3, 3, 0], [3, 3, 3], [0, 3, 3]]
    options, rng = GameOptions(upto=6, hidden=8, reward=near.name), np.random.default_rng(0)
    round_ = play(Agents.random(options, rng), [WORDS], np.ones(6), options, 20, rng)
    assert set(np.unique(round_.rewards * options.batch % 6)) == {0}


def test_the_help_and_refusals_name_it(near, capsys):
    assert main(["evolve", "--help-all"]) == 0
    help_text = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert f"{{{','.join(REWARDS)}}}" in help_text
    assert f"near: {near.sentence}" in help_text
    with pytest.raises(RequestError, match=r"exact, linear, inverse, exponential.* or near"):
        GameOptions(reward="nearby")
    assert main(["evolve", "--game.reward", "nearby"]) == 2
    assert "did you mean near?" in capsys.readouterr().err


@pytest.mark.usefixtures("near")
def test_runs_and_tables_have_it(tmp_path, capsys):
    game = ["--range", "6", "--vocabulary", "2", "--batch", "4", "--hidden", "8", "--reward", "near"]
    small = ["--rounds", "1", "--steps", "20", *game]
    assert main(["restricted", "train", *small, "--out", str(tmp_path / "run"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mean_reward"] > 1
    assert main(["table", str(tmp_path), "-o", str(tmp_path / "rounds.csv")]) == 0
    assert "near" in (tmp_path / "rounds.csv").read_text()
    capsys.readouterr()
    assert main(["restricted", "compare", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rewards"][0]["reward"] == "near"


def test_without_it_there_is_none():
    with pytest.raises(RequestError, match="no reward 'near'"):
        reward_table("near", 3)


@pytest.mark.parametrize(
    "given", [lambda *_: 1.0, lambda meant, *_: meant / 0.0, lambda meant, *_: meant[0], lambda *_: "much"]
)
def test_what_is_no_table_is_refused(given):
    REWARDS.add(Reward("nonsense", "nonsense", "nothing that makes sense", given))
    try:
        said = "The reward 'nonsense' must give a table of 3 by 3 finite numbers"
        with pytest.raises(RequestError, match=said), np.errstate(all="ignore"):
            reward_table("nonsense", 3)
    finally:
        REWARDS.remove("nonsense")
