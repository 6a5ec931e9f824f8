"""Generations in the lab: the command, plans, tables and kills."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from ishango.cli import main
from ishango.generations import GENERATIONS, GenerationOptions, Generations
from ishango.lab import columns, parse_plan, read_rounds, rounds_table, run, sweep

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
