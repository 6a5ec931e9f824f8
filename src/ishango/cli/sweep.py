"""`ishango sweep`: many runs from one plan."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from ishango.cli.output import plural
from ishango.cli.parsing import parse
from ishango.cli.played_on import PlayedOn
from ishango.cli.sweep_status import print_status
from ishango.cli.sweep_view import LineView, LiveView, ended
from ishango.cli.waiting import waiting
from ishango.errors import RequestError
from ishango.lab import (
    EXPERIMENTS,
    Plan,
    Result,
    Task,
    foresee,
    interruptible,
    play_missing,
    prepare,
    read_rounds,
)
from ishango.lab.engines.registry import SHARE, check_options
from ishango.lab.engines.slurm_worker import MINUTES
from ishango.lab.plan import find_plan
from ishango.options import OneOf, explained


@dataclass(frozen=True, kw_only=True)
class Sweep(PlayedOn):
    """Play all runs of a plan, on all cores or on a cluster, each in its own directory; what is done is left out.

    A plan is a TOML file with a [base] table of options all runs share, a [vary] table of lists of values (every
    combination is a run; integers also as "0-9") and, if wanted, several [[variant]] tables that override the base.
    A sweep that was stopped goes on when the same command is given again. A plan may say what it
    plays, such as experiment = "restricted", and sets the options of that; evolution is played if it does not.

    Example: ishango sweep plan.toml --out runs
    """

    plan: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PLAN")]
    """The plan's TOML file, or the name of a plan that ships, such as calibration; ishango plans lists those."""
    out: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """The directory of the sweep; each run gets a directory below it, named after the values that vary."""
    experiment: Annotated[Annotated[str, OneOf(EXPERIMENTS)] | None, explained(EXPERIMENTS)] = None
    """What is played, whatever the plan says."""
    dry_run: bool = False
    """Play and write nothing: list the runs, those that are done already and those that would be played. With --on
    slurm, print the sbatch script instead, for sites where jobs are submitted by hand, and list the runs beside it."""
    status: bool = False
    """Play nothing: tell how many runs are done, going on and failed, and how long the rest may take."""


def main(arguments: list[str]) -> int:
    """Parse, play, report. 1 if a run failed."""
    command = parse(Sweep, "sweep", arguments)
    plan = find_plan(command.plan)
    if command.status and command.dry_run:
        raise RequestError("--status and --dry-run exclude each other; give one of them.")
    if command.status:
        return print_status(plan, command.out, command.experiment)
    if command.dry_run:
        return _foretell(command, plan)
    console = Console(stderr=True, highlight=False)
    view = LiveView(console) if sys.stderr.isatty() else LineView(console)
    title = plan.name or plan.source
    executor = command.executor(command.out, title)
    with interruptible():
        with waiting("looking at the plan's runs"):
            tasks = prepare(plan, command.out, command.experiment)
        results = play_missing(title, tasks, reporter=view, executor=executor)
    _tell_failed([result for result in results if result.status != "done"], console)
    return 1 if any(result.status != "done" for result in results) else 0


def _tell_failed(failed: list[Result], console: Console) -> None:
    if failed:
        console.print(f"{plural(len(failed), 'run')} failed; the same command tries again:", soft_wrap=True)
        for result in failed:
            console.print(f"  {ended(result, result.task.directory.name)}", markup=False, soft_wrap=True)


def _foretell(command: Sweep, plan: Plan) -> int:
    """A line a run, in the plan's order: how far it is, and its directory; or a script, and the lines beside it."""
    engine, options = command.engine()
    check_options(engine, options)
    runs = foresee(plan, command.out, command.experiment)
    stream = sys.stdout
    if engine.script is not None:
        stream = sys.stderr
        print(engine.script(options, plan.name or plan.source, _worker_command(command)))
    for task, done in runs:
        print(f"{_state(task, done):<8}  {task.directory}", file=stream)
    missing = sum(not done for _task, done in runs)
    print(f"{plural(len(runs), 'run')}: {len(runs) - missing:,} done, {missing:,} to play", file=sys.stderr)
    return 0


def _worker_command(command: Sweep) -> list[str]:
    """What one worker of many is started with."""
    plan = Path(command.plan)
    words = ["sweep", str(plan.resolve()) if plan.is_file() else command.plan, "--out", str(command.out.resolve())]
    words += ["--experiment", command.experiment] if command.experiment else []
    words += ["--workers", str(command.workers)] if command.workers else []
    return [*words, "--on", SHARE.name, "--time", str(command.time or MINUTES)]


def _state(task: Task, done: bool) -> str:
    if done:
        return "done"
    played = len(read_rounds(task.directory))
    return f"to play ({played} of {plural(task.config['rounds'] + 1, 'round')} there)" if played else "to play"
