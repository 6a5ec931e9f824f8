"""What the pages are about, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ishango.explorer.launch import Launcher
from ishango.explorer.optima import Optima
from ishango.explorer.plane import Planes
from ishango.explorer.runs import Listed, NoRunError, Runs
from ishango.explorer.watch import Bench, Listeners, News
from ishango.numerals import GRAMMARS, MODIFIED, GrammarName


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
    grammar: GrammarName = MODIFIED.name
    """The grammar with which the page begins."""
    optima: Optima = field(default_factory=Optima)
    listeners: Listeners = field(default_factory=Listeners)
    stopping: Callable[[], bool] = lambda: False
    """Whether the server is about to stop, so that open connections must end."""

    def __post_init__(self) -> None:
        self.runs = Runs(self.directory)
        self.planes = Planes(self.optima, self.runs)
        self.launcher = Launcher(self.runs, self.most_runs)
        self.news = News(self.bench, lambda: self.runs.progress, self.listeners, lambda: self.stopping())

    def grammars(self) -> list[GrammarName]:
        """What the page offers: where it begins, all with a name, and rules written out that runs were played by."""
        played = sorted({each.summary["grammar"] for each in self.runs.at_hand()})
        return list(dict.fromkeys((self.grammar, *GRAMMARS, *(name for name in played if name in GRAMMARS))))

    def listing(self, name: str) -> Listed:
        """What the list shows of one run, and its study."""
        try:
            own = [self.runs.listing(name)]
        except NoRunError:
            own = []
        found = (each for each in self.launcher.with_starting(own) if each.summary["name"] == name)
        listed = next(found, None)
        if listed is None:
            raise NoRunError(f"There is no run {name!r}.")
        return listed

    def config(self, name: str) -> dict[str, Any]:
        """The config of a run, also of one that was started a moment ago."""
        try:
            return self.runs.view(name).config
        except NoRunError:
            return self.launcher.config(name)

    def listed(self) -> list[Listed]:
        """Runs that have just been started, then those that have something to show, last changed first."""
        return self.launcher.with_starting(self.runs.listed())

    def all_runs(self) -> list[dict[str, Any]]:
        """What the list shows of these."""
        return [each.summary for each in self.listed()]

    def bench(self) -> Bench:
        """All runs with their studies."""
        listed = self.listed()
        studies = {each.study["id"]: each.study for each in listed if each.study}
        return Bench.of((each.summary for each in listed), studies, self.runs.limit)
