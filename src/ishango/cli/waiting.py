"""A word to who waits: something to see after two seconds, wherever a command computes before it prints."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

FIRST, EVERY = 2.0, 10.0
"""Seconds before the first line, and between two further ones."""


class Teller:
    """Says on standard error now and then that something is still going on, until it is told to stop.

    Args:
        what: what goes on.
        first: seconds before the first line.
        going_on: asked before each line whether there is anything to tell.
    """

    def __init__(self, what: str, first: float, going_on: Callable[[], bool] = lambda: True) -> None:
        self._what, self._first, self._going_on, self._over = what, first, going_on, threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """No line comes after this."""
        self._over.set()
        self._thread.join()

    def _tell(self) -> None:
        began, pause = time.monotonic(), self._first
        while not self._over.wait(pause):
            seconds, pause = time.monotonic() - began, EVERY
            if self._going_on():
                print(f"{self._what} ... {seconds:.0f} s so far; Ctrl-C stops it", file=sys.stderr, flush=True)


@contextmanager
def waiting(what: str) -> Generator[None]:
    """While this lasts, say now and then that the command is still at it."""
    teller = Teller(what, FIRST)
    try:
        yield
    finally:
        teller.stop()


class Lines:
    """Progress on standard error, a line now and then with the time left."""

    def __init__(self, what: str) -> None:
        self._what, self._began = what, time.monotonic()
        self._said = self._began

    def say(self, done: int, of: int) -> None:
        """So much of so much is done."""
        now = time.monotonic()
        if now - self._said >= EVERY / 2 or (done == of and self._said > self._began):
            left = (now - self._began) / done * (of - done)
            print(f"{done} of {of} {self._what}, about {left:.0f} s left", file=sys.stderr, flush=True)
            self._said = now
