"""Reading files that others write, or remove, at this moment, and that may not be what their names say."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from ishango.errors import RunError
from ishango.safe_files import write, write_all, writing

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


# `rounds.jsonl`: one line a round, appended, never rewritten.
#
# Rewriting the file after every round would cost time that grows with the square of the rounds. Appending gives the
# same guarantees: lines are durable (`sync`) before the checkpoint that stands on them is written, and whatever a kill
# left behind the checkpoint's round, half a line included, is cut off on resume and played again.
#
# Who takes a run up begins a new file of the same name. Should two processes ever play one run, because one was thought
# dead, the earlier one writes where nobody reads and stops at its next checkpoint.

NAME = "rounds.jsonl"


class TakenOverError(RunError):
    """Another process took the run over, and goes on with it."""


class RoundsFile:
    """The open `rounds.jsonl` of a run, begun anew with the first `keep` lines of the one before."""

    def __init__(self, directory: Path, keep: int) -> None:
        self.path = directory / NAME
        with writing(self.path):
            kept = b"".join(_lines(self.path.read_bytes())[:keep]) if keep else b""
            write(self.path, kept)
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CLOEXEC)
            self._length = os.lseek(self._descriptor, len(kept), os.SEEK_SET)

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

    def check(self) -> None:
        """Refuse to go on if this is not the run's file any more."""
        try:
            # Opened, not looked up: network file systems remember names for a minute, but ask before they open.
            current = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return  # somebody tidied up; the next write will tell
        try:
            same = os.path.sameopenfile(current, self._descriptor)
        except OSError:  # a stale handle
            same = False
        finally:
            os.close(current)
        if not same:
            raise TakenOverError(
                f"The run in {self.path.parent} was taken over by another process, which goes on with it."
            )

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
    lines = _lines(data)
    if (whole := _parse_at_once(lines)) is not None:
        return whole
    rounds: list[dict[str, Any]] = []
    for line in lines:
        record = _record(line)
        if record is None or record["round"] != len(rounds):
            break
        rounds.append(record)
    return rounds


def _parse_at_once(lines: list[bytes]) -> list[dict[str, Any]] | None:
    """All rounds of a file without damage, in a third of the time that line after line takes; None if there is any."""
    try:
        records: Any = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        return None
    fits = len(records) == len(lines) and all(
        type(record) is dict and type(record.get("round")) is int and record["round"] == number
        for number, record in enumerate(records)
    )
    return records if fits else None


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


# The curve of a run: the reward per block of steps, round after round.


class Curve:
    """Grows by a round at a time; as arrays it is `reward` and, for each block, the `round` it belongs to.

    >>> curve = Curve()
    >>> curve.add(0, np.array([0.1, 0.2]))
    >>> curve.add(1, np.array([0.5]))
    >>> curve.arrays()["round"].tolist()
    [0, 0, 1]
    """

    def __init__(self, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self._pieces = [(arrays["reward"], arrays["round"])] if arrays else []

    def add(self, round: int, rewards: np.ndarray | None) -> None:
        """Add a round's blocks, if it has any."""
        if rewards is None:
            return
        if rewards.ndim != 1:
            raise ValueError(f"The curve of round {round} has {rewards.ndim} dimensions; it must have one.")
        self._pieces.append((rewards.copy(), np.full(len(rewards), round, np.int64)))

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole curve; empty if no round had one."""
        if not self._pieces:
            return {}
        rewards, rounds = zip(*self._pieces, strict=True)
        self._pieces = [(np.concatenate(rewards), np.concatenate(rounds))]
        return dict(zip(("reward", "round"), self._pieces[0], strict=True))
