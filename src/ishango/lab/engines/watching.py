"""Following runs that are played elsewhere, through their directories alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ishango.lab.directory import DONE, ERROR
from ishango.lab.engines.executors import Event, Result, Task
from ishango.lab.engines.share import failed_since, is_finished
from ishango.lab.failures import read_failure
from ishango.lab.plain_files import Stamp, plain_stamp, read_plain
from ishango.lab.rounds import NAME as ROUNDS

LOOK_EVERY = 2.0
"""Seconds between two looks; more where a look takes long, so that it takes a tenth of the time."""

IsActive = Callable[[], bool]
"""Whether anybody may still be playing."""


def watch(
    tasks: Sequence[Task], hear: Callable[[Event], None], is_active: IsActive, since: float, gone: str
) -> Iterator[Result]:
    """Results of runs as they end elsewhere; when nobody plays any more, the rest counts as died.

    Args:
        tasks: what is being played.
        hear: told how far runs are.
        is_active: asked before every look.
        since: when they were given away; an error from before counts for nothing.
        gone: what is said of a run that nobody plays any more.
    """
    open_tasks, seen = list(tasks), dict[Path, Stamp]()
    while open_tasks:
        active, began = is_active(), time.monotonic()
        still: list[Task] = []
        for task in open_tasks:
            result = _ended(task, since)
            if result is None:
                still.append(task)
                _tell_rounds(task, hear, seen)
            else:
                yield result
        open_tasks = still
        if not active:
            yield from (Result(task, "died", gone) for task in open_tasks)
            return
        if open_tasks:
            time.sleep(max(LOOK_EVERY, 9 * (time.monotonic() - began)))


def _ended(task: Task, since: float) -> Result | None:
    if (task.directory / DONE).exists() and is_finished(task):
        return Result(task, "done")
    if not failed_since(task, since):
        return None
    failure = read_failure(task.directory)
    if failure is None:  # taken up again a moment ago
        return None
    return Result(task, "failed", failure.message, task.directory / ERROR if failure.is_traced else None)


def _tell_rounds(task: Task, hear: Callable[[Event], None], seen: dict[Path, Stamp]) -> None:
    """Tell of new rounds; the file is read only if it has changed."""
    path = task.directory / ROUNDS
    stamp = plain_stamp(path)
    if stamp is None or seen.get(path) == stamp:
        return
    seen[path] = stamp
    try:
        hear(Event(task, rounds_done=read_plain(path).count(b"\n")))
    except OSError:
        return
