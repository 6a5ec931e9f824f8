"""The explorer as a process of its own, for whoever measures or photographs it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def explorer(directory: Path, *options: str) -> Iterator[str]:
    """`ishango explore DIR` on a free port; gives its address."""
    command = [sys.executable, "-m", "ishango", "explore", str(directory), "--port", "0", "--no-browser", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        yield _address(process.stderr)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


def _address(lines: Iterator[str]) -> str:
    seen = []
    for line in lines:
        seen.append(line)
        if match := re.search(r"http://\S+", line):
            return match[0]
    raise RuntimeError(f"The explorer did not start: {''.join(seen)}")
