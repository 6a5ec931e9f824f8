"""`ishango plans` and `ishango sweep`: many runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro
from rich.table import Table

from ishango import lab
from ishango.cli import plain
from ishango.cli._live_views import LineView, LiveView, duration, ended
from ishango.cli._output import PlainConsole, console, plural, print_json, waiting
from ishango.errors import RequestError
from ishango.registry import OneOf, explained


@dataclass(frozen=True, kw_only=True)
class PlayedOn:
    on: Annotated[Annotated[str, OneOf(lab.ENGINES)], explained(lab.ENGINES)] = "local"
    """What plays; docs/cluster.md tells how to use a cluster."""
    workers: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Processes that play, one thread each; one a core if not given. On SLURM: in each task, one if not given."""
    jobs: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Tasks of the job array on SLURM, each of which plays many runs; 10 if not given."""
    time: Annotated[int | None, tyro.conf.arg(metavar="MINUTES")] = None
    """Time of a task on SLURM, 60 if not given; when it is up the task is requeued, and runs go on."""
    partition: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None
    """The partition on SLURM; the site's default if not given."""
    sbatch: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """More options of sbatch, such as account=NAME mem=2G."""
    scheduler: Annotated[str | None, tyro.conf.arg(metavar="ADDRESS")] = None
    """The Dask scheduler, such as tcp://host:8786; worker processes of this machine if not given."""
    detach: bool = False
    """On SLURM: submit, and do not wait; the same command with --status tells how far the runs are."""

    def engine(self) -> tuple[lab.Engine, lab.EngineOptions]:
        return lab.ENGINES[self.on], lab.EngineOptions(
            **{each.name: getattr(self, each.name) for each in fields(lab.EngineOptions)}
        )

    def executor(self, out: Path, title: str) -> lab.Executor:
        return lab.make_executor(*self.engine(), out, title)


# `ishango plans`: the plans that can be played by name.


@dataclass(frozen=True)
class Plans:
    """List the plans that ship with the package, with what each is for; or print one, to begin a plan of your own.

    ishango sweep NAME --out DIR plays a plan of the list.

    Example: ishango plans calibration > mine.toml
    """

    name: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[NAME]")] = ""
    """A plan to print as its TOML file has it; without it all are listed."""
    json: bool = False
    """Print one JSON document instead of a table."""


def run_plans(command: Plans) -> int:
    chosen = [lab.shipped_plan(command.name)] if command.name else list(lab.PLANS.values())
    if command.json:
        print_json({"plans": [_document(each) for each in chosen]})
    elif command.name:
        print(chosen[0].text, end="")
    else:
        console().print(_table(chosen))
        console().print("ishango sweep NAME --out DIR plays one; ishango plans NAME prints it.")
    return 0


