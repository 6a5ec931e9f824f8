"""Starting runs from the page: the command that a person would type, and its process."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ishango.errors import RequestError, plural
from ishango.evolution import EVOLUTION, EvolutionOptions, starting_system
from ishango.explorer._found_runs import Listed, NoRunError, Runs
from ishango.explorer._models import NewRun
from ishango.explorer._summaries import SEED, STARTED, blank, first_words, shown, study_of, title_of, was_started_here
from ishango.game import KERNEL, GameOptions
from ishango.lab import EXPERIMENTS, RunView, chosen, config_of, flatten, nested
from ishango.lab import archive as pack
from ishango.numerals import NumeralSystem
from ishango.safe_files import read_tail, write

NOTE, LONGEST_NOTE = "note.txt", 4000
"""Where a note of a run is kept, and how many characters it may have."""
ARCHIVED = "archived"
"""The directory, below the site's, of runs that were packed."""
FIRST = ("start", "grammar", "rounds", "steps")
"""Options that stand first, and always, where there are such."""


def words_of(experiment: str, config: Mapping[str, Any], out: Path | str) -> list[str] | None:
    """`evolve --start=1 ...`: what was chosen, the seed, and the directory; None where no command plays such a run.

    A value stands in one word with its option, so that no value can be an option.
    """
    command = shown(experiment).command
    if command is None:
        return None
    usual, flat = flatten(EXPERIMENTS[experiment].defaults()), flatten(config)
    if not flat.keys() <= usual.keys():  # a key that is no option could be read as another one
        return None
    names = [name for name in FIRST if name in flat]
    names += [name for name in chosen(flat, usual) if name not in (*FIRST, SEED)] + [SEED]
    return [*command.split(), *(_option(name, flat[name]) for name in names), f"--out={out}"]


def line_of(experiment: str, config: Mapping[str, Any], out: Path | str) -> str | None:
    """The same as one line to be copied into a terminal."""
    words = words_of(experiment, config, out)
    return None if words is None else shlex.join(["ishango", *words])


def _option(name: str, value: object) -> str:
    """As the command line spells it: `--judge-noise=0.1`, `--reset-optimiser`."""
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{flag}" if value else f"--no-{flag}"
    return f"--{flag}={'none' if value is None else value}"


# Runs started from the page: processes of their own that outlive the page and the server.


class BusyError(RequestError):
    """As many runs as may go on at once are going on."""


class Process(subprocess.Popen[bytes]):
    """A process that is left to itself when the server goes."""

    def __del__(self) -> None:
        """Say nothing about a process that still runs: that it does is the point."""


@dataclass(frozen=True)
class Child:
    """A run that this server started or went on with."""

    process: Process
    config: dict[str, Any]
    listed: Listed
    """What the list shows of it before it has anything to show itself."""
    log: Path

    @property
    def is_going_on(self) -> bool:
        """Whether the process is alive; one that is not is taken off the system's list."""
        return self.process.poll() is None


