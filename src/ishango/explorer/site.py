"""What the pages are about, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ishango.explorer.launch import Launcher
from ishango.explorer.optima import Optima
from ishango.explorer.plane import Planes
from ishango.explorer.runs import Runs
from ishango.explorer.watch import Listeners


@dataclass
class Site:
    """One directory of runs, as one server shows it."""

    directory: Path
    """Runs are read, and new ones are written, below this directory."""
    host: str = "127.0.0.1"
    token: str | None = None
    """What who asks must know; None where only this machine can ask."""
    most_runs: int = 2
    """Runs that may be started from the page and go on at once."""
    optima: Optima = field(default_factory=Optima)
    listeners: Listeners = field(default_factory=Listeners)
    stopping: Callable[[], bool] = lambda: False
    """Whether the server is about to stop, so that open connections must end."""

    def __post_init__(self) -> None:
        self.runs = Runs(self.directory)
        self.planes = Planes(self.optima, self.runs)
        self.launcher = Launcher(self.runs, self.most_runs)

    def summary(self, name: str) -> dict[str, Any]:
        """What the list shows of one run."""
        starting = (each for each in self.launcher.starting() if each["name"] == name)
        return next(starting, None) or self.runs.summary(name)

    def all_runs(self) -> list[dict[str, Any]]:
        """Runs that have just been started, then those that have something to show, last changed first."""
        return [*self.launcher.starting(), *self.runs.summaries()]
