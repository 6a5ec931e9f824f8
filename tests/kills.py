"""Kill runs at random moments, start them again, and compare their last bytes with those of runs never touched.

    python -m tests.kills --kills 1000 --out out/kill-test

A target is a command that is started, killed with SIGKILL together with its workers, and started again until it is
done; then its files are compared with those of a run that nobody disturbed, and it begins anew. Kills are counted in a
file for each target: stopped at any moment, the same command goes on. At the end a negative control, which forgets its
random state when it is taken up again, must differ. Exit code 1 if a byte differs or the control does not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ishango.cli import main as ishango
from ishango.evolution import Evolution
from ishango.lab import LocalExecutor, RunView
from ishango.safe_files import write

SMALL = ["--game.hidden", "8", "--game.batch", "4"]
EVOLVE = ["evolve", "--start", "7", "--steps", "50", *SMALL]
PRESSED = ["--learners", "new", "--judge", "mean", "--game.effort", "0.05", "--game.noise", "0.05", "--add", "any"]
PRESSURES = [*EVOLVE, *PRESSED]
TRAIN = ["restricted", "train", "--rounds", "30", "--steps", "100", "--hidden", "8", "--batch", "8"]
GENERATIONS = ["generations", "--start", "1", "--rounds", "3000", "--bottleneck", "50"]
KINDS = ["kinds", "generations", "--start", "1,2", "--rounds", "3000", "--precision", "1", "--precision-to", "300"]
SOCIETY = ["kinds", "evolve", "--start", "1,2", "--rounds", "40", "--steps", "50", *SMALL]
HEARD = ["--bottleneck", "100", "--imitation", "50", "--pretraining", "50"]
CHILDREN = ["generations", "--start", "7", "--agents", "neural", "--rounds", "20", "--steps", "20", *HEARD, *SMALL]
LESSONS = ["learnability", "--system", "1-9 | 10", "--rounds", "60", "--steps", "100", *SMALL]
PLAN = """
[base]
rounds = 40
steps = 50
game = {hidden = 8, batch = 4}
[vary]
start = ["1", "7"]
seed = [0, 1]
"""
WARMED = {"evolve": EVOLVE, "pressures": PRESSURES, "train": TRAIN, "generations": GENERATIONS, "kinds": KINDS,
          "society": SOCIETY, "children": CHILDREN, "lessons": LESSONS}  # fmt: skip
PARTS = 10
CLOCK = {"seconds": 0, "steps_per_second": 0}

Contents = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """Something to kill."""

    name: str
    share: float
    """Of all kills; a reproduction takes longer than all others together."""
    play: Callable[[Path], int]
    """Plays it in a directory, in a process of its own; gives back an exit code."""
    contents: Callable[[Path], Contents]


def run_contents(directory: Path) -> Contents:
    """Every file of all runs below a directory, without the two fields of records that tell the time."""
    found: Contents = {}
    for path in sorted(each for each in directory.rglob("*") if each.is_file()):
        if path.name == "rounds.jsonl":
            found[str(path.relative_to(directory))] = [
                json.loads(line) | CLOCK for line in path.read_text().splitlines()
            ]
        else:
            found[str(path.relative_to(directory))] = path.read_bytes()
    return found


def data_contents(directory: Path) -> Contents:
    """The tables of a reproduction."""
    return {path.name: path.read_bytes() for path in sorted((directory / "data").iterdir())}


def play_sweep(directory: Path) -> int:
    """A sweep of four runs in two workers."""
    plan = directory.with_suffix(".toml")
    plan.write_text(PLAN)
    return ishango(["sweep", str(plan), "--out", str(directory), "--workers", "2"])


def play_reproduction(directory: Path) -> int:
    """A reproduction of a minute."""
    from tests.report.tiny import TINY

    from ishango.report import reproduce

    reproduce(TINY, directory, LocalExecutor(2), say=lambda _text: None)
    return 0


def playing(command: list[str], *more: str) -> Callable[[Path], int]:
    """Plays a command of the command line."""
    return lambda directory: ishango([*command, *more, "--out", str(directory)])


def targets(rounds: int) -> tuple[Target, ...]:
    """What there is to kill; runs of agents have so many rounds."""
    return (
        Target("evolve", 0.2, playing(EVOLVE, "--rounds", str(rounds)), run_contents),
        Target("pressures", 0.1, playing(PRESSURES, "--rounds", str(rounds)), run_contents),
        Target("train", 0.12, playing(TRAIN), run_contents),
        Target("generations", 0.1, playing(GENERATIONS), run_contents),
        Target("children", 0.1, playing(CHILDREN), run_contents),
        Target("kinds", 0.1, playing(KINDS), run_contents),
        Target("society", 0.1, playing(SOCIETY), run_contents),
        Target("lessons", 0.1, playing(LESSONS), run_contents),
        Target("sweep", 0.07, play_sweep, run_contents),
        Target("reproduce", 0.01, play_reproduction, data_contents),
    )


def start(play: Callable[[Path], int], directory: Path) -> int:
    """Play in a process and session of its own, forked so that kernels are loaded already; returns its number."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        os.setsid()
        with directory.with_suffix(".log").open("ab") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        code = play(directory)
    finally:
        os._exit(code)


def play_to_the_end(play: Callable[[Path], int], directory: Path) -> float:
    """Play undisturbed; the seconds that it took."""
    began = time.monotonic()
    _, status = os.waitpid(start(play, directory), 0)
    if status:
        log = directory.with_suffix(".log").read_text(errors="replace")[-2000:]
        sys.exit(f"{directory} did not end well, though nobody disturbed it:\n{log}")
    return time.monotonic() - began


