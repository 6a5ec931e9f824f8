"""What larger ranges cost: describing a system, many systems at once, and proving a size, with time and memory.

python -m benchmarks scale

Each measurement is made in a process of its own, so that its peak of memory is its own; times are processor time, after
compilation. The exponent beside a row says how fast the cost grows from the range before: 1 is in step with the range.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

RANGES = (99, 333, 999, 3333, 9999)
BATCH = 20
"""Systems that are evaluated at once."""


def system_over(upto: int):
    """D = 1-9 with the powers of ten inside the range."""
    from ishango.numerals import NumeralSystem

    return NumeralSystem(tuple(range(1, 10)), tuple(m for m in (10, 100, 1000) if m <= upto))


def describe(upto: int) -> Callable[[], object]:
    """The minimal language with its expressions, as `ishango describe` shows it."""
    from ishango.numerals import minimal_language

    return lambda: minimal_language(system_over(upto), upto).expressions


def ties(upto: int) -> Callable[[], object]:
    """How many minimal languages there are: the ways of all numbers."""
    from ishango.numerals import minimal_language

    return lambda: minimal_language(system_over(upto), upto).languages


def batch(upto: int) -> Callable[[], object]:
    """Several systems with the batch kernel, which evaluates, searches and proves."""
    from ishango.numerals import evaluate_many

    return lambda: evaluate_many([system_over(upto)] * BATCH, upto=upto)


def bound(upto: int) -> Callable[[], object]:
    """A hundred nodes of the search for the best system of twelve words."""
    from ishango.frontiers import Problem
    from ishango.frontiers._search import SearchTree

    problem = Problem(upto=upto)
    return lambda: SearchTree(problem, 12, slack=problem.slack(every=False)).run(100)


MEASURED = {each.__name__: each for each in (describe, ties, batch, bound)}
LARGEST = {"bound": 3333, "ties": 9999}
"""Where to stop: what is beyond takes minutes."""


def measure(name: str, upto: int) -> None:
    """Print the seconds and the MB of one measurement, the least of two."""
    MEASURED[name](20)()  # compile, or take from the cache
    before, times = memory(), list[float]()
    call = MEASURED[name](upto)
    for _ in range(2):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    print(json.dumps([min(times), max(0.0, memory() - before)]))


def memory() -> float:
    """The peak so far, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def main() -> None:
    """Print everything; two minutes or so."""
    for name, what in MEASURED.items():
        print(f"\n{name}: {(what.__doc__ or '').splitlines()[0]}")
        print(f"{'range':>7} {'ms':>10} {'MB':>8} {'exponent':>9}")
        last: tuple[int, float] | None = None
        for upto in (each for each in RANGES if each <= LARGEST.get(name, RANGES[-1])):
            command = [sys.executable, "-m", "benchmarks.scale", name, str(upto)]
            seconds, peak = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            power = f"{math.log(seconds / last[1]) / math.log(upto / last[0]):9.1f}" if last else ""
            print(f"{upto:7} {1e3 * seconds:10.1f} {peak:8.0f} {power}", flush=True)
            last = upto, seconds


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[1], int(sys.argv[2]))
    else:
        main()
