"""`rounds.jsonl`: one line a round, appended, never rewritten.

Rewriting the file after every round would cost time that grows with the square of the rounds. Appending gives the
same guarantees: lines are durable (`sync`) before the checkpoint that stands on them is written, and whatever a
kill left behind the checkpoint's round, half a line included, is cut off on resume and played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ishango.lab.safe_files import sync_directory, write_all, writing

NAME = "rounds.jsonl"


class RoundsFile:
    """The open `rounds.jsonl` of a run, cut to its first `keep` lines."""

    def __init__(self, directory: Path, keep: int) -> None:
        self.path = directory / NAME
        with writing(self.path):
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            self._length = sum(map(len, _lines(self.path)[:keep]))
            os.ftruncate(self._descriptor, self._length)
            os.lseek(self._descriptor, self._length, os.SEEK_SET)
            sync_directory(directory)

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a round; it is durable after `sync`."""
        line = json.dumps(record, allow_nan=False).encode() + b"\n"
        with writing(self.path):
            try:
                write_all(self._descriptor, line)
            except OSError:
                os.ftruncate(self._descriptor, self._length)
                raise
        self._length += len(line)

    def sync(self) -> None:
        """Make all lines durable."""
        with writing(self.path):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def read_rounds(directory: Path | str) -> list[dict[str, Any]]:
    """The rounds of a run, also while it runs: a line that is not whole yet is left out."""
    return [json.loads(line) for line in _lines(Path(directory) / NAME)]


def count_rounds(directory: Path) -> int:
    """How many whole lines, numbered 0, 1, 2, ..., the file begins with."""
    for number, line in enumerate(lines := _lines(directory / NAME)):
        try:
            record = json.loads(line)
        except ValueError:
            return number
        if not isinstance(record, dict) or record.get("round") != number:
            return number
    return len(lines)


def _lines(path: Path) -> list[bytes]:
    """The lines that end; an empty list where there is no file."""
    data = path.read_bytes() if path.exists() else b""
    return [line for line in data.splitlines(keepends=True) if line.endswith(b"\n")]
