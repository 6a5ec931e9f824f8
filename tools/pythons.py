"""A light suite with each later Python that is found, in an environment of its own: python -m tools.pythons [3.12 ...]

Environments are `.venv-3.12` and so on. PyTorch is not installed there; what needs it is skipped, with the reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.12", "3.13")
PARTS = ".[explorer,cldf,objectives,parquet]"
TOOLS = ("pytest", "pytest-xdist", "hypothesis", "httpx", "automata-lib")
"""What tests need; `dev` would bring a browser's driver, types and style too."""
LIGHT = (
    *("tests/numerals", "tests/languages", "tests/game", "tests/evolution", "tests/test_extras.py"),
    *("tests/report/test_results.py", "--ignore=tests/evolution/test_survival.py"),
)
"""A few minutes: what meets the language and its libraries most; kills are tried with one Python."""


def main(versions: Sequence[str]) -> int:
    """Test with each that is found; 1 if one fails."""
    failed = False
    for version in versions or VERSIONS:
        python = find(version)
        if python is None:
            print(f"Python {version}: not found, not tested", flush=True)
            continue
        print(f"Python {version}: {python}", flush=True)
        failed |= not tried(python, ROOT / f".venv-{version}")
    return int(failed)


def find(version: str) -> Path | None:
    """That Python: of pyenv, where the name on the path may be a stub, else the one on the path."""
    own = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python{version}"))
    on_path = shutil.which(f"python{version}")
    return own[-1] if own else Path(on_path) if on_path else None


def tried(python: Path, place: Path) -> bool:
    """Whether the suite passes in a fresh environment, with a cache of kernels that its processes share."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(place / "kernels"), "OPENBLAS_NUM_THREADS": "1"}
    own = str(place / "bin" / "python")
    install = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", "constraints.txt"]
    steps = (
        [str(python), "-m", "venv", "--clear", str(place)],
        [*install, "-e", PARTS, *TOOLS],
        [own, "-m", "tests.kernels"],
        [own, "-m", "pytest", "-q", "-rs", "-n", "2", *LIGHT],
    )
    return all(subprocess.run(step, cwd=ROOT, env=environment).returncode == 0 for step in steps)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
