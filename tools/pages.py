"""Follow how-to pages from top to end, as a reader would: `python -m tools.pages` types every line that they have.

A block whose text before it begins with the name of a file, as in "`plan.toml`: ...", is written to that file; commands
are run by bash, Python by the Python that runs this, which need not be the checkout's.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

HOWTO = Path(__file__).resolve().parents[1] / "docs" / "howto"
PAGES = ("own-languages", "own-rules", "tables", "figures")
_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<code>.*?)^```\n", re.MULTILINE | re.DOTALL)
_SKIPPED = ("pip install", "ishango languages --import")


def follow(page: Path, directory: Path) -> None:
    """Do what a page says, in a directory; what fails ends it."""
    text, end = page.read_text(encoding="utf-8"), 0
    for block in _BLOCK.finditer(text):
        paragraph = text[end : block.start()].strip().rpartition("\n\n")[2]
        end = block.end()
        named = re.match(r"`([\w.-]+[.]\w+)`", paragraph)
        if named:
            (directory / named[1]).write_text(block["code"], encoding="utf-8")
        elif block["language"] == "python":
            _run([sys.executable, "-c", block["code"]], directory)
        elif not block["language"]:
            lines = [line for line in block["code"].splitlines() if not line.startswith(_SKIPPED)]
            _run(["bash", "-euo", "pipefail", "-c", "\n".join(lines)], directory)


def _run(command: list[str], directory: Path) -> None:
    commands = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, cwd=directory, env=os.environ | {"PATH": commands}, text=True, capture_output=True)
    if done.returncode:
        raise SystemExit(f"This failed:\n{command[-1]}\n{done.stdout}{done.stderr}")


def main() -> int:
    """Follow all, each in a directory of its own."""
    for name in PAGES:
        began = time.monotonic()
        with TemporaryDirectory() as directory:
            follow(HOWTO / f"{name}.md", Path(directory))
        print(f"{name}.md: every line works, {time.monotonic() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
