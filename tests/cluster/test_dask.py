"""Sweeps on a real Dask: a scheduler and two worker processes on loopback."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cluster.conftest import ROOT, ishango, visible
from tests.cluster.counted import SECONDS

from ishango._locks import holder

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("slow_rounds")]


@pytest.fixture
def cluster(
    tmp_path: Path,
    slow_rounds: None,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The scheduler's address, and two workers that nobody starts again."""
    monkeypatch.setenv(SECONDS, "0.04")  # workers are there already, so that runs may be shorter than on SLURM
    file = tmp_path / "scheduler.json"
    started: list[subprocess.Popen[bytes]] = []

    def start(module: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *options, "--scheduler-file", str(file)]
        started.append(subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL))

    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        while not file.exists():
            time.sleep(0.1)
        for _ in range(2):
            start("dask_worker", "--host", "127.0.0.1", "--no-nanny", "--nthreads", "1", "--no-dashboard")
        yield json.loads(file.read_text())["address"], started[1:]
    finally:
        for process in reversed(started):  # workers first: without a scheduler they look for it
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def test_a_worker_killed_in_mid_run_leaves_the_bytes_of_one_machine(tmp_path, plan, cluster, undisturbed):
    address, workers = cluster
    out = tmp_path / "out"
    command = [sys.executable, "-m", "ishango", "sweep", plan, "--out", out, "--on", "dask", "--scheduler", address]
    with subprocess.Popen([*map(str, command)], cwd=ROOT, stderr=subprocess.PIPE, text=True) as sweep:
        while not (hit := [run for run in out.glob("*/") if (who := holder(run)) and who.pid == workers[0].pid]):
            assert sweep.poll() is None
            time.sleep(0.02)
        while not (hit[0] / "rounds.jsonl").exists() or (hit[0] / "rounds.jsonl").read_bytes().count(b"\n") < 5:
            time.sleep(0.02)
        workers[0].send_signal(signal.SIGKILL)
        workers[0].wait()
        assert not (hit[0] / "DONE").exists(), "it was not hit in mid-run"
        _, said = sweep.communicate(timeout=120)
    assert sweep.returncode == 0, said
    assert "24 of 24 runs done" in said
    assert visible(out) == undisturbed


def test_a_scheduler_that_is_not_there(tmp_path, plan, monkeypatch):
    monkeypatch.setattr("ishango.lab._dask_engine.CONNECT", 1)
    from ishango.errors import RequestError
    from ishango.lab import load_plan, sweep
    from ishango.lab._dask_engine import DaskExecutor

    with pytest.raises(RequestError, match=r"There is no Dask scheduler at tcp://127\.0\.0\.1:9"):
        sweep(load_plan(plan), tmp_path / "out", executor=DaskExecutor("tcp://127.0.0.1:9"))


def test_without_a_scheduler_it_plays_on_this_machine_and_tries_failures_again(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('experiment = "tests.lab.toy:TOYS"\nbase.rounds = 2\nvary.seed = [0]\nvariant = [{fail = 1}, {}]')
    ended = ishango("sweep", plan, "--out", tmp_path / "out", "--on", "dask", "--workers", 1)
    assert ended.returncode == 1
    assert "1 of 2 runs done, 1 failed" in ended.stderr
    assert "ValueError: the toy broke (see " in ended.stderr
