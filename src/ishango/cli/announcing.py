"""A word to who waits: kernels are compiled on first use, and only then."""

from __future__ import annotations

import sys

from numba.core import event


class _Announcer(event.Listener):
    """Prints one line when the first compilation begins; code from the disk cache is silent."""

    def __init__(self) -> None:
        self.announced = False

    def on_start(self, event: event.Event) -> None:  # noqa: ARG002
        if not self.announced:
            self.announced = True
            print("First use: compiling the kernels; later calls take them from a cache.", file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        pass


def announce_compilation() -> None:
    """From here on, say so when kernels have to be compiled."""
    event.register("numba:compile", _Announcer())  # pyright: ignore[reportUnknownMemberType]
