"""What the first use costs on a fresh machine: every kernel that `ishango reproduce --quick` compiles, and how long.

python -m benchmarks first_use                     this tree
python -m benchmarks.first_use OLD_SRC [NEW_SRC]   two source trees, one after the other, as a table

A reproduction of the same studies, with few and short runs, is made with an empty cache. Each process that takes part
notes when it begins and ends to compile a kernel that Python calls; what is told is the time on the clock during which
any of them compiled, the processor time of all, and both for each kernel, with all that it calls.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

LOG = "ISHANGO_BENCH_COMPILE_LOG"
"""Where processes note what they compile: a directory, with a file a process."""


@dataclass(frozen=True)
class Compiled:
    """One kernel that one process compiled, with all that it calls."""

    kernel: str
    process: int
    began: float
    ended: float
    processor: float


def listen() -> None:
    """Note from here on what this process compiles."""
    from numba.core import event

    class Listener(event.Listener):
        def __init__(self) -> None:
            self.open: list[tuple[float, float]] = []

        def on_start(self, event: Any) -> None:  # noqa: ARG002
            self.open.append((time.time(), time.process_time()))

        def on_end(self, event: Any) -> None:
            began, processor = self.open.pop()
            if self.open:  # a part of the kernel that is being compiled
                return
            function = event.data["dispatcher"].py_func
            kernel = f"{function.__module__.removeprefix('ishango.')}.{function.__name__}"
            line = Compiled(kernel, os.getpid(), began, time.time(), time.process_time() - processor)
            with (Path(os.environ[LOG]) / f"{os.getpid()}.jsonl").open("a") as log:
                print(json.dumps(vars(line)), file=log)

    event.register("numba:compile", Listener())  # pyright: ignore[reportUnknownMemberType]


def small_reproduction(out: Path) -> None:
    """All studies of a quick reproduction, with runs that are few and short."""
    from ishango.report import QUICK, reproduce

    small = replace(
        QUICK, name="small", rounds=2, steps=20, coin=1, oracle=1, matched=1, side_steps=20, learning_steps=20,
        learning_seeds=range(1), restricted_steps=5, genetic_seeds=range(1), genetic_generations=2, capped=range(2, 4),
    )  # fmt: skip
    reproduce(small, out, say=lambda _text: None)


def measure(source: Path) -> list[Compiled]:
    """Make the small reproduction of a source tree in a new place, with an empty cache."""
    with tempfile.TemporaryDirectory() as scratch:
        here = Path(scratch)
        # Python reads this module when it starts, also in the workers.
        (here / "site").mkdir()
        (here / "site" / "sitecustomize.py").write_text("from benchmarks.first_use import listen\n\nlisten()\n")
        (here / "log").mkdir()
        path = os.pathsep.join([str(here / "site"), str(source), str(Path(__file__).parents[1])])
        subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "benchmarks.first_use", "reproduce", str(here / "out")],
            env={**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(here / "cache"), LOG: str(here / "log")},
            check=True,
        )
        lines = [line for log in (here / "log").iterdir() for line in log.read_text().splitlines()]
        return [Compiled(**json.loads(line)) for line in lines]


def on_the_clock(compiled: Iterable[Compiled]) -> float:
    """Seconds during which at least one process compiled."""
    total, until = 0.0, 0.0
    for each in sorted(compiled, key=lambda each: each.began):
        total += max(0.0, each.ended - max(each.began, until))
        until = max(until, each.ended)
    return total


def by_kernel(compiled: Iterable[Compiled]) -> dict[str, tuple[int, float, float]]:
    """How often a kernel was compiled, with seconds on the clock and of the processor."""
    found: dict[str, tuple[int, float, float]] = defaultdict(lambda: (0, 0.0, 0.0))
    for each in compiled:
        times, clock, processor = found[each.kernel]
        found[each.kernel] = times + 1, clock + each.ended - each.began, processor + each.processor
    return dict(found)


def show(label: str, compiled: list[Compiled]) -> None:
    """One line on a tree."""
    clock, spent = on_the_clock(compiled), sum(each.processor for each in compiled)
    processes, kernels = len({each.process for each in compiled}), len(by_kernel(compiled))
    print(f"{label:6} {clock:6.1f} s on the clock, {spent:6.1f} s of processor time; {len(compiled)} compilations of")
    print(f"       {kernels} kernels in {processes} processes")


def main(*sources: Path) -> None:
    """Measure the trees, by default this one; one to two minutes each."""
    sources = sources or (Path(__file__).parents[1] / "src",)
    print(f"compiling for the quick reproduction, empty cache, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    found = [measure(source.resolve()) for source in sources]
    for label, compiled in zip(("before", "after") if len(found) > 1 else ("here",), found, strict=True):
        show(label, compiled)
    tables, nothing = [by_kernel(compiled) for compiled in found], (0, 0.0, 0.0)
    kernels = sorted({k for table in tables for k in table}, key=lambda k: -max(t.get(k, nothing)[2] for t in tables))
    print(f"\n{'kernel, with all that it calls':44}" + "  times   clock  processor" * len(tables))
    for kernel in kernels:
        cells = (table.get(kernel, nothing) for table in tables)
        print(f"{kernel:44}" + "".join(f"  {n:5}  {clock:6.2f}  {spent:9.2f}" for n, clock, spent in cells))


if __name__ == "__main__":
    if sys.argv[1:2] == ["reproduce"]:
        small_reproduction(Path(sys.argv[2]))
    elif len(sys.argv) == 2:
        main(Path(sys.argv[1]), Path(__file__).parents[1] / "src")
    else:
        main(*map(Path, sys.argv[1:]))
