"""One way to look at runs: where they are, what they are, and how far they have come.

Nothing is written and no lock is taken, so runs may be going on. Links are not followed: what is read lies in the
directory that was asked about.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np

from ishango._locks import Holder, holder
from ishango.errors import RequestError
from ishango.lab import _directory as files
from ishango.lab import _rounds as rounds
from ishango.lab._experiments import EXPERIMENTS, ExperimentKind
from ishango.lab._rounds import Checkpoint, read_checkpoint, read_npz
from ishango.lab._sweeps import read_failure
from ishango.safe_files import Stamp, plain_stamp, read_plain, read_tail

RunState = Literal["running", "done", "failed", "interrupted"]

TAIL = 64 * 1024
"""Bytes at the end of `rounds.jsonl` in which the last round is looked for first."""
LONGEST_MESSAGE = 300


def find_runs(directory: Path | str, most: int | None = None, deepest: int | None = None) -> list[Path]:
    """The directories of runs in and below a directory, resolved and in order; none below a run or in hidden ones.

    Args:
        directory: where to look; one that is not there has no runs.
        most: stop after so many.
        deepest: how many directories further down to look.
    """
    found: list[Path] = []
    root = Path(directory).resolve()
    waiting: list[tuple[str, int]] = [(str(root), 0)]
    while waiting and (most is None or len(found) < most):
        folder, depth = waiting.pop()
        if plain_stamp(f"{folder}/{files.RUN}"):  # before its content is listed: most directories are runs
            found.append(Path(folder))
        elif deepest is None or depth < deepest:
            waiting += [(f"{folder.rstrip('/')}/{name}", depth + 1) for name in reversed(_folders(folder))]
    return found


def _folders(folder: str) -> list[str]:
    """The directories in a directory, in order, without hidden ones and links."""
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
    except OSError:  # it is gone, or not to be read
        return []
    return sorted(name for name in names if not name.startswith("."))


class RunView:
    """A run's directory, read but not touched.

    `run.json` is read once; everything else whenever it is asked for. What is damaged, or was removed a moment ago,
    is not there.
    """

    def __init__(self, directory: Path | str) -> None:
        """Refuses, in one sentence, a directory that holds no run or one that cannot be read."""
        self.directory = Path(directory)
        document = files.read_run(self.directory, read_plain)
        if document is None:
            below = next((f", such as {each.parent}" for each in sorted(self.directory.glob(f"*/{files.RUN}"))), "")
            raise RequestError(f"There is no run in {self.directory}; give the directory of one{below}.")
        self._document: Mapping[str, Any] = document
        if self.kind is not None and (why := self.kind.strange(self.recorded, self.format)) is not None:
            said = f"{files.RUN} cannot be read ({why})."
            raise files.UnreadableRunError(f"{self.directory}/{said}", said)

    @classmethod
    def look(cls, directory: Path | str) -> RunView | None:
        """The view of a run, or None where there is none that can be read."""
        try:
            return cls(directory)
        except (RequestError, OSError):
            return None

    def __repr__(self) -> str:
        return f"<run {self.directory}: {self.experiment or 'unknown'}, {self.state}>"

    @property
    def format(self) -> int:
        return self._document["format"]

    @property
    def recorded(self) -> dict[str, Any]:
        return self._document["config"]

    @cached_property
    def kind(self) -> ExperimentKind | None:
        """What was played, or None where that is not known here."""
        name = self._document.get("experiment")
        return next((kind for kind in EXPERIMENTS.values() if kind.name == name), None)

    @property
    def experiment(self) -> str | None:
        """The name of what was played, also where it is not installed here."""
        return self._document.get("experiment")

    @cached_property
    def config(self) -> dict[str, Any]:
        """The config with every field that such a run has today; as recorded where the kind is not known."""
        return files.filled(self._document, self.kind)

    @property
    def environment(self) -> dict[str, Any]:
        """Where it was begun: versions, platform and CPU type."""
        names = ("format", "experiment", "config", "seed", "inputs")
        return {name: value for name, value in self._document.items() if name not in names}

    @property
    def inputs(self) -> dict[str, str]:
        """Digests of the files that it depends on, by what the config calls them, as they were when it began."""
        found: Any = self._document.get("inputs")
        return cast(dict[str, str], found) if isinstance(found, dict) else {}

    def refuse_changed(self, inputs: Mapping[str, str]) -> None:
        """Refuse, in one sentence, digests of today that are not those of when it began."""
        files.refuse_changed_inputs(self.directory, self.inputs, inputs, "leave the run out")

    @property
    def holder(self) -> Holder | None:
        """The process that plays it now, if one does."""
        return holder(self.directory)

    @property
    def state(self) -> RunState:
        """Whether it goes on, and if not, how it ended."""
        if self.holder is not None:
            return "running"
        if (self.directory / files.DONE).exists():
            return "done"
        return "failed" if (self.directory / files.ERROR).exists() else "interrupted"

    @property
    def message(self) -> str | None:
        """Why it failed, if it did: the first line of `error.txt`, or the last one of a traceback."""
        failure = read_failure(self.directory)
        return (failure.message[:LONGEST_MESSAGE] or None) if failure else None

    @property
    def updated(self) -> float:
        """When its last round was recorded, in seconds; before the first round, when it was begun; 0 if it is gone."""
        stamp = plain_stamp(self.directory / rounds.ROUNDS) or plain_stamp(self.directory / files.RUN)
        return stamp[0] / 1e9 if stamp else 0.0

    @property
    def damage(self) -> str | None:
        """What is wrong with the records of a run that is called done; None if nothing is."""
        if not (self.directory / files.DONE).exists():  # asked first: a run may end while its rounds are read
            return None
        return files.shortfall(self.recorded, len(self.rounds()))

    def stamp(self, names: Iterable[str] = (*files.WRITTEN, files.ERROR)) -> tuple[Stamp | None, ...]:
        """What changes when one of these files does, to keep by it what was read from them."""
        return tuple(plain_stamp(self.directory / name) for name in names)

    def rounds(self) -> list[dict[str, Any]]:
        """The rounds so far; a line that is not whole yet, or is damaged, ends them."""
        return rounds.parse_rounds(self._read(rounds.ROUNDS) or b"")

    def last_round(self) -> dict[str, Any] | None:
        """The last whole round, from the end of the file; None before the first."""
        try:
            tail = read_tail(self.directory / rounds.ROUNDS, TAIL)
        except OSError:
            return None
        return rounds.parse_last_round(tail) or next(reversed(self.rounds()), None)

    def curve(self) -> dict[str, np.ndarray]:
        """`reward` per block of steps and, for each block, its `round`; empty where nobody plays for rewards."""
        data = self._read(files.CURVE)
        try:
            return read_npz(data) if data else {}
        except ValueError:
            return {}

    def has_checkpoint(self) -> bool:
        """Whether there is a file with a state, usable or not."""
        return any(self.stamp((rounds.CHECKPOINT, rounds.PREVIOUS)))

    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint with which the run would go on: the newest that can be used."""
        return read_checkpoint(self.directory, files.digest(self._document, self.kind))

    def last_checkpoint(self) -> Checkpoint:
        """The same; refused, in one sentence, where there is none."""
        found = self.checkpoint()
        if found is not None:
            return found
        if self.state == "done" and not self.has_checkpoint():
            raise RequestError(
                f"The run in {self.directory} was kept without its checkpoints and has no agents;"
                " an archive keeps them if it is made with checkpoints."
            )
        raise RequestError(f"The run in {self.directory} has no checkpoint that can be used; wait for its first round.")

    def _read(self, name: str) -> bytes | None:
        try:
            return read_plain(self.directory / name)
        except OSError:
            return None


def named_runs(given: Sequence[Path]) -> dict[str, Path]:
    """The runs in the directories, each once, by its name below its directory, or by its path if that is taken.

    Of several directories, a run's name begins with that of its directory.
    """
    if not given:
        raise RequestError("There is nothing to look for runs in; give directories of runs.")
    found: dict[Path, str] = {}
    for directory in given:
        for run in _runs(directory):
            root = directory.resolve()
            name = run.relative_to(root).as_posix() if run != root else run.name
            found.setdefault(run, name if len(given) == 1 else f"{root.name}/{name}")
    taken = Counter(found.values())
    return {name if taken[name] == 1 else str(run): run for run, name in found.items()}


def _runs(directory: Path) -> list[Path]:
    try:
        is_directory = directory.is_dir()
    except OSError:  # a name that is too long
        is_directory = False
    if not is_directory:
        raise RequestError(f"{directory} is not a directory; give the one of a run or a sweep.")
    runs = find_runs(directory)
    if not runs:
        raise RequestError(f"There are no runs in {directory}; give the directory of a run or a sweep.")
    return runs
