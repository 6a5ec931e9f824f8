"""Checkpoints: a run's state after a round, and the one before it, each carrying a digest of itself.

A checkpoint is an `.npz` file whose last bytes (the archive's comment, which NumPy ignores) are the SHA-256 of all
bytes before. A flipped bit anywhere is recognised before anything is parsed.
"""

from __future__ import annotations

import hashlib
import io
import warnings
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ishango.errors import RequestError, RunWarning
from ishango.lab.rounds import NAME as ROUNDS
from ishango.lab.rounds import parse_rounds, read_plain
from ishango.safe_files import move, write

NAME, PREVIOUS = "checkpoint.npz", "checkpoint.previous.npz"
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


class UnusableError(Exception):
    """Why a checkpoint cannot be used."""


def write_checkpoint(directory: Path, checkpoint: Checkpoint) -> None:
    """Write the checkpoint; the one that was there becomes the one before. One of them is whole at any moment."""
    write(directory / NAME, encode(checkpoint), keep=directory / PREVIOUS)


def latest_checkpoint(directory: Path, config: str, rounds: int) -> Checkpoint | None:
    """The newest checkpoint that can be used, under its usual name; nothing where there never was one.

    A checkpoint can be used if it is whole, belongs to the config and stands on no more than the `rounds` lines
    there are in the records. One that cannot is named in a warning and the one before takes its place.
    """
    refused: list[str] = []
    for path in (directory / NAME, directory / PREVIOUS):
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
            move(path, directory / NAME)
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
    for name in (NAME, PREVIOUS):
        with suppress(FileNotFoundError, UnusableError):
            return _usable(directory / name, config, partial(_count_plain, directory), read_plain)
    return None


def _usable(
    path: Path, config: str, rounds: Callable[[], int], read: Callable[[Path], bytes] = Path.read_bytes
) -> Checkpoint:
    try:
        checkpoint = decode(read(path))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnusableError(f"cannot be read ({error.strerror})") from None
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
            curve=_below("curve/", arrays),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UnusableError(f"is damaged ({error})") from None


def npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    """An `.npz` archive in memory; arrays of Python objects are refused, since only pickle could hold them."""
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise TypeError(f"The array {name} holds Python objects; save numbers, booleans or text.")
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # pyright: ignore[reportArgumentType]
    return buffer.getvalue()


def read_npz(data: bytes) -> dict[str, np.ndarray]:
    """What `npz` wrote; `ValueError` if it is something else."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f"not an archive of arrays: {error}") from error


def _below(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
