"""A reproduction killed at random and started again gives the same data."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.report import tiny

MOMENTS = (3, 40, 90)
"""Runs that are done when it is killed: early, in the middle, and late."""


def test_killed_and_started_again_it_gives_the_same_data(reproduction, tmp_path):
    out, rng = tmp_path / "out", random.Random(0)
    command = [sys.executable, tiny.__file__, str(out)]
    for moment in MOMENTS:
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        while process.poll() is None and done(out) < moment:
            time.sleep(0.05)
        time.sleep(rng.uniform(0, 0.5))
        assert process.poll() is None, "it was done before it could be killed"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    while process.poll() is None and not (out / "data" / "rounds.csv").exists():
        time.sleep(0.05)
    assert process.poll() is None, "it was done before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)  # while it writes tables or draws
    process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert contents(out / "data") == contents(reproduction / "data")
    assert (out / "index.html").exists()


def done(out: Path) -> int:
    return sum(1 for _ in out.glob("runs/*/*/DONE"))


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}
