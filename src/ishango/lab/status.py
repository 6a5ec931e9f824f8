"""How far a sweep is, from its directories alone: nothing is locked, nothing written, nobody asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal

from ishango.lab.directory import DONE, ERROR, RUN
from ishango.lab.experiments import USUAL
from ishango.lab.lock import NAME as LOCK
from ishango.lab.lock import Holder, holder
from ishango.lab.plain_files import plain_stamp, read_plain
from ishango.lab.plan import Plan, expand
from ishango.lab.rounds import NAME as ROUNDS
from ishango.lab.sweeps import plan_kind

State = Literal["done", "running", "failed", "waiting"]


@dataclass(frozen=True)
class RunStatus:
    """How far one run is."""

    name: str
    state: State
    rounds_done: int
    """Round 0 included."""
    rounds: int
    """All of them."""
    seconds: float | None = None
    """The time that its rounds took, pauses included; known of runs that are done."""
    holder: Holder | None = None


@dataclass(frozen=True)
class SweepStatus:
    """How far a sweep is."""

    runs: tuple[RunStatus, ...]

    def count(self, state: State) -> int:
        """How many runs are in a state."""
        return sum(run.state == state for run in self.runs)

    @property
    def hosts(self) -> Counter[str]:
        """How many runs each machine plays."""
        return Counter(run.holder.host for run in self.runs if run.holder)

    @property
    def rounds(self) -> tuple[int, int]:
        """Rounds done, and all of them."""
        return sum(run.rounds_done for run in self.runs), sum(run.rounds for run in self.runs)

    @property
    def seconds_left(self) -> float | None:
        """An estimate: the median time of a round in runs that are done, shared by those that play now."""
        speeds = [run.seconds / run.rounds for run in self.runs if run.seconds is not None]
        playing = self.count("running")
        if not speeds or not playing:
            return None
        left = sum(run.rounds - run.rounds_done for run in self.runs if run.state in ("running", "waiting"))
        return left * median(speeds) / playing


def sweep_status(plan: Plan, out: Path | str, experiment: str | None = None) -> SweepStatus:
    """Look at all runs of a plan, wherever they are played."""
    experiment = experiment or plan.experiment or USUAL
    kind = plan_kind(experiment, plan)
    usual: int = kind.defaults().get("rounds", 0)
    # Completing every config of a large plan takes long; it is done only where one would be refused.
    runs = [(name, kind.reshape(config).get("rounds", usual)) for name, config in expand(plan)]
    if not all(type(rounds) is int and rounds >= 0 for _, rounds in runs):
        expand(plan, kind.complete)
    return SweepStatus(tuple(_look(Path(out) / name, rounds) for name, rounds in runs))


def _look(directory: Path, rounds: int) -> RunStatus:
    begun, done = plain_stamp(directory / RUN), plain_stamp(directory / DONE)
    if begun is not None and done is not None and _recorded(directory) == rounds:
        return RunStatus(directory.name, "done", rounds + 1, rounds + 1, (done[0] - begun[0]) / 1e9)
    played_by = holder(directory) if plain_stamp(directory / LOCK) else None
    state: State = "waiting"
    if played_by is not None:
        state = "running"
    elif plain_stamp(directory / ERROR):
        state = "failed"
    played = min(_count(directory), rounds + 1) if begun else 0
    return RunStatus(directory.name, state, played, rounds + 1, holder=played_by)


def _recorded(directory: Path) -> int | None:
    """The rounds that a run was asked for when it was last played; a plan may have grown since."""
    try:
        document: Any = json.loads(read_plain(directory / RUN))
        config: Mapping[str, Any] = document["config"]
        return config.get("rounds")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _count(directory: Path) -> int:
    try:
        return read_plain(directory / ROUNDS).count(b"\n")
    except OSError:
        return 0
