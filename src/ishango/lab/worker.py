"""The inside of a worker process: play the tasks that come through the pipe until it closes."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Mapping
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ishango.errors import RequestError, RunError
from ishango.lab.directory import ERROR
from ishango.lab.experiments import find_kind
from ishango.lab.playing import run
from ishango.lab.safe_files import write
from ishango.lab.signals import interruptible

NEWS_EVERY = 0.2
"""Seconds between two messages about the rounds of a run."""


def serve(pipe: Connection) -> None:
    """Play until there is nothing more to play or nobody to play for; SIGTERM is the way to end it in between."""
    with interruptible():
        try:
            pipe.send(("started", None))
            while True:
                experiment, config, directory = pipe.recv()
                pipe.send(play(experiment, config, Path(directory), pipe))
        except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
            return


def play(experiment: str, config: dict[str, Any], directory: Path, pipe: Connection) -> tuple[str, Any]:
    """Play one run; the answer says how it ended."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_pass_on, pipe)
            run(find_kind(experiment).from_config(config), directory, _News(pipe))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except (RequestError, RunError) as error:  # their one sentence says all
        return "failed", (str(error), None)
    except Exception as error:
        return "failed", (f"{type(error).__name__}: {error}", _write_traceback(directory))
    return "done", ("", None)


def _pass_on(pipe: Connection, message: Warning | str, *_where: Any, **_options: Any) -> None:
    pipe.send(("warning", str(message)))


def _write_traceback(directory: Path) -> str | None:
    path = directory / ERROR
    try:
        directory.mkdir(parents=True, exist_ok=True)
        write(path, traceback.format_exc().encode())
    except (OSError, RunError):  # a disk that takes no traceback: the message has to do
        return None
    return str(path)


class _News:
    """Tells the other end of the pipe how far the run is, a few times a second."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe, self._done, self._sent_at = pipe, 0, 0.0

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
            self._pipe.send(("rounds", self._done))
