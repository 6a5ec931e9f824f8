"""Sweeps on a real SLURM of one node."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cluster.conftest import ishango, visible

from ishango._locks import holder, is_gone, slurm_states

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("slurm", "slow_rounds")]


def until(holds: Callable[[], object], seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


def slurm_says(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout


def jobs_of_runs(out: Path) -> dict[str, Path]:
    """The runs that go on, by the task of the array that plays them."""
    found = {directory: holder(directory) for directory in sorted(out.glob("seed=*"))}
    return {who.job.removeprefix("slurm:"): directory for directory, who in found.items() if who}


def test_a_task_requeued_another_cancelled_and_a_second_submission_leave_the_bytes_of_one_machine(
    tmp_path, plan, undisturbed
):
    out = tmp_path / "out"
    sweep = ("sweep", plan, "--out", out, "--on", "slurm", "--jobs", 4, "--time", 5, "--partition", "main")
    first = ishango(*sweep, "--detach")
    assert (first.returncode, "with 4 tasks" in first.stderr) == (0, True), first.stderr
    seen: list[dict[str, Path]] = []
    until(lambda: seen.append(jobs_of_runs(out)) or len(seen[-1]) >= 3)  # a busy machine may start the fourth late
    playing = seen[-1]
    requeued, *cancelled = sorted(playing)
    slurm_says("scontrol", "requeue", requeued)
    slurm_says("scancel", *cancelled)
    number = requeued.split("_")[0]
    slurm_says("scancel", *({f"{number}_{task}" for task in range(4)} - {requeued}))  # the rest is left to the second
    until(lambda: is_gone(f"slurm:{number}"))
    assert not (playing[requeued] / "DONE").exists(), "it was not hit in mid-run"
    assert not (playing[cancelled[0]] / "DONE").exists(), "it was not hit in mid-run"
    status = ishango("sweep", plan, "--out", out, "--status")
    assert "failed         0" in status.stdout, status.stdout

    second = ishango(*sweep)
    assert second.returncode == 0, second.stderr
    assert "tasks of earlier submissions that play on: 1" in second.stderr  # the requeued one
    assert "with 3 tasks;" in second.stderr
    assert visible(out) == undisturbed
    third = ishango(*sweep)  # nothing is missing, so nothing is submitted
    assert (third.returncode, "submitted" in third.stderr) == (0, False)
    slurm_says("scancel", number)


def test_the_script_for_sites_without_libraries_plays_the_sweep(tmp_path, plan, undisturbed, monkeypatch):
    monkeypatch.setenv("ISHANGO_TEST_SECONDS", "0.01")
    out, script = tmp_path / "out", tmp_path / "job.sh"
    told = ishango("sweep", plan, "--out", out, "--on", "slurm", "--jobs", 3, "--time", 2, "--dry-run")
    assert not out.exists(), "a dry run writes nothing"
    assert len([line for line in told.stderr.splitlines() if line.startswith("to play")]) == 24
    script.write_text(told.stdout)
    number = slurm_says("sbatch", "--parsable", f"--chdir={tmp_path}", str(script)).strip()
    until(lambda: not slurm_states([number]))  # sbatch --wait looks every half minute only
    assert visible(out) == undisturbed


def test_a_run_that_fails_is_told_and_tried_once(tmp_path, monkeypatch):
    monkeypatch.delenv("ISHANGO_TEST_SECONDS")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'experiment = "tests.lab.toy:TOYS"\nbase.rounds = 2\nvary.seed = [0, 1]\nvariant = [{fail = 1}, {}, {die = 1}]'
    )
    ended = ishango("sweep", plan, "--out", tmp_path / "out", "--on", "slurm", "--jobs", 2, "--time", 2)
    assert ended.returncode == 1
    assert ended.stderr.count("ValueError: the toy broke (see ") == 4  # when it ends, and at the end of all
    assert "was killed by signal 9" in ended.stderr
    logs = [path.read_text() for path in (tmp_path / "out" / ".sweep").glob("*/*_log.out")]
    assert sum(text.count(" failed ") for text in logs) == 2, "each is tried by one worker"
    assert "failed         4" in ishango("sweep", plan, "--out", tmp_path / "out", "--status").stdout


def test_what_slurm_refuses_is_one_sentence(tmp_path, plan):
    ended = ishango("sweep", plan, "--out", tmp_path / "out", "--on", "slurm", "--partition", "absent", "--detach")
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("ishango: The jobs could not be submitted (")
    assert "Traceback" not in ended.stderr
