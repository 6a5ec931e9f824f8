"""Where a command is to write: tried before any work is done, so that nothing is computed in vain."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

from ishango.errors import RequestError


def ready(directory: Path | None) -> None:
    """Make a directory that is to be written into and see that it can be; none is fine."""
    if directory is None:
        return
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=directory):
            pass
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RequestError(f"{str(directory)!r} cannot be written into ({reason}); choose another directory.") from None
