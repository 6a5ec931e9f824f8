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
from ishango.lab import EXPERIMENTS, LocalExecutor, interruptible, load_plan, play_missing, prepare
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

    plan: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="PLAN.toml")]
    """The plan."""
    out: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """The directory of the sweep; each run gets a directory below it, named after the values that vary."""
    workers: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Processes that play, one thread each; one a core if not given."""
    experiment: Annotated[Annotated[str, OneOf(EXPERIMENTS)] | None, explained(EXPERIMENTS)] = None
    """What is played, whatever the plan says."""


def main(arguments: list[str]) -> int:
    """Parse, play, report. 1 if a run failed."""
    command = parse(Sweep, "sweep", arguments)
    console = Console(stderr=True, highlight=False)
    view = LiveView(console) if sys.stderr.isatty() else LineView(console)
    executor = LocalExecutor() if command.workers is None else LocalExecutor(command.workers)
    with interruptible():
        plan = load_plan(command.plan)
        with waiting("looking at the plan's runs"):
            tasks = prepare(plan, command.out, command.experiment)
        results = play_missing(plan.name or plan.source, tasks, reporter=view, executor=executor)
    failed = [result for result in results if result.status != "done"]
    if failed:
        console.print(f"{plural(len(failed), 'run')} failed; the same command tries again:", soft_wrap=True)
        for result in failed:
            console.print(f"  {ended(result, result.task.directory.name)}", markup=False, soft_wrap=True)
    return 1 if failed else 0
