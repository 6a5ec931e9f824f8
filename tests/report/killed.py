"""Take a finished tiny reproduction back, kill it half-way and while it draws, and let it end.

python -m tests.report.killed OUT
"""

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tests.kills import start
from tests.report.tiny import TINY, only

from ishango.lab import Event, Result, Task, run
from ishango.lab._experiments import find_kind
from ishango.report import reproduce

STUDIES = ("restricted", "agents")
"""Those with a run that is half done when the reproduction is killed, in the order in which they are played."""
TRIES = 5


class Here:
    """Plays in this process; the undisturbed one has two workers: that must not matter."""

    def map(self, tasks: Iterable[Task], hear: Callable[[Event], None]) -> Iterator[Result]:  # noqa: ARG002
        for task in tasks:
            run(find_kind(task.experiment).from_config(dict(task.config)), task.directory)
            yield Result(task, "done")


def play(out: Path) -> int:
    with only("kinds"):
        reproduce(TINY, out, Here())
    return 0


def some_runs(out: Path, study: str) -> list[Path]:
    """Runs that are to be played again: as few as it takes to kill one of them half done."""
    return sorted(path.parent for path in out.glob(f"runs/{study}/*/run.json"))[:3]


def half_done(out: Path, study: str) -> list[Path]:
    """Runs that have a checkpoint to go on from, and rounds to play."""
    begun = [path.parent for path in out.glob(f"runs/{study}/*/checkpoint.npz")]
    return [directory for directory in begun if not (directory / "DONE").exists()]


def kill_when(ready: Callable[[], object], out: Path, delay: float) -> None:
    """Start it, and kill it with its workers so many seconds after something is there."""
    pid = start(play, out)
    while not ready():
        if os.waitpid(pid, os.WNOHANG)[0]:
            sys.exit("it was done before it could be killed")
        time.sleep(0.01)
    time.sleep(delay)
    os.killpg(pid, signal.SIGKILL)
    if os.waitpid(pid, 0)[1] != signal.SIGKILL:
        sys.exit("it was done before it could be killed")


def main(out: Path) -> None:
    rng = random.Random(0)
    for made in (out / "data", out / "figures", *(each for study in STUDIES for each in some_runs(out, study))):
        shutil.rmtree(made)
    (out / "index.html").unlink()
    for study in STUDIES:
        for _ in range(TRIES):  # a run may end in the moment before it is killed; then others are played again
            kill_when(lambda study=study: half_done(out, study), out, rng.uniform(0, 0.05))
            if half_done(out, study):
                break
            for each in some_runs(out, study):
                shutil.rmtree(each)
        else:
            sys.exit("no run goes on from a checkpoint, so a lost random state would not show")
    kill_when((out / "data" / "rounds.csv").exists, out, 0.0)  # while it writes tables or draws
    if os.waitpid(start(play, out), 0)[1]:
        sys.exit("it did not end well:\n" + out.with_suffix(".log").read_text(errors="replace"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
