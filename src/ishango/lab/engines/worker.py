"""How long workers may play: until a time, or until somebody asks them to hurry."""

from __future__ import annotations

import math
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from ishango.errors import RequestError, RunError
from ishango.lab.directory import ERROR, may_hold_run
from ishango.lab.experiments import find_kind
from ishango.lab.lock import BusyError
from ishango.lab.playing import StoppedError, interruptible, run
from ishango.lab.rounds import TakenOverError
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
    def hurried_by(self, number: signal.Signals = NEARLY_UP) -> Generator[None]:
        """Hurry when this signal comes; main thread only."""
        before = signal.signal(number, self._hurry)
        try:
            yield
        finally:
            signal.signal(number, before)

    def _hurry(self, _number: int, _frame: Any) -> None:
        self.hurried = True


class RoundClock:
    """Asked after every round: whether another one as long as the last, and half as long again, would end too late."""

    def __init__(self, limit: Limit) -> None:
        self._limit, self._began = limit, time.time()

    def __call__(self) -> bool:
        """Whether to stop here."""
        last, self._began = time.time() - self._began, time.time()
        return self._limit.hurried or 1.5 * last > self._limit.left


# The inside of a worker process: play the tasks that come through the pipe until it closes.

NEWS_EVERY = 0.2
"""Seconds between two messages about the rounds of a run."""


Status = Literal["done", "failed", "busy", "stopped"]
Tell = Callable[[str, Any], None]
"""Takes `rounds` with the number done, or `warning` with its text."""


def serve(pipe: Connection, until: float) -> None:
    """Play until there is nothing more to play or nobody to play for; SIGTERM is the way to end it in between."""
    limit = Limit(until)
    with interruptible(), limit.hurried_by():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {NEARLY_UP})
        try:
            pipe.send(("started", None))
            while True:
                experiment, config, directory = pipe.recv()
                tell = partial(_send, pipe)
                with warnings.catch_warnings():
                    warnings.showwarning = partial(_pass_on, tell)
                    pipe.send(play(experiment, config, Path(directory), tell, limit))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return
        except KeyboardInterrupt:
            with suppress(OSError):  # nobody may be listening any more
                pipe.send(("stopped", ("its process was told to leave", None)))


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


def _send(pipe: Connection, kind: str, content: Any) -> None:
    pipe.send((kind, content))


def _pass_on(tell: Tell, message: Warning | str, *_where: Any, **_options: Any) -> None:
    tell("warning", str(message))


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

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:  # noqa: ARG002
        self._done = rounds_done
        self._send()

    def steps(self, round: int, done: int, of: int) -> None:  # noqa: ARG002
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
