"""A sweep of thousands of runs in seconds: `python -m benchmarks.many_runs DIR --runs 10000`.

A few real runs are played, one for each start and chooser, and every other one is a copy of one of them with a seed of
its own: its config, its checkpoints (with their digests) and its plan are what `ishango sweep` would have written, its
rounds are its pattern's. One run in twenty is not done, and one in a hundred failed. For measuring whatever reads runs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ishango.lab import CHECKPOINT as NAME
from ishango.lab import DONE, EXPERIMENTS, PREVIOUS, RUN, Checkpoint, Task, expand, parse_plan, run
from ishango.lab import ROUNDS as ROUNDS
from ishango.lab._directory import CURVE, ERROR, digest
from ishango.lab._rounds import decode, encode
from ishango.lab._sweeps import PLAN

STARTS, CHOOSERS = tuple(range(1, 9)), ("bandit", "coin", "shorter", "nearer", "biased")
CELLS = len(STARTS) * len(CHOOSERS)
KIND = "evolution"
TEXT = """\
name = "many-runs"
about = "Runs to measure with: each is a copy of one of {cells} real ones"

[base]
rounds = {rounds}
steps = 20
game.hidden = 8
game.batch = 10

[vary]
start = {starts}
choose = {choosers}
seed = "0-{last}"
"""


class Pattern(NamedTuple):
    """What a real run left."""

    document: Mapping[str, Any]
    rounds: bytes
    curve: bytes | None
    checkpoints: Mapping[str, Checkpoint]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path, metavar="DIR", help="a new directory for the sweep and its plan.toml")
    parser.add_argument("--runs", type=int, default=10_000, help=f"how many, rounded up to a multiple of {CELLS}")
    parser.add_argument("--rounds", type=int, default=100, help="rounds of each run")
    arguments = parser.parse_args()
    if arguments.directory.exists() and any(arguments.directory.iterdir()):
        parser.error(f"{arguments.directory} is not empty; choose a new directory")
    began = time.perf_counter()
    count = make(arguments.directory, arguments.runs, arguments.rounds)
    print(f"{count:,} runs of {arguments.rounds} rounds in {arguments.directory} ", end="")
    print(f"after {time.perf_counter() - began:.1f} s")


def make(directory: Path, runs: int, rounds: int) -> int:
    """Make the sweep; how many runs it has."""
    seeds = -(-runs // CELLS)
    fields = {"cells": CELLS, "rounds": rounds, "last": seeds - 1}
    text = TEXT.format(starts=list(STARTS), choosers=json.dumps(CHOOSERS), **fields)
    kind = EXPERIMENTS[KIND]
    directory.mkdir(parents=True, exist_ok=True)
    (directory / PLAN).write_text(text)
    tasks = [Task(KIND, config, directory / name) for name, config in expand(parse_plan(text), kind.complete)]
    patterns: dict[tuple[str, str], Pattern] = {}
    for number, task in enumerate(tasks):
        cell = (task.config["start"], task.config["choose"])
        if cell not in patterns:
            patterns[cell] = play(task)
        copy(patterns[cell], task, number)
    return len(tasks)


def play(task: Task) -> Pattern:
    """A real run, elsewhere."""
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        run(EXPERIMENTS[KIND].from_config(task.config), directory)
        curve = directory / CURVE
        return Pattern(
            json.loads((directory / RUN).read_bytes()),
            (directory / ROUNDS).read_bytes(),
            curve.read_bytes() if curve.exists() else None,
            {name: decode((directory / name).read_bytes()) for name in (NAME, PREVIOUS)},
        )


def copy(pattern: Pattern, task: Task, number: int) -> None:
    """The pattern's run under another seed: done, cut short or failed, as its number says."""
    document = {**pattern.document, "config": dict(task.config), "seed": task.config["seed"]}
    task.directory.mkdir()
    (task.directory / RUN).write_text(json.dumps(document, indent=2) + "\n")
    (task.directory / ROUNDS).write_bytes(pattern.rounds)
    if pattern.curve is not None:
        (task.directory / CURVE).write_bytes(pattern.curve)
    own = digest(document, EXPERIMENTS[KIND])
    for name, checkpoint in pattern.checkpoints.items():
        (task.directory / name).write_bytes(encode(replace(checkpoint, config=own)))
    if number % 100 == 7:
        (task.directory / ERROR).write_text("Traceback (most recent call last):\nMemoryError: a failure to look at\n")
    if number % 20 == 7:
        _cut_short(task.directory)
    else:
        (task.directory / DONE).write_bytes(b"")


def _cut_short(directory: Path) -> None:
    """Leave the rounds up to the earlier checkpoint, as a kill while the last round was played does."""
    shutil.move(directory / PREVIOUS, directory / NAME)
    lines = (directory / ROUNDS).read_bytes().splitlines(keepends=True)
    (directory / ROUNDS).write_bytes(b"".join(lines[:-1]))


if __name__ == "__main__":
    main()
