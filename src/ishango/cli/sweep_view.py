"""One progress display for a whole sweep: live on a terminal, timestamped lines elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from ishango.cli.output import plural
from ishango.cli.waiting import FIRST, Teller
from ishango.lab import Event, Result, Task

Weigh = Callable[[Task], float]
"""The work in a round of a run, beside that in rounds of others."""

LINES_EVERY = 10.0
"""Seconds between two lines about runs that go on."""


def alike(_task: Task) -> float:
    """All rounds take equally long."""
    return 1.0


class Tally:
    """What is known of a sweep: runs done and failed, those going on, and the time left."""

    def __init__(self, tasks: Sequence[Task], done: int, weigh: Weigh = alike) -> None:
        self.total, self.done, self.failed = len(tasks) + done, done, 0
        self.running: dict[str, tuple[int, int]] = {}
        """The rounds done and the rounds to do of each, round 0 not counted."""
        parents = [str(task.directory.parent) for task in tasks]
        self._shared, self._weigh = os.path.commonpath(parents) if parents else "", weigh
        self._left = sum((task.config["rounds"] + 1) * weigh(task) for task in tasks)
        self._played, self._started = 0.0, None

    def hear(self, event: Event) -> None:
        """A run has come further."""
        if event.rounds_done is not None:
            self._advance(event.task, event.rounds_done)

    def finish(self, result: Result) -> None:
        """A run has ended."""
        rounds = result.task.config["rounds"] + 1
        self._advance(result.task, rounds, counts=result.status == "done")
        del self.running[self.name(result.task)]
        if result.status == "done":
            self.done += 1
        else:
            self.failed += 1

    def _advance(self, task: Task, rounds_done: int, counts: bool = True) -> None:
        name = self.name(task)
        known = name in self.running
        before = self.running[name][0] + 1 if known else 0
        self._left -= (rounds_done - before) * self._weigh(task)
        if counts and known and rounds_done > before:  # what a resumed run brought along was not played now
            self._count((rounds_done - before) * self._weigh(task))
        self.running[name] = (rounds_done - 1, task.config["rounds"])

    def name(self, task: Task) -> str:
        """A run's name: its directory below the one that all runs share."""
        return str(task.directory.relative_to(self._shared))

    def _count(self, work: float) -> None:
        """The clock starts with the first rounds, so that the time workers take to get going is left out."""
        if self._started is None:
            self._started = time.monotonic()
        else:
            self._played += work

    def time_left(self) -> str:
        """An estimate from the rounds played so far."""
        if not self._played or self._started is None:
            return "time left unknown"
        seconds = self._left * (time.monotonic() - self._started) / self._played
        return f"about {duration(seconds)} left"

    def summary(self) -> str:
        """Runs done, failed and to do."""
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {plural(self.total, 'run')} done{failed}"


class LiveView:
    """A bar for the sweep and a line for each run that goes on."""

    def __init__(self, console: Console, weigh: Weigh = alike) -> None:
        self._console, self._weigh, self._tally = console, weigh, Tally([], 0, weigh)
        self._live = Live(console=console, get_renderable=self._picture, refresh_per_second=4, transient=True)

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None:
        """Draw."""
        self._tally = Tally(tasks, done, self._weigh)
        self._console.print(f"{title}: {self._tally.summary()}", markup=False)
        self._live.start()

    def hear(self, event: Event) -> None:
        """Move a run's line on."""
        self._tally.hear(event)
        if event.warning:
            self._console.print(f"Warning: {event.warning}", style="yellow", markup=False)
        if event.note:
            self._console.print(event.note, markup=False)

    def finish(self, result: Result) -> None:
        """Take a run's line away."""
        self._tally.finish(result)
        if result.status != "done":
            self._console.print(ended(result, self._tally.name(result.task)), style="red", markup=False)

    def end(self) -> None:
        """Leave a last line."""
        self._live.stop()
        self._console.print(self._tally.summary())

    def _picture(self) -> RenderableType:
        tally = self._tally
        head = Table.grid(padding=(0, 2, 0, 0))
        bar = ProgressBar(total=max(tally.total, 1), completed=tally.done + tally.failed, width=30)
        head.add_row(bar, tally.summary(), tally.time_left())
        rows = Table.grid(padding=(0, 2, 0, 0))
        for name, (done, of) in list(tally.running.items()):  # drawn by a thread of its own: a copy
            rows.add_row(f"  {name}", f"round {max(done, 0)} of {of}")
        return Group(head, rows)


class LineView:
    """A line for each run that ends and, now and then, one about those that go on."""

    def __init__(self, console: Console, weigh: Weigh = alike) -> None:
        self._console, self._weigh, self._tally, self._said_at = console, weigh, Tally([], 0, weigh), 0.0
        self._starting: Teller | None = None

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None:
        """Say what is to do; until the first news comes, that workers are being started."""
        self._tally = Tally(tasks, done, self._weigh)
        self._say(f"{title}: {self._tally.summary()}")
        self._starting = Teller("starting workers", FIRST) if tasks else None

    def hear(self, event: Event) -> None:
        """Say how far the runs are, if nothing was said for a while."""
        self._started()
        self._tally.hear(event)
        if event.warning:
            self._say(f"warning: {event.warning}")
        elif event.note:
            self._say(event.note)
        elif time.monotonic() - self._said_at >= LINES_EVERY:
            tally = self._tally
            runs = ", ".join(f"{name} round {max(done, 0)} of {of}" for name, (done, of) in tally.running.items())
            self._say(f"{tally.summary()}; {tally.time_left()}; {runs}")

    def finish(self, result: Result) -> None:
        """Say how a run ended."""
        self._started()
        self._tally.finish(result)
        self._say(f"{ended(result, self._tally.name(result.task))}; {self._tally.summary()}")

    def end(self) -> None:
        """Nothing is left to say."""
        self._started()

    def _started(self) -> None:
        if self._starting is not None:
            self._starting.stop()
            self._starting = None

    def _say(self, text: str) -> None:
        self._said_at = time.monotonic()
        stamp = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S")
        self._console.print(f"{stamp} {text}", markup=False, soft_wrap=True)


def ended(result: Result, name: str) -> str:
    """How a run ended, with the file that tells more."""
    if result.status == "done":
        return f"{name} done"
    file = f" (see {result.error_file})" if result.error_file else ""
    return f"{name} {result.status}: {result.message}{file}"


def duration(seconds: float) -> str:
    """A time a person can plan with.

    >>> [duration(s) for s in (42, 600, 9000)]
    ['42 s', '10 min', '2 h 30 min']
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