def _table(plans: list[lab.ShippedPlan]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("plan", no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("what it is for")
    for each in plans:
        table.add_row(each.name, plural(lab.count_runs(each.plan), "run"), each.sentence)
    return table


def _document(shipped: lab.ShippedPlan) -> dict[str, object]:
    plan = shipped.plan
    return {
        "name": shipped.name,
        "about": shipped.sentence,
        "experiment": plan.experiment or lab.USUAL,
        "runs": lab.count_runs(plan),
        "text": shipped.text,
    }


# `ishango sweep --status`: how far a sweep is, wherever it is played.

MOST_FAILED = 5
"""Failed runs that are named."""


def print_status(plan: lab.Plan, out: Path, experiment: str | None) -> int:
    if not out.is_dir():
        raise RequestError(f"There is no sweep in {out}: it is not a directory.")
    found = lab.sweep_status(plan, out, experiment)
    print(plain(f"{plan.name or plan.source}: {plural(len(found.runs), 'run')} in {out}"))
    print(f"  done     {found.count('done'):>7,}")
    print(f"  running  {found.count('running'):>7,}{_hosts(found)}")
    print(f"  waiting  {found.count('waiting'):>7,}")
    print(f"  failed   {found.count('failed'):>7,}")
    done, rounds = found.rounds
    print(f"{done:,} of {plural(rounds, 'round')} played{_time_left(found)}")
    _name_failed(found, out)
    return 0


def _hosts(found: lab.SweepStatus) -> str:
    hosts = found.hosts.most_common()
    if not hosts:
        return ""
    shown = ", ".join(f"{count} on {host}" for host, count in hosts[:3])
    return f"   ({shown}{', ...' if len(hosts) > 3 else ''})"


def _time_left(found: lab.SweepStatus) -> str:
    if found.count("done") == len(found.runs):
        return ""
    if not found.count("running"):
        return "; nobody plays now"
    left = found.seconds_left
    return "; time left unknown" if left is None else f"; about {duration(left)} left"


def _name_failed(found: lab.SweepStatus, out: Path) -> None:
    failed = [run.name for run in found.runs if run.state == "failed"]
    for name in failed[:MOST_FAILED]:
        view = lab.RunView.look(out / name)
        print(plain(f"failed: {name}: {view.message if view else 'it could not begin'}"))
    if len(failed) > MOST_FAILED:
        print(f"... and {len(failed) - MOST_FAILED:,} more; the same sweep tries them again")


# `ishango sweep`: many runs from one plan.


@dataclass(frozen=True, kw_only=True)
class Sweep(PlayedOn):
    """Play all runs of a plan, on all cores or on a cluster, each in its own directory; finished runs stay as they are.

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
    experiment: Annotated[Annotated[str, OneOf(lab.EXPERIMENTS)] | None, explained(lab.EXPERIMENTS)] = None
    """What is played, whatever the plan says."""
    dry_run: bool = False
    """Play and write nothing: list the runs, those that are done already and those that would be played. With --on
    slurm, print the sbatch script instead, for sites where jobs are submitted by hand, and list the runs beside it."""
    status: bool = False
    """Play nothing: tell how many runs are done, going on and failed, and how long the rest may take."""


def run_sweep(command: Sweep) -> int:
    plan = lab.find_plan(command.plan)
    if command.status and command.dry_run:
        raise RequestError("--status and --dry-run exclude each other; give one of them.")
    if command.status:
        return print_status(plan, command.out, command.experiment)
    if command.dry_run:
        return _foretell(command, plan)
    console = PlainConsole(sys.stderr)
    view = LiveView(console) if sys.stderr.isatty() else LineView(console)
    title = plan.name or plan.source
    executor = command.executor(command.out, title)
    with lab.interruptible():
        with waiting("looking at the plan's runs"):
            tasks = lab.prepare(plan, command.out, command.experiment)
        results = lab.play_missing(title, tasks, reporter=view, executor=executor)
    failed = [result for result in results if result.status != "done"]
    if not failed:
        return 0
    console.print(f"{plural(len(failed), 'run')} failed; the same command tries again:", soft_wrap=True)
    for result in failed:
        console.print(f"  {ended(result, result.task.directory.name)}", markup=False, soft_wrap=True)
    return 1


def _foretell(command: Sweep, plan: lab.Plan) -> int:
    """A line a run, in the plan's order: how far it is, and its directory; or a script, and the lines beside it."""
    engine, options = command.engine()
    lab.check_options(engine, options)
    runs = lab.foresee(plan, command.out, command.experiment, foreign=False)
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
    plan = Path(command.plan)
    words = ["sweep", str(plan.resolve()) if plan.is_file() else command.plan, "--out", str(command.out.resolve())]
    words += ["--experiment", command.experiment] if command.experiment else []
    words += ["--workers", str(command.workers)] if command.workers else []
    return [*words, "--on", lab.SHARE.name, "--time", str(command.time or lab.MINUTES)]


def _state(task: lab.Task, done: bool) -> str:
    if done:
        return "done"
    played, rounds = len(lab.read_rounds(task.directory)), task.config.get("rounds")
    of = "" if rounds is None else f" of {plural(rounds + 1, 'round')}"
    return f"to play ({played}{of} there)" if played else "to play"
