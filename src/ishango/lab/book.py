"""What a run writes while it plays: records, curve, and checkpoints when they are due."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from ishango.lab.checkpoint import Checkpoint, npz, write_checkpoint
from ishango.lab.curve import Curve
from ishango.lab.directory import CURVE
from ishango.lab.protocol import Outcome
from ishango.lab.rounds import RoundsFile
from ishango.safe_files import write

LONGEST_PAUSE = 60.0
"""Seconds of finished rounds that a kill may cost, at most."""


class Book:
    """The records of a run from the checkpoint `saved` on (or from the start), and its next checkpoints.

    Checkpoints of round 0 and of the last two rounds are always written, so that what a finished run leaves does
    not depend on the clock; those in between are spaced so that they take no more than a `share` of the time.
    """

    def __init__(self, directory: Path, rounds: int, digest: str, saved: Checkpoint | None, share: float) -> None:
        self._directory, self._digest, self._share = directory, digest, share
        self._always = (0, rounds - 1, rounds)
        self._rounds = RoundsFile(directory, keep=0 if saved is None else saved.round + 1)
        self._curve = Curve(saved.curve if saved else None)
        self._pause, self._written_at = 0.0, time.monotonic()

    def enter(self, number: int, outcome: Outcome) -> None:
        """Write a round's record down."""
        if outcome.record.get("round") != number:
            raise ValueError(f"The record of round {number} says it is of round {outcome.record.get('round')}.")
        self._curve.add(number, outcome.curve)
        self._rounds.append(outcome.record)

    def checkpoint_if_due(self, number: int, save: Callable[[], Mapping[str, np.ndarray]], now: bool = False) -> None:
        """Write a checkpoint after round `number`, unless the last one was written a moment ago; or `now`, surely."""
        started = time.monotonic()
        if not now and number not in self._always and started - self._written_at < self._pause:
            return
        self._checkpoint(number, save())
        self._written_at = time.monotonic()
        self._pause = min((self._written_at - started) * (1 / self._share - 1), LONGEST_PAUSE)

    def _checkpoint(self, number: int, state: Mapping[str, np.ndarray]) -> None:
        """Records first, the checkpoint that stands on them last."""
        self._rounds.sync()
        self._rounds.check()
        curve = self._curve.arrays()
        if curve:
            write(self._directory / CURVE, npz(curve))
        write_checkpoint(self._directory, Checkpoint(number, self._digest, state, curve))

    def check(self) -> None:
        """Refuse to go on where another process took the run over."""
        self._rounds.check()

    def close(self) -> None:
        """Close the records."""
        self._rounds.close()
