"""Reading files that others write, or remove, at this moment, and that may not be what their names say."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

LONGEST_FILE = 256 * 1024 * 1024
"""Bytes of a file beyond which nobody looks into it."""

Stamp = tuple[int, int, int]
"""What changes when a file does: its time, its length, and which file it is."""


def read_plain(path: Path, longest: int = LONGEST_FILE) -> bytes:
    """All of a file; `OSError` for a link, which might lead out of the directory, a device, or one that is too long."""
    return _read(path, 0, longest)


def read_tail(path: Path, length: int) -> bytes:
    """The last bytes of a file, under the same conditions but for its length."""
    return _read(path, -length, None)


def read_parts(path: Path, parts: int, length: int) -> list[bytes]:
    """So many pieces of a file, evenly over it, the last one its end; under the same conditions but for its length."""
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        last = max(0, size - length)
        found: list[bytes] = []
        for place in dict.fromkeys(last * part // max(1, parts - 1) for part in range(parts)):
            file.seek(place)
            found.append(file.read(length))
        return found


def plain_stamp(path: Path | str) -> Stamp | None:
    """When a file was changed, how long it is and which one; None where there is no plain file."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _read(path: Path, start: int, longest: int | None) -> bytes:
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if longest is not None and size > longest:
            raise OSError(f"{path} is too long")
        file.seek(max(0, size + start) if start else 0)
        return file.read()


def _opened(path: Path) -> BinaryIO:
    # Without O_NONBLOCK a named pipe would keep us waiting for its writer.
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path} is not a file")
    return file
