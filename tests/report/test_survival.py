"""A reproduction killed at random and started again gives the same data."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ishango.evolution import EVOLUTION, Evolution, EvolutionState
from ishango.lab import rounds_table, run
from ishango.lab._directory import read_run
from ishango.report._outcomes import ROUND_FIELDS


def test_killed_and_started_again_it_gives_the_same_data(reproduction, copied, tmp_path):
    """Its processes are forked from one that has everything loaded, so that a kill costs no start."""
    out = copied(tmp_path / "out")
    ended = subprocess.run(
        [sys.executable, "-m", "tests.report.killed", str(out)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert contents(out / "data") == contents(reproduction / "data")
    assert (out / "index.html").exists()


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
