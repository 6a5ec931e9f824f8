"""A word to who waits: something to see after two seconds, wherever a command computes before it prints."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

FIRST, EVERY = 2.0, 10.0
"""Seconds before the first line, and between two further ones."""


class Teller:
    """Says on standard error now and then that something is still going on, until it is told to stop."""

    def __init__(self, what: str) -> None:
        self._what, self._over = what, threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """No line comes after this."""
        self._over.set()
        self._thread.join()

    def _tell(self) -> None:
        began, pause = time.monotonic(), FIRST
        while not self._over.wait(pause):
            seconds = time.monotonic() - began
            print(f"{self._what} ... {seconds:.0f} s so far; Ctrl-C stops it", file=sys.stderr, flush=True)
            pause = EVERY


@contextmanager
def waiting(what: str) -> Generator[None]:
    """While this lasts, say now and then that the command is still at it."""
    teller = Teller(what)
    try:
        yield
    finally:
        teller.stop()
