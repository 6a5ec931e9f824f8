"""The runs below a directory: found, never opened by a name from outside, and read while they are being written."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ishango.errors import RequestError
from ishango.evolution import CHOOSERS
from ishango.evolution.record import RoundRecord
from ishango.explorer.models import Run
from ishango.explorer.rounds import ROUND, typed_round
from ishango.lab import read_run
from ishango.lab.checkpoint import NAME as CHECKPOINT
from ishango.lab.directory import DONE, ERROR, RUN
from ishango.lab.lock import holder
from ishango.lab.rounds import NAME as ROUNDS

FRESH = 0.4
"""Seconds for which the list of directories is not read again, however many pages look at it."""
MOST_RUNS, MOST_DEPTH = 5000, 6
LONGEST_FILE = 256 * 1024 * 1024
STARTED = "explorer"
"""The directory, below the site's, of runs that were started from the page; these may be stopped from it."""
_SHOWN = tuple(name for name in Run.model_fields if name in ROUND)
"""What the list shows of a run's last round."""
_BEFORE_ANY = {**dict.fromkeys(_SHOWN), "round": -1, "digits": [], "multipliers": []}
_TAIL = 64 * 1024


class NoRunError(RequestError):
    """There is no run of that name."""


class Runs:
    """All runs of Algorithm 1 below a directory."""

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

    def names(self) -> list[str]:
        """The names of all runs."""
        return list(self._list())

    def summaries(self) -> list[dict[str, Any]]:
        """What the list shows of each run, last changed first."""
        found = (self._summary(name, path) for name, path in self._list().items())
        return sorted((each for each in found if each), key=lambda each: (-each["updated"], each["name"]))

    def summary(self, name: str) -> dict[str, Any]:
        """What the list shows of one run."""
        summary = self._summary(name, self.find(name))
        if summary is None:
            raise NoRunError(f"There is no run {name!r}.")
        return summary

    def rounds(self, name: str) -> list[RoundRecord]:
        """The rounds of a run so far; a line that is not whole yet, or is damaged, ends them."""
        path = self.find(name) / ROUNDS
        if not _is_plain(path) or path.stat().st_size > LONGEST_FILE:
            return []
        rounds: list[RoundRecord] = []
        for line in path.read_bytes().splitlines(keepends=True):
            record = _record(line)
            if record is None or record.round != len(rounds):
                break
            rounds.append(record)
        return rounds

    def _list(self, anew: bool = False) -> dict[str, Path]:
        with self._lock:
            if anew or time.monotonic() - self._read_at > FRESH:
                self._found = find_runs(self.directory)
                self._read_at = time.monotonic()
            return self._found

    def _summary(self, name: str, path: Path) -> dict[str, Any] | None:
        try:
            document = read_run(path)
            if document is None:
                return None
            config = document["config"]
            last = _last_round(path / ROUNDS)
            updated = (path / ROUNDS if _is_plain(path / ROUNDS) else path / RUN).stat().st_mtime
            played_by = holder(path)
            return {
                "name": name,
                "state": _state(path, played_by is not None),
                "start": str(config["start"]),
                "grammar": config["grammar"],
                "choose": str(config["choose"]),
                "seed": int(config["seed"]),
                "steps": int(config["steps"]),
                "rounds": int(config["rounds"]),
                **last,
                "updated": updated,
                "can_stop": played_by is not None and played_by.is_here and was_started_here(name),
                "can_talk": has_agents(config) and _is_plain(path / CHECKPOINT),
                "message": _first_line(path / ERROR),
            }
        except (RequestError, OSError, KeyError, TypeError, ValueError):
            return None  # not a run of Algorithm 1, damaged, or removed a moment ago


def find_runs(directory: Path) -> dict[str, Path]:
    """Names and directories of runs in and below a directory; links are not followed, files that are links ignored."""
    found: dict[str, Path] = {}
    root = directory.resolve()
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        path = Path(folder)
        depth = len(path.parts) - len(root.parts)
        if RUN in files and _is_plain(path / RUN):
            found[path.relative_to(root).as_posix() if depth else path.name] = path
            folders.clear()
        if depth >= MOST_DEPTH:
            folders.clear()
        if len(found) >= MOST_RUNS:
            break
    return found


def was_started_here(name: str) -> bool:
    """Whether the run of that name was started from the page."""
    return name.startswith(f"{STARTED}/")


def _state(path: Path, is_played: bool) -> str:
    if is_played:
        return "running"
    if (path / DONE).exists():
        return "done"
    return "failed" if (path / ERROR).exists() else "interrupted"


def has_agents(config: Mapping[str, Any]) -> bool:
    """Whether agents talk in a run; who decides may be of a package that is not installed here."""
    return config["choose"] in CHOOSERS and CHOOSERS[config["choose"]].uses_agents


def _last_round(path: Path) -> dict[str, Any]:
    """What is shown of the last whole round, from the end of the file."""
    if not _is_plain(path):
        return _BEFORE_ANY
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        lines = file.read().splitlines(keepends=True)
    last = next((record for record in map(_record, reversed(lines)) if record), None)
    return {name: getattr(last, name) for name in _SHOWN} if last else _BEFORE_ANY


def _record(line: bytes) -> RoundRecord | None:
    if not line.endswith(b"\n"):
        return None
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return typed_round(record)


def _is_plain(path: Path) -> bool:
    """Whether it is a file and not a link, which might lead out of the directory."""
    return path.is_file() and not path.is_symlink()


def _first_line(path: Path) -> str | None:
    if not _is_plain(path):
        return None
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(300).strip().splitlines()[0] if path.stat().st_size else None
