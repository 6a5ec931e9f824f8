"""A run as one watches it: a live panel in a terminal, plain timestamped lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ishango.lab import Reporter

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
    return None


@contextmanager
def view(
    stream: TextIO, summary: Summary, figures: Figures, picture: Picture, note: Note = nothing_to_note
) -> Generator[Reporter]:
    """A reporter that draws on the stream."""
    if not stream.isatty():
        yield Lines(stream, summary, note)
        return
    panel = Panel(figures, picture, note)
    with Live(console=Console(file=stream), get_renderable=panel.draw, refresh_per_second=4):
        yield panel


class Watch:
    """What both views know of a run."""

    def __init__(self, note: Note) -> None:
        self.note = note
        self.noted: str | None = None
        self.config: Mapping[str, Any] = {}
        self.records: list[Record] = []
        self.rounds_done = 0
        self.progress = 0.0
        self.began = time.monotonic()
        self.began_at = 0.0

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        """Note where the run stands."""
        self.config, self.rounds_done = config, rounds_done
        self.began, self.began_at = time.monotonic(), float(rounds_done)

    def steps(self, round: int, done: int, of: int) -> None:  # noqa: ARG002
        """Note how far the round is."""
        self.progress = done / of

    def round(self, record: Record) -> None:
        """Note what the round came to."""
        self.records.append(record)
        self.rounds_done += 1
        self.progress = 0.0
        self.noted = self.noted or self.note(self.config, record)

    def end(self) -> None:
        """Nothing is left to note."""

    @property
    def total(self) -> int:
        """All rounds, round 0 included."""
        return int(self.config.get("rounds", 0)) + 1

    def time_left(self) -> str:
        """The time that is left at the pace so far."""
        played = self.rounds_done + self.progress - self.began_at
        if played <= 0:
            return "?"
        seconds = (time.monotonic() - self.began) / played * (self.total - self.rounds_done - self.progress)
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
        """Say how far a long round is."""
        super().steps(round, done, of)
        if time.monotonic() - self.last >= LINE_EVERY:
            self._say(f"round {round}/{self.total - 1}  {self.progress:.0%} of its steps  left {self.time_left()}")

    def round(self, record: Record) -> None:
        """Say what the round came to."""
        before = self.noted
        super().round(record)
        if self.noted and not before:
            self._say(self.noted)
        if time.monotonic() - self.last >= LINE_EVERY or self.rounds_done == self.total:
            self._say(f"round {record['round']}/{self.total - 1}  {self.summary(record)}  left {self.time_left()}")

    def _say(self, text: str) -> None:
        self.last = time.monotonic()
        print(f"{datetime.now():%H:%M:%S} {text}", file=self.stream, flush=True)


class Panel(Watch):
    """The latest round's figures, and a picture of the way there."""

    def __init__(self, figures: Figures, picture: Picture, note: Note) -> None:
        super().__init__(note)
        self.figures, self.picture = figures, picture

    def draw(self) -> RenderableType:
        """What the terminal shows now."""
        if not self.records:
            return Text(f"round {self.rounds_done} of {self.total - 1}: {self.progress:4.0%}")
        record = self.records[-1]
        where = f"{record['round']} of {self.total - 1}, next {self.progress:4.0%}, {self.time_left()} left"
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
