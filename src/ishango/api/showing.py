"""How results show themselves in a terminal and in a notebook."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from ishango.lab import Event, Reporter, Result, Silent, SweepReporter, Task
from ishango.lab.sweeps import SilentSweep

if TYPE_CHECKING:
    import pandas as pd

SHOWN_ROWS = 12
"""Rows of a table that a notebook shows before it leaves some out."""


class Shown:
    """A result with facts and a table: a readable `repr`, the same as HTML for notebooks, and `to_frame()`."""

    def facts(self) -> dict[str, str]:
        """What there is to say, name by name; the first is the title."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """The result as a pandas table."""
        raise NotImplementedError

    def __repr__(self) -> str:
        facts = self.facts()
        width = max(map(len, facts))
        return "\n".join(f"{name:<{width}}  {value}" for name, value in facts.items())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
            for name, value in self.facts().items()
        )
        table = self.to_frame().to_html(max_rows=SHOWN_ROWS, index=False, border=0)
        return f"<table>{rows}</table>{table}"


def decimal(value: float | None, places: int = 6) -> str:
    """A number for people, or what stands for none."""
    return "none" if value is None else f"{value:.{places}f}"


# A progress bar for whoever scripts: one for a run, one for a sweep; nothing where nobody looks.


def run_reporter(wanted: bool | None) -> Reporter:
    """A bar for a run: where it is wanted, or by default where a person can see it."""
    return RunBar() if _visible(wanted) else Silent()


def sweep_reporter(wanted: bool | None) -> SweepReporter:
    """A bar for a sweep, likewise."""
    return SweepBar() if _visible(wanted) else SilentSweep()


def _visible(wanted: bool | None) -> bool:
    return (sys.stderr.isatty() or "ipykernel" in sys.modules) if wanted is None else wanted


def _bar() -> Progress:
    # In a notebook the bar does without ipywidgets, and nobody needs to be told so at every run.
    warnings.filterwarnings("ignore", message='install "ipywidgets"')
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True))


class RunBar:
    """Rounds of a run, steps within a round included."""

    def __init__(self) -> None:
        self._bar = _bar()

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        """Show the bar."""
        self._bar.start()
        self._task = self._bar.add_task("rounds", total=config["rounds"] + 1, completed=rounds_done)

    def steps(self, round: int, done: int, of: int) -> None:
        """Move on within the round."""
        self._bar.update(self._task, completed=round + done / max(of, 1))

    def round(self, record: Mapping[str, Any]) -> None:
        """Move on by a round."""
        self._bar.update(self._task, completed=record["round"] + 1)

    def end(self) -> None:
        """Leave the bar as it is."""
        self._bar.stop()


class SweepBar:
    """Runs of a sweep."""

    def __init__(self) -> None:
        self._bar = _bar()

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None:
        """Show the bar."""
        self._bar.start()
        self._task = self._bar.add_task(title, total=len(tasks) + done, completed=done)

    def hear(self, event: Event) -> None:
        """Pass a warning on."""
        if event.warning:
            self._bar.console.print(f"Warning: {event.warning}", style="yellow", markup=False)

    def finish(self, result: Result) -> None:  # noqa: ARG002
        """Move on by a run."""
        self._bar.advance(self._task)

    def end(self) -> None:
        """Leave the bar as it is."""
        self._bar.stop()
