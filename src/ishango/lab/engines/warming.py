"""The first worker of each type of machine compiles the kernels; the others wait, and take them from the cache."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ishango.errors import RunError
from ishango.lab.environment import environment
from ishango.lab.lock import BusyError, locked
from ishango.safe_files import write

WARM = "WARM"
LONGEST = 600.0
"""Seconds after which a worker does not wait any longer."""
LOOK_EVERY = 1.0


@contextmanager
def warmed(folder: Path, experiment: str, left: Callable[[], float] = lambda: LONGEST) -> Generator[Callable[[], None]]:
    """Wait while another worker compiles; call what this gives as soon as kernels are there, which is after a round.

    Args:
        folder: shared by the workers.
        experiment: what they play: others have other kernels.
        left: the seconds that a worker has; it does not spend more than a quarter of them here.
    """
    place = folder / _key(experiment)
    until = time.monotonic() + min(LONGEST, left() / 4)
    with ExitStack() as held:
        mine = False
        while not mine and not (place / WARM).exists() and time.monotonic() < until:
            try:
                place.mkdir(parents=True, exist_ok=True)
                held.enter_context(locked(place))
                mine = True
            except BusyError:
                time.sleep(LOOK_EVERY)
            except (OSError, RunError):  # a place that takes no claim: everybody compiles
                break

        def tell() -> None:
            nonlocal mine
            if mine:
                mine = False
                write(place / WARM, b"")
                held.close()

        yield tell


def _key(experiment: str) -> str:
    """What compiled kernels depend on: the type of machine, versions, and what is played."""
    from ishango.compiling import CPU, SOURCES  # Numba takes a moment to load

    facts = [environment(), CPU, SOURCES, experiment]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]
