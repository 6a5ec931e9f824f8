"""Reading files that others write, or remove, at this moment, and that may not be what their names say."""

from __future__ import annotations

import os
import stat
from pathlib import Path

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


def plain_stamp(path: Path) -> Stamp | None:
    """When a file was changed, how long it is and which one; None where there is no plain file."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _read(path: Path, start: int, longest: int | None) -> bytes:
    # Without O_NONBLOCK a named pipe would keep us waiting for its writer.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or (longest is not None and found.st_size > longest):
            raise OSError(f"{path} is not a file, or too long")
        file.seek(max(0, found.st_size + start) if start else 0)
        return file.read()
