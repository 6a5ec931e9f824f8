"""Why a run failed, in one line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ishango.lab.directory import ERROR
from ishango.lab.plain_files import read_plain


class Failure(NamedTuple):
    """What `error.txt` tells."""

    message: str
    """Its first line or, of a traceback, the last one; empty where the file is."""
    is_traced: bool
    """Whether there is a traceback to look into."""


def read_failure(directory: Path) -> Failure | None:
    """Why the run in a directory failed; None where no error is recorded."""
    try:
        lines = read_plain(directory / ERROR).decode(errors="replace").strip().splitlines() or [""]
    except OSError:
        return None
    is_traced = lines[0].startswith("Traceback ")
    return Failure(lines[-1] if is_traced else lines[0], is_traced)
