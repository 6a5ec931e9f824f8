"""Runs in one small file: packed, listed and unpacked again.

An archive is an ordinary `.tar.xz`. Its first member is `archive.json`, with the format and the length and SHA-256 of
every other one. Whoever made it, nothing in it is taken on trust: only plain files with the names of a run's files are
read, no more bytes than the list allows, and `tarfile` extracts nothing by itself.
"""

from __future__ import annotations

import fcntl
import io
import json
import lzma
import os
import shutil
import tarfile
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, BinaryIO, cast

from ishango._locks import locked
from ishango.errors import RequestError
from ishango.lab import _rounds as rounds
from ishango.lab._directory import CURVE, DONE, RESUMES, RUN, damage_of, read_run, refuse_within_run
from ishango.lab._plan import flatten
from ishango.lab._sweeps import PLAN
from ishango.lab._view import RunView, named_runs
from ishango.safe_files import (
    LONGEST_FILE,
    as_path,
    as_paths,
    plain_stamp,
    read_plain,
    replacing,
    sync_directory,
    write,
    writing,
)

FORMAT = 2
"""In format 1 the list of files was the last member; such archives are still read."""
SUFFIX = ".tar.xz"
MANIFEST = "archive.json"
RUN_FILES = (RUN, rounds.ROUNDS, CURVE, RESUMES, rounds.CHECKPOINT, DONE)
"""What is kept of a run, in this order: `DONE` stands on all others."""
GROWING = (rounds.ROUNDS, RESUMES)
"""Files that only ever get longer."""
PRESET = 6
"""Of the compression. Its window of 8 MiB holds dozens of runs, which have much in common."""
MEMORY = 256 * 1024 * 1024
"""Bytes that decompressing may take; what this version packs takes ten million."""
MOST_TIMES, ALWAYS = 200, 64 * 1024 * 1024
"""How much may come out of an archive: so many times its own length, and so many bytes. Runs shrink to a fifteenth."""
STAGE = ".unarchive.tmp"
"""Where an archive is unpacked before its runs take their places; what a kill left there is removed."""


@dataclass(frozen=True)
class Entry:
    """A file of an archive."""

    bytes: int
    sha256: str


Contents = Mapping[str, Entry]
"""The files of an archive by name."""


@dataclass(frozen=True)
class Archived:
    """What an archive holds, and what was left out of it."""

    file: Path
    runs: tuple[str, ...]
    left_out: Mapping[str, str]
    """Why, by the name of the run."""
    bytes: int


@dataclass(frozen=True)
class Unarchived:
    """What became of an archive's runs."""

    added: tuple[str, ...]
    completed: tuple[str, ...]
    """Runs that were there and lacked a file, such as the checkpoint."""
    kept: tuple[str, ...]
    """Runs that were there, as far as in the archive or farther."""


