"""One process that plays, for measuring several at once; it does not load PyTorch."""

import resource
import sys
import time
from collections.abc import Callable

import numpy as np

from ishango.game import Agents, GameOptions, play
from ishango.numerals import STARTS, Need, minimal_language

OPTIONS = GameOptions()
NEED = Need.parse("power:2").weights(OPTIONS.range)
WARMUP = 2000


def expressions(start: int) -> dict[int, tuple[str, ...]]:
    return minimal_language(STARTS[start - 1], range=OPTIONS.range).tokens("infix")


def seconds(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def worker(steps: int) -> None:
    """Warm up, wait for a line on standard input, play, and print steps a second and peak memory in MB."""
    arms, rng = [expressions(1)], np.random.default_rng(0)
    agents = Agents.random(OPTIONS, rng)
    play(agents, arms, NEED, OPTIONS, WARMUP, rng)
    print("ready", flush=True)
    sys.stdin.readline()
    taken = seconds(lambda: play(agents, arms, NEED, OPTIONS, steps, rng))
    print(steps / taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)
