"""One process that plays, for measuring several at once; it does not load PyTorch."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ishango.game import Agents, GameOptions, play
from ishango.numerals import STARTS, Need, minimal_language

OPTIONS = GameOptions()
NEED = Need.parse("power:2").weights(OPTIONS.upto)
WARMUP = 2000


def expressions(start: int) -> dict[int, tuple[str, ...]]:
    return minimal_language(STARTS[start - 1], upto=OPTIONS.upto).tokens("infix")


def seconds(call: Callable[[], object]) -> float:
    """Processor seconds of a call: with one thread each, on an idle machine, the time on the clock."""
    begin = time.process_time()
    call()
    return time.process_time() - begin


def peak_memory() -> float:
    """In MB. (Linux's own record: that of `resource` is inherited from the parent process.)"""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def worker(steps: int) -> None:
    """Warm up, wait for a line on standard input, play; print steps a second by clock and by processor time, and MB."""
    arms, rng = [expressions(1)], np.random.default_rng(0)
    agents = Agents.random(OPTIONS, rng)
    play(agents, arms, NEED, OPTIONS, WARMUP, rng)
    print("ready", flush=True)
    sys.stdin.readline()
    begin = time.perf_counter()
    taken = seconds(lambda: play(agents, arms, NEED, OPTIONS, steps, rng))
    print(steps / (time.perf_counter() - begin), steps / taken, peak_memory(), flush=True)