def archive(directories: Path | str | Iterable[Path | str], file: Path | str, *, checkpoints: bool = False) -> Archived:
    """Pack all finished runs in and below directories into one file; the same runs give the same bytes.

    A run is kept as its config, rounds and curve; the plans of sweeps are kept beside it. What is in the file is read
    back before the file gets its name. An archive of that name is replaced only by one that holds everything in it.

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
    file = as_path(file)
    given = as_paths(directories)
    if not file.name.endswith(SUFFIX):
        raise RequestError(f"{file} does not end in {SUFFIX}; give a name that does.")
    stamp = plain_stamp(file)
    found = named_runs(given)
    if (twice := next((name for name, run in found.items() if name == str(run)), None)) is not None:
        raise RequestError(f"{twice} has the name of another run that was found; archive them one by one.")
    looked_at = {name: _keepable(name, run, checkpoints) for name, run in sorted(found.items())}
    views = {name: view for name, view in looked_at.items() if isinstance(view, RunView)}
    left_out = {name: reason for name, reason in looked_at.items() if isinstance(reason, str)}
    if not views:
        first, why = next(iter(left_out.items()))
        raise RequestError(f"None of the runs can be kept: {first} {why}.")
    with replacing(file, goes_on=False) as temporary:
        with writing(file, goes_on=False):
            files = [_files(view, name, checkpoints) for name, view in views.items()]
            _pack(temporary, chain(_plans(given, views), *files))
        contents = read_archive(temporary)
        if plain_stamp(file) != stamp:
            raise RequestError(f"{file} has changed meanwhile; try again.")
        if stamp is not None:
            _check_replaced(file, temporary)
    return Archived(file, tuple(views), left_out, sum(each.bytes for each in contents.values()))


def list_archive(file: Path | str) -> list[str]:
    """The names of the runs in an archive, which is read and checked to its end."""
    return _runs_in(read_archive(as_path(file)))


def unarchive(file: Path | str, directory: Path | str) -> Unarchived:
    """Unpack an archive below a directory; runs that are there already stay as they are.

    Nothing is put in place before the whole archive has been checked. A different run of the same name is refused.

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
    file, directory = as_path(file), as_path(directory)
    refuse_within_run(directory / "run")
    contents = read_archive(file)  # before anything is written
    try:
        _make(directory, contents)
    except OSError as error:
        raise RequestError(f"{directory} cannot be used ({error.strerror}); choose another directory.") from None
    with _stage(directory) as stage:
        if read_archive(file, lambda name, data: _write_staged(stage / name, data)) != contents:
            raise RequestError(f"{file} has changed while it was read; try again.")
        return _place(stage, directory, contents)


# Packing


def _keepable(name: str, run: Path, checkpoints: bool) -> RunView | str:
    """The view of a run, or why it is left out."""
    try:
        _check_name(f"{name}/{DONE}")
        view = RunView(run)
    except ValueError as error:  # a RequestError is one
        return f"cannot be kept ({str(error).rstrip('.')})"
    if view.damage is not None:
        return f"is damaged: {view.damage}"
    if (run / DONE).exists():
        return view
    if not checkpoints:
        return "is not done (with checkpoints it is kept as far as it is)"
    return view if view.checkpoint() is not None else "is not done and has no checkpoint to go on from"


def _plans(given: Sequence[Path], views: Mapping[str, RunView]) -> list[tuple[str, bytes]]:
    """The plans that lie between the directories that were given and their runs."""
    plans: dict[str, Path] = {}
    roots = {directory.resolve() for directory in given}
    for name, view in views.items():
        folder, place = view.directory, PurePosixPath(name)
        while folder not in roots and place.parts:
            folder, place = folder.parent, place.parent
            plans[(place / PLAN).as_posix()] = folder / PLAN
    return [(name, read_plain(plan)) for name, plan in sorted(plans.items()) if plain_stamp(plan) is not None]


def _files(view: RunView, run: str, checkpoints: bool) -> Generator[tuple[str, bytes]]:
    """What is kept of a run, which may be going on: its state is read first, then the rounds that it stands on."""
    done = (view.directory / DONE).exists()
    state = view.checkpoint() if checkpoints else None
    for name in RUN_FILES:
        if name == rounds.CHECKPOINT and state is not None:
            yield f"{run}/{name}", rounds.encode(state)
        elif name != rounds.CHECKPOINT and (view.directory / name).exists() and (name != DONE or done):
            data = read_plain(view.directory / name)
            yield f"{run}/{name}", data[: data.rfind(b"\n") + 1] if name == rounds.ROUNDS else data


