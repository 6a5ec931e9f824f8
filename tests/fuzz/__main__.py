"""Call every command with good, odd and bad values: `python -m tests.fuzz --calls 10000 [--seed N]`.

A finding is a traceback or a crash, a refusal that is not one sentence, an exit code 1 (which says that a good request
failed), NaN printed as a result, a file left half written, or a silence of over ten seconds. Each call is made in a
fork of this process, in a world of good and damaged files that is laid anew when a call has changed it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.judge import Judge


def main() -> int:
    """Fuzz, and list what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    began = time.monotonic()
    with TemporaryDirectory() as directory:
        judge = Judge(Path(directory))
        judge.fuzz(asked.calls, asked.seed, say=print)
    print(f"{judge.calls} calls in {time.monotonic() - began:.0f} s, {len(judge.findings)} findings")
    for (kind, about), call in judge.findings.items():
        print(f"- {kind}: {about}\n    ishango {' '.join(map(repr, call))}")
    return 1 if judge.findings else 0


if __name__ == "__main__":
    sys.exit(main())
