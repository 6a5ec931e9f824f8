"""Unpacking an archive of runs into a directory that may have runs already, none of which is changed."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ishango.errors import RequestError
from ishango.lab import checkpoint, rounds
from ishango.lab.archives.archive_format import RUN_FILES, Contents, read_archive, runs_in
from ishango.lab.archives.same_run import differing
from ishango.lab.directory import NO_ROOM, damage_of, read_run
from ishango.lab.lock import locked
from ishango.lab.sweeps import PLAN
from ishango.safe_files import sync_directory, write, writing

STAGE = ".unarchive.tmp"
"""Where an archive is unpacked before its runs take their places; what a kill left there is removed."""


@dataclass(frozen=True)
class Unarchived:
    """What became of an archive's runs."""

    added: tuple[str, ...]
    completed: tuple[str, ...]
    """Runs that were there and lacked a file, such as the checkpoint."""
    kept: tuple[str, ...]
    """Runs that were there, as far as in the archive or farther."""


def list_archive(file: Path | str) -> list[str]:
    """The names of the runs in an archive, which is read and checked to its end."""
    return runs_in(read_archive(Path(file)))


def unarchive(file: Path | str, directory: Path | str) -> Unarchived:
    """Unpack an archive below a directory; runs that are there already stay as they are.

    Nothing takes its place before all of the archive was checked. A run that is there and is another one is refused.

    Args:
        file: what `archive` has made.
        directory: where the runs go; made if it is not there.

    Returns:
        The runs that were unpacked, and those that were there already.

    >>> from tempfile import TemporaryDirectory
    >>> from ishango import archive, evolve
    >>> with TemporaryDirectory() as directory:
    ...     _ = evolve(7, f"{directory}/runs/one", rounds=2, choose="coin")
    ...     _ = archive(f"{directory}/runs", f"{directory}/runs.tar.xz")
    ...     found = unarchive(f"{directory}/runs.tar.xz", f"{directory}/again")
    >>> list(found.added)
    ['one']
    """
    file, directory = Path(file), Path(directory)
    contents = read_archive(file)  # before anything is written
    with writing(directory, goes_on=False):
        _take(directory, contents)
    with _stage(directory) as stage:
        staged = read_archive(file, lambda name: _Target(stage / name))
        if staged != contents:
            raise RequestError(f"{file} has changed while it was read; try again.")
        return _place(stage, directory, contents)


def _take(directory: Path, contents: Contents) -> None:
    """Make the directory, if it can be used."""
    try:
        _check_place(directory, contents)
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        raise RequestError(f"{directory} cannot be used ({error.strerror}); choose another directory.") from None


def _check_place(directory: Path, contents: Contents) -> None:
    """Refuse a place that is no directory, has too little room, or where a link leads out of it."""
    if directory.exists() and not directory.is_dir():
        raise RequestError(f"{directory} is not a directory; choose another name.")
    root = directory.resolve()
    for name in runs_in(contents):
        if root not in (directory / name).resolve().parents:
            raise RequestError(f"{directory / name} leads out of {directory}; choose another directory.")
    there = next(each for each in (root, *root.parents) if each.exists())
    needed, free = sum(each.bytes for each in contents.values()), shutil.disk_usage(there).free
    if needed > free:
        raise RequestError(f"The archive has {needed:,} bytes and {directory} has room for {free:,}; make room first.")


@contextmanager
def _stage(directory: Path) -> Generator[Path]:
    """An empty directory beside the runs, for this process alone; gone in the end."""
    stage = directory / STAGE
    with writing(stage, goes_on=False):
        stage.mkdir(exist_ok=True)
        descriptor = os.open(stage, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RequestError(f"Another process unpacks into {directory}; wait for it or stop it first.") from None
        with writing(stage, goes_on=False):
            for left in stage.iterdir():
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        try:
            yield stage
        finally:
            shutil.rmtree(stage, ignore_errors=True)
    finally:
        os.close(descriptor)


class _Target:
    """A file in the stage; durable when it is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with writing(path, goes_on=False):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("xb")

    def write(self, piece: bytes) -> None:
        with writing(self._path, goes_on=False):
            self._file.write(piece)

    def close(self) -> None:
        with writing(self._path, goes_on=False), self._file:
            self._file.flush()
            os.fsync(self._file.fileno())


def _place(stage: Path, directory: Path, contents: Contents) -> Unarchived:
    """Look at all runs first, then give those that are new their places."""
    new: list[str] = []
    missing: dict[str, list[str]] = {}
    for name in runs_in(contents):
        _check_run(stage / name, name)
        if _is_free(directory / name):
            new.append(name)
        else:
            missing[name] = _lacking(stage / name, directory / name)
    for name in new:
        _move(stage / name, directory / name)
    completed = tuple(name for name, files in missing.items() if files)
    for name in completed:
        with locked(directory / name):
            for each in missing[name]:
                write(directory / name / each, (stage / name / each).read_bytes(), goes_on=False)
    for name in contents:
        if name.rpartition("/")[2] == PLAN and not (directory / name).exists():
            write(directory / name, (stage / name).read_bytes(), goes_on=False)
    return Unarchived(tuple(new), completed, tuple(name for name in missing if name not in completed))


def _check_run(run: Path, name: str) -> None:
    document = read_run(run)
    assert document is not None  # a run has its run.json, or it is none
    if (damage := damage_of(run, document)) is not None:
        raise RequestError(f"The run {name} in the archive is damaged: {damage}.")


def _is_free(place: Path) -> bool:
    return not place.exists() or (place.is_dir() and not any(place.iterdir()))


def _move(run: Path, place: Path) -> None:
    with writing(place, goes_on=False):
        sync_directory(run)
        place.parent.mkdir(parents=True, exist_ok=True)
        run.rename(place)  # onto nothing or an empty directory: the system refuses anything else
        sync_directory(place.parent)


def _lacking(ours: Path, there: Path) -> list[str]:
    """The files that a run lacks which is there already; refused if it is another run, or has fewer rounds."""
    document = read_run(there) if there.is_dir() else None
    if document is None:
        raise RequestError(f"{there} is there and holds no run; unpack into another directory.")
    new = read_run(ours) or {}
    if (field := differing(document, new)) is not None:
        raise RequestError(f"{there} holds another run: its {field} as in the archive; unpack into another directory.")
    old_rounds, new_rounds = ((each / rounds.NAME) for each in (there, ours))
    old_data, new_data = (each.read_bytes() if each.exists() else b"" for each in (old_rounds, new_rounds))
    if old_data.startswith(new_data) and len(old_data) > len(new_data):
        return []
    if new_data.startswith(old_data) and len(old_data) < len(new_data):
        raise RequestError(
            f"{there} holds the same run with fewer rounds; remove it, or unpack into another directory."
        )
    for each in sorted(ours.iterdir()):
        same = not (there / each.name).exists() or each.name == checkpoint.NAME
        if not same and (there / each.name).read_bytes() != each.read_bytes():
            raise RequestError(f"{there} holds another run: its {each.name} differs; unpack into another directory.")
    return [name for name in RUN_FILES if (ours / name).exists() and not (there / name).exists()]
