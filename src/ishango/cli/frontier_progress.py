"""SearchNews of a frontier on standard error: a line that renews itself on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.status import Status

from ishango.frontiers import FrontierPoint, Generation, SearchNews
from ishango.frontiers.problem import TOLERANCE

FIRST, EVERY = 2.0, 5.0
"""Seconds before the first line and between further ones where there is no terminal."""


def bound_text(gap: float, lower_bound: float) -> str:
    """What is known of a size that is not proved; a bound that looks like the value is no proof, and says why."""
    return f"to within {TOLERANCE:g}" if gap <= TOLERANCE else f"at least {lower_bound:.6f}"


class FrontierReporter:
    """Tells how far a search is; used as a context so that the terminal is left clean."""

    def __init__(self, total: int, time_limit: float | None) -> None:
        self.total, self.time_limit = total, time_limit
        self.done = 0
        self.started = time.monotonic()
        self.told = self.started + FIRST - EVERY
        self.console = Console(stderr=True, highlight=False)
        self.status = Status("", console=self.console) if sys.stderr.isatty() else None

    def __enter__(self) -> FrontierReporter:
        if self.status:
            self.status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.status:
            self.status.stop()

    def searching(self, progress: SearchNews) -> None:
        """A search is under way in one size."""
        rate = progress.nodes / max(progress.seconds, 1e-9)
        left = "" if self.time_limit is None else f", {max(0.0, self.time_limit - progress.seconds):.0f} s left"
        self._say(
            f"size {progress.size} ({self.done + 1} of {self.total}): best {progress.incumbent:.6f},"
            f" at least {progress.bound:.6f}, {progress.nodes:,} nodes, {rate:,.0f} a second{left}"
        )

    def solved(self, point: FrontierPoint) -> None:
        """A size is done."""
        self.done += 1
        state = "proved" if point.proved else bound_text(point.gap, point.lower_bound)
        self._say(f"size {point.size} ({self.done} of {self.total}): {float(point.average):.6f}, {state}")

    def generation(self, generation: Generation) -> None:
        """A generation of the genetic algorithm is done."""
        elapsed = time.monotonic() - self.started
        left = elapsed / (generation.number + 1) * (self.total - generation.number)
        self._say(
            f"generation {generation.number} of {self.total}: {generation.points} points on the front,"
            f" {generation.parents} parents, {left:.0f} s left"
        )

    def tradeoffs(self, number: int, points: int) -> None:
        """A generation of a search with further objectives is done."""
        left = (time.monotonic() - self.started) / number * (self.total - number)
        self._say(f"generation {number} of {self.total}: {points} lexicons on the front, {left:.0f} s left")

    def compared(self, size: int) -> None:
        """An estimate is being compared with the proved frontier."""
        self._say(f"proving size {size} for comparison")

    def _say(self, text: str) -> None:
        if self.status:
            self.status.update(text)
        elif time.monotonic() - self.told >= EVERY:
            self.told = time.monotonic()
            print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
