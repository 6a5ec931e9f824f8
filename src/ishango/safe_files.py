"""Writing so that a kill, a power cut or a full disk leaves the old file or the new one, never half of one; and reading
what others made, of whatever size and kind it may be."""

from __future__ import annotations

import gzip
import lzma
import os
import socket
import stat
import threading
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from ishango.errors import RequestError, RunError


def as_path(given: object) -> Path:
    """The path that is named.

    >>> as_path("runs").name
    'runs'
    """
    if not isinstance(given, (str, os.PathLike)):
        raise RequestError(f"A file or a directory is named by text or by a Path; {given!r} is neither.")
    path = Path(cast(str, given))
    if "\0" in str(path):
        raise RequestError(
            f"{str(path)!r} cannot be read or written, because it holds a zero byte; choose another name."
        )
    return path


def as_paths(given: object) -> list[Path]:
    """The paths that are named: one, or several."""
    if isinstance(given, (str, os.PathLike)) or not isinstance(given, Iterable):
        return [as_path(cast(object, given))]
    return [as_path(each) for each in cast(Iterable[object], given)]


@contextmanager
def writing(path: Path, goes_on: bool = True) -> Generator[None]:
    """Turn a failing write into one sentence; `goes_on` says that the work can be taken up where it failed."""
    try:
        yield
    except OSError as error:
        more = "; what was written before is intact, and the same command goes on from there" if goes_on else ""
        raise RunError(f"{path} could not be written ({error.strerror or error}){more}.") from error


_MOST_TIMES, _ALWAYS = 100, 2**24
"""How many times its length a compressed file may unpack to, and how many bytes any may: ours take 3 to 20 times."""


def unpacked(path: Path) -> bytes:
    """The content of a .gz or .xz file, which must not be far longer than ours: megabytes may unpack to gigabytes."""
    most = _ALWAYS + _MOST_TIMES * path.stat().st_size
    with lzma.open(path) if path.suffix == ".xz" else gzip.open(path) as file:
        data = cast(IO[bytes], file).read(most + 1)
    if len(data) > most:
        raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes and unpacks to more than {most:,}")
    return data


def write(path: Path, data: bytes, keep: Path | None = None, *, goes_on: bool = True) -> None:
    """Write beside, then rename; durable when this returns. The old file stays under the name `keep`, if given.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "file"
    >>> write(path, b"all of it")
    >>> path.read_bytes()
    b'all of it'
    """
    temporary = own(path)
    with writing(path, goes_on):
        _remove_halves(path)
        try:
            _write_new(temporary, data)
            if keep is not None and path.exists():
                path.replace(keep)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)


def write_together(directory: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Write files that belong together: none takes its place before all are written whole, then one after the other.

    >>> from tempfile import mkdtemp
    >>> [path.name for path in write_together(Path(mkdtemp()), {"a.json": b"{}", "a.csv": b""})]
    ['a.json', 'a.csv']
    """
    with ExitStack() as stack:
        files = [(directory / name, content) for name, content in contents.items()]
        for path, content in reversed(files):  # what is entered last is left first: the first file moves first
            with writing(path, goes_on=False):
                _write_new(stack.enter_context(replacing(path, goes_on=False)), content)
        return [path for path, _ in files]


@contextmanager
def replacing(path: Path, *, goes_on: bool = True) -> Generator[Path]:
    """A name for a file to be written under, which takes its place unless something fails; then nothing is left of it.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "file"
    >>> with replacing(path) as temporary:
    ...     _ = temporary.write_text("all of it")
    >>> [each.name for each in path.parent.iterdir()]
    ['file']
    """
    temporary = own(path)
    with writing(path, goes_on):
        _remove_halves(path)
    try:
        yield temporary
        move(temporary, path, goes_on=goes_on)
    finally:
        temporary.unlink(missing_ok=True)


def own(path: Path) -> Path:
    """The name a file has while it is written: others may write it, too, so no two processes have one name."""
    return path.with_name(f".{path.name}.{socket.gethostname()}-{os.getpid()}-{threading.get_native_id()}.tmp")


def is_half(name: str, of: str) -> bool:
    """Whether this is the name that a file has while it is written.

    >>> is_half(".run.json.node1-12-12.tmp", "run.json"), is_half(".run.json.tmp", "run.json"), is_half("a", "b")
    (True, True, False)
    """
    return name.startswith(f".{of}.") and name.endswith(".tmp")


def _remove_halves(path: Path) -> None:
    """Remove what processes of this machine left that were killed while they wrote this file."""
    start = f".{path.name}.{socket.gethostname()}-"
    for entry in os.scandir(path.parent):
        writer = entry.name.removeprefix(start).partition("-")[0]
        if entry.name.startswith(start) and is_half(entry.name, path.name) and not _is_alive(writer):
            Path(entry.path).unlink(missing_ok=True)


def _is_alive(pid: str) -> bool:
    """Whether there is such a process; in doubt there is."""
    try:
        os.kill(int(pid), 0)
    except (OSError, ValueError, OverflowError) as error:
        return not isinstance(error, ProcessLookupError)
    return True


def move(source: Path, target: Path, *, goes_on: bool = True) -> None:
    """Rename, replacing what was there; durable when this returns."""
    with writing(target, goes_on):
        source.replace(target)
        sync_directory(target.parent)


def remove(path: Path) -> None:
    """Remove a file that may not be there; durable when this returns."""
    with writing(path):
        if path.exists():
            path.unlink()
            sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make renames in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """`os.write` may write less than it is given."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _write_new(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# Reading what may be written at this moment, or may have been made by somebody else.

LONGEST_FILE = 256 * 1024 * 1024
"""Bytes of the longest file that is read."""

Stamp = tuple[int, int, int]
"""What changes when a file does: its time, its length, and which file it is."""


def read_plain(path: Path, longest: int = LONGEST_FILE) -> bytes:
    """All of a file; `OSError` for a link, which might lead out of the directory, a device, or one that is too long."""
    with _opened(path) as file:
        if os.fstat(file.fileno()).st_size > longest:
            raise OSError(f"{path} is too long")
        return file.read()


def read_tail(path: Path, length: int) -> bytes:
    """The last bytes of a file, under the same conditions but for its length."""
    with _opened(path) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - length))
        return file.read()


def read_parts(path: Path, parts: int, length: int) -> list[bytes]:
    """So many pieces of a file, evenly over it, the last one its end; under the same conditions but for its length."""
    with _opened(path) as file:
        last = max(0, os.fstat(file.fileno()).st_size - length)
        found: list[bytes] = []
        for place in dict.fromkeys(last * part // max(1, parts - 1) for part in range(parts)):
            file.seek(place)
            found.append(file.read(length))
        return found


def plain_stamp(path: Path | str) -> Stamp | None:
    """When a file was changed, how long it is and which one; None where there is no plain file."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):  # ValueError: a path with a zero byte
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _opened(path: Path) -> BinaryIO:
    # Without O_NONBLOCK a named pipe would keep us waiting for its writer.
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path} is not a file")
    return file


def user_cache() -> Path | None:
    """Where this user's files lie that can be made anew at any time; None where there is no such place."""
    place = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))  # noqa: PTH111 - Path's raises
    return place / "ishango" if place.is_absolute() else None
