"""The runs below a directory: found, never opened by a name from outside, and read while they are being written."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from ishango._locks import LOCK
from ishango.errors import RequestError
from ishango.explorer._summaries import summary_of, unreadable
from ishango.lab import ROUNDS, RUN, RunView, UnreadableRunError, find_runs
from ishango.safe_files import Stamp, plain_stamp

FRESH = 0.4
"""Seconds for which the list of directories is not read again, however many pages look at it."""
LATELY = 10.0
"""Seconds for which a run that was found is taken to be where it was: a click does not wait for a look for all."""
PATIENCE = 8.0
"""The pause after a look, as a multiple of what the look took, so that many runs leave time for everything else."""
MOMENT = 0.5
"""Seconds that a look may take for those who can do without."""
MOST_RUNS, MOST_DEPTH = 20_000, 6
Stamps = tuple[Stamp | int | None, ...]
_FILES = (RUN, ROUNDS, LOCK)
"""Files that are written in place, and the lock; others are renamed when written, which changes the directory."""


class NoRunError(RequestError):
    """There is no run of that name."""


class Listed(NamedTuple):
    """What the list shows of a run, and the study that it is of, if its config can be read."""

    summary: dict[str, Any]
    study: dict[str, Any] | None


class Progress(NamedTuple):
    """How many of the runs found have been read, and whether all were at least once."""

    read: int
    found: int
    ready: bool


class Runs:
    """All runs below a directory, of every experiment that is known here."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.progress = Progress(0, 0, False)
        self.limit: int | None = None
        """How many runs are shown where there are more; None where all are."""
        self._found: dict[str, Path] = {}
        self._read_at = self._looked_at = self._glanced_at = -FRESH
        self._walk_took = self._look_took = 0.0
        self._lock, self._looking = threading.Lock(), threading.Lock()
        self._listed: list[Listed] = []
        self._kept: dict[str, tuple[Stamps, Listed | None]] = {}

    def find(self, name: str) -> Path:
        """The directory of a run that is in the list: a name is looked up, never joined to a path."""
        lately = time.monotonic() - self._read_at < LATELY
        path = (self._found if lately else self._list()).get(name) or self._list(anew=True).get(name)
        if path is None:
            raise NoRunError(f"There is no run {name!r}.")
        return path

    def view(self, name: str) -> RunView:
        """The run of that name; another experiment, or what cannot be read, is none."""
        view = RunView.look(self.find(name))
        if view is None or view.kind is None:
            raise NoRunError(f"There is no run {name!r}.")
        return view

    def names(self) -> list[str]:
        return list(self._list())

    def names_anew(self) -> None:
        """Look again at once: something was removed."""
        self._list(anew=True)
        self._looked_at = -FRESH - PATIENCE * self._look_took - 1

    def summaries(self) -> list[dict[str, Any]]:
        """What the list shows of each run, last changed first; one look serves all pages that ask meanwhile."""
        return [each.summary for each in self.listed()]

    def studies(self) -> dict[str, dict[str, Any]]:
        return {each.study["id"]: each.study for each in self.listed() if each.study}

    def listed(self) -> list[Listed]:
        """Runs with their studies, last changed first. Those that are played are looked at more often than others."""
        with self._looking:
            now = time.monotonic()
            if now - self._looked_at > max(FRESH, PATIENCE * self._look_took):
                self._look(self._list())
                self._look_took = time.monotonic() - now
                self._looked_at = self._glanced_at = time.monotonic()
            elif now - self._glanced_at > FRESH:
                played = [name for name, (stamp, _) in self._kept.items() if stamp[-1] is not None]
                self._look({name: self._found[name] for name in played if name in self._found}, all=False)
                self._glanced_at = time.monotonic()
            return self._listed

    def at_hand(self) -> list[Listed]:
        """The runs that are known within a moment, for what need not wait for the first look."""
        if not self.progress.ready:
            looking = threading.Thread(target=self.listed, name="first look", daemon=True)
            looking.start()
            looking.join(MOMENT)
        return self._listed

    def listing(self, name: str) -> Listed:
        listed = _listed(name, self.find(name))
        if listed is None:
            raise NoRunError(f"There is no run {name!r}.")
        return listed

    def _look(self, paths: dict[str, Path], all: bool = True) -> None:
        """Look at these runs, which are all there are or, between two such looks, those that are played."""
        before = len(self._kept)
        changed = False
        for count, (name, path) in enumerate(paths.items()):
            if count % 100 == 0 and not self.progress.ready:
                self.progress = Progress(count, len(paths), False)
            changed |= self._look_at(name, path)
        if all:
            self._kept = {name: kept for name, kept in self._kept.items() if name in paths}
            self.progress = Progress(len(paths), len(paths), True)
        if changed or len(self._kept) != before:
            found = [listed for _, listed in self._kept.values() if listed]
            self._listed = sorted(found, key=lambda each: (-each.summary["updated"], each.summary["name"]))

    def _look_at(self, name: str, path: Path) -> bool:
        """Whether what the list shows of a directory has changed: it is kept until a file does or somebody plays it."""
        stamp = (_changed(path), *[plain_stamp(f"{path}/{each}") for each in _FILES])
        known = self._kept.get(name)
        if known is not None and known[0] == stamp and stamp[-1] is None:  # whoever has the lock may have died
            return False
        listed = _listed(name, path)
        if known is not None and known[1] == listed:
            listed = known[1]
        self._kept[name] = (stamp, listed)
        return known is None or known[1] is not listed

    def _list(self, anew: bool = False) -> dict[str, Path]:
        with self._lock:
            now = time.monotonic()
            if anew or now - self._read_at > max(FRESH, PATIENCE * self._walk_took):
                root = self.directory.resolve()
                found = find_runs(root, MOST_RUNS + 1, MOST_DEPTH)
                self.limit = MOST_RUNS if len(found) > MOST_RUNS else None
                self._found = {_name(path, root): path for path in found[:MOST_RUNS]}
                self._read_at = time.monotonic()
                self._walk_took = self._read_at - now
            return self._found


def _changed(directory: Path) -> int:
    """When something appeared in a directory or vanished from it."""
    try:
        return os.lstat(directory).st_mtime_ns
    except OSError:
        return 0


def _name(path: Path, root: Path) -> str:
    """What a run is called on the page; of a name that is not UTF-8, the bytes that are not are written out."""
    name = str(path).removeprefix(str(root)).lstrip("/") or path.name  # ten times as fast as the path's own arithmetic
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _listed(name: str, path: Path) -> Listed | None:
    """What the list shows of a directory: a run, or why it cannot be read; None for what is not shown here."""
    try:
        view = RunView(path)
        if view.experiment is None:
            return None
        if view.kind is None:
            reason = f"It is of the experiment {view.experiment!r}, which is not known here; install its package."
            return Listed(unreadable(name, path, reason), None)
        return Listed(*summary_of(name, view))
    except UnreadableRunError as error:
        return Listed(unreadable(name, path, error.reason), None)
    except (RequestError, OSError) as error:  # without run.json it was removed a moment ago
        return Listed(unreadable(name, path, str(error)), None) if plain_stamp(path / RUN) else None
    except (TypeError, ValueError, KeyError, OverflowError, RecursionError, AttributeError) as error:
        reason = f"The config in {RUN} makes no sense ({error}); put it right."
        return Listed(unreadable(name, path, reason), None)
