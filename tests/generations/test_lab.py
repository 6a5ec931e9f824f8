"""Generations in the lab: the command, plans, tables and kills."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ishango.cli import main
from ishango.generations import GENERATIONS, GenerationOptions, Generations, _experiment
from ishango.lab import columns, parse_plan, play_in_memory, read_rounds, rounds_table, run, sweep

OPTIONS = ["--start", "1", "--generations", "80", "--bottleneck", "200"]


def contents(directory: Path) -> dict[str, object]:
    """Every file of a run, without the fields of its records that tell the time."""
    files: dict[str, object] = {path.name: path.read_bytes() for path in sorted(directory.iterdir())}
    files["rounds.jsonl"] = [{**each, "seconds": 0} for each in read_rounds(directory)]
    return files


def test_the_command_plays_continues_and_refuses(tmp_path, capsys):
    directory = tmp_path / "run"
    assert main(["generations", *OPTIONS, "--agents", "ideal", "--out", str(directory), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["round"] == 80
    assert list(record) == [each.name for each in columns(GENERATIONS.record)]
    assert main(["generations", *OPTIONS, "--generations", "90", "--out", str(directory)]) == 0
    assert len(read_rounds(directory)) == 91
    capsys.readouterr()
    for wrong in (["--bottleneck", "few"], ["--agents", "angels"], ["--start", "9"], ["--invent", "-1"]):
        assert main(["generations", *OPTIONS, *wrong, "--out", str(tmp_path / "x")]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert main(["generations", *OPTIONS, "--generations", "90", "--bottleneck", "50", "--out", str(directory)]) == 2
    assert "bottleneck" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_killed_run_ends_with_the_bytes_of_one_never_touched(tmp_path):
    options = GenerationOptions(rounds=4_000, bottleneck="50")
    run(Generations(options), tmp_path / "whole")
    command = [sys.executable, "-m", "ishango", "generations", "--start", "1", "--rounds", "4000"]
    command += ["--bottleneck", "50", "--out", str(tmp_path / "killed")]
    kills = 0
    for wanted in (200, 1_500):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        file = tmp_path / "killed" / "rounds.jsonl"
        while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < wanted):
            time.sleep(0.01)
        kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert kills == 2
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_a_plan_of_generations_is_swept_and_tabulated(tmp_path):
    plan = parse_plan(
        "experiment = 'generations'\nbase = {generations = 5}\nvary = {bottleneck = [20, 'all'], seed = '0-1'}"
    )
    results = sweep(plan, tmp_path, workers=1)
    assert [result.status for result in results] == ["done"] * 4
    table = rounds_table(tmp_path)
    assert len(table) == 4 * 6
    assert set(table["bottleneck"]) == {"20", "all"}
    assert {"gap", "words_heard", "words_lost", "words_restored", "words_invented"} <= set(table.columns)
    assert (table.query("bottleneck == 'all' and round > 0")["numbers_heard"] == 50).all()


@pytest.mark.parametrize("lose", ["unheard", "random"])
def test_children_learn_messages_from_the_numbers_they_heard(monkeypatch: pytest.MonkeyPatch, lose: str) -> None:
    """Those by which words were lost; where words are lost at random nobody heard any, and as many are drawn."""
    passed, shown = list[np.ndarray](), list[np.ndarray]()
    pass_on, learn = _experiment.pass_on, _experiment.upbringing.learn

    def passing_on(*arguments):
        passed.append((found := pass_on(*arguments)).numbers.copy())
        return found

    def learning(teachers, child, system, counts, *others):
        shown.append(counts.copy())
        return learn(teachers, child, system, counts, *others)

    monkeypatch.setattr(_experiment, "pass_on", passing_on)
    monkeypatch.setattr(_experiment.upbringing, "learn", learning)
    game = {"range": 10, "hidden": 4, "embedding": 2, "batch": 4}
    short = {"start": "1-4 | 5", "rounds": 2, "steps": 6, "imitation": 3, "pretraining": 4, "bottleneck": "40"}
    config = {**short, "lose": lose, "agents": "neural", "game": game}
    play_in_memory(GENERATIONS.from_config(config))
    assert [int(each.sum()) for each in shown[-2:]] == [40, 40]
    if lose == "unheard":
        assert all(np.array_equal(*pair) for pair in zip(passed[-2:], shown[-2:], strict=True))
