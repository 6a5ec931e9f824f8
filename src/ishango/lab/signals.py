"""Being told to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interruptible() -> Generator[None]:
    """Treat the polite kill (SIGTERM, what cluster schedulers send first) like Ctrl-C; main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def postponed_interrupts() -> Generator[None]:
    """Let a Ctrl-C or SIGTERM wait until this is over, whichever thread it is delivered to; main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda number, _frame: caught.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in caught[:1]:
            signal.raise_signal(number)


def _interrupt(_number: int, _frame: Any) -> None:
    raise KeyboardInterrupt
