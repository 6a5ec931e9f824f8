"""Where a command is to write: tried before any work is done, so that nothing is computed in vain."""

from __future__ import annotations

import contextlib
import errno
from pathlib import Path
from tempfile import TemporaryFile

from ishango.errors import RequestError
from ishango.safe_files import own


def ready(directory: Path | None) -> None:
    """Make a directory that is to be written into and see that it can be; none is fine."""
    if directory is None:
        return
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=directory):
            pass
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        raise RequestError(
            f"{str(directory)!r} cannot be written into ({_reason(error)}); choose another directory."
        ) from None


def ready_file(file: Path | None) -> None:
    """See that a file can be written, in a directory that is there; nothing is left of the trial. None is fine."""
    if file is None:
        return
    try:
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a directory")
        if not file.absolute().parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, f"{file.parent} is not a directory")
        with contextlib.suppress(FileNotFoundError):
            own(file).lstat()  # the name it has while it is written may be too long
        with TemporaryFile(dir=file.absolute().parent):
            pass
    except (OSError, ValueError) as error:
        raise RequestError(f"{str(file)!r} cannot be written ({_reason(error)}); choose another file.") from None


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
