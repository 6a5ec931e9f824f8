"""Sweeps: all runs of a plan, in one directory, doing only what is missing."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ishango.errors import RequestError, RunWarning
from ishango.lab.config import normalised
from ishango.lab.directory import is_done
from ishango.lab.engines.executors import Event, Executor, LocalExecutor, Result, Task
from ishango.lab.experiments import USUAL, ExperimentKind, find_kind
from ishango.lab.lock import remove_dead
from ishango.lab.plan import Plan, expand
from ishango.safe_files import write, writing

PLAN = "plan.toml"


class SweepReporter(Protocol):
    """Watches a sweep. The calls come in this order, `end` also after a failure."""

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None:
        """The sweep starts: `tasks` are to be played and `done` runs were finished before."""
        ...

    def hear(self, event: Event) -> None:
        """News of a run."""
        ...

    def finish(self, result: Result) -> None:
        """A run has ended, well or not."""
        ...

    def end(self) -> None:
        """Nothing more comes."""
        ...


class SilentSweep:
    """The reporter that passes on warnings and says nothing else."""

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None:
        """Say nothing."""

    def hear(self, event: Event) -> None:
        """Pass a warning on."""
        if event.warning:
            warnings.warn(event.warning, RunWarning, stacklevel=2)

    def finish(self, result: Result) -> None:
        """Say nothing."""

    def end(self) -> None:
        """Say nothing."""


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
    executor = executor or _local(workers)
    tasks = prepare(plan, out, experiment)
    return play_missing(plan.name or plan.source, tasks, reporter=reporter, executor=executor)


def prepare(plan: Plan, out: Path | str, experiment: str | None = None) -> list[Task]:
    """All runs of a plan as tasks, done or not; the plan is copied into the sweep's directory."""
    tasks = [task for task, _done in foresee(plan, out, experiment)]
    _keep_plan(plan, Path(out))
    return tasks


def foresee(plan: Plan, out: Path | str, experiment: str | None = None) -> list[tuple[Task, bool]]:
    """All runs of a plan, and whether each is done; what cannot be gone on with is refused. Nothing is written."""
    out, experiment = Path(out), experiment or plan.experiment or USUAL
    if out.exists() and not out.is_dir():
        raise RequestError(f"{out} is not a directory; choose another name.")
    kind = plan_kind(experiment, plan)
    tasks = [Task(experiment, normalised(config), out / name) for name, config in expand(plan, kind.complete)]
    return [(task, is_done(task.directory, task.config, kind)) for task in tasks]


def play_missing(
    title: str,
    tasks: Sequence[Task],
    workers: int | None = None,
    reporter: SweepReporter | None = None,
    *,
    executor: Executor | None = None,
) -> list[Result]:
    """Play those of the tasks that are not done yet, in their order; several sweeps may be played as one."""
    reporter, executor = reporter or SilentSweep(), executor or _local(workers)
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
    except (ImportError, AttributeError, TypeError) as error:
        raise RequestError(f"In the plan {plan.source}: {experiment} leads to no experiment ({error}).") from None


def _local(workers: int | None) -> LocalExecutor:
    return LocalExecutor() if workers is None else LocalExecutor(workers)


def _keep_plan(plan: Plan, out: Path) -> None:
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    if not (out / PLAN).exists() or (out / PLAN).read_bytes() != plan.text.encode():
        write(out / PLAN, plan.text.encode())
