"""Sweeps: many runs, how far they are, and why one failed."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal, NamedTuple, Protocol

from ishango._locks import LOCK, Holder, holder, remove_dead
from ishango.errors import RequestError, RunWarning
from ishango.lab._directory import DONE, ERROR, RUN, is_done, read_run, refuse_within_run
from ishango.lab._executors import Event, Executor, LocalExecutor, Result, Task
from ishango.lab._experiments import USUAL, ExperimentKind, find_kind
from ishango.lab._plan import Plan, expand, flatten, normalised, refuse_unread
from ishango.lab._rounds import ROUNDS
from ishango.safe_files import as_path, plain_stamp, read_plain, write, writing


class Failure(NamedTuple):
    """What `error.txt` tells."""

    message: str
    """Its first line or, of a traceback, the last one; empty where the file is."""
    is_traced: bool
    """Whether there is a traceback to look into."""


def read_failure(directory: Path) -> Failure | None:
    try:
        lines = read_plain(directory / ERROR).decode(errors="replace").strip().splitlines() or [""]
    except OSError:
        return None
    is_traced = lines[0].startswith("Traceback ")
    return Failure(lines[-1] if is_traced else lines[0], is_traced)


# How far a sweep is, from its directories alone: nothing is locked, nothing written, nobody asked.

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
        return sum(run.state == state for run in self.runs)

    @property
    def hosts(self) -> Counter[str]:
        return Counter(run.holder.host for run in self.runs if run.holder)

    @property
    def rounds(self) -> tuple[int, int]:
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


# Sweeps: all runs of a plan, in one directory, doing only what is missing.

PLAN = "plan.toml"


class SweepReporter(Protocol):
    """Watches a sweep. The calls come in this order, `end` also after a failure."""

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None:
        """The sweep starts: `tasks` are to be played and `done` runs were finished before."""
        ...

    def hear(self, event: Event) -> None: ...

    def finish(self, result: Result) -> None: ...

    def end(self) -> None: ...


class SilentSweep:
    """The reporter that passes on warnings and says nothing else."""

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None: ...

    def hear(self, event: Event) -> None:
        if event.warning:
            warnings.warn(event.warning, RunWarning, stacklevel=2)

    def finish(self, result: Result) -> None: ...

    def end(self) -> None: ...


def sweep(
    plan: Plan,
    out: Path | str,
    workers: int | None = None,
    reporter: SweepReporter | None = None,
    *,
    experiment: str | None = None,
    executor: Executor | None = None,
) -> list[Result]:
    """Play all runs of a plan that are not done yet, each in its directory below `out`.

    Args:
        plan: what to play.
        out: the sweep's directory; made if it is not there. The plan is copied into it.
        workers: processes to play in; one a core if not given.
        reporter: told what happens.
        experiment: what is played, whatever the plan says: a name, or `module:attribute` of an `ExperimentKind`.
        executor: who plays, in place of local processes.

    Returns:
        One result for each run that was played; a failed one does not stop the others.
    """
    if executor is None and workers is not None:
        executor = LocalExecutor(workers)
    tasks = prepare(plan, out, experiment)
    return play_missing(plan.name or plan.source, tasks, reporter, executor)


def prepare(plan: Plan, out: Path | str, experiment: str | None = None) -> list[Task]:
    """All runs of a plan as tasks, done or not; the plan is copied into the sweep's directory."""
    tasks = [task for task, _done in foresee(plan, out, experiment)]
    _keep_plan(plan, Path(out))
    return tasks


def foresee(
    plan: Plan, out: Path | str, experiment: str | None = None, *, foreign: bool = True
) -> list[tuple[Task, bool]]:
    """All runs of a plan, and whether each is done; what cannot be gone on with is refused. Nothing is written.

    Args:
        plan: what is to be played.
        out: the sweep's directory.
        experiment: what is played, whatever the plan says.
        foreign: whether a module that is named as `module:attribute` may be loaded, which runs its code. Without, a run
            of it counts as done if it is called so and agrees with what the plan says of it.
    """
    out, experiment = as_path(out), experiment or plan.experiment or USUAL
    if out.exists() and not out.is_dir():
        raise RequestError(f"{out} is not a directory; choose another name.")
    refuse_within_run(out / "run")
    if ":" in experiment and not foreign:
        found = [Task(experiment, config, out / name) for name, config in expand(plan)]
        return [(task, _seems_done(task)) for task in found]
    kind = plan_kind(experiment, plan)
    tasks = [Task(experiment, normalised(config), out / name) for name, config in expand(plan, kind.complete)]
    refuse_unread(plan, lambda name, config: {} if (out / name / RUN).exists() else kind.unread(config))
    return [(task, is_done(task.directory, task.config, kind)) for task in tasks]


def _seems_done(task: Task) -> bool:
    document = read_run(task.directory, read_plain)
    if document is None or plain_stamp(task.directory / DONE) is None:
        return False
    recorded = flatten(document["config"])
    return all(recorded.get(name) == value for name, value in flatten(task.config).items())


def play_missing(
    title: str,
    tasks: Sequence[Task],
    reporter: SweepReporter | None = None,
    executor: Executor | None = None,
) -> list[Result]:
    """Play those of the tasks that are not done yet, in their order; several sweeps may be played as one."""
    reporter, executor = reporter or SilentSweep(), executor or LocalExecutor()
    missing: list[Task] = []
    for task in tasks:
        if is_done(task.directory, task.config, find_kind(task.experiment)):
            remove_dead(task.directory)
        else:
            missing.append(task)
    reporter.begin(title, missing, len(tasks) - len(missing))
    results: list[Result] = []
    try:
        for result in executor.map(missing, reporter.hear):
            results.append(result)
            reporter.finish(result)
    finally:
        reporter.end()
    return results


def plan_kind(experiment: str, plan: Plan) -> ExperimentKind:
    """The kind of that name; the plan that asks for one that is not there is named."""
    try:
        return find_kind(experiment)
    except RequestError as error:
        raise RequestError(f"In the plan {plan.source}: {str(error)[0].lower()}{str(error)[1:]}") from None


def _keep_plan(plan: Plan, out: Path) -> None:
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    if not (out / PLAN).exists() or (out / PLAN).read_bytes() != plan.text.encode():
        write(out / PLAN, plan.text.encode())
