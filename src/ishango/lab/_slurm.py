"""Sweeps on SLURM: an array of few tasks, each a worker that plays many runs; submitted through submitit."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ishango._locks import SLURM, ask, current_job, slurm_states
from ishango.errors import FieldError, RequestError, RunError, plural
from ishango.lab import _share as shares
from ishango.lab._executors import Event, Limit, Result, Task
from ishango.lab._playing import interruptible
from ishango.safe_files import write, writing

TASKS = "tasks.jsonl"
JOB = "job.json"
"""What was submitted: the array's number and its tasks."""
TRUST = 5
"""Times that SLURM may not answer before jobs count as gone: its controller is restarted now and then."""


@dataclass
class SlurmExecutor:
    """Plays on a SLURM cluster whose machines share the sweep's directory."""

    options: shares.EngineOptions
    out: Path
    title: str = "sweep"

    def __post_init__(self) -> None:
        checked(self.options)
        more_options(self.options)
        if shutil.which("sbatch") is None:
            raise RequestError(
                "There is no sbatch here; log in to a machine of the cluster from which jobs are submitted."
            )
        _submitit()

    def map(self, tasks: Iterable[Task], hear: Callable[[Event], None] = lambda _event: None) -> Iterator[Result]:
        """Submit what is missing and follow it; with `detach` only submit. Leaving early leaves the jobs alone."""
        tasks = list(tasks)
        if not tasks:
            return
        since = time.time()
        numbers, waiting = self._active(tasks)
        wanted = min(checked(self.options)[0], len(tasks)) - waiting
        if waiting:
            hear(Event(tasks[0], note=f"tasks of earlier submissions that play on: {waiting}"))
        if wanted > 0:
            job = self._submit(tasks, wanted, since)
            numbers.append(job)
            hear(Event(tasks[0], note=f"submitted job {job} with {plural(wanted, 'task')}; scancel {job} ends it"))
        if self.options.detach:
            return
        gone = f"no job plays it any more; {self.out / shares.HIDDEN} has what jobs said"
        yield from shares.watch(tasks, hear, _Queue(numbers).is_active, since, gone)

    def _submit(self, tasks: list[Task], count: int, since: float) -> str:
        folder = self.out.resolve() / shares.HIDDEN / time.strftime("%Y%m%d-%H%M%S", time.localtime(since))
        while folder.exists():
            folder = folder.with_name(folder.name + "+")
        with writing(folder):
            folder.mkdir(parents=True)
        shares.write_tasks(folder / TASKS, tasks)
        executor = _submitit().SlurmExecutor(folder=folder, max_num_timeout=10**6)
        executor.update_parameters(**self._parameters())
        own = (str(folder / TASKS), str(folder.parent), since, self.options)
        try:
            jobs: list[Any] = executor.map_array(work, *([each] * count for each in own))
        except Exception as error:  # submitit passes on whatever sbatch says, in exceptions of several kinds
            raise RunError(f"The jobs could not be submitted ({_last_line(error)}).") from error
        number = str(jobs[0].job_id).split("_")[0]
        write(folder / JOB, json.dumps({"job": number, "tasks": count, "runs": len(tasks)}).encode() + b"\n")
        return number

    def _parameters(self) -> dict[str, Any]:
        jobs, minutes = checked(self.options)
        more: dict[str, Any] = {name.replace("-", "_"): value for name, value in more_options(self.options).items()}
        return {
            "job_name": job_name(self.title),
            "time": minutes,
            "array_parallelism": jobs,
            "cpus_per_task": self.options.workers or 1,
            "signal_delay_s": signal_delay(minutes),
            **({"partition": self.options.partition} if self.options.partition else {}),
            "additional_parameters": {"requeue": True, **more},
        }

    def _active(self, tasks: list[Task]) -> tuple[list[str], int]:
        """Arrays of earlier submissions that are still there and have all these runs, and how many of their tasks."""
        numbers, count, wanted = list[str](), 0, {str(task.directory.resolve()) for task in tasks}
        for file in sorted((self.out / shares.HIDDEN).glob(f"*/{JOB}")):
            try:
                number = str(json.loads(file.read_bytes())["job"])
                given = {str(task.directory) for task in shares.read_tasks(file.with_name(TASKS))}
            except (ValueError, KeyError, TypeError, OSError):
                continue
            states = slurm_states([number]) if wanted <= given else None
            if states:
                numbers.append(number)
                count += len(states)
        return numbers, count


class _Queue:
    """Whether arrays still have tasks in the queue."""

    def __init__(self, numbers: list[str]) -> None:
        self._numbers, self._silences = numbers, 0

    def is_active(self) -> bool:
        states = slurm_states(self._numbers)
        self._silences = self._silences + 1 if states is None else 0
        return self._silences < TRUST if states is None else bool(states)


def _submitit() -> Any:
    try:
        import submitit
    except ImportError:
        raise RequestError(
            "To play on SLURM, install submitit: pip install 'ishango[slurm]'; a dry run prints a script without it."
        ) from None
    return submitit


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return (lines[-1] if lines else type(error).__name__).rstrip(".")


# A sweep as an sbatch script, for sites where jobs are submitted by hand.

JOBS = 10
"""Tasks of an array, if nobody says how many."""
MINUTES = 60
"""Their time, if nobody says how long."""
MOST_JOBS = 1_000
"""Tasks that the usual limit of SLURM (MaxArraySize 1001, which caps the index) has room for."""


