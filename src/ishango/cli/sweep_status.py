"""`ishango sweep --status`: how far a sweep is, wherever it is played."""

from __future__ import annotations

from pathlib import Path

from ishango.cli.output import plural
from ishango.cli.sweep_view import duration
from ishango.errors import RequestError
from ishango.lab import Plan, RunView
from ishango.lab.sweeps import SweepStatus, sweep_status

MOST_FAILED = 5
"""Failed runs that are named."""


def print_status(plan: Plan, out: Path, experiment: str | None) -> int:
    """Print how many runs are done, going on, failed and waiting, and how long the rest may take."""
    if not out.is_dir():
        raise RequestError(f"There is no sweep in {out}: it is not a directory.")
    found = sweep_status(plan, out, experiment)
    print(f"{plan.name or plan.source}: {plural(len(found.runs), 'run')} in {out}")
    print(f"  done     {found.count('done'):>7,}")
    print(f"  running  {found.count('running'):>7,}{_hosts(found)}")
    print(f"  waiting  {found.count('waiting'):>7,}")
    print(f"  failed   {found.count('failed'):>7,}")
    done, rounds = found.rounds
    print(f"{done:,} of {plural(rounds, 'round')} played{_time_left(found)}")
    _name_failed(found, out)
    return 0


def _hosts(found: SweepStatus) -> str:
    hosts = found.hosts.most_common()
    if not hosts:
        return ""
    shown = ", ".join(f"{count} on {host}" for host, count in hosts[:3])
    return f"   ({shown}{', ...' if len(hosts) > 3 else ''})"


def _time_left(found: SweepStatus) -> str:
    if found.count("done") == len(found.runs):
        return ""
    if not found.count("running"):
        return "; nobody plays now"
    left = found.seconds_left
    return "; time left unknown" if left is None else f"; about {duration(left)} left"


def _name_failed(found: SweepStatus, out: Path) -> None:
    failed = [run.name for run in found.runs if run.state == "failed"]
    for name in failed[:MOST_FAILED]:
        view = RunView.look(out / name)
        print(f"failed: {name}: {view.message if view else 'it could not begin'}")
    if len(failed) > MOST_FAILED:
        print(f"... and {len(failed) - MOST_FAILED:,} more; the same sweep tries them again")
