"""A reproduction killed at random and started again gives the same data."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.report import tiny

KILLS = 4


def test_killed_and_started_again_it_gives_the_same_data(reproduction, tmp_path):
    out, rng = tmp_path / "out", random.Random(0)
    command = [sys.executable, tiny.__file__, str(out)]
    killed = 0
    while killed < KILLS:
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(4, 9))
        if process.poll() is not None:
            assert process.returncode == 0
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        killed += 1
    assert killed >= 2, "it was done before it could be killed twice"
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert contents(out / "data") == contents(reproduction / "data")
    assert (out / "index.html").exists()


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}
