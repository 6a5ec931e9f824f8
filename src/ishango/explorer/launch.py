"""Runs started from the page: processes of their own that outlive the page and the server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ishango.errors import RequestError
from ishango.evolution import EvolutionOptions, starting_system
from ishango.explorer.models import NewRun
from ishango.explorer.runs import STARTED, Runs, was_started_here
from ishango.game import GameOptions
from ishango.numerals import NumeralSystem


class BusyError(RequestError):
    """As many runs as may go on at once are going on."""


class Process(subprocess.Popen[bytes]):
    """A process that is left to itself when the server goes."""

    def __del__(self) -> None:
        """Say nothing about a process that still runs: that it does is the point."""


@dataclass(frozen=True)
class Child:
    """A run that this server started."""

    process: Process
    asked: NewRun
    system: NumeralSystem
    log: Path
    began: float

    @property
    def is_going_on(self) -> bool:
        """Whether the process is alive; one that is not is taken off the system's list."""
        return self.process.poll() is None


class Launcher:
    """Starts runs below the site's directory and stops those that it or an earlier server started."""

    def __init__(self, runs: Runs, most: int) -> None:
        self._runs, self._most = runs, most
        self._children: dict[str, Child] = {}
        self._lock = threading.Lock()

    def start(self, asked: NewRun) -> str:
        """Start a run and return its name; refused if its system does not cover the game range."""
        system = NumeralSystem(tuple(asked.digits), tuple(asked.multipliers), asked.grammar)
        starting_system(str(system), asked.grammar, GameOptions.upto)
        game = GameOptions(effort=asked.effort, noise=asked.noise)
        EvolutionOptions(choose=asked.choose, word=asked.word, game=game)  # costs alone decide nothing without a cost
        with self._lock:
            if self._going_on() >= self._most:
                raise BusyError(f"{self._most} runs started here are going on; stop one or wait for it.")
            directory = self._new_directory()
            name = f"{STARTED}/{directory.name}"
            log = directory.with_suffix(".log")
            process = _spawn(command(system, asked, directory), log)
            self._children[name] = Child(process, asked, system, log, time.time())
        return name

    def stop(self, name: str) -> None:
        """Tell a run to stop, as Ctrl-C would; it can be continued later."""
        child = self._children.get(name)
        if child is not None and child.is_going_on and name not in self._runs.names():
            child.process.send_signal(signal.SIGTERM)  # it has not got as far as its lock
            return
        played_by = self._runs.view(name).holder
        if not was_started_here(name):
            raise RequestError(f"The run {name!r} was not started here; stop it where it was started.")
        if played_by is None or not played_by.is_here:
            raise RequestError(f"The run {name!r} is not going on here.")
        # SIGTERM, which runs treat like Ctrl-C: a server in the background hands down an ignored SIGINT.
        os.kill(played_by.pid, signal.SIGTERM)

    def starting(self) -> list[dict[str, Any]]:
        """Runs that were started and have nothing to show yet, or never will."""
        known = set(self._runs.names())
        with self._lock:
            return [_summary(name, child) for name, child in self._children.items() if name not in known]

    def _going_on(self) -> int:
        playing = {each["name"] for each in self._runs.summaries() if each["can_stop"]}
        playing |= {name for name, child in self._children.items() if child.is_going_on}
        return len(playing)

    def _new_directory(self) -> Path:
        """A name with the date and time; a number is added if it is taken."""
        parent = self._runs.directory / STARTED
        if parent.is_symlink():
            raise RequestError(f"{parent} is a link, which may lead anywhere; remove it to start runs from the page.")
        parent.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y-%m-%d-%H%M%S")
        taken = {path.stem for path in parent.iterdir()} | {name.split("/")[1] for name in self._children}
        names = (stamp if i == 1 else f"{stamp}-{i}" for i in range(1, 1000))
        return parent / next(name for name in names if name not in taken)


def most_at_once() -> int:
    """Runs that may be started from the page and go on at once: one a core."""
    return os.cpu_count() or 1


def command(system: NumeralSystem, asked: NewRun, directory: Path) -> list[str]:
    """The command that plays the run: the one that a person would type."""
    options = {"grammar": asked.grammar, "rounds": asked.rounds, "steps": asked.steps, "seed": asked.seed}
    options |= {"choose": asked.choose, "start": str(system), "out": directory}
    options |= {"add": asked.add, "learners": asked.learners, "judge": asked.judge, "word": asked.word}
    options |= {"game.effort": asked.effort, "game.noise": asked.noise}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    return [sys.executable, "-m", "ishango.cli", "evolve", *words]


def _spawn(words: list[str], log: Path) -> Process:
    """A session of its own: neither closing the server's terminal nor its Ctrl-C reaches the run."""
    with log.open("wb") as file:
        return Process(words, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)


def _summary(name: str, child: Child) -> dict[str, Any]:
    """A run of which there is no more than its log."""
    code, asked = child.process.poll(), child.asked
    return {
        "name": name,
        "state": "starting" if code is None else "interrupted" if code == -signal.SIGTERM else "failed",
        "start": str(child.system),
        "grammar": asked.grammar,
        "choose": asked.choose,
        "seed": asked.seed,
        "steps": asked.steps,
        "rounds": asked.rounds,
        "round": -1,
        "digits": list(child.system.digits),
        "multipliers": list(child.system.multipliers),
        **dict.fromkeys(("size", "average_complexity", "gap", "accuracy", "kind", "cost")),
        "updated": child.began,
        "can_stop": code is None,
        "can_talk": False,
        "message": None if code in (None, -signal.SIGTERM) else _last_sentence(child.log),
    }


def _last_sentence(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return re.sub(r"^ishango: ", "", lines[-1])[:300] if lines else "The run ended before it began."