def checked(options: shares.EngineOptions) -> tuple[int, int]:
    """Tasks and minutes of an array; numbers that cannot be meant are refused."""
    jobs = JOBS if options.jobs is None else options.jobs
    minutes = MINUTES if options.time is None else options.time
    if not 1 <= jobs <= MOST_JOBS:
        raise FieldError("jobs", f"jobs is {jobs}; give between 1 and {MOST_JOBS:,}, since each plays many runs.")
    check_share(options)
    return jobs, minutes


def check_share(options: shares.EngineOptions) -> None:
    """Refuse a time and a number of workers that cannot be meant."""
    if options.time is not None and options.time < 1:
        raise FieldError("time", f"time is {options.time}; give at least one minute.")
    if options.workers is not None and options.workers < 1:
        raise FieldError("workers", f"workers is {options.workers}; give at least 1.")


def signal_delay(minutes: int) -> int:
    """Seconds before the end at which SLURM tells workers that their time is nearly up."""
    return min(90, 6 * minutes)


def job_name(title: str) -> str:
    """The name of a job, in letters that every tool takes."""
    return "ishango-" + (re.sub(r"[^A-Za-z0-9._-]+", "-", title).strip("-") or "sweep")


def more_options(options: shares.EngineOptions) -> dict[str, str]:
    """What `--sbatch` gives, by name.

    >>> more_options(shares.EngineOptions(sbatch=("account=phonology", "mem=2G")))
    {'account': 'phonology', 'mem': '2G'}
    """
    found: dict[str, str] = {}
    for each in options.sbatch:
        name, equals, value = each.removeprefix("--").partition("=")
        if not equals or not re.fullmatch(r"[a-z][a-z0-9-]*", name) or not value.isprintable():
            raise FieldError("sbatch", f"sbatch has {each!r}; give options of sbatch such as account=NAME or mem=2G.")
        found[name] = value
    return found


def sbatch_script(options: shares.EngineOptions, title: str, command: list[str]) -> str:
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


# Inside a job of SLURM: play a share of the sweep, and requeue the job when its time is up and runs are left.

TO_LEAVE = 30.0
"""Seconds kept free at the end of a job, to stop workers and to requeue; a tenth of a job that is short."""
UNTIL_KILLED = 60.0
"""Seconds that a job waits for its end after it was requeued."""


@dataclass
class JobExecutor:
    """A share of a sweep that goes on in the same job's next life."""

    share: shares.ShareExecutor

    def map(self, tasks: Iterable[Task], hear: Callable[[Event], None] = lambda _event: None) -> Iterator[Result]:
        """Play what is free; requeue the job if its time was too short for all."""
        tasks, limit, done = list(tasks), self.share.limit, 0
        main = threading.current_thread() is threading.main_thread()
        with limit.hurried_by_signal() if main else nullcontext():
            for result in self.share.map(tasks, hear):
                done += result.status == "done"
                yield result
        if not (limit.hurried or not limit.left):
            return
        if any(not shares.is_finished(task) and not shares.failed_since(task, self.share.since) for task in tasks):
            if not self.share.rounds_played and not done:
                raise RunError("No round was finished within the time of the job; give it more time.")
            requeue()


def share_of_job(options: shares.EngineOptions, out: Path) -> JobExecutor:
    """The share that falls to this process, from what the scheduler says in the environment."""
    check_share(options)
    environment = os.environ
    count = int(environment.get("SLURM_ARRAY_TASK_COUNT", "1"))
    place = int(environment.get("SLURM_ARRAY_TASK_ID", "0")) - int(environment.get("SLURM_ARRAY_TASK_MIN", "0"))
    share = shares.ShareExecutor(
        workers=options.workers or int(environment.get("SLURM_CPUS_PER_TASK", "1")),
        limit=Limit(_end_of_job(options.time)),
        place=place,
        of=count,
        since=_was_submitted(),
        folder=out / shares.HIDDEN,
    )
    return JobExecutor(share)


def work(tasks: str, folder: str, since: float, options: shares.EngineOptions) -> None:
    """What submitit starts in each task of the array."""
    executor = share_of_job(options, Path(folder).parent)
    executor.share.since = since
    with interruptible():
        for result in executor.map(shares.read_tasks(Path(tasks)), _print_warning):
            print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {result.task.directory.name} {result.status} {result.message}")


def requeue() -> None:
    """Let SLURM start this job again; it ends the processes of this life."""
    job = current_job().removeprefix(SLURM)
    answer = ask("scontrol", "requeue", job) if job else None
    if answer is None or answer.returncode:
        reason = answer.stderr.strip() if answer else "there is no SLURM here"
        raise RunError(
            f"Runs are left, and the job could not be requeued ({reason}); the same sweep goes on with them."
        )
    time.sleep(UNTIL_KILLED)


def _end_of_job(minutes: int | None) -> float:
    """When to be gone, in seconds of the clock: a little before the scheduler ends the job."""
    now = time.time()
    if (told := os.environ.get("SLURM_JOB_END_TIME", "")).isdigit():
        end = float(told)
    elif minutes is not None:
        end = now + 60 * minutes
    else:
        return math.inf
    return end - min(TO_LEAVE, (end - now) / 10)


def _was_submitted() -> float:
    """When this job was submitted; now, if nobody knows."""
    job = current_job().removeprefix(SLURM)
    answer = ask("squeue", "--noheader", "--jobs", job, "--format", "%V") if job else None
    try:
        return datetime.fromisoformat(answer.stdout.split()[0]).timestamp() if answer else time.time()
    except (ValueError, IndexError):
        return time.time()


def _print_warning(event: Event) -> None:
    if event.warning:
        print(f"warning: {event.warning}", flush=True)
