"""What reading a sweep of thousands of runs costs: `python -m benchmarks.cluster DIR`, made by `benchmarks.many_runs`.

Each reader is a process of its own. Processor time is what to compare: on a busy machine the clock says little.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from benchmarks.explorer_server import explorer

FIND = "import sys; from ishango.lab import find_runs; print(len(find_runs(sys.argv[1])))"


class Cost(NamedTuple):
    """Seconds of the processor and of the clock, and megabytes at most."""

    processor: float
    clock: float
    memory: float


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python -m benchmarks.cluster DIR")
    directory = Path(sys.argv[1])
    files = [Path(folder, name) for folder, _folders, names in os.walk(directory) for name in names]
    runs = sum(file.name == "run.json" for file in files)
    length = sum(file.stat().st_size for file in files)
    print(f"{runs:,} runs, {len(files):,} files, {length / 1e6:,.0f} MB", flush=True)
    print("| what | processor, s | clock, s | memory, MB |\n|---|---|---|---|", flush=True)
    sweep = ("-m", "ishango", "sweep", str(directory / "plan.toml"), "--out", str(directory))
    report("`ishango --version`, which every command pays", measure("-m", "ishango", "--version"))
    report("finding the runs (`find_runs`)", measure("-c", FIND, str(directory)))
    report("`ishango sweep --status`", measure(*sweep, "--status"))
    report("`ishango sweep --dry-run`", measure(*sweep, "--dry-run"))
    with tempfile.TemporaryDirectory() as temporary:
        table = Path(temporary) / "rounds.parquet"
        report("`ishango table -o rounds.parquet`", measure("-m", "ishango", "table", str(directory), "-o", str(table)))
    with explorer(directory) as address:
        for what in ("the explorer's list of runs, first time", "again"):
            began = time.perf_counter()
            with urlopen(f"{address.rstrip('/')}/api/bench") as answer:
                size = len(answer.read())
            print(f"| {what} ({size / 1e6:.1f} MB) | | {time.perf_counter() - began:.2f} | |", flush=True)


def measure(*arguments: str) -> Cost:
    """What a process of Python costs."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with exit code {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - began, usage.ru_maxrss / 1e3)


def report(what: str, cost: Cost) -> None:
    print(f"| {what} | {cost.processor:.1f} | {cost.clock:.1f} | {cost.memory:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
