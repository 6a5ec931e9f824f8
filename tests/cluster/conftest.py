"""A real SLURM and the sweep to compare with."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cluster.counted import SECONDS
from tests.lab.toy import contents

from ishango.lab import parse_plan, sweep

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PLAN = 'experiment = "tests.cluster.counted:COUNTED"\nbase.rounds = 20\nvary.seed = "0-23"\n'


def visible(directory: Path) -> dict[str, bytes]:
    """The files of a sweep without those that belong to jobs."""
    return {name: data for name, data in contents(directory).items() if not name.startswith(".sweep/")}


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The same sweep on this machine, in one go."""
    directory = tmp_path_factory.mktemp("undisturbed")
    sweep(parse_plan(PLAN), directory, 2)
    return contents(directory)


@pytest.fixture
def slow_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECONDS, "0.1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "src")]))


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A SLURM of one node, and its configuration's file."""
    if os.geteuid() != 0 or not shutil.which("slurmctld") or not shutil.which("munged"):
        pytest.skip("a SLURM of one's own needs root, and slurm-wlm and munge of Debian")
    directory = tmp_path_factory.mktemp("slurm")
    subprocess.run([HERE / "slurm-up", directory], check=True, timeout=60)
    os.environ["SLURM_CONF"] = str(directory / "slurm.conf")
    yield directory / "slurm.conf"
    subprocess.run([HERE / "slurm-down", directory], check=True, timeout=60)
    del os.environ["SLURM_CONF"]


def ishango(*arguments: object, timeout: float = 150) -> subprocess.CompletedProcess[str]:
    """The command line, as a user has it."""
    command = [sys.executable, "-m", "ishango", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False, cwd=ROOT)
