"""Real processes, killed without mercy."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.lab.toy import contents, toy

from ishango.lab import run

ROUNDS = 40


def start(directory: Path, *words: str) -> subprocess.Popen[bytes]:
    """A process that plays the toy with slow writes: most of its time goes into writing."""
    root = Path(__file__).parents[2]
    paths = [str(root / "src"), str(root)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "tests.lab.toy", str(directory), str(ROUNDS), "slow", *words]
    return subprocess.Popen(command, env=environment)


def holds_the_lock(process: subprocess.Popen[bytes], directory: Path) -> bool:
    try:
        return (directory / "lock").read_text().split()[1] == str(process.pid)
    except FileNotFoundError:
        return False


def kill_until_done(directory: Path, kills: int, *words: str, after: str = "lock") -> tuple[int, int]:
    """Kill at random moments after the run took up its work and the file `after` was there, then let it finish.

    Returns how many kills hit the run before its end and how many of these hit a file half-way through its writing.
    """
    moments = random.Random()
    hits = halves = 0
    for _ in range(kills):
        process = start(directory, *words)
        while not (holds_the_lock(process, directory) and (directory / after).exists()) and process.poll() is None:
            time.sleep(0.002)
        time.sleep(moments.uniform(0, 0.25))
        process.send_signal(signal.SIGKILL)
        hits += process.wait() == -signal.SIGKILL and not (directory / "DONE").exists()
        halves += any(directory.glob(".*.tmp"))
    assert start(directory, *words).wait() == 0
    return hits, halves


def test_killed_at_twenty_moments_the_files_are_those_of_an_undisturbed_run(tmp_path):
    hits, halves = kill_until_done(tmp_path / "killed", 20)
    run(toy(ROUNDS), tmp_path / "undisturbed")
    assert hits == 20, "the run was over before all kills: it must be longer"
    assert halves > 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "undisturbed")


def test_the_comparison_sees_a_random_state_dropped_on_resume(tmp_path):
    kill_until_done(tmp_path / "killed", 3, "forget", after="checkpoint.npz")
    run(toy(ROUNDS), tmp_path / "undisturbed")
    assert contents(tmp_path / "killed") != contents(tmp_path / "undisturbed")
