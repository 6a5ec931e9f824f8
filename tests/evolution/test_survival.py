"""A real `ishango evolve` is killed at random moments until it is done, and must end as one never touched."""

import json
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ishango.cli import main
from ishango.evolution import Evolution, EvolutionOptions, EvolutionState
from ishango.game import GameOptions
from ishango.lab import parse_plan, run, sweep

ROUNDS = 40
ARGUMENTS = ["--start", "7", "--rounds", str(ROUNDS), "--steps", "400", "--game.hidden", "8", "--game.batch", "4"]
OPTIONS = EvolutionOptions(start="7", rounds=ROUNDS, steps=400, game=GameOptions(hidden=8, batch=4))


def evolve(directory: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "ishango", "evolve", *ARGUMENTS, "--out", str(directory), *more]


def contents(directory: Path) -> dict[str, object]:
    """Every file of a run, without the two fields of its records that tell the time."""
    files: dict[str, object] = {}
    for path in sorted(directory.iterdir()):
        if path.name == "rounds.jsonl":
            records = [json.loads(line) for line in path.read_text().splitlines()]
            files[path.name] = [{**r, "seconds": 0, "steps_per_second": 0} for r in records]
        else:
            files[path.name] = path.read_bytes()
    return files


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("undisturbed") / "run"
    run(Evolution(OPTIONS), directory)
    return directory


def test_killed_twenty_times(tmp_path):
    """Its processes are forked from one that has everything loaded, so that a kill costs no start."""
    targets = ["evolve", "pressures"]
    command = [sys.executable, "-m", "tests.kills", "--kills", "66", "--rounds", "25", "--out", str(tmp_path)]
    command += ["--targets", *targets]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "evolve: 13 kills" in ended.stdout
    assert "pressures: 7 kills" in ended.stdout
    assert "20 kills, 0 runs differ" in ended.stdout
    assert "The negative control differs, as it must." in ended.stdout


def count_rounds(directory: Path) -> int:
    file = directory / "rounds.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


class Forgetful(Evolution):
    """Loses its random state when it is taken up again: the comparison above must notice."""

    def load(self, arrays):
        state = super().load(arrays)
        return EvolutionState(state.system, state.agents, *map(np.random.default_rng, (1, 2, 3)))


def test_a_lost_random_state_would_be_noticed(undisturbed, tmp_path):
    directory = tmp_path / "run"
    stop_after(Forgetful(OPTIONS), directory, rounds=5)
    run(Forgetful(OPTIONS), directory)
    assert contents(directory) != contents(undisturbed)
    stop_after(Evolution(OPTIONS), tmp_path / "good", rounds=5)
    run(Evolution(OPTIONS), tmp_path / "good")
    assert contents(tmp_path / "good") == contents(undisturbed)


def stop_after(experiment: Evolution, directory: Path, rounds: int) -> None:
    """Interrupt a run in the round after that many."""
    play = experiment.play

    def interrupted(state, number, progress):
        if number > rounds:
            raise KeyboardInterrupt
        return play(state, number, progress)

    experiment.play = interrupted
    with pytest.raises(KeyboardInterrupt):
        run(experiment, directory, checkpoint_share=1.0)
    experiment.play = play


def test_one_worker_and_two_give_the_same_bytes(tmp_path):
    plan = parse_plan(
        "[base]\nrounds = 4\nsteps = 200\ngame = {hidden = 8, batch = 4}\n[vary]\nstart = ['1', '7']\nseed = '0-1'"
    )
    for workers in (1, 2):
        results = sweep(plan, tmp_path / str(workers), workers)
        assert [result.status for result in results] == ["done"] * 4
    for directory in (path for path in (tmp_path / "1").iterdir() if path.is_dir()):
        assert contents(directory) == contents(tmp_path / "2" / directory.name)
        assert len(contents(directory)["rounds.jsonl"]) == 5


def test_interrupted_from_the_keyboard(tmp_path):
    directory = tmp_path / "run"
    process = subprocess.Popen(
        evolve(directory, "--rounds", "100000"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while count_rounds(directory) < 3 and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("Interrupted. The same command goes on after the last round that was finished.\n")
    assert zipfile.is_zipfile(directory / "checkpoint.npz")


def test_the_command_continues_and_refuses(tmp_path, capsys):
    directory = tmp_path / "run"
    small = ["--start", "7", "--steps", "40", "--game.hidden", "8", "--game.batch", "4", "--out", str(directory)]
    assert main(["evolve", *small, "--rounds", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["round"] == 2
    assert main(["evolve", *small, "--rounds", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["round"] == 4
    assert main(["evolve", *small, "--rounds", "4", "--game.epsilon", "0.5"]) == 2
    assert "epsilon" in capsys.readouterr().err
    assert main(["evolve", "--start", "9", "--out", str(tmp_path / "x")]) == 2
    assert "give 1 to 8" in capsys.readouterr().err
    assert main(["evolve", "1-9", "--out", str(tmp_path / "x")]) == 2
    assert "give 1 to 8, random:SEED, or a system such as" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
