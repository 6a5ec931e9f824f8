"""The files of a run: `rounds.jsonl`, its curve, its checkpoints."""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.lib import format as npy

from ishango.errors import RequestError, RunError, RunWarning
from ishango.lab._experiments import Experiment, StateT
from ishango.safe_files import move, read_plain, write, write_all, writing

# `rounds.jsonl`: one line a round, appended, never rewritten.
#
# Rewriting the file after every round would cost time that grows with the square of the rounds. Appending gives the
# same guarantees: lines are durable (`sync`) before the checkpoint that stands on them is written, and whatever a kill
# left behind the checkpoint's round, half a line included, is cut off on resume and played again.
#
# Who takes a run up begins a new file of the same name. Should two processes ever play one run, because one was thought
# dead, the earlier one writes where nobody reads and stops at its next checkpoint.

ROUNDS = "rounds.jsonl"


class TakenOverError(RunError):
    """Another process took the run over, and goes on with it."""


class RoundsFile:
    """The open `rounds.jsonl` of a run, begun anew with the first `keep` lines of the one before."""

    def __init__(self, directory: Path, keep: int) -> None:
        self.path = directory / ROUNDS
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
        os.close(self._descriptor)


def read_rounds(directory: Path | str) -> list[dict[str, Any]]:
    """The rounds of a run, also while it runs: numbered 0, 1, 2, ..., up to a line that is not whole or is damaged."""
    path = Path(directory) / ROUNDS
    return parse_rounds(path.read_bytes() if path.exists() else b"")


def count_rounds(directory: Path) -> int:
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


# Checkpoints: a run's state after a round, and the one before it, each carrying a digest of itself.
#
# A checkpoint is an `.npz` file whose last bytes (the archive's comment, which NumPy ignores) are the SHA-256 of all
# bytes before. A flipped bit anywhere is recognised before anything is parsed.

CHECKPOINT = "checkpoint.npz"
PREVIOUS = "checkpoint.previous.npz"
DIGEST = 64
"""Hexadecimal digits of the digest at the end of the file."""


@dataclass(frozen=True)
class Checkpoint:
    """What is needed to go on after a round, the records aside."""

    round: int
    config: str
    """The digest of the config it belongs to."""
    state: Mapping[str, np.ndarray]
    curve: Mapping[str, np.ndarray]
    """The run's curve up to this round; empty where there is none."""

    def load(self, experiment: Experiment[StateT]) -> StateT:
        """The state that it holds; refused, in one sentence, where that is none of the experiment's."""
        try:
            return experiment.load(self.state)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            what = str(error).rstrip(".") if isinstance(error, RequestError) else "it is not in its form"
            raise RequestError(
                f"The checkpoint of round {self.round} does not hold what such a run needs to go on ({what});"
                " start the run again in another directory."
            ) from error


class UnusableError(Exception):
    """Why a checkpoint cannot be used."""


def write_checkpoint(directory: Path, checkpoint: Checkpoint) -> None:
    """Write the checkpoint; the one that was there becomes the one before. One of them is whole at any moment."""
    write(directory / CHECKPOINT, encode(checkpoint), keep=directory / PREVIOUS)


def latest_checkpoint(directory: Path, config: str) -> Checkpoint | None:
    """The newest checkpoint that can be used, under its usual name; nothing where there never was one.

    A checkpoint can be used if it is whole, belongs to the config and stands on no more lines than there are in the
    records. One that cannot is named in a warning and the one before takes its place.
    """
    rounds, refused = count_rounds(directory), list[str]()
    for path in (directory / CHECKPOINT, directory / PREVIOUS):
        try:
            checkpoint = _usable(path, config, lambda: rounds)
        except FileNotFoundError:
            continue
        except UnusableError as reason:
            refused.append(f"{path.name} {reason}")
            continue
        if refused:
            warnings.warn(f"In {directory} {refused[0]}; the one before it is used.", RunWarning, stacklevel=2)
        if path.name == PREVIOUS:
            move(path, directory / CHECKPOINT)
        return checkpoint
    if refused:
        raise RequestError(
            f"The run in {directory} cannot go on: {' and '.join(refused)};"
            " start it again in another directory (its rounds.jsonl stays readable)."
        )
    if rounds > 1:  # round 0 alone may lack its checkpoint after a kill, later rounds never
        raise RequestError(
            f"The run in {directory} cannot go on: its checkpoints are gone;"
            " put them back, or start it again in another directory."
        )
    return None


