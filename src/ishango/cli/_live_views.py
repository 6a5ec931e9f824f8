"""What one sees while something runs: a run, a sweep, a frontier; live in a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.status import Status
from rich.table import Table
from rich.text import Text

from ishango.cli import plain
from ishango.cli._output import FIRST, PlainConsole, Teller, plural
from ishango.frontiers import TOLERANCE, FrontierPoint, Generation, SearchNews
from ishango.lab import Event, Result, Task, read_rounds

LINE_EVERY = 10.0
"""Seconds between two lines where there is no terminal; a finished round comes no more often."""

Record = Mapping[str, Any]
Summary = Callable[[Record], str]
"""A round in one line."""
Figures = Callable[[Record], Mapping[str, str]]
"""The latest round as names and what stands beside them."""
Picture = Callable[[list[Record], int], str]
"""All rounds as a picture of characters, so many columns wide at most."""
Note = Callable[[Mapping[str, Any], Record], str | None]
"""From the config and a round to what has to be said of it, once in a run; None where there is nothing to say."""


def nothing_to_note(_config: Mapping[str, Any], _record: Record) -> str | None:
    """For runs of which nothing has to be said."""


@contextmanager
def view(
    stream: TextIO,
    figures: Figures,
    picture: Picture,
    summary: Summary | None = None,
    note: Note = nothing_to_note,
) -> Generator[Watch]:
    if not stream.isatty():
        yield Lines(stream, summary or (lambda record: "  ".join(map(" ".join, figures(record).items()))), note)
        return
    panel = Panel(figures, picture, note)
    with Live(console=PlainConsole(stream), get_renderable=panel.draw, refresh_per_second=4):
        yield panel


class Watch:
    """What both views know of a run."""

    def __init__(self, note: Note) -> None:
        self.note = note
        self.noted: str | None = None
        self.config: Mapping[str, Any] = {}
        self.directory: Path | None = None
        """Where the run lies, for what was played before."""
        self.records: list[Record] = []
        self.rounds_done = 0
        self.progress = 0.0
        self.clocked = False
        self.began, self.began_at = 0.0, 0.0

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        """Note where the run stands, and which rounds it has if it goes on."""
        self.config, self.rounds_done = config, rounds_done
        if rounds_done and self.directory:
            self.records[:] = read_rounds(self.directory)[:rounds_done]
        self.clocked, self.began_at = False, rounds_done

    def _clock(self) -> None:
        """The clock starts with the first step, so that kernels that are compiled before are not counted; where no
        steps are told with the second round, since the first may only say where the run begins."""
        if not self.clocked:
            self.clocked, self.began, self.began_at = True, time.monotonic(), self.rounds_done + self.progress

    def steps(self, round: int, done: int, of: int) -> None:  # noqa: ARG002 - reporters are told it
        self.progress = done / of
        self._clock()

    def round(self, record: Record) -> None:
        self.records.append(record)
        self.rounds_done += 1
        self.progress = 0.0
        if self.rounds_done >= self.began_at + 2:
            self._clock()
        self.noted = self.noted or self.note(self.config, record)

    def end(self) -> None:
        """Nothing is left to note."""

    @property
    def total(self) -> int:
        return int(self.config.get("rounds", 0)) + 1

    def time_left(self) -> str:
        played = self.rounds_done + self.progress - self.began_at
        left = self.total - self.rounds_done - self.progress
        if left and (not self.clocked or played <= 0):
            return "?"
        seconds = (time.monotonic() - self.began) / played * left if left else 0.0
        minutes, seconds = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}"


class Lines(Watch):
    """One line a round, but not more often than every few seconds."""

    def __init__(self, stream: TextIO, summary: Summary, note: Note) -> None:
        super().__init__(note)
        self.stream, self.summary = stream, summary
        self.last = 0.0

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        """Say whether the run is new, goes on or is done."""
        super().begin(config, rounds_done)
        state = "starts" if rounds_done == 0 else f"goes on after round {rounds_done - 1} of {self.total - 1}"
        self._say("done already" if rounds_done == self.total else state)

    def steps(self, round: int, done: int, of: int) -> None:
        super().steps(round, done, of)
        if time.monotonic() - self.last >= LINE_EVERY:
            self._say(f"round {round}/{self.total - 1}  {self.progress:.0%} of its steps  left {self.time_left()}")

    def round(self, record: Record) -> None:
        before = self.noted
        super().round(record)
        if self.noted and not before:
            self._say(self.noted)
        if time.monotonic() - self.last >= LINE_EVERY or self.rounds_done == self.total:
            self._say(f"round {record['round']}/{self.total - 1}  {self.summary(record)}  left {self.time_left()}")

    def _say(self, text: str) -> None:
        self.last = time.monotonic()
        print(f"{datetime.now():%H:%M:%S} {plain(text)}", file=self.stream, flush=True)


class Panel(Watch):
    """The latest round's figures, and a picture of the way there."""

    def __init__(self, figures: Figures, picture: Picture, note: Note) -> None:
        super().__init__(note)
        self.figures, self.picture = figures, picture

    def draw(self) -> RenderableType:
        if not self.records:
            return Text(f"round {self.rounds_done} of {self.total - 1}: {self.progress:4.0%}")
        record = self.records[-1]
        going_on = f", next {self.progress:4.0%}, {self.time_left()} left" if self.rounds_done < self.total else ""
        where = f"{record['round']} of {self.total - 1}{going_on}"
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold")
        for name, value in {"round": where, **self.figures(record)}.items():
            table.add_row(name, value)
        return Group(table, _Drawn(self.picture, self.records), *([Text(self.noted)] if self.noted else []))


