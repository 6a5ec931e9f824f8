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
from ishango.cli.sweep_view import LineView, LiveView, ended
from ishango.cli.waiting import waiting
from ishango.lab import (
    EXPERIMENTS,
    LocalExecutor,
    Task,
    foresee,
    interruptible,
    play_missing,
    prepare,
    read_rounds,
)
from ishango.lab.shipped_plans import find_plan
from ishango.options import OneOf, explained


@dataclass(frozen=True)
class Sweep:
    """Play all runs of a plan on all cores, each in its own directory; doing again what is done is left out.

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
    workers: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Processes that play, one thread each; one a core if not given."""
    experiment: Annotated[Annotated[str, OneOf(EXPERIMENTS)] | None, explained(EXPERIMENTS)] = None
    """What is played, whatever the plan says."""
    dry_run: bool = False
    """Play and write nothing: list the runs, those that are done already and those that would be played."""


def main(arguments: list[str]) -> int:
    """Parse, play, report. 1 if a run failed."""
    command = parse(Sweep, "sweep", arguments)
    if command.dry_run:
        return _foretell(command)
    console = Console(stderr=True, highlight=False)
    view = LiveView(console) if sys.stderr.isatty() else LineView(console)
    executor = LocalExecutor() if command.workers is None else LocalExecutor(command.workers)
    with interruptible():
        plan = find_plan(command.plan)
        with waiting("looking at the plan's runs"):
            tasks = prepare(plan, command.out, command.experiment)
        results = play_missing(plan.name or plan.source, tasks, reporter=view, executor=executor)
    failed = [result for result in results if result.status != "done"]
    if failed:
        console.print(f"{plural(len(failed), 'run')} failed; the same command tries again:", soft_wrap=True)
        for result in failed:
            console.print(f"  {ended(result, result.task.directory.name)}", markup=False, soft_wrap=True)
    return 1 if failed else 0


def _foretell(command: Sweep) -> int:
    """A line a run, in the plan's order: how far it is, and its directory."""
    runs = foresee(find_plan(command.plan), command.out, command.experiment)
    for task, done in runs:
        print(f"{_state(task, done):<8}  {task.directory}")
    missing = sum(not done for _task, done in runs)
    print(f"{plural(len(runs), 'run')}: {len(runs) - missing:,} done, {missing:,} to play", file=sys.stderr)
    return 0


def _state(task: Task, done: bool) -> str:
    if done:
        return "done"
    played = len(read_rounds(task.directory))
    return f"to play ({played} of {plural(task.config['rounds'] + 1, 'round')} there)" if played else "to play"
