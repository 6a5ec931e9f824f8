"""The command `agents`: what is exported, listed and said is what the agents of the run's checkpoint do."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load_file

from ishango.cli import main
from ishango.evolution import load_state
from ishango.game import listen, speak
from ishango.game._agents import state_dict
from ishango.numerals import Expression

TALK = ["--rounds", "1", "--steps", "3"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run of agents, one of learners, and one in which nobody talks."""
    directory = tmp_path_factory.mktemp("runs")
    sizes = ["--game.hidden", "4", "--game.batch", "4"]
    assert main(["evolve", "--start", "7", *TALK, *sizes, "--out", str(directory / "run")]) == 0
    assert main(["evolve", "--choose", "coin", "--rounds", "1", "--out", str(directory / "coin")]) == 0
    learned = ["--hidden", "4", "--batch", "4", "--range", "9", "--vocabulary", "3"]
    assert main(["restricted", "train", *TALK, *learned, "--out", str(directory / "learned")]) == 0
    (directory / "file").write_text("a file")
    return directory


@pytest.fixture
def agents(runs, monkeypatch, capsys):
    """Calls `ishango agents` where the runs are."""
    monkeypatch.chdir(runs)
    capsys.readouterr()

    def call(*words: str) -> tuple[int, str, str]:
        code = main(["agents", *words])
        return code, *capsys.readouterr()

    return call


def pair(runs):
    evolution, _, state = load_state(runs / "run")
    return state.agents, evolution.words(state.system, state.names)


def test_what_is_said(agents, runs):
    talkers, said_as = pair(runs)
    code, out, err = agents("run", "say", "42", "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    probabilities = speak(talkers, said_as, 42)
    assert told["number"] == Expression.parse(told["expression"]).value == 42
    assert " ".join(said_as[42]) == re.sub("[()]", "", told["expression"])
    assert told["message"] == probabilities.argmax(-1).tolist()
    assert told["said"] == pytest.approx(probabilities.max(-1).prod())
    assert told["heard"] == int(listen(talkers, told["message"]).argmax()) + 1
    _, out, _ = agents("run", "say", "42")
    assert f"the speaker says {' '.join(map(str, told['message']))}" in out


def test_what_is_heard(agents, runs):
    talkers, _ = pair(runs)
    _, out, _ = agents("run", "hear", "7 13", "--json")
    told = json.loads(out)
    guesses = listen(talkers, [7, 13])
    assert told["heard"] == int(guesses.argmax()) + 1
    assert told["guesses"][0] == {"number": told["heard"], "probability": pytest.approx(guesses.max())}
    assert agents("run", "hear", "7", "13") == agents("run", "hear", "7,13")
    assert f"the listener understands {told['heard']}" in agents("run", "hear", "7 13")[1]


def test_the_dictionary(agents, tmp_path):
    code, out, _ = agents("run", "dictionary", "--json")
    document = json.loads(out)
    assert (code, document["round"], len(document["entries"])) == (0, 1, 50)
    code, _, err = agents("run", "dictionary", "--out", str(tmp_path / "words.csv"))
    assert (code, err) == (0, f"50 numbers in {tmp_path / 'words.csv'}\n")
    table = pd.read_csv(tmp_path / "words.csv")
    assert table["message"].astype(str).tolist() == [entry["message"] for entry in document["entries"]]
    shown = agents("run", "dictionary")[1]
    assert "topographic similarity" in shown
    assert "shared by: numbers with this message, this one included" in " ".join(shown.split())


def test_a_message_longer_than_any_that_is_said_is_heard_with_a_remark(agents):
    code, _, err = agents("run", "hear", " ".join(["1"] * 40))
    assert code == 0
    assert re.search(r"^ishango: No number is said with 40 symbols; the longest message has \d+\.$", err, re.MULTILINE)
    assert agents("run", "hear", "1")[2] == ""


def test_the_export(agents, runs, tmp_path):
    talkers, _ = pair(runs)
    code, _, err = agents("run", "export", "-o", str(tmp_path / "both.safetensors"))
    assert (code, err) == (0, f"The agents after round 1 are in {tmp_path / 'both.safetensors'}\n")
    tensors = load_file(tmp_path / "both.safetensors")
    for name, array in state_dict(talkers.listener).items():
        assert np.array_equal(tensors[f"listener.{name}"], array)


def test_learners_of_restricted_systems_talk_too(agents):
    code, out, _ = agents("learned", "say", "7", "--json")
    told = json.loads(out)
    assert (code, told["expression"], len(told["message"])) == (0, "7", 1)
    assert len(json.loads(agents("learned", "dictionary", "--json")[1])["entries"]) == 9


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("coin say 42", "Nobody talks in the run in coin"),
        ("missing say 42", "There is no run in missing"),
        ("file say 42", "There is no run in file"),
        ("run say", "say takes one number"),
        ("run say x", "say takes one number"),
        ("run say 4 2", "say takes one number"),
        ("run say -3", "say takes one number"),
        ("run say 51", "The number 51 is outside the game range 1-50"),
        ("run hear", "hear takes symbols"),
        ("run hear x", "hear takes symbols"),
        ("run hear 99", "symbols from 0 to 52"),
        ("run sing", "sing"),
        ("run export", "name it with --out"),
        ("run export --out missing/x", "cannot be written"),
        ("run export 3 --out x", "takes no number"),
        ("run say 3 --out x", "--out is for export and dictionary"),
        ("run export --out x --json", "--json prints"),
    ],
)
def test_wrong_requests(agents, words, message):
    code, out, err = agents(*words.split())
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
