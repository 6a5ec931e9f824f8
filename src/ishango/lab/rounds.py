"""`rounds.jsonl`: one line a round, appended, never rewritten.

Rewriting the file after every round would cost time that grows with the square of the rounds. Appending gives the
same guarantees: lines are durable (`sync`) before the checkpoint that stands on them is written, and whatever a
kill left behind the checkpoint's round, half a line included, is cut off on resume and played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from ishango.lab.safe_files import sync_directory, write_all, writing

NAME = "rounds.jsonl"


class RoundsFile:
    """The open `rounds.jsonl` of a run, cut to its first `keep` lines."""

    def __init__(self, directory: Path, keep: int) -> None:
        self.path = directory / NAME
        with writing(self.path):
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            self._length = sum(map(len, _lines(self.path.read_bytes())[:keep]))
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
    """The rounds of a run, also while it runs: numbered 0, 1, 2, ..., up to a line that is not whole or is damaged."""
    path = Path(directory) / NAME
    return parse_rounds(path.read_bytes() if path.exists() else b"")


def count_rounds(directory: Path) -> int:
    """How many of them there are."""
    return len(read_rounds(directory))


def parse_rounds(data: bytes) -> list[dict[str, Any]]:
    """The rounds that the content of a `rounds.jsonl` begins with.

    >>> parse_rounds(b'{"round": 0}\\n{"round": 1}\\n{"rou')
    [{'round': 0}, {'round': 1}]
    """
    rounds: list[dict[str, Any]] = []
    for line in _lines(data):
        record = _record(line)
        if record is None or record["round"] != len(rounds):
            break
        rounds.append(record)
    return rounds


def parse_last_round(tail: bytes) -> dict[str, Any] | None:
    """The last whole round in the end of a `rounds.jsonl`, which may begin anywhere in a line."""
    records = (_record(line) for line in reversed(_lines(tail)))
    return next((record for record in records if record is not None), None)


def whole_records(piece: bytes, skip: bool) -> Iterator[dict[str, Any]]:
    """The rounds that a piece of a `rounds.jsonl` holds; `skip` its beginning, which is the end of a line.

    >>> list(whole_records(b'd": 6}\\n{"round": 7}\\n{"ro', skip=True))
    [{'round': 7}]
    """
    records = (_record(line) for line in _lines(piece)[int(skip) :])
    return (record for record in records if record is not None)


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fits = isinstance(record, dict) and type(cast(dict[str, Any], record).get("round")) is int
    return cast(dict[str, Any], record) if fits else None


def _lines(data: bytes) -> list[bytes]:
    """The lines that end."""
    return [line for line in data.splitlines(keepends=True) if line.endswith(b"\n")]
