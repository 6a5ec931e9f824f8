"""Call every command with good, odd and bad values: `python -m tests.fuzz --calls 10000 [--seed N] [--out out/fuzz]`.

Then ask for each command an oracle whether its answers are right, `--meaning 5000` calls (`tests.fuzz.oracles`).

A finding is a traceback or a crash, a refusal that is not one sentence, an exit code 1 (which says that a good request
failed), NaN printed as a result, a file left half written, or a silence of over ten seconds. Each call is made in a
fork of this process, in a world of good and damaged files that is laid anew when a call has changed it. Calls are
counted in a file: stopped at any moment, the same command goes on; after the last call it begins anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fuzz.judge import Judge
from tests.fuzz.oracles import fuzz_meaning, results

from ishango.safe_files import write

PORTION = 100
"""Calls between two notes of the count."""


def main() -> int:
    """Fuzz, and list what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--meaning", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("out") / "fuzz")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    state = fuzz(asked.calls, asked.seed, asked.out / f"seed-{asked.seed}.json")
    print(f"{state['calls']} calls in {state['seconds']:.0f} s, {len(state['findings'])} findings")
    wrong = meaning(asked.meaning, asked.seed, asked.out / f"meaning-{asked.seed}.json")
    return 1 if state["findings"] or wrong else 0


def meaning(calls: int, seed: int, file: Path) -> dict[str, list[str]]:
    """Ask the oracles about calls, in portions of which each is noted; what is wrong, by oracle."""
    state: dict[str, Any] = {"calls": 0, "portions": 0, "wrong": {}}
    if file.is_file():
        before = json.loads(file.read_text())
        state = before if before["calls"] < calls else state
    while state["calls"] < calls:
        with TemporaryDirectory() as directory:
            count = min(PORTION, calls - state["calls"])
            once = () if state["portions"] else (results,)
            made, wrong = fuzz_meaning(count, 1_000_000 * seed + state["portions"], Path(directory), once=once)
        state["calls"] += made
        state["portions"] += 1
        for name, complaints in wrong.items():
            state["wrong"].setdefault(name, []).extend(complaints)
        write(file, json.dumps(state, indent=1).encode())
    print(f"{state['calls']} calls asked about, {sum(map(len, state['wrong'].values()))} findings")
    return state["wrong"]


def fuzz(calls: int, seed: int, file: Path) -> dict[str, Any]:
    """Make the calls that are still to be made; findings are told as they are met."""
    state: dict[str, Any] = {"calls": 0, "seconds": 0.0, "findings": []}
    if file.is_file():
        before = json.loads(file.read_text())
        state = before if before["calls"] < calls else state
    with TemporaryDirectory() as directory:
        judge = Judge(Path(directory))
        while state["calls"] < calls:
            began, count = time.monotonic(), min(PORTION, calls - state["calls"])
            found = portion(judge, count, 1_000_000 * seed + state["calls"])
            state["calls"] += count
            state["seconds"] += time.monotonic() - began
            state["findings"] += found
            write(file, json.dumps(state, indent=1).encode())
            print(f"{state['calls']} of {calls} calls, {state['calls'] / state['seconds']:.1f} a second,"
                  f" {len(state['findings'])} findings, exit codes {dict(judge.codes)}", flush=True)  # fmt: skip
    return state


def portion(judge: Judge, count: int, seed: int) -> list[list[Any]]:
    """Some calls, and what is new among their findings."""
    known = set(judge.findings)
    judge.fuzz(count, seed)
    new = [(*key, call) for key, call in judge.findings.items() if key not in known]
    for kind, about, call in new:
        print(f"- {kind}: {about}\n    ishango {' '.join(map(repr, call))}", flush=True)
    return [list(each) for each in new]


if __name__ == "__main__":
    sys.exit(main())
