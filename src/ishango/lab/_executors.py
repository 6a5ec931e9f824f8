"""Worker processes of this machine: how long they may play, what they do, and who gives them tasks."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Literal, Protocol

from ishango._locks import BusyError
from ishango.errors import RequestError, RunError
from ishango.lab._directory import ERROR, may_hold_run
from ishango.lab._experiments import find_kind
from ishango.lab._playing import StoppedError, interruptible, postponed_interrupts, run
from ishango.lab._rounds import TakenOverError
from ishango.safe_files import write

NEARLY_UP = signal.SIGUSR2
"""What tells a worker to stop at the end of the round that it plays."""


@dataclass
class Limit:
    """Until when workers may play. Before that they stop at the end of a round; then they are told to leave."""

    until: float = math.inf
    """In seconds of the clock (`time.time`)."""
    hurried: bool = False
    """Whether the rounds that are being played shall be the last."""

    @property
    def left(self) -> float:
        """Seconds that are left; none below zero."""
        return max(0.0, self.until - time.time())

    @contextmanager
    def hurried_by_signal(self) -> Generator[None]:
        """Hurry when `NEARLY_UP` comes; main thread only."""
        before = signal.signal(NEARLY_UP, self._hurry)
        try:
            yield
        finally:
            signal.signal(NEARLY_UP, before)

    def _hurry(self, _number: int, _frame: Any) -> None:
        self.hurried = True


class RoundClock:
    """Asked after every round: whether another one as long as the last, and half as long again, would end too late."""

    def __init__(self, limit: Limit) -> None:
        self._limit, self._began = limit, time.time()

    def __call__(self) -> bool:
        last, self._began = time.time() - self._began, time.time()
        return self._limit.hurried or 1.5 * last > self._limit.left


NEWS_EVERY = 0.2
"""Seconds between two messages about the rounds of a run."""

Status = Literal["done", "failed", "busy", "stopped"]
Tell = Callable[[str, Any], None]
"""Takes `rounds` with the number done, or `warning` with its text."""


def serve(pipe: Connection, until: float) -> None:
    """The inside of a worker process: play tasks until the pipe closes; SIGTERM is the way to end it in between."""
    limit = Limit(until)

    def tell(kind: str, content: Any) -> None:
        pipe.send((kind, content))

    def pass_on(message: Warning | str, *_where: Any, **_options: Any) -> None:
        tell("warning", str(message))

    with interruptible(), limit.hurried_by_signal():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {NEARLY_UP})
        try:
            tell("started", None)
            while True:
                experiment, config, directory = pipe.recv()
                with warnings.catch_warnings():
                    warnings.showwarning = pass_on
                    tell(*play(experiment, config, Path(directory), tell, limit))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return
        except KeyboardInterrupt:
            with suppress(OSError):  # nobody may be listening any more
                tell("stopped", ("its process was told to leave", None))


def play(
    experiment: str, config: dict[str, Any], directory: Path, tell: Tell, limit: Limit
) -> tuple[Status, tuple[str, str | None]]:
    """Play one run; the answer says how it ended, with a message and the file of the traceback if there is one."""
    try:
        run(find_kind(experiment).from_config(config), directory, _News(tell), stop=RoundClock(limit))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except StoppedError as error:
        return "stopped", (str(error), None)
    except (BusyError, TakenOverError) as error:
        return "busy", (str(error), None)
    except (RequestError, RunError) as error:  # their one sentence says all
        note_failure(directory, str(error))
        return "failed", (str(error), None)
    except Exception as error:
        file = note_failure(directory, traceback.format_exc())
        return "failed", (f"{type(error).__name__}: {error}", str(file) if file else None)
    return "done", ("", None)


def note_failure(directory: Path, reason: str) -> Path | None:
    """Leave the reason of a failure in the run's directory, where others look; nothing where that cannot be."""
    path = directory / ERROR
    if not may_hold_run(directory):
        return None
    try:
        directory.mkdir(parents=True, exist_ok=True)
        write(path, f"{reason.rstrip()}\n".encode())
    except (OSError, RunError):  # a disk that takes nothing: the message has to do
        return None
    return path


