"""Inside a job of SLURM: play a share of the sweep, and requeue the job when its time is up and runs are left."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ishango.errors import RunError
from ishango.lab.engines.executors import Event, Result, Task
from ishango.lab.engines.limits import Limit
from ishango.lab.engines.registry import EngineOptions
from ishango.lab.engines.share import HIDDEN, ShareExecutor, failed_since, is_finished, read_tasks
from ishango.lab.engines.slurm_script import check_share
from ishango.lab.jobs import SLURM, ask, current_job
from ishango.lab.signals import interruptible

TO_LEAVE = 30.0
"""Seconds kept free at the end of a job, to stop workers and to requeue; a tenth of a job that is short."""
UNTIL_KILLED = 60.0
"""Seconds that a job waits for its end after it was requeued."""


@dataclass
class JobExecutor:
    """A share of a sweep that goes on in the same job's next life."""

    share: ShareExecutor

    def map(self, tasks: Iterable[Task], hear: Callable[[Event], None] = lambda _event: None) -> Iterator[Result]:
        """Play what is free; requeue the job if its time was too short for all."""
        tasks, limit, done = list(tasks), self.share.limit, 0
        main = threading.current_thread() is threading.main_thread()
        with limit.hurried_by() if main else nullcontext():
            for result in self.share.map(tasks, hear):
                done += result.status == "done"
                yield result
        if not (limit.hurried or not limit.left):
            return
        if any(not is_finished(task) and not failed_since(task, self.share.since) for task in tasks):
            if not self.share.rounds_played and not done:
                raise RunError("No round was finished within the time of the job; give it more with --time.")
            requeue()


def share_of_job(options: EngineOptions, out: Path) -> JobExecutor:
    """The share that falls to this process, from what the scheduler says in the environment."""
    check_share(options)
    environment = os.environ
    count = int(environment.get("SLURM_ARRAY_TASK_COUNT", "1"))
    place = int(environment.get("SLURM_ARRAY_TASK_ID", "0")) - int(environment.get("SLURM_ARRAY_TASK_MIN", "0"))
    share = ShareExecutor(
        workers=options.workers or int(environment.get("SLURM_CPUS_PER_TASK", "1")),
        limit=Limit(_end_of_job(options.time)),
        place=place,
        of=count,
        since=_submitted(),
        folder=out / HIDDEN,
    )
    return JobExecutor(share)


def work(tasks: str, folder: str, since: float, options: EngineOptions) -> None:
    """What submitit starts in each task of the array."""
    executor = share_of_job(options, Path(folder).parent)
    executor.share.since = since
    with interruptible():
        for result in executor.map(read_tasks(Path(tasks)), _print_warning):
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


def _submitted() -> float:
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
