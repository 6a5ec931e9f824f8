"""Other players than the kernel's: the same experiment, resumed after a kill with the same bytes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ishango.cli import main
from ishango.errors import RequestError, RunError
from ishango.evolution import EVOLUTION, Evolution, EvolutionOptions, game_need, load_state
from ishango.game import Agents, GameOptions, competence, find_players, play
from ishango.lab import RunView, Silent, parse_plan, read_rounds, run, sweep

torch = pytest.importorskip("torch")
from ishango.game import torch_backend  # noqa: E402

MODULE = """
import torch
from ishango.game.torch_backend import Listener, TorchAgents


class Recurrent(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.embedding = torch.nn.Embedding(options.tokens, 8)
        self.gru = torch.nn.GRU(8, 8, batch_first=True)
        self.drop = torch.nn.Dropout(0.1)
        self.output = torch.nn.Linear(8, options.symbols)

    def forward(self, tokens, lengths):
        return self.output(self.drop(self.gru(self.embedding(tokens))[0]))


def make(options):
    return Recurrent(options), Listener(options.symbols, 4, 8, options.upto)


def with_momentum(options):
    speaker, listener = make(options)
    optimisers = [torch.optim.SGD(m.parameters(), lr=0.01, momentum=0.9) for m in (speaker, listener)]
    return TorchAgents(speaker, listener, *optimisers)


def one(options):
    return make(options)[0]


def broken(options):
    raise ValueError("no such thing")


def misshapen(options):
    return make(options)[1], make(options)[0]
"""
SMALL = ["--start", "7", "--steps", "5", "--game.batch", "4", "--game.hidden", "4"]
OPTIONS = {"start": "7", "steps": 5, "game": {"batch": 4, "hidden": 4}}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A directory with a module of one's own, which is not on Python's path."""
    (tmp_path / "my_players.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each])
    monkeypatch.delitem(sys.modules, "my_players", raising=False)
    return tmp_path


def contents(directory: Path) -> dict[str, object]:
    """Every file of a run, without the two fields of its records that tell the time."""
    files: dict[str, object] = {}
    for path in sorted(directory.iterdir()):
        files[path.name] = path.read_bytes()
    records = [json.loads(line) for line in (directory / "rounds.jsonl").read_text().splitlines()]
    return files | {"rounds.jsonl": [{**r, "seconds": 0, "steps_per_second": 0} for r in records]}


def test_the_kernel_plays_by_default_and_bit_by_bit():
    options = EvolutionOptions(start="7", rounds=0, steps=20, streams="seed", game=GameOptions(hidden=4, batch=4))
    assert options.players == "kernel"
    evolution = Evolution(options)
    state, outcome = evolution.start(lambda _done, _of: None)
    _, game_rng, agents_rng = np.random.default_rng(0).spawn(3)
    agents = Agents.random(options.game, agents_rng)
    words = evolution.words(state.system, state.names)
    round_ = play(agents, [words], game_need(options), options.game, 20, game_rng)
    for name, array in agents.to_arrays().items():
        assert np.array_equal(state.agents.to_arrays()[name], array)
    assert outcome.record["accuracy"] == round_.accuracy()
    assert outcome.record["accuracy_greedy"] == competence(agents, words, game_need(options)).accuracy
    assert game_rng.random() == state.game_rng.random()


def test_runs_from_before_there_were_players_are_the_kernels():
    assert EVOLUTION.complete({"rounds": 1})["players"] == "kernel"


@pytest.mark.parametrize("players", ["torch", "torch:my_players:make", "torch:my_players:with_momentum"])
def test_a_run_that_is_taken_up_again_ends_with_the_same_bytes(here, players):
    """Taken up from a checkpoint after every round, by agents that are made anew."""
    for rounds in (0, 1, 2, 3):
        run(EVOLUTION.from_config({"rounds": rounds, "players": players, **OPTIONS}), here / "cut")
    run(EVOLUTION.from_config({"rounds": 3, "players": players, **OPTIONS}), here / "whole")
    cut, whole = contents(here / "cut"), contents(here / "whole")
    cut.pop("resumes.jsonl", None)
    assert cut == whole
    rounds = read_rounds(here / "whole")
    assert len(rounds) == 4
    assert all(sum(each["uses"]) == 5 for each in rounds[1:])
    assert all(0 <= each["accuracy_greedy"] <= 1 for each in rounds)


def test_forgetting_is_kept_too(here):
    config = {"players": "torch", "reset_optimiser": True, **OPTIONS}
    for rounds in (1, 2):
        run(EVOLUTION.from_config({"rounds": rounds, **config}), here / "cut")
    run(EVOLUTION.from_config({"rounds": 2, **config}), here / "whole")
    assert contents(here / "cut") == contents(here / "whole")
    _, _, state = load_state(here / "whole")
    steps = {name: array for name, array in state.agents.to_arrays().items() if name.endswith(".step")}
    assert steps
    assert all(array == 5 for array in steps.values())


def test_killed_at_any_moment(here):
    words = ["evolve", "--players", "torch:my_players:make", *SMALL, "--rounds", "12"]
    command = [sys.executable, "-m", "ishango", *words, "--out", "killed"]
    for rounds in (2, 5):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and count(here / "killed") < rounds:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not (here / "killed" / "DONE").exists()
    assert main([*words, "--out", "killed"]) == 0
    assert main([*words, "--out", "whole"]) == 0
    killed, whole = contents(here / "killed"), contents(here / "whole")
    for each in (killed, whole):
        each.pop("lock", None)
    assert killed == whole


def count(directory: Path) -> int:
    file = directory / "rounds.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_seeds_differ_and_the_callers_randomness_is_left_alone():
    torch.manual_seed(1)
    before = torch.get_rng_state()
    rewards = []
    for seed in (0, 0, 1):
        experiment = EVOLUTION.from_config({"players": "torch", "seed": seed, **OPTIONS})
        state, outcome = experiment.start(lambda _done, _of: None)
        rewards.append(outcome.curve.tolist())
        parameter = state.agents.to_arrays()["torch.speaker.parameter.lstm.bias_hh_l0"].tolist()
        rewards[-1] += parameter
    assert rewards[0] == rewards[1] != rewards[2]
    assert torch.equal(before, torch.get_rng_state())


def test_modules_are_asked_as_the_kernels_agents_are():
    options = GameOptions(upto=6, hidden=8)
    words = {n: (str(n),) if n < 4 else ("3", "+", str(n - 3)) for n in range(1, 7)}
    agents = Agents.random(options, np.random.default_rng(0))
    play(agents, [words], np.ones(6), options, 300, np.random.default_rng(0))
    need = np.arange(1.0, 7)
    twins = torch_backend.to_torch(agents, options)
    assert find_players("torch").competence(twins, words, need) == competence(agents, words, need)
    assert competence(agents, words, need).accuracy > 0.2
    assert twins.speaker.training


def test_the_run_records_the_module_and_pytorchs_version(here):
    assert main(["evolve", "--players", "torch:my_players:make", *SMALL, "--rounds", "1", "--out", "run"]) == 0
    document = json.loads((here / "run" / "run.json").read_text())
    assert document["config"]["players"] == "torch:my_players:make"
    assert document["versions"]["torch"] == torch.__version__
    assert list(document["inputs"]) == ["torch:my_players:make"]
    (here / "my_players.py").write_text(MODULE.replace("Dropout(0.1)", "Dropout(0.2)"))
    with pytest.raises(RequestError, match="What torch:my_players:make holds has changed"):
        run(EVOLUTION.from_config({"rounds": 2, "players": "torch:my_players:make", **OPTIONS}), here / "run")


def test_runs_of_the_kernel_record_neither(here):
    assert main(["evolve", *SMALL, "--rounds", "0", "--out", "run"]) == 0
    document = json.loads((here / "run" / "run.json").read_text())
    assert "inputs" not in document
    assert "torch" not in document["versions"]


def test_players_in_a_sweep(here):
    plan = "base = {rounds = 1, steps = 3, start = '7', game = {hidden = 4, batch = 4}}\n"
    plan += "vary.players = ['kernel', 'torch:my_players:make']"
    results = sweep(parse_plan(plan), here / "out", workers=1)
    assert [result.status for result in results] == ["done", "done"]
    assert RunView(here / "out" / "players=torch_my_players_make").config["players"] == "torch:my_players:make"


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ("drums", "There is no kind of players 'drums'"),
        ("kernel:x", "leave out 'x'"),
        ("torch:my_players", "write torch, or torch:MODULE:MAKE"),
        ("torch:../x:make", "write torch, or torch:MODULE:MAKE"),
        ("torch:absent_module:make", "there is no module absent_module"),
        ("torch:my_players:absent", "cannot be made .*absent"),
        ("torch:my_players:broken", r"cannot be made \(ValueError: no such thing; .*my_players.py, line"),
        ("torch:my_players:one", "gives Recurrent, but must give a speaker and a listener"),
    ],
)
def test_players_that_cannot_be(here, capsys, players, message):
    assert main(["evolve", "--players", players, *SMALL, "--rounds", "1", "--out", "run"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("ishango: ") or "\nishango: " in err
    assert count(here / "run") == 0
    with pytest.raises(RequestError, match=message):
        run(EVOLUTION.from_config({"rounds": 1, "players": players, **OPTIONS}), here / "run")


@pytest.mark.parametrize(
    ("players", "steps", "game", "message"),
    [
        ("torch:my_players:misshapen", 3, {}, "The players 'torch:my_players:misshapen' cannot play"),
        ("torch", 40, {"learning_rate": 1e38, "listener_entropy": 1e15}, "parameters are no longer finite"),
        ("torch", 1, {"learning_rate": 3e38}, "parameters are no longer finite"),  # the last step has nothing after it
    ],
)
def test_what_goes_wrong_while_they_play(here, players, steps, game, message):
    config = {"rounds": 0, "players": players, **OPTIONS, "steps": steps}
    config["game"] = OPTIONS["game"] | game
    with pytest.raises(RunError, match=message):
        run(EVOLUTION.from_config(config), here / "run", Silent())


def test_nobody_loads_a_module_to_look_at_a_run(here, capsys):
    config = {"rounds": 0, "players": "torch:my_players:make", **OPTIONS}
    run(EVOLUTION.from_config(config), here / "run")
    del sys.modules["my_players"]
    assert RunView(here / "run").config["players"] == "torch:my_players:make"
    assert main(["agents", "run", "say", "3"]) == 2
    assert "made by torch:my_players:make; ask them in Python" in capsys.readouterr().err
    assert main(["table", "run", "-o", "rounds.csv"]) == 0
    assert "my_players" not in sys.modules
