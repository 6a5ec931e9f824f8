"""A run counts once, wherever its copies lie."""

import json
import shutil

import pandas as pd
import pytest

import ishango
from ishango.analysis.comparable import without_copies
from ishango.cli import main
from ishango.errors import RunWarning
from ishango.evolution import EVOLUTION
from ishango.lab import archive, rounds_table, run, unarchive


@pytest.fixture
def runs(tmp_path):
    for seed in (0, 1):
        run(EVOLUTION.from_config({"choose": "coin", "rounds": 6, "seed": seed}), tmp_path / "A" / f"seed={seed}")
    return tmp_path


@pytest.mark.filterwarnings("always::ishango.errors.RunWarning")
def test_a_copy_does_not_count(runs, capsys):
    shutil.copytree(runs / "A", runs / "B")
    assert main(["selection", str(runs / "A"), "--json"]) == 0
    once = json.loads(capsys.readouterr().out)
    assert main(["selection", str(runs / "A"), str(runs / "B"), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["selection"] == once["selection"]
    assert "2 runs (copies of others" in told.err
    with pytest.warns(RunWarning, match=r"2 runs \(copies"):
        found = ishango.selection(runs / "A", runs / "B")
    assert found.copies == 2
    assert found.facts()["left out"].startswith("2 runs (copies")
    assert found.rounds["run"].nunique() == 2


def test_an_archive_that_was_unpacked_does_not_count(runs):
    archive([runs / "A"], runs / "A.tar.xz")
    unarchive(runs / "A.tar.xz", runs / "C")
    rounds, copies = without_copies(rounds_table([runs / "A", runs / "C"]))
    assert (rounds["run"].nunique(), copies) == (2, 2)


def test_of_two_copies_the_longer_one_counts(runs):
    shutil.copytree(runs / "A", runs / "B")
    run(EVOLUTION.from_config({"choose": "coin", "rounds": 9, "seed": 1}), runs / "B" / "seed=1")  # it goes on
    for order in (("A", "B"), ("B", "A")):
        rounds, copies = without_copies(rounds_table([runs / name for name in order]))
        assert copies == 2
        assert sorted(rounds.groupby("seed")["round"].max()) == [6, 9]


def test_runs_that_differ_are_no_copies(runs):
    run(EVOLUTION.from_config({"choose": "coin", "rounds": 6, "seed": 0, "start": "2"}), runs / "B" / "seed=0")
    rounds = rounds_table([runs / "A", runs / "B"])
    assert without_copies(rounds)[1] == 0
    # The same config with other records, as of another version, is another run.
    other = rounds[rounds["run"] == "A/seed=0"].assign(run="other", alternative="1 | 2")
    assert without_copies(pd.concat([rounds, other], ignore_index=True))[1] == 0
