"""A time limit that is too short for the runs, on a real SLURM: a requeued job waits two minutes, so this takes ten."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from tests.cluster.conftest import ishango, visible
from tests.cluster.counted import LOG, SECONDS

from ishango.lab import parse_plan, sweep

PLAN = 'experiment = "tests.cluster.counted:COUNTED"\nbase.rounds = 26\nvary.seed = [0, 1]\n'


@pytest.mark.slow
@pytest.mark.usefixtures("slurm", "slow_rounds")
def test_runs_of_three_minutes_end_in_jobs_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, out, log = tmp_path / "plan.toml", tmp_path / "out", tmp_path / "rounds"
    plan.write_text(PLAN)
    monkeypatch.delenv(SECONDS)
    sweep(parse_plan(PLAN), tmp_path / "undisturbed", 1)
    monkeypatch.setenv(SECONDS, "7")
    monkeypatch.setenv(LOG, str(log))
    ended = ishango("sweep", plan, "--out", out, "--on", "slurm", "--jobs", 2, "--time", 1, timeout=1800)
    assert ended.returncode == 0, ended.stderr
    assert visible(out) == visible(tmp_path / "undisturbed")
    played = Counter(log.read_text().splitlines())
    lives = sum(text.count("Starting with JobEnvironment") for text in _logs(out))
    lost = sum(played.values()) - len(played)
    print(f"{len(played)} rounds, {lives} lives of 2 tasks, {lives - 2} requeues, {lost} rounds played twice")
    assert set(played) == {f"{seed} {number}" for seed in (0, 1) for number in range(27)}
    assert lives - 2 >= 4
    assert lost <= lives - 2


def _logs(out: Path) -> list[str]:
    files = [path for path in (out / ".sweep").glob("*/*") if re.search(r"_log\.(out|err)$", path.name)]
    return [path.read_text() for path in files]
