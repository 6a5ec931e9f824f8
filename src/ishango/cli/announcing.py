"""A word to who waits: kernels are compiled on first use, and only then."""

from __future__ import annotations

import sys
from functools import cache

from numba.core import event

from ishango.cli import waiting


class _Announcer(event.Listener):
    """Says so when the first compilation begins, and while one goes on; code from the disk cache is silent."""

    def __init__(self) -> None:
        self.announced = False
        self._under_way = 0
        """Compilations, which nest: a kernel compiles those it calls."""

    def on_start(self, event: event.Event) -> None:  # noqa: ARG002
        self._under_way += 1
        if not self.announced:
            self.announced = True
            print("First use: compiling the kernels; later calls take them from a cache.", file=sys.stderr, flush=True)
            waiting.Teller("Compiling the kernels", waiting.EVERY, lambda: self._under_way > 0)

    def on_end(self, event: event.Event) -> None:  # noqa: ARG002
        self._under_way -= 1


@cache
def announce_compilation() -> None:
    """From here on, say so when kernels have to be compiled; asked again, nobody says it twice."""
    event.register("numba:compile", _Announcer())  # pyright: ignore[reportUnknownMemberType]
