"""The runs below a directory: found, never opened by a name from outside, and read while they are being written."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, EVOLUTION, EvolutionOptions
from ishango.explorer.models import Run
from ishango.explorer.rounds import ROUND, ShownRound, typed_round
from ishango.generations import GENERATIONS
from ishango.kinds import OPEN_GENERATIONS, SOCIETY
from ishango.lab import RunView, find_runs
from ishango.lab.directory import ERROR, RUN, UnreadableRunError
from ishango.lab.lock import NAME as LOCK
from ishango.lab.plain_files import Stamp, plain_stamp
from ishango.lab.view import WRITTEN
from ishango.numerals import GRAMMARS

FRESH = 0.4
"""Seconds for which the list of directories is not read again, however many pages look at it."""
MOST_RUNS, MOST_DEPTH = 5000, 6
SHOWN = (EVOLUTION.name, GENERATIONS.name, SOCIETY.name, OPEN_GENERATIONS.name)
"""Experiments in which lexicons change: their rounds have what the page shows."""
Stamps = tuple[Stamp | None, ...]
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
        self._read_at = self._looked_at = -FRESH
        self._lock, self._looking = threading.Lock(), threading.Lock()
        self._summaries: list[dict[str, Any]] = []
        self._kept: dict[str, tuple[Stamps, dict[str, Any] | None]] = {}

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
        """What the list shows of each run, last changed first; one look serves all pages that ask meanwhile."""
        with self._looking:
            if time.monotonic() - self._looked_at > FRESH:
                listed = self._list()
                found = [self._listed(name, path) for name, path in listed.items()]
                self._kept = {name: kept for name, kept in self._kept.items() if name in listed}
                shown = [each for each in found if each]
                self._summaries = sorted(shown, key=lambda each: (-each["updated"], each["name"]))
                self._looked_at = time.monotonic()
            return list(self._summaries)

    def summary(self, name: str) -> dict[str, Any]:
        """What the list shows of one run."""
        summary = _listed(name, self.find(name))
        if summary is None:
            raise NoRunError(f"There is no run {name!r}.")
        return summary

    def _listed(self, name: str, path: Path) -> dict[str, Any] | None:
        """What the list shows of a directory, kept until one of its files changes or somebody plays it."""
        stamp = tuple(plain_stamp(path / each) for each in (*WRITTEN, ERROR, LOCK))
        known = self._kept.get(name)
        if known is None or known[0] != stamp or stamp[-1] is not None:  # whoever has the lock may have died
            known = self._kept[name] = (stamp, _listed(name, path))
        return known[1]

    def rounds(self, name: str) -> list[ShownRound]:
        """The rounds of a run so far; a line that is not whole yet, or is damaged, ends them."""
        return _rounds(self.view(name))

    def _list(self, anew: bool = False) -> dict[str, Path]:
        with self._lock:
            if anew or time.monotonic() - self._read_at > FRESH:
                root = self.directory.resolve()
                found = find_runs(root, MOST_RUNS, MOST_DEPTH)
                self._found = {
                    _name(path.relative_to(root) if path != root else Path(path.name)): path for path in found
                }
                self._read_at = time.monotonic()
            return self._found


def was_started_here(name: str) -> bool:
    """Whether the run of that name was started from the page."""
    return name.startswith(f"{STARTED}/")


def has_agents(view: RunView) -> bool:
    """Whether agents talk in a run of Algorithm 1; who decides may be of a package that is not installed here."""
    choose = str(view.config.get("choose"))
    return view.experiment == EVOLUTION.name and choose in CHOOSERS and CHOOSERS[choose].uses_agents


def who_decides(config: Mapping[str, Any]) -> str:
    """Who decides which words there are: a chooser, or those who learn the language."""
    if "choose" in config:
        return str(config["choose"])
    pairs = int(config.get("population", 1))
    return f"{config.get('agents', 'ideal')} learners" + (f", {pairs} pairs" if pairs > 1 else "")


def _name(path: Path) -> str:
    """What a run is called on the page; of a name that is not UTF-8, the bytes that are not are written out."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _look(path: Path) -> RunView | None:
    view = RunView.look(path)
    return view if view is not None and view.experiment in SHOWN else None


def _listed(name: str, path: Path) -> dict[str, Any] | None:
    """What the list shows of a directory: a run, or why it cannot be read; None for what is not shown here."""
    try:
        view = RunView(path)
        return _summary(name, view) if view.experiment in SHOWN else None
    except UnreadableRunError as error:
        return _unreadable(name, path, error.reason)
    except (RequestError, OSError) as error:
        return _unreadable(name, path, str(error)) if plain_stamp(path / RUN) else None  # removed a moment ago
    except (TypeError, ValueError, KeyError, OverflowError, RecursionError) as error:
        return _unreadable(name, path, f"The config in {RUN} makes no sense ({error}); put it right.")


def _unreadable(name: str, path: Path, reason: str) -> dict[str, Any]:
    """A run of which no more is known than that it is there."""
    stamp = plain_stamp(path / RUN)
    return {
        "name": name,
        "state": "unreadable",
        "start": "",
        "grammar": EvolutionOptions.grammar,
        "choose": "",
        **dict.fromkeys(("seed", "steps", "rounds"), 0),
        **_BEFORE_ANY,
        "updated": stamp[0] / 1e9 if stamp else 0.0,
        "can_stop": False,
        "can_talk": False,
        "message": reason,
    }


def _summary(name: str, view: RunView) -> dict[str, Any]:
    """What the list shows of a run; a config that nobody wrote so raises what Python raises."""
    config, last, played_by = view.config, _last_round(view), view.holder
    if config["grammar"] not in GRAMMARS:
        raise RequestError(GRAMMARS.refusal(config["grammar"]))
    return {
        "name": name,
        "state": view.state,
        "start": str(config["start"]),
        "grammar": str(config["grammar"]),
        "choose": who_decides(config),
        "seed": int(config["seed"]),
        "steps": 0 if config.get("agents") == "ideal" else int(config.get("steps", 0)),  # ideal learners talk to nobody
        "rounds": int(config["rounds"]),
        **({field: getattr(last, field) for field in _SHOWN} if last else _BEFORE_ANY),
        "updated": view.updated,
        "can_stop": played_by is not None and played_by.is_here and was_started_here(name),
        "can_talk": has_agents(view) and view.has_checkpoint(),
        "message": view.message or _damage(view, last),
    }


def _damage(view: RunView, last: ShownRound | None) -> str | None:
    """What is wrong with a run that is called done; all of its file is read only where its end is too early."""
    if (last.round if last else -1) >= view.config["rounds"] or (damage := view.damage) is None:
        return None
    return f"{damage[0].upper()}{damage[1:]}."


def _last_round(view: RunView) -> ShownRound | None:
    """The last round, from the end of its file; if that is damaged, the last one before the damage."""
    return typed_round(view.last_round()) or next(reversed(_rounds(view)), None)


def _rounds(view: RunView) -> list[ShownRound]:
    rounds: list[ShownRound] = []
    for line in view.rounds():
        record = typed_round(line)
        if record is None:
            break
        rounds.append(record)
    return rounds