class _Drawn:
    """A picture that is as wide as the terminal lets it be at the moment when it is drawn."""

    def __init__(self, picture: Picture, records: list[Record]) -> None:
        self.picture, self.records = picture, records

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.picture(self.records, options.max_width), style="cyan", no_wrap=True)


# One progress display for a whole sweep: live on a terminal, timestamped lines elsewhere.

Weigh = Callable[[Task], float]
"""The work in a round of a run, beside that in rounds of others."""


def alike(_task: Task) -> float:
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
        if event.rounds_done is not None:
            self._advance(event.task, event.rounds_done)

    def finish(self, result: Result) -> None:
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
            if self._started is None:  # so that the time workers take to get going is left out
                self._started = time.monotonic()
            else:
                self._played += (rounds_done - before) * self._weigh(task)
        self.running[name] = (rounds_done - 1, task.config["rounds"])

    def name(self, task: Task) -> str:
        """A run's name: its directory below the one that all runs share."""
        return str(task.directory.relative_to(self._shared))

    def time_left(self) -> str:
        if not self._played or self._started is None:
            return "time left unknown"
        seconds = self._left * (time.monotonic() - self._started) / self._played
        return f"about {duration(seconds)} left"

    def summary(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {plural(self.total, 'run')} done{failed}"


class LiveView:
    """A bar for the sweep and a line for each run that goes on."""

    def __init__(self, console: Console, weigh: Weigh = alike) -> None:
        self._console, self._weigh, self._tally = console, weigh, Tally([], 0, weigh)
        self._live = Live(console=console, get_renderable=self._picture, refresh_per_second=4, transient=True)

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None:
        self._tally = Tally(tasks, done, self._weigh)
        self._console.print(f"{title}: {self._tally.summary()}")
        self._live.start()

    def hear(self, event: Event) -> None:
        self._tally.hear(event)
        if event.warning:
            self._console.print(f"Warning: {event.warning}", style="yellow")
        if event.note:
            self._console.print(event.note)

    def finish(self, result: Result) -> None:
        self._tally.finish(result)
        if result.status != "done":
            self._console.print(ended(result, self._tally.name(result.task)), style="red")

    def end(self) -> None:
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
        self._started()
        self._tally.hear(event)
        if event.warning:
            self._say(f"warning: {event.warning}")
        elif event.note:
            self._say(event.note)
        elif time.monotonic() - self._said_at >= LINE_EVERY:
            tally = self._tally
            runs = ", ".join(f"{name} round {max(done, 0)} of {of}" for name, (done, of) in tally.running.items())
            self._say(f"{tally.summary()}; {tally.time_left()}; {runs}")

    def finish(self, result: Result) -> None:
        self._started()
        self._tally.finish(result)
        self._say(f"{ended(result, self._tally.name(result.task))}; {self._tally.summary()}")

    def end(self) -> None:
        self._started()

    def _started(self) -> None:
        if self._starting is not None:
            self._starting.stop()
            self._starting = None

    def _say(self, text: str) -> None:
        self._said_at = time.monotonic()
        stamp = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S")
        self._console.print(f"{stamp} {text}", soft_wrap=True)


def ended(result: Result, name: str) -> str:
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


# SearchNews of a frontier on standard error: a line that renews itself on a terminal, else a line now and then.

FIRST_NEWS, EVERY = 2.0, 5.0
"""Seconds before the first line and between further ones where there is no terminal."""


def bound_text(gap: float, lower_bound: float) -> str:
    """What is known of a size that is not proved; a bound that looks like the value is no proof, and says why."""
    return f"to within {TOLERANCE:g}" if gap <= TOLERANCE else f"at least {lower_bound:.6f}"


class FrontierReporter:
    """Tells how far a search is; used as a context so that the terminal is left clean."""

    def __init__(self, total: int, time_limit: float | None) -> None:
        self.total, self.time_limit = total, time_limit
        self.done = 0
        self.started = time.monotonic()
        self.told = self.started + FIRST_NEWS - EVERY
        self.console = PlainConsole(sys.stderr)
        self.status = Status("", console=self.console) if sys.stderr.isatty() else None

    def __enter__(self) -> FrontierReporter:
        if self.status:
            self.status.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        if self.status:
            self.status.stop()

    def searching(self, progress: SearchNews) -> None:
        rate = progress.nodes / max(progress.seconds, 1e-9)
        left = "" if self.time_limit is None else f", {max(0.0, self.time_limit - progress.seconds):.0f} s left"
        self._say(
            f"size {progress.size} ({self.done + 1} of {self.total}): best {progress.incumbent:.6f},"
            f" at least {progress.bound:.6f}, {plural(progress.nodes, 'node')}, {rate:,.0f} a second{left}"
        )

    def solved(self, point: FrontierPoint) -> None:
        self.done += 1
        state = "proved" if point.proved else bound_text(point.gap, point.lower_bound)
        self._say(f"size {point.size} ({self.done} of {self.total}): {float(point.average):.6f}, {state}")

    def generation(self, generation: Generation) -> None:
        elapsed = time.monotonic() - self.started
        left = elapsed / (generation.number + 1) * (self.total - generation.number)
        self._say(
            f"generation {generation.number} of {self.total}: {plural(generation.points, 'point')} on the front,"
            f" {generation.parents} parents, {left:.0f} s left"
        )

    def tradeoffs(self, number: int, points: int) -> None:
        left = (time.monotonic() - self.started) / number * (self.total - number)
        self._say(f"generation {number} of {self.total}: {plural(points, 'lexicon')} on the front, {left:.0f} s left")

    def compared(self, size: int) -> None:
        self._say(f"proving size {size} for comparison")

    def _say(self, text: str) -> None:
        if self.status:
            self.status.update(text)
        elif time.monotonic() - self.told >= EVERY:
            self.told = time.monotonic()
            print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
