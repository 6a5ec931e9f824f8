"""A run as one watches it: a live panel in a terminal, plain timestamped lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ishango.cli.output import decimals
from ishango.cli.plane import plane
from ishango.lab import Reporter
from ishango.numerals import format_set

LINE_EVERY = 10.0
"""Seconds between two lines where there is no terminal; a finished round comes no more often."""


@contextmanager
def view(stream: TextIO) -> Iterator[Reporter]:
    """A reporter that draws on the stream."""
    if not stream.isatty():
        yield Lines(stream)
        return
    panel = Panel()
    with Live(console=Console(file=stream), get_renderable=panel.draw, refresh_per_second=4):
        yield panel


class Watch:
    """What both views know of a run."""

    def __init__(self) -> None:
        self.config: Mapping[str, Any] = {}
        self.records: list[Mapping[str, Any]] = []
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

    def round(self, record: Mapping[str, Any]) -> None:
        """Note what the round came to."""
        self.records.append(record)
        self.rounds_done += 1
        self.progress = 0.0

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

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream
        self.last = 0.0

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        """Say whether the run is new, goes on or is done."""
        super().begin(config, rounds_done)
        state = "starts" if rounds_done == 0 else f"goes on after {rounds_done} of {self.total} rounds"
        self._say("done already" if rounds_done == self.total else state)

    def round(self, record: Mapping[str, Any]) -> None:
        """Say what the round came to."""
        super().round(record)
        if time.monotonic() - self.last >= LINE_EVERY or self.rounds_done == self.total:
            self._say(f"{_summary(record, self.total)}  left {self.time_left()}")

    def _say(self, text: str) -> None:
        self.last = time.monotonic()
        print(f"{datetime.now():%H:%M:%S} {text}", file=self.stream, flush=True)


class Panel(Watch):
    """The current system and its figures, with the path it took in the plane."""

    def draw(self) -> Group:
        """What the terminal shows now."""
        if not self.records:
            return Group(Text(f"round {self.rounds_done} of {self.total - 1}: {self.progress:4.0%}"))
        return Group(_figures(self), Text(plane(self.records), style="cyan"))


def _summary(record: Mapping[str, Any], total: int) -> str:
    accuracy = record["accuracy"]
    return (
        f"round {record['round']}/{total - 1}"
        f"  D {format_set(record['digits'])}  M {format_set(record['multipliers'])}"
        f"  size {record['size']}  average {decimals(record['average_complexity'], 4)}"
        f"  gap {decimals(record['gap'], 4)}"
        + ("" if accuracy is None else f"  accuracy {accuracy:.3f}  {record['steps_per_second']:,.0f} steps/s")
    )


def _figures(watch: Watch) -> Table:
    record = watch.records[-1]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    rows = {
        "round": f"{record['round']} of {watch.total - 1}, next {watch.progress:4.0%}, {watch.time_left()} left",
        "D": format_set(record["digits"]),
        "M": format_set(record["multipliers"]),
        "size": str(record["size"]),
        "average": f"{decimals(record['average_complexity'], 4)}   gap {decimals(record['gap'], 4)}",
    }
    if record["accuracy"] is not None:
        rows["accuracy"] = f"{record['accuracy']:.3f}   {record['steps_per_second'] or 0:,.0f} steps a second"
    for name, value in rows.items():
        table.add_row(name, value)
    return table