def kill_once(play: Callable[[Path], int], directory: Path, delay: float) -> bool:
    """Start it, kill it with all its workers after the delay; whether it was done before that."""
    pid = start(play, directory)
    until = time.monotonic() + delay
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            if status:
                log = directory.with_suffix(".log").read_text(errors="replace")[-2000:]
                sys.exit(f"{directory} could not go on after a kill:\n{log}")
            return True
        time.sleep(0.002)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)  # killed before it had a session of its own
    os.waitpid(pid, 0)
    return False


class Test:
    """One target: its undisturbed twin, the victim, and the count."""

    def __init__(self, target: Target, out: Path, kills: int) -> None:
        self.target, self.kills = target, kills
        self.twin, self.victim = out / f"{target.name}-undisturbed", out / f"{target.name}-killed"
        self.file = out / f"{target.name}.json"
        self.state = {"kills": 0, "finished": 0, "differing": 0, "seconds": 0.0}
        if self.file.exists():
            self.state |= json.loads(self.file.read_text())

    def run(self, kills: int) -> None:
        """Kill until so many kills were made, then let the last one end."""
        if not self.state["seconds"]:
            shutil.rmtree(self.twin, ignore_errors=True)
            self._note(seconds=play_to_the_end(self.target.play, self.twin))
        rng = random.Random(f"{self.target.name} {self.state['kills']}")
        while self.state["kills"] < kills:
            if kill_once(self.target.play, self.victim, rng.uniform(0, 1.1 * self.state["seconds"])):
                self._compare()
            else:
                self._note(kills=self.state["kills"] + 1)
                print(f"\r{self.target.name}: {self.state['kills']} of {self.kills} kills", end="", flush=True)
        if self.victim.exists():
            play_to_the_end(self.target.play, self.victim)
            self._compare()
        print(f"\r{self.target.name}: {self.state['kills']} kills, {self.state['finished']} runs compared, "
              f"{self.state['differing']} differ", flush=True)  # fmt: skip

    def _compare(self) -> None:
        differs = self.target.contents(self.victim) != self.target.contents(self.twin)
        if differs:
            shutil.copytree(self.victim, self.victim.with_name(f"{self.victim.name}-{time.time_ns()}"))
        shutil.rmtree(self.victim)
        self._note(finished=self.state["finished"] + 1, differing=self.state["differing"] + differs)

    def _note(self, **changes: float) -> None:
        self.state |= changes
        write(self.file, json.dumps(self.state).encode())


def forgetful(rounds: int, directory: Path) -> int:
    """Loses its random state when it is taken up again: the comparison must notice."""
    load = Evolution.load

    def forgetting(self: Evolution, arrays: Any) -> Any:
        state = load(self, arrays)
        return type(state)(state.system, state.agents, *map(np.random.default_rng, (1, 2, 3)))

    Evolution.load = forgetting  # type: ignore[method-assign]
    return playing(EVOLVE, "--rounds", str(rounds))(directory)


def control_differs(out: Path, seconds: float, rounds: int) -> bool:
    """Whether a run that forgets its random state ends differently after a kill in its midst."""
    directory, rng, play = out / "control", random.Random(0), partial(forgetful, rounds)
    for _ in range(100):
        shutil.rmtree(directory, ignore_errors=True)
        ended = kill_once(play, directory, rng.uniform(0.2, 0.8) * seconds)
        saved = None if ended or not (directory / "run.json").exists() else RunView(directory).checkpoint()
        if saved is not None and saved.round < rounds - 1:  # rounds are left to play otherwise than before
            play_to_the_end(play, directory)
            return run_contents(directory) != run_contents(out / "evolve-undisturbed")
    return False


def main() -> int:
    """Run all targets, one after the other, and the control."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000, help="kills in all (default: 1000)")
    parser.add_argument(
        "--out", type=Path, default=Path("out/kill-test"), help="where to work (default: out/kill-test)"
    )
    parser.add_argument("--targets", nargs="*", default=[target.name for target in targets(1)], help="which of them")
    parser.add_argument("--rounds", type=int, default=60, help="rounds of runs of agents (default: 60)")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    chosen = [target for target in targets(asked.rounds) if target.name in asked.targets]
    tests = [Test(target, asked.out.resolve(), round(target.share * asked.kills)) for target in chosen]
    with TemporaryDirectory() as scratch:  # kernels that are loaded here are there in every fork
        for name, command in WARMED.items():
            if name in asked.targets:
                ishango([*command, "--rounds", "1", "--out", f"{scratch}/{name}"])
    for part in range(1, PARTS + 1):  # in turns, so that a test that is stopped has killed something of each
        for test in tests:
            test.run(test.kills * part // PARTS)
    total, differing = (sum(int(test.state[name]) for test in tests) for name in ("kills", "differing"))
    print(f"{total} kills, {differing} runs differ")
    evolve = next((test for test in tests if test.target.name == "evolve"), None)
    if evolve is None:
        print("The negative control was not played: it needs the target evolve.")
        return 1 if differing else 0
    noticed = control_differs(asked.out.resolve(), evolve.state["seconds"], asked.rounds)
    print("The negative control differs, as it must." if noticed else "The negative control does NOT differ.")
    return 1 if differing or not noticed else 0


if __name__ == "__main__":
    sys.exit(main())
