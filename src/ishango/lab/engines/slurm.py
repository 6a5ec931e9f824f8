"""Sweeps on SLURM: an array of few tasks, each a worker that plays many runs; submitted through submitit."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ishango.errors import RequestError, RunError
from ishango.lab.engines.executors import Event, Result, Task
from ishango.lab.engines.registry import EngineOptions
from ishango.lab.engines.share import HIDDEN, read_tasks, watch, write_tasks
from ishango.lab.engines.slurm_worker import checked, job_name, more_options, signal_delay, work
from ishango.lab.lock import slurm_states
from ishango.safe_files import write, writing

TASKS = "tasks.jsonl"
JOB = "job.json"
"""What was submitted: the array's number and its tasks."""
TRUST = 5
"""Times that SLURM may not answer before jobs count as gone: its controller is restarted now and then."""


@dataclass
class SlurmExecutor:
    """Plays on a SLURM cluster whose machines share the sweep's directory."""

    options: EngineOptions
    out: Path
    title: str = "sweep"

    def __post_init__(self) -> None:
        """Refuse what cannot be submitted before anything is looked at."""
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
            numbers.append(self._submit(tasks, wanted, since))
            hear(Event(tasks[0], note=_submitted(numbers[-1], wanted)))
        if self.options.detach:
            return
        gone = f"no job plays it any more; {self.out / HIDDEN} has what jobs said"
        yield from watch(tasks, hear, _Queue(numbers).is_active, since, gone)

    def _submit(self, tasks: list[Task], count: int, since: float) -> str:
        """Submit an array; its number."""
        folder = self.out.resolve() / HIDDEN / time.strftime("%Y%m%d-%H%M%S", time.localtime(since))
        while folder.exists():
            folder = folder.with_name(folder.name + "+")
        with writing(folder):
            folder.mkdir(parents=True)
        write_tasks(folder / TASKS, tasks)
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
        for file in sorted((self.out / HIDDEN).glob(f"*/{JOB}")):
            try:
                number = str(json.loads(file.read_bytes())["job"])
                given = {str(task.directory) for task in read_tasks(file.with_name(TASKS))}
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
            "--on slurm needs submitit; install it with pip install 'ishango[slurm]', or print a script with --dry-run."
        ) from None
    return submitit


def _submitted(number: str, tasks: int) -> str:
    return f"submitted job {number} with {tasks} {'task' if tasks == 1 else 'tasks'}; scancel {number} ends it"


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return (lines[-1] if lines else type(error).__name__).rstrip(".")
