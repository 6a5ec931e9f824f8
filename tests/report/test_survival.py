"""A reproduction killed at random and started again gives the same data."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.report import tiny

from ishango.evolution import EVOLUTION, Evolution
from ishango.evolution.algorithm_1 import EvolutionState
from ishango.lab import read_run, rounds_table, run
from ishango.report.outcomes import ROUND_FIELDS

STUDIES = ("restricted", "agents")
"""Those with a run that is half done when the reproduction is killed, in the order in which they are played."""


def test_killed_and_started_again_it_gives_the_same_data(reproduction, copied, tmp_path):
    out, rng = copied(tmp_path / "out"), random.Random(0)
    for made in (out / "data", out / "figures", *(each for study in STUDIES for each in some_runs(out, study))):
        shutil.rmtree(made)
    (out / "index.html").unlink()
    command = [sys.executable, tiny.__file__, str(out), "kinds"]
    for study in STUDIES:
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        while process.poll() is None and not half_done(out, study):
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.05))
        assert process.poll() is None, "it was done before it could be killed"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert half_done(out, study), "no run goes on from a checkpoint, so a lost random state would not show"
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    while process.poll() is None and not (out / "data" / "rounds.csv").exists():
        time.sleep(0.05)
    assert process.poll() is None, "it was done before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)  # while it writes tables or draws
    process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert contents(out / "data") == contents(reproduction / "data")
    assert (out / "index.html").exists()


def some_runs(out: Path, study: str) -> list[Path]:
    """Runs that are to be played again: as few as it takes to kill one of them half done."""
    return sorted(path.parent for path in out.glob(f"runs/{study}/*/run.json"))[:3]


def half_done(out: Path, study: str) -> list[Path]:
    """Runs that have a checkpoint to go on from, and rounds to play."""
    begun = [path.parent for path in out.glob(f"runs/{study}/*/checkpoint.npz")]
    return [directory for directory in begun if not (directory / "DONE").exists()]


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


class Forgetful(Evolution):
    """Loses its random state when it is taken up again."""

    def load(self, arrays):
        state = super().load(arrays)
        return EvolutionState(state.system, state.agents, *map(np.random.default_rng, (1, 2, 3)))


def test_a_lost_random_state_would_show_in_the_data(reproduction, tmp_path):
    played = min(path.parent for path in reproduction.glob("runs/agents/*/run.json"))
    document = read_run(played)
    assert document is not None
    options = EVOLUTION.options_from(document["config"])

    def interrupted(experiment: Evolution, directory: Path) -> pd.DataFrame:
        play = experiment.play

        def stop(state, number, progress):
            if number > 1:
                raise KeyboardInterrupt
            return play(state, number, progress)

        experiment.play = stop
        with pytest.raises(KeyboardInterrupt):
            run(experiment, directory)
        experiment.play = play
        run(experiment, directory)
        return rounds_table(directory)[ROUND_FIELDS]

    undisturbed = rounds_table(played)[ROUND_FIELDS]
    pd.testing.assert_frame_equal(interrupted(Evolution(options), tmp_path / "good"), undisturbed)
    assert not interrupted(Forgetful(options), tmp_path / "bad").equals(undisturbed)