class _News:
    """Tells how far the run is, a few times a second."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._done, self._sent_at = tell, 0, 0.0

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:  # noqa: ARG002 - reporters are told it
        self._done = rounds_done
        self._send()

    def steps(self, round: int, done: int, of: int) -> None:  # noqa: ARG002 - reporters are told it
        self._send()  # also the way to notice that nobody listens any more

    def round(self, record: Mapping[str, Any]) -> None:
        self._done = record["round"] + 1
        self._send()

    def end(self) -> None:
        pass

    def _send(self) -> None:
        if time.monotonic() - self._sent_at >= NEWS_EVERY:
            self._sent_at = time.monotonic()
            self._tell("rounds", self._done)


# Who plays the runs of a sweep. A cluster's engine fits behind the same verb as `LocalExecutor`, because a task is
# three plain values and everything else travels through the run's directory.

ONE_THREAD: dict[str, str] = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
PATIENCE = 5.0
"""Seconds a worker has to leave by itself before it is killed; its run survives either way."""

LOOK_EVERY = 0.5
"""Seconds between two looks at the time that is left."""


@dataclass(frozen=True)
class Task:
    """One run to play."""

    experiment: str
    """The name of its kind, or `module:attribute` of one: what the worker needs to find it."""
    config: Mapping[str, Any]
    directory: Path


@dataclass(frozen=True)
class Event:
    """News of a run that is being played: the rounds done (round 0 included), a warning, or a note about the sweep."""

    task: Task
    rounds_done: int | None = None
    warning: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Result:
    """How a task ended."""

    task: Task
    status: Literal["done", "failed", "died", "busy", "stopped"]
    """`failed`: it raised an exception; `died`: its process was killed; `busy`: another process plays it; `stopped`:
    the time was up, and it goes on from its checkpoint."""
    message: str = ""
    error_file: Path | None = None
    """The traceback, where there is one."""


class Executor(Protocol):
    """Plays tasks."""

    def map(self, tasks: Iterable[Task], hear: Callable[[Event], None]) -> Iterator[Result]:
        """Play all tasks; results come as runs finish, and one that fails does not stop the others."""
        ...


MOST_WORKERS = 1_000
"""Processes that one machine can be asked for."""


@dataclass
class LocalExecutor:
    """Worker processes on this machine, spawned and with one thread each; default: one a core."""

    workers: int = field(default_factory=lambda: available_cores())
    limit: Limit = field(default_factory=Limit)
    """How long they may play."""

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= MOST_WORKERS:
            raise RequestError(f"{self.workers} workers cannot play; give between 1 and {MOST_WORKERS:,}.")

    def map(self, tasks: Iterable[Task], hear: Callable[[Event], None] = lambda _event: None) -> Iterator[Result]:
        """Play all tasks, each taken when a worker is free; leaving the iterator early ends the workers."""
        waiting, more, hurried = iter(tasks), True, False
        workers: list[_Worker] = []
        try:
            while True:
                while more and len(workers) < self.workers:
                    task = next(waiting, None)
                    if task is None:
                        more = False
                    else:
                        workers.append(_Worker(self.limit.until))
                        workers[-1].give(task)
                if not workers:
                    return
                if self.limit.hurried and not hurried:
                    hurried = True
                    for each in workers:
                        each.hurry()
                if not self.limit.left:
                    yield from (Result(each.task, "stopped", "the time was up") for each in workers if each.task)
                    return
                for each in _ready(workers, self.limit):
                    result = each.listen(hear)
                    if result is None:
                        continue
                    gone = result.status in ("died", "stopped")
                    task = None if gone or not more else next(waiting, None)
                    if task is None:
                        more = more and gone
                        workers.remove(each)
                        each.end()
                    else:
                        each.give(task)
                    yield result
        finally:
            for each in workers:
                each.terminate()
            for each in workers:
                each.end()


class _Worker:
    """A process that plays one task after another, and this end of the pipe to it."""

    def __init__(self, until: float) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=serve, args=(theirs, until), daemon=True)
        # The libraries of the new process read the environment when they load; Ctrl-C is for this process alone.
        with _environment(ONE_THREAD), postponed_interrupts(), _blocked_signals():
            self.process.start()
        theirs.close()
        self.task: Task | None = None
        self.started = False

    def give(self, task: Task) -> None:
        self.task = task
        with suppress(OSError):  # a process that is dead already is found out by `listen`
            self.pipe.send((task.experiment, dict(task.config), str(task.directory)))

    def listen(self, hear: Callable[[Event], None]) -> Result | None:
        """Take one message; a result if the task has ended."""
        assert self.task is not None
        try:
            kind, content = self.pipe.recv()
        except (EOFError, OSError):
            return self._death(self.task)
        self.started = True
        if kind == "rounds":
            hear(Event(self.task, rounds_done=content))
        elif kind == "warning":
            hear(Event(self.task, warning=content))
        elif kind != "started":
            message, error_file = content
            return Result(self.task, kind, message, Path(error_file) if error_file else None)
        return None

    def _death(self, task: Task) -> Result:
        self.process.join(PATIENCE)
        code = self.process.exitcode
        if not self.started and code and code > 0:  # all others would end like this one
            raise RunError(
                "A worker process could not start; what it said stands above. In a script, calls that play several runs"
                ' belong below a line `if __name__ == "__main__":`, because workers read the script, too.'
            )
        how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
        return Result(task, "died", f"its process {self.process.pid} {how}")

    def hurry(self) -> None:
        if self.process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, NEARLY_UP)

    def terminate(self) -> None:
        self.process.terminate()

    def end(self) -> None:
        """Close the pipe, which ends an idle process, and see that it is gone."""
        self.pipe.close()
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


def available_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ready(workers: list[_Worker], limit: Limit) -> list[_Worker]:
    """Those with news; with a limit there may be none, so that it is looked at."""
    bounded = limit.until < math.inf
    ready = wait([each.pipe for each in workers], min(LOOK_EVERY, limit.left) if bounded else None)
    return [each for each in workers if each.pipe in ready]


@contextmanager
def _environment(variables: Mapping[str, str]) -> Generator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _blocked_signals() -> Generator[None]:
    """Processes started here inherit a blocked SIGINT, and the signal to hurry waits until they can take it."""
    resource_tracker.ensure_running()  # starting it later would unblock SIGINT again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, NEARLY_UP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