class Launcher:
    """Starts runs below the site's directory, and stops and continues those that it or an earlier server started."""

    def __init__(self, runs: Runs, most: int) -> None:
        self._runs, self._most = runs, most
        self._children: dict[str, Child] = {}
        self._lock = threading.Lock()
        self._taking = threading.Lock()
        """Held while a run is taken away or gone on with: what is ordered twice at once is done once."""

    def start(self, asked: NewRun) -> str:
        return self._play(EVOLUTION.name, config_of_new(asked))

    def again(self, name: str, seed: int) -> str:
        view = self._runs.view(name)
        return self._play(str(view.experiment), validated(view, seed=seed))

    def go_on(self, name: str, rounds: int) -> None:
        with self._taking:
            view = self._runs.view(name)
            if not was_started_here(name):
                raise RequestError(
                    f"The run {name!r} was not started here; continue it with the command that it shows."
                )
            if view.holder is not None:
                raise RequestError(f"The run {name!r} is going on.")
            if rounds < view.config["rounds"]:
                has = plural(view.config["rounds"], "round")
                raise RequestError(f"The run {name!r} has {has}; give as many or more.")
            files = (*view.directory.iterdir(), view.directory.with_suffix(".log"))
            if any(each.is_symlink() or (each.exists() and not each.is_file()) for each in files):
                raise RequestError(
                    f"The run {name!r} has links or devices among its files; nothing is written to these."
                )
            self._play(str(view.experiment), validated(view, rounds=rounds), view.directory)

    def _play(self, experiment: str, config: dict[str, Any], directory: Path | None = None) -> str:
        with self._lock:
            if self._going_on() >= self._most:
                most = plural(self._most, "run")
                raise BusyError(f"No more than {most} may go on at once; stop one or wait for it.")
            goes_on, directory = directory is not None, directory or self._new_directory()
            config = config if goes_on else without_unread(experiment, config)
            if words_of(experiment, config, directory) is None:
                raise RequestError(f"No command plays a run of {experiment}.")
            name, log = f"{STARTED}/{directory.name}", directory.with_suffix(".log")
            if name in self._children and self._children[name].is_going_on:  # ordered twice, and not at its lock yet
                raise RequestError(f"The run {name!r} is going on.")
            process = _spawn({"experiment": experiment, "config": config, "out": str(directory)}, log, goes_on)
            self._children[name] = Child(process, config, _listed(name, experiment, config), log)
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

    def note(self, name: str, text: str) -> None:
        """Write a note into the run's directory; an empty one takes it away."""
        path = self._own(name) / NOTE
        if not text.strip():
            path.unlink(missing_ok=True)
            return
        write(path, f"{text.strip()}\n".encode(), goes_on=False)  # which replaces a link, and does not follow it

    def delete(self, name: str, sure: str) -> None:
        _refuse_unsure(name, sure)
        with self._taking:
            self._remove(name)

    def archive(self, name: str, sure: str) -> Path:
        """Pack a run into a file below `archived`, and remove it from the list once the file is there."""
        _refuse_unsure(name, sure)
        with self._taking:
            directory, parent = self._own(name), self._runs.directory / ARCHIVED
            if parent.is_symlink():
                raise RequestError(f"{parent} is a link, which may lead anywhere; remove it.")
            parent.mkdir(exist_ok=True)
            file = parent / f"{name.replace('/', '--')[-200:]}.tar.xz"
            kept = pack(directory, file, checkpoints=True)
            if len(kept.runs) != 1:
                raise RequestError(f"The run {name!r} could not be packed, and stays where it is.")
            self._remove(name)
        return file

    def _remove(self, name: str) -> None:
        directory = self._own(name)
        shutil.rmtree(directory)  # which follows no links
        if was_started_here(name):
            directory.with_suffix(".log").unlink(missing_ok=True)
        self._children.pop(name, None)
        self._runs.names_anew()

    def _own(self, name: str) -> Path:
        """The directory of a run that nobody plays; refused where the page may only look."""
        if self._most == 0:
            raise RequestError("Runs can only be looked at here.")
        directory, child = self._runs.find(name), self._children.get(name)
        view = RunView.look(directory)
        if (view is not None and view.holder is not None) or (child is not None and child.is_going_on):
            raise RequestError(f"The run {name!r} is going on; stop it first.")
        if directory == self._runs.directory.resolve():
            raise RequestError("This run is the whole directory that is shown; it is left as it is.")
        return directory

    def config(self, name: str) -> dict[str, Any]:
        if name not in self._children:
            raise NoRunError(f"There is no run {name!r}.")
        return self._children[name].config

    def with_starting(self, listed: list[Listed]) -> list[Listed]:
        """The runs with those that were started a moment ago and have nothing to show yet, or never will."""
        with self._lock:
            children = dict(self._children)
        if not children:
            return listed
        known = {each.summary["name"] for each in listed}
        begun = [
            _starting(child) for name, child in children.items() if name not in known and child.process.poll() != 0
        ]
        return [*begun, *(self._as_it_is(each, children.get(each.summary["name"])) for each in listed)]

    def _as_it_is(self, listed: Listed, child: Child | None) -> Listed:
        """A run that was continued a moment ago looks as if nobody played it until it has its lock."""
        run = listed.summary
        is_over = run["state"] == "done" and run["round"] >= (child.config["rounds"] if child else 0)
        if child is None or run["state"] == "running" or is_over or not child.is_going_on:
            return listed
        return Listed({**run, "state": "starting", "rounds": child.config["rounds"]}, listed.study)

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


def _refuse_unsure(name: str, sure: str) -> None:
    if name != sure:
        raise RequestError("Say the name of the run again to be sure.")


def most_at_once() -> int:
    """Runs that may be started from the page and go on at once: one a core."""
    return os.cpu_count() or 1


