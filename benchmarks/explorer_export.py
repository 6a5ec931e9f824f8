"""How long an export takes and how large the page is: `python -m benchmarks.explorer_export [DIR]`.

Without DIR 461 runs are made for it (see `benchmarks.many_runs`). Processor time does not depend on who else is there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS, ROUNDS = 461, 100


def main(directory: Path | None = None) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        runs = directory or Path(scratch) / "runs"
        if directory is None:
            from benchmarks import many_runs

            many_runs.make(runs, RUNS, ROUNDS)
        measure(runs, Path(scratch) / "page.html")


def measure(runs: Path, page: Path) -> None:
    began, before = time.perf_counter(), os.times()
    command = [sys.executable, "-m", "ishango", "explore", str(runs), "--export", str(page)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr.splitlines()[-1]
    after = os.times()
    used = sum(after[i] - before[i] for i in (2, 3))
    print(f"{said.split(': ')[-1]}: {time.perf_counter() - began:.1f} s, {used:.1f} s of processor time")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