def _pack(file: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write an archive, durably. Files wait in a nameless one until the list that stands before them is known."""
    contents: dict[str, Entry] = {}
    with TemporaryFile(dir=file.parent) as waiting, file.open("wb") as packed:
        for name, data in files:
            contents[name] = _entry(data)
            waiting.write(data)
        waiting.seek(0)
        with (
            lzma.open(packed, "wb", preset=PRESET) as compressed,
            tarfile.open(fileobj=cast(IO[bytes], compressed), mode="w|", format=tarfile.PAX_FORMAT) as members,
        ):
            listed = manifest_of(contents)
            members.addfile(_header(MANIFEST, len(listed)), io.BytesIO(listed))
            for name, entry in contents.items():
                members.addfile(_header(name, entry.bytes), waiting)
        packed.flush()
        os.fsync(packed.fileno())


def _header(name: str, length: int) -> tarfile.TarInfo:
    """Without owner or time, so that the archive depends on the runs alone."""
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = length, 0o644, 0
    return member


def _entry(data: bytes) -> Entry:
    return Entry(len(data), sha256(data).hexdigest())


def manifest_of(contents: Contents) -> bytes:
    files = {name: asdict(each) for name, each in contents.items()}
    return json.dumps({"format": FORMAT, "files": files}, indent=0).encode() + b"\n"


def _check_replaced(file: Path, new: Path) -> None:
    """Refuse a new archive that lacks something of the one which it would replace."""
    with TemporaryDirectory() as space:
        was, will_be = Path(space, "old"), Path(space, "new")
        old = read_archive(file, lambda name, data: _write_staged(was / name, data))
        read_archive(new, lambda name, data: _write_staged(will_be / name, data))
        for run in _runs_in(old):
            if (will_be / run).exists() and (why := _other(was / run, will_be / run)) is not None:
                raise RequestError(f"{file} holds another run {run}: its {why}; choose another name.")
            if less := _lacking(was / run, will_be / run, shorter=GROWING):
                raise RequestError(
                    f"{file} is there and has more of {run}/{less[0]}; unpack it beside these runs first, or choose"
                    " another name."
                )


def _other(there: Path, ours: Path) -> str | None:
    """Why two directories hold different runs; None if they hold one run, maybe with more rounds in one of them."""
    if (field := _differing(read_run(there) or {}, read_run(ours) or {})) is not None:
        return field
    as_far = _bytes(there / rounds.ROUNDS) == _bytes(ours / rounds.ROUNDS)
    for name in RUN_FILES:
        old, new = _bytes(there / name), _bytes(ours / name)
        if old is None or new is None or name == rounds.CHECKPOINT or (name not in GROWING and not as_far):
            continue
        if old != new and not (name in GROWING and (old.startswith(new) or new.startswith(old))):
            return f"{name} differs"
    return None


def _lacking(full: Path, part: Path, shorter: Collection[str] = ()) -> list[str]:
    """The files of one directory that are not in another, or are shorter there if that counts."""
    files = ((name, _bytes(full / name), _bytes(part / name)) for name in RUN_FILES)
    return [
        name
        for name, whole, there in files
        if whole is not None and (there is None or (name in shorter and len(there) < len(whole)))
    ]


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _differing(there: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """A field in which two `run.json` differ, with both values; the number of rounds may have grown.

    >>> _differing({"config": {"seed": 1, "rounds": 5}}, {"config": {"seed": 2, "rounds": 7}})
    'seed is 1 and not 2'
    """
    old, new = (flatten({**each, "config": {**each["config"], "rounds": 0}}) for each in (there, ours))
    for name in [*new, *(name for name in old if name not in new)]:
        if new.get(name) != old.get(name):
            return f"{name.removeprefix('config.')} is {json.dumps(old.get(name))} and not {json.dumps(new.get(name))}"
    return None


# Reading


def read_archive(file: Path, take: Callable[[str, bytes], None] = lambda _name, _data: None) -> Contents:
    """Read all of an archive, giving its files to `take`; what is damaged, forged or no archive is refused.

    What was given away can be relied on only when this returns.
    """
    found: dict[str, Entry] = {}
    listed: Contents | None = None
    with _opened(file) as members:
        for member in members:
            data = _data(members, member)
            if member.name == MANIFEST and listed is None:
                listed = _listed(data, first=not found, most=_most(file))
                continue
            if member.name in found:
                raise ValueError(f"{member.name!r} is there twice")
            _check_name(member.name)
            found[member.name] = _entry(data)
            if listed is not None and listed.get(member.name) != found[member.name]:
                raise ValueError(f"{member.name!r} is not as its list of files says")
            take(member.name, data)
        if listed is None:
            raise ValueError("it has no list of its files")
        if differing := sorted(name for name in listed.keys() | found.keys() if listed.get(name) != found.get(name)):
            raise ValueError(f"{differing[0]!r} is not as its list of files says")
        _check_runs(found)
    return found


def _data(members: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    content = members.extractfile(member) if member.isreg() and not member.issparse() else None
    if content is None:
        raise ValueError(f"{member.name!r} is a link or no file")
    if member.size > LONGEST_FILE:
        raise ValueError(f"{member.name!r} has {member.size:,} bytes, which no file of a run has")
    return content.read()


def _listed(manifest: bytes, *, first: bool, most: int) -> Contents:
    loaded: Any = json.loads(manifest)
    document = cast(dict[str, Any], loaded) if isinstance(loaded, dict) else {}
    if type(document.get("format")) is not int:
        raise ValueError("its list of files has no format")
    if document["format"] > FORMAT:
        raise RequestError(
            f"The archive is of format {document['format']}, and this version of Ishango knows formats up to {FORMAT};"
            " install a later version."
        )
    if first != (document["format"] == FORMAT):
        raise ValueError("its list of files is not in its place")
    files: dict[str, Any] = document["files"]
    listed = {name: Entry(each["bytes"], each["sha256"]) for name, each in files.items()}
    if sum(each.bytes for each in listed.values()) > most:
        raise ValueError(_TOO_MUCH)
    return listed


_TOO_MUCH = "far more comes out of it than runs have in so little space"


def _most(file: Path) -> int:
    return MOST_TIMES * file.stat().st_size + ALWAYS


def _check_name(name: str) -> None:
    """Refuse what is not the name of a run's file or of a plan, below the directory that is unpacked into."""
    *folders, last = name.split("/")
    plain = all(each and not each.startswith(".") and "\\" not in each and each.isprintable() for each in folders)
    if not plain or not (last == PLAN or (last in RUN_FILES and folders)):
        raise ValueError(f"{name!r} is not the name of a run's file")


def _runs_in(contents: Contents) -> list[str]:
    return [name.rpartition("/")[0] for name in contents if name.endswith(f"/{RUN}")]


def _check_runs(found: Contents) -> None:
    """Every file is of a run or a plan, and no run lies in another."""
    runs = set(_runs_in(found))
    for name in found:
        folder, _, last = name.rpartition("/")
        if last != PLAN and folder not in runs:
            raise ValueError(f"{name!r} belongs to no run")
        parts = folder.split("/")
        inside = ["/".join(parts[:i]) for i in range(1, len(parts) + (last == PLAN))]
        if runs.intersection(inside):
            raise ValueError(f"{name!r} lies inside a run")


@contextmanager
def _opened(file: Path) -> Generator[tarfile.TarFile]:
    """The members of an archive; whatever is wrong with them becomes one sentence."""
    try:
        with file.open("rb") as packed:
            unpacked = _Unpacked(packed, _most(file))
            with tarfile.open(fileobj=cast(IO[bytes], unpacked), mode="r|", bufsize=64 * 1024) as members:
                yield members
            unpacked.finish()
    except (FileNotFoundError, NotADirectoryError):
        raise RequestError(f"{file} is not there; give an archive that ishango archive has made.") from None
    except OSError as error:
        raise RequestError(f"{file} cannot be read ({error.strerror or error}); give an archive of runs.") from None
    except RequestError:
        raise
    except (tarfile.TarError, lzma.LZMAError) as error:
        why = str(error).replace("\n", " ")
        raise RequestError(f"{file} is damaged or no archive of runs: it cannot be unpacked ({why}).") from None
    except (EOFError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RequestError(f"{file} is damaged or no archive of runs: {error or 'it ends too early'}.") from None


class _Unpacked:
    """The bytes in a compressed file, no more of them and in no more memory than is allowed."""

    def __init__(self, packed: BinaryIO, most: int) -> None:
        self._packed, self._left = packed, most
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)

    def read(self, length: int) -> bytes:
        piece = b""
        while not piece and not self._decompressor.eof:
            more = self._packed.read(1 << 20) if self._decompressor.needs_input else b""
            if self._decompressor.needs_input and not more:
                raise EOFError("it ends too early")
            piece = self._decompressor.decompress(more, length)
        self._left -= len(piece)
        if self._left < 0:
            raise ValueError(_TOO_MUCH)
        return piece

    def finish(self) -> None:
        """Read to the end, where the compression has its own checksum, and see that nothing stands behind."""
        while self.read(1 << 20):
            pass
        if self._decompressor.unused_data or self._packed.read(1):
            raise ValueError("something stands behind its end")


# Unpacking


def _make(directory: Path, contents: Contents) -> None:
    """Make a place for runs; refused if it is no directory, has too little room, or a link leads out of it."""
    root = directory.resolve()
    if directory.exists() and not directory.is_dir():
        raise RequestError(f"{directory} is not a directory; choose another name.")
    for name in _runs_in(contents):
        if root not in (directory / name).resolve().parents:
            raise RequestError(f"{directory / name} leads out of {directory}; choose another directory.")
    there = next(each for each in (root, *root.parents) if each.exists())
    needed, free = sum(each.bytes for each in contents.values()), shutil.disk_usage(there).free
    if needed > free:
        raise RequestError(f"The archive has {needed:,} bytes and {directory} has room for {free:,}; make room first.")
    directory.mkdir(parents=True, exist_ok=True)


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


def _write_staged(path: Path, data: bytes) -> None:
    with writing(path, goes_on=False):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def _place(stage: Path, directory: Path, contents: Contents) -> Unarchived:
    """Look at all runs first, then give those that are new their places."""
    missing: dict[str, list[str] | None] = {}
    for name in _runs_in(contents):
        damage = damage_of(stage / name, read_run(stage / name) or {})
        if damage is not None:
            raise RequestError(f"The run {name} in the archive is damaged: {damage}.")
        missing[name] = None if _is_free(directory / name) else _completing(directory / name, stage / name)
    new = tuple(name for name, files in missing.items() if files is None)
    for name in new:
        _move(stage / name, directory / name)
    completed = tuple(name for name, files in missing.items() if files)
    for name in completed:
        with locked(directory / name):
            for each in missing[name] or ():
                write(directory / name / each, (stage / name / each).read_bytes(), goes_on=False)
    for name in contents:
        if name.rpartition("/")[2] == PLAN and not (directory / name).exists():
            write(directory / name, (stage / name).read_bytes(), goes_on=False)
    return Unarchived(new, completed, tuple(name for name, files in missing.items() if files == []))


def _is_free(place: Path) -> bool:
    return not place.exists() or (place.is_dir() and not any(place.iterdir()))


def _move(run: Path, place: Path) -> None:
    with writing(place, goes_on=False):
        sync_directory(run)
        place.parent.mkdir(parents=True, exist_ok=True)
        run.rename(place)  # onto nothing or an empty directory: the system refuses anything else
        sync_directory(place.parent)


def _completing(there: Path, ours: Path) -> list[str]:
    """The files that a run lacks which is there already; refused if it is another run, or has fewer rounds."""
    if (read_run(there) if there.is_dir() else None) is None:
        raise RequestError(f"{there} is there and holds no run; unpack into another directory.")
    if (why := _other(there, ours)) is not None:
        as_in = " as in the archive" if " and not " in why else ""
        raise RequestError(f"{there} holds another run: its {why}{as_in}; unpack into another directory.")
    played, offered = (len(_bytes(each / rounds.ROUNDS) or b"") for each in (there, ours))
    if played < offered:
        raise RequestError(
            f"{there} holds the same run with fewer rounds; remove it, or unpack into another directory."
        )
    return _lacking(ours, there) if played == offered else []