def config_of_new(asked: NewRun) -> dict[str, Any]:
    """The config of a run that is asked for; refused if its system does not cover the game range."""
    system = NumeralSystem(tuple(asked.digits), tuple(asked.multipliers), asked.grammar)
    starting_system(str(system), asked.grammar, GameOptions.upto)
    own = {"digits", "multipliers", "effort", "noise"}
    options = {name: value for name, value in asked.model_dump().items() if name not in own}
    game = GameOptions(effort=asked.effort, noise=asked.noise)
    return config_of(EvolutionOptions(**options, start=str(system), game=game))


def without_unread(experiment: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The config of a new run, without what nothing reads under its choices, which its command would refuse."""
    kind = EXPERIMENTS[experiment]
    unread, usual = kind.unread(config), flatten(kind.defaults())
    return nested({name: usual[name] if name in unread else value for name, value in flatten(config).items()})


def validated(view: RunView, **changed: int) -> dict[str, Any]:
    """A run's config with a change, every key and every value of it checked before anything is started."""
    config = {**view.config, **changed}
    refuse_foreign(config)
    assert view.kind is not None
    view.kind.from_config(config, view.format)
    return view.kind.complete(config, view.format)


def note_of(directory: Path) -> str:
    try:
        return read_tail(directory / NOTE, 4 * LONGEST_NOTE).decode("utf-8", "replace").strip()[:LONGEST_NOTE]
    except OSError:
        return ""


def refuse_foreign(config: Mapping[str, Any]) -> None:
    """No code that a run's directory names is loaded for a page, and no file that it names is read."""
    for field in ("need", "eval_need"):
        if str(config.get(field)).startswith("file:"):
            raise RequestError(f"The {field} of this run is a file, which the page does not read; use its command.")
    if config.get("players", KERNEL) != KERNEL:
        raise RequestError(
            "The players of this run are code of its own, which the page does not load; use its command."
        )


PLAY = """
import json, sys
from ishango.errors import RequestError, RunError
from ishango.lab import EXPERIMENTS, interruptible, run
asked = json.load(sys.stdin)
kind = EXPERIMENTS[asked["experiment"]]
try:
    with interruptible():
        run(kind.from_config(asked["config"]), asked["out"])
except KeyboardInterrupt:
    sys.exit(130)
except (RequestError, RunError) as error:
    sys.exit(f"ishango: {error}")
"""
"""What a process of a run does: it is given its config as data, so that no text of one is ever read as an option."""
STOPPED = (-signal.SIGTERM, 130)
"""How a process ends that was told to stop."""


def _spawn(asked: dict[str, Any], log: Path, goes_on: bool) -> Process:
    """A session of its own: neither closing the server's terminal nor its Ctrl-C reaches the run.

    The log is written through no link, and nothing is imported from the directory that the server was started in.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | (0 if goes_on else os.O_EXCL)
    try:
        file = os.open(log, flags, 0o644)
    except OSError as error:
        raise RequestError(f"{log} cannot be written ({error.strerror}); remove it.") from None
    try:
        words = [sys.executable, "-P", "-c", PLAY]
        process = Process(words, stdin=subprocess.PIPE, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)
    finally:
        os.close(file)
    assert process.stdin is not None
    with process.stdin as given:
        given.write(json.dumps(asked).encode())
    return process


def _listed(name: str, experiment: str, config: dict[str, Any]) -> Listed:
    study = study_of(name, experiment, config)
    summary = {
        **blank(name),
        **{field: config[field] for field in ("start", "grammar", "seed", "steps", "rounds") if field in config},
        **first_words(config),
        "title": title_of(study["who"], config),
        "study": study["id"],
        "experiment": experiment,
        "choose": config.get("choose", study["who"]),
        "updated": time.time(),
    }
    return Listed(summary, study)


def _starting(child: Child) -> Listed:
    """A run of which there is no more than its log."""
    code = child.process.poll()
    news = {
        "state": "starting" if code is None else "interrupted" if code in STOPPED else "failed",
        "can_stop": code is None,
        "message": None if code in (None, *STOPPED) else _last_sentence(child.log),
    }
    return Listed({**child.listed.summary, **news}, child.listed.study)


def _last_sentence(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return re.sub(r"^ishango: ", "", lines[-1])[:300] if lines else "The run ended before it began."
