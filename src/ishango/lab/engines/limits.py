"""How long workers may play: until a time, or until somebody asks them to hurry."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

NEARLY_UP = signal.SIGUSR2
"""What tells a worker to stop at the end of the round that it plays."""


@dataclass
class Limit:
    """Until when workers may play. Before that they stop at the end of a round; then they are told to leave."""

    until: float = math.inf
    """In seconds of the clock (`time.time`)."""
    hurried: bool = False
    """Whether the rounds that are being played shall be the last."""

    @property
    def left(self) -> float:
        """Seconds that are left; none below zero."""
        return max(0.0, self.until - time.time())

    @contextmanager
    def hurried_by(self, number: signal.Signals = NEARLY_UP) -> Generator[None]:
        """Hurry when this signal comes; main thread only."""
        before = signal.signal(number, self._hurry)
        try:
            yield
        finally:
            signal.signal(number, before)

    def _hurry(self, _number: int, _frame: Any) -> None:
        self.hurried = True


class RoundClock:
    """Asked after every round: whether another one as long as the last, and half as long again, would end too late."""

    def __init__(self, limit: Limit) -> None:
        self._limit, self._began = limit, time.time()

    def __call__(self) -> bool:
        """Whether to stop here."""
        last, self._began = time.time() - self._began, time.time()
        return self._limit.hurried or 1.5 * last > self._limit.left