def read_checkpoint(directory: Path, config: str) -> Checkpoint | None:
    """The newest checkpoint that can be used, without touching the directory: the run may be going on."""
    for name in (CHECKPOINT, PREVIOUS):
        with suppress(FileNotFoundError, UnusableError):
            return _usable(directory / name, config, partial(_count_plain, directory))
    return None


def _usable(path: Path, config: str, rounds: Callable[[], int]) -> Checkpoint:
    try:
        checkpoint = decode(read_plain(path))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnusableError(f"cannot be read ({error.strerror or error})") from None
    if checkpoint.config != config:
        raise UnusableError("belongs to a run with another config")
    if checkpoint.round >= rounds():  # counted now: what was read stands on lines that were written before it
        raise UnusableError(f"is of round {checkpoint.round}, which rounds.jsonl does not reach")
    return checkpoint


def _count_plain(directory: Path) -> int:
    try:
        return len(parse_rounds(read_plain(directory / ROUNDS)))
    except OSError:
        return 0


def encode(checkpoint: Checkpoint) -> bytes:
    """The bytes of a checkpoint's file; equal checkpoints have equal bytes."""
    arrays: dict[str, np.ndarray] = {"round": np.array(checkpoint.round), "config": np.array(checkpoint.config)}
    arrays |= {f"state/{name}": np.asarray(array) for name, array in checkpoint.state.items()}
    arrays |= {f"curve/{name}": np.asarray(array) for name, array in checkpoint.curve.items()}
    body = npz(arrays)
    with zipfile.ZipFile(buffer := io.BytesIO(body), "a") as archive:
        archive.comment = b"0" * DIGEST
    unsigned = buffer.getvalue()[:-DIGEST]
    return unsigned + hashlib.sha256(unsigned).hexdigest().encode()


def decode(data: bytes) -> Checkpoint:
    """Read what `encode` wrote; `UnusableError` if one bit is different."""
    if hashlib.sha256(data[:-DIGEST]).hexdigest().encode() != data[-DIGEST:]:
        raise UnusableError("is damaged (its content does not match its digest)")
    try:
        arrays = read_npz(data)
        return Checkpoint(
            round=int(arrays["round"]),
            config=str(arrays["config"]),
            state=_below("state/", arrays),
            curve=_checked_curve(_below("curve/", arrays)),
        )
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise UnusableError(f"is damaged ({error})") from None


def _checked_curve(curve: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    shapes = {array.shape for array in curve.values()}
    numbers = all(array.ndim == 1 and array.dtype.kind in "fiu" for array in curve.values())
    if curve and (curve.keys() != {"reward", "round"} or len(shapes) > 1 or not numbers):
        raise ValueError("its curve is none")
    return curve


def npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    """An `.npz` archive in memory; arrays of Python objects are refused, since only pickle could hold them."""
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise TypeError(f"The array {name} holds Python objects; save numbers, booleans or text.")
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # pyright: ignore[reportArgumentType] - arrays go by keyword
    return buffer.getvalue()


def read_npz(data: bytes) -> dict[str, np.ndarray]:
    """What `npz` wrote; `ValueError` if it is something else."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            # `npz` compresses nothing, so no more comes out than went in, whatever sizes are claimed.
            if any(each.compress_type != zipfile.ZIP_STORED for each in members):
                raise ValueError("its arrays are compressed")
            if sum(each.file_size for each in members) > len(data):
                raise ValueError("its arrays claim to be longer than the file")
            return {each.filename.removesuffix(".npy"): _array(archive.read(each)) for each in members}
    except (OSError, EOFError, AttributeError, NotImplementedError, RuntimeError, zipfile.BadZipFile) as error:
        raise ValueError(f"not an archive of arrays: {error}") from error


def _array(data: bytes) -> np.ndarray:
    """An array of a `.npy` file, which has to be as long as its header says: that much memory is taken."""
    file = io.BytesIO(data)
    read_header = {1: npy.read_array_header_1_0, 2: npy.read_array_header_2_0}[npy.read_magic(file)[0]]
    shape, _, dtype = read_header(file)
    if math.prod(shape) * dtype.itemsize != len(data) - file.tell():
        raise ValueError("an array is not as long as it says")
    return npy.read_array(io.BytesIO(data), allow_pickle=False)


def _below(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
