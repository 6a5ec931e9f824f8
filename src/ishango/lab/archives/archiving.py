"""Keeping finished runs in one small file, to be shared and to be taken up where there are none."""

from __future__ import annotations

import io
import lzma
import os
import tarfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, cast

from ishango.errors import RequestError
from ishango.lab import checkpoint, rounds
from ishango.lab.archives.archive_format import (
    MANIFEST,
    RUN_FILES,
    SUFFIX,
    Contents,
    Entry,
    check_name,
    manifest_of,
    read_archive,
)
from ishango.lab.archives.replaced import Replaced
from ishango.lab.checkpoint import encode
from ishango.lab.directory import DONE
from ishango.lab.named_runs import named_runs
from ishango.lab.plain_files import read_plain
from ishango.lab.sweeps import PLAN
from ishango.lab.view import RunView
from ishango.safe_files import replacing, writing

PRESET = 6
"""Of the compression. Its window of 8 MiB holds dozens of runs, which have much in common."""


@dataclass(frozen=True)
class Archived:
    """What an archive holds, and what was left out of it."""

    file: Path
    runs: tuple[str, ...]
    left_out: Mapping[str, str]
    """Why, by the name of the run."""
    bytes: int


def archive(directories: Path | str | Iterable[Path | str], file: Path | str, *, checkpoints: bool = False) -> Archived:
    """Pack all finished runs in and below directories into one file; the same runs give the same bytes.

    A run is kept as its config, rounds and curve; the plans of sweeps are kept beside it. What is in the file is read
    back before the file takes its name. An archive of that name is replaced only by one that has all it has.

    Args:
        directories: a directory of a run or of many, or several; names of runs then begin with their directory's.
        file: the archive; its name ends in `.tar.xz`.
        checkpoints: keep the last checkpoint of each run, too, with its agents: then runs can be continued, and those
            that are not done are taken as far as they are.

    Returns:
        What was kept, and what was left out and why.

    >>> from tempfile import TemporaryDirectory
    >>> from ishango import evolve
    >>> with TemporaryDirectory() as directory:
    ...     _ = evolve(7, f"{directory}/runs/one", rounds=2, choose="coin")
    ...     kept = archive(f"{directory}/runs", f"{directory}/runs.tar.xz")
    >>> list(kept.runs)
    ['one']
    """
    file = Path(file)
    given = [Path(directories)] if isinstance(directories, (Path, str)) else [Path(each) for each in directories]
    if not file.name.endswith(SUFFIX):
        raise RequestError(f"{file} does not end in {SUFFIX}; give a name that does.")
    before = Replaced(file)
    found = named_runs(given)
    if (twice := next((name for name, run in found.items() if name == str(run)), None)) is not None:
        raise RequestError(f"{twice} has the name of another run that was found; archive them one by one.")
    views: dict[str, RunView] = {}
    left_out: dict[str, str] = {}
    for name, run in sorted(found.items()):
        view, reason = _keepable(name, run, checkpoints)
        if view is None:
            left_out[name] = reason
        else:
            views[name] = view
    if not views:
        first, why = next(iter(left_out.items()))
        raise RequestError(f"None of the runs can be kept: {first} {why}.")
    contents = _write(file, views, _plans(given, views), before, checkpoints)
    return Archived(file, tuple(views), left_out, sum(each.bytes for each in contents.values()))


def _keepable(name: str, run: Path, checkpoints: bool) -> tuple[RunView | None, str]:
    """The view of a run, or why it is left out."""
    try:
        check_name(f"{name}/{DONE}")
        view = RunView(run)
    except ValueError as error:  # a RequestError is one
        return None, f"cannot be kept ({str(error).rstrip('.')})"
    if view.damage is not None:
        return None, f"is damaged: {view.damage}"
    if (run / DONE).exists():
        return view, ""
    if not checkpoints:
        return None, "is not done (with checkpoints it is kept as far as it is)"
    return (view, "") if view.checkpoint() is not None else (None, "is not done and has no checkpoint to go on from")


def _plans(given: Sequence[Path], views: Mapping[str, RunView]) -> dict[str, Path]:
    """The plans that lie between the directories that were given and their runs, by name."""
    plans: dict[str, Path] = {}
    roots = {directory.resolve() for directory in given}
    for name, view in views.items():
        folder, place = view.directory, PurePosixPath(name)
        while folder not in roots and place.parts:
            folder, place = folder.parent, place.parent
            plans[(place / PLAN).as_posix()] = folder / PLAN
    return {name: plan for name, plan in sorted(plans.items()) if plan.is_file() and not plan.is_symlink()}


def _write(
    file: Path, views: Mapping[str, RunView], plans: Mapping[str, Path], before: Replaced, checkpoints: bool
) -> Contents:
    """Write beside, read back, rename."""
    contents: dict[str, Entry] = {}
    with replacing(file, goes_on=False) as temporary:
        with writing(file, goes_on=False), _packing(temporary) as members:
            for name, plan in plans.items():
                contents[name] = _add(members, name, read_plain(plan))
            for name, view in views.items():
                for kept, data in _files(view, checkpoints):
                    before.check(f"{name}/{kept}", data)
                    contents[f"{name}/{kept}"] = _add(members, f"{name}/{kept}", data)
            _add(members, MANIFEST, manifest_of(contents))
        if read_archive(temporary) != contents:
            raise AssertionError(f"{file} does not hold what was put into it")
        before.check_all(contents)
    return contents


@contextmanager
def _packing(file: Path) -> Generator[tarfile.TarFile]:
    """A new archive; durable in the end."""
    with file.open("wb") as packed:
        with (
            lzma.open(packed, "wb", preset=PRESET) as compressed,
            tarfile.open(fileobj=cast(IO[bytes], compressed), mode="w|", format=tarfile.PAX_FORMAT) as members,
        ):
            yield members
        packed.flush()
        os.fsync(packed.fileno())


def _add(members: tarfile.TarFile, name: str, data: bytes) -> Entry:
    """Add a file without owner or time, so that the archive depends on the runs alone."""
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = len(data), 0o644, 0
    members.addfile(member, io.BytesIO(data))
    return Entry(len(data), sha256(data).hexdigest())


def _files(view: RunView, checkpoints: bool) -> Generator[tuple[str, bytes]]:
    """What is kept of a run, which may be going on: its state is read first, then the rounds that it stands on."""
    done = (view.directory / DONE).exists()
    state = view.checkpoint() if checkpoints else None
    for name in RUN_FILES:
        if name == checkpoint.NAME:
            if state is not None:
                yield name, encode(state)
        elif name != DONE or done:
            try:
                data = read_plain(view.directory / name)
            except FileNotFoundError:
                continue
            yield name, data[: data.rfind(b"\n") + 1] if name == rounds.NAME else data
