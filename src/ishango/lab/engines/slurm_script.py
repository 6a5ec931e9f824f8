"""A sweep as an sbatch script, for sites where jobs are submitted by hand."""

from __future__ import annotations

import re
import shlex
import sys

from ishango.errors import RequestError
from ishango.lab.engines.registry import EngineOptions

JOBS = 10
"""Tasks of an array, if nobody says how many."""
MINUTES = 60
"""Their time, if nobody says how long."""
MOST_JOBS = 1_000
"""Tasks that the usual limit of SLURM (MaxArraySize 1001, which caps the index) has room for."""


def checked(options: EngineOptions) -> tuple[int, int]:
    """Tasks and minutes of an array; numbers that cannot be meant are refused."""
    jobs = JOBS if options.jobs is None else options.jobs
    minutes = MINUTES if options.time is None else options.time
    if not 1 <= jobs <= MOST_JOBS:
        raise RequestError(f"--jobs is {jobs}; give between 1 and {MOST_JOBS:,}, since each plays many runs.")
    check_share(options)
    return jobs, minutes


def check_share(options: EngineOptions) -> None:
    """Refuse a time and a number of workers that cannot be meant."""
    if options.time is not None and options.time < 1:
        raise RequestError(f"--time is {options.time}; give at least one minute.")
    if options.workers is not None and options.workers < 1:
        raise RequestError(f"--workers is {options.workers}; give at least 1.")


def signal_delay(minutes: int) -> int:
    """Seconds before the end at which SLURM tells workers that their time is nearly up."""
    return min(90, 6 * minutes)


def job_name(title: str) -> str:
    """The name of a job, in letters that every tool takes."""
    return "ishango-" + (re.sub(r"[^A-Za-z0-9._-]+", "-", title).strip("-") or "sweep")


def more_options(options: EngineOptions) -> dict[str, str]:
    """What `--sbatch` gives, by name.

    >>> more_options(EngineOptions(sbatch=("account=phonology", "mem=2G")))
    {'account': 'phonology', 'mem': '2G'}
    """
    found: dict[str, str] = {}
    for each in options.sbatch:
        name, equals, value = each.removeprefix("--").partition("=")
        if not equals or not re.fullmatch(r"[a-z][a-z0-9-]*", name) or not value.isprintable():
            raise RequestError(f"--sbatch has {each!r}; give options of sbatch such as account=NAME or mem=2G.")
        found[name] = value
    return found


def sbatch_script(options: EngineOptions, title: str, command: list[str]) -> str:
    """The script; `command` is what plays one share of the sweep."""
    jobs, minutes = checked(options)
    lines = {
        "job-name": job_name(title),
        "array": f"0-{jobs - 1}",
        "time": str(minutes),
        **({"partition": options.partition} if options.partition else {}),
        "cpus-per-task": str(options.workers or 1),
        "signal": f"USR2@{signal_delay(minutes)}",
        "open-mode": "append",
        "output": "%x-%A_%a.log",
        **more_options(options),
    }
    directives = [f"#SBATCH --{name}={shlex.quote(value)}" for name, value in lines.items()]
    directives.append("#SBATCH --requeue")
    words = [sys.executable, "-m", "ishango", *command]
    return "\n".join(["#!/bin/bash", *directives, "", f"srun {shlex.join(words)}"])
