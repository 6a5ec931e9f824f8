"""The runs below a directory: found, never opened by a name from outside, and read while they are being written."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, EVOLUTION
from ishango.evolution.record import RoundRecord
from ishango.explorer.models import Run
from ishango.explorer.rounds import ROUND, typed_round
from ishango.generations import GENERATIONS
from ishango.lab import RunView, find_runs

FRESH = 0.4
"""Seconds for which the list of directories is not read again, however many pages look at it."""
MOST_RUNS, MOST_DEPTH = 5000, 6
SHOWN = (EVOLUTION.name, GENERATIONS.name)
"""Experiments in which lexicons change: their rounds have what the page shows."""
STARTED = "explorer"
"""The directory, below the site's, of runs that were started from the page; these may be stopped from it."""
_SHOWN = tuple(name for name in Run.model_fields if name in ROUND)
"""What the list shows of a run's last round."""
_BEFORE_ANY: dict[str, Any] = {**dict.fromkeys(_SHOWN), "round": -1, "digits": [], "multipliers": []}


class NoRunError(RequestError):
    """There is no run of that name."""


class Runs:
    """All runs below a directory in which a lexicon changes."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._found: dict[str, Path] = {}
        self._read_at = -FRESH
        self._lock = threading.Lock()

    def find(self, name: str) -> Path:
        """The directory of a run that is in the list: a name is looked up, never joined to a path."""
        path = self._list().get(name) or self._list(anew=True).get(name)
        if path is None:
            raise NoRunError(f"There is no run {name!r}.")
        return path

    def view(self, name: str) -> RunView:
        """The run of that name; another experiment, or what cannot be read, is none."""
        view = _look(self.find(name))
        if view is None:
            raise NoRunError(f"There is no run {name!r}.")
        return view

    def names(self) -> list[str]:
        """The names of all runs."""
        return list(self._list())

    def summaries(self) -> list[dict[str, Any]]:
        """What the list shows of each run, last changed first."""
        found = (_summary(name, _look(path)) for name, path in self._list().items())
        return sorted((each for each in found if each), key=lambda each: (-each["updated"], each["name"]))

    def summary(self, name: str) -> dict[str, Any]:
        """What the list shows of one run."""
        summary = _summary(name, self.view(name))
        if summary is None:
            raise NoRunError(f"There is no run {name!r}.")
        return summary

    def rounds(self, name: str) -> list[RoundRecord]:
        """The rounds of a run so far; a line that is not whole yet, or is damaged, ends them."""
        return _rounds(self.view(name))

    def _list(self, anew: bool = False) -> dict[str, Path]:
        with self._lock:
            if anew or time.monotonic() - self._read_at > FRESH:
                root = self.directory.resolve()
                found = find_runs(root, MOST_RUNS, MOST_DEPTH)
                self._found = {path.relative_to(root).as_posix() if path != root else path.name: path for path in found}
                self._read_at = time.monotonic()
            return self._found


def was_started_here(name: str) -> bool:
    """Whether the run of that name was started from the page."""
    return name.startswith(f"{STARTED}/")


def has_agents(config: Mapping[str, Any]) -> bool:
    """Whether agents talk in a run; who decides may be of a package that is not installed here."""
    return config.get("choose") in CHOOSERS and CHOOSERS[config["choose"]].uses_agents


def who_decides(config: Mapping[str, Any]) -> str:
    """Who decides which words there are: a chooser, or those who learn the language."""
    return str(config["choose"]) if "choose" in config else f"{config['agents']} learners"


def _look(path: Path) -> RunView | None:
    view = RunView.look(path)
    return view if view is not None and view.experiment in SHOWN else None


def _summary(name: str, view: RunView | None) -> dict[str, Any] | None:
    """What the list shows of a run; None for what is no run."""
    if view is None:
        return None
    config, last, played_by = view.config, _last_round(view), view.holder
    try:
        return {
            "name": name,
            "state": view.state,
            "start": str(config["start"]),
            "grammar": str(config["grammar"]),
            "choose": who_decides(config),
            "seed": int(config["seed"]),
            "steps": int(config.get("steps", 0)),
            "rounds": int(config["rounds"]),
            **({field: getattr(last, field) for field in _SHOWN} if last else _BEFORE_ANY),
            "updated": view.updated,
            "can_stop": played_by is not None and played_by.is_here and was_started_here(name),
            "can_talk": has_agents(config) and view.has_checkpoint(),
            "message": view.message,
        }
    except (KeyError, TypeError, ValueError):
        return None  # a config that nobody wrote so


def _last_round(view: RunView) -> RoundRecord | None:
    """The last round, from the end of its file; if that is damaged, the last one before the damage."""
    return typed_round(view.last_round()) or next(reversed(_rounds(view)), None)


def _rounds(view: RunView) -> list[RoundRecord]:
    rounds: list[RoundRecord] = []
    for line in view.rounds():
        record = typed_round(line)
        if record is None:
            break
        rounds.append(record)
    return rounds
