"""The wheel as users get it: built from the sdist, installed into an empty environment, tried outside the checkout.

`python -m tools.wheel` first installs it without extras: what is light must work, and the rest must say what to
install. Then come the extras, a page and the notebooks. `--light` ends after the first part, `--python PATH` takes
another Python, `--unconstrained` other versions than those of constraints.txt.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
WORKS = (
    ["--version"],
    ["describe", "1-9", "10", "--grammar", "hurford", "--rows", "1-5"],
    ["languages", "French"],
    ["languages", "--source", "cosinus", "French"],
    ["plans"],
    ["frontier", "--sizes", "2-5"],
    ["evolve", "--start", "7", "--rounds", "5", "--choose", "coin", "--out", "coin"],
    ["evolve", "--start", "7", "--rounds", "1", "--steps", "20", "--out", "agents"],
    ["agents", "agents", "say", "3"],
    ["explore", "--help"],
    ["playground", "--out", "playground.html"],
    ["selection", "--help"],
)
"""What a light install can do."""
REFUSED = {
    "explorer": ["explore", "--no-browser"],
    "report": ["reproduce", "--quick"],
    "tables": ["table", "coin", "-o", "rounds.csv"],
}
"""What it cannot, by the extra that must be named."""
HEAVY = (
    ["table", "coin", "-o", "rounds.parquet"],
    ["selection", "coin", "--figures", "figures"],
    ["explore", ".", "--export", "page.html"],
    ["kinds", "diagram", "--out", "kinds"],
)
"""What works with the extras; with the page, templates, styles and shipped tables must be there."""


def main(arguments: Sequence[str]) -> int:
    """Build, install, try."""
    asked = _asked(arguments)
    with TemporaryDirectory() as directory:
        place = Path(directory)
        wheel = build(place / "dist")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB", flush=True)
        python = place / "env" / "bin" / "python"
        run([asked.python, "-m", "venv", str(place / "env")], place)
        install(python, str(wheel), asked.unconstrained)
        try_light(python, place)
        if not asked.light:
            install(python, f"{wheel}[explorer,notebooks]", asked.unconstrained)
            for command in HEAVY:
                run([str(python), "-m", "ishango", *command], place)
            run([str(python), str(ROOT / "tools" / "notebooks.py"), "--check"], place, quiet=False)
    print("The wheel works outside the checkout.")
    return 0


def build(out: Path) -> Path:
    """The wheel, built from what the sdist holds and nothing else."""
    hatch = [sys.executable, "-m", "hatchling", "build"]
    run([*hatch, "-t", "sdist", "-d", str(out)], ROOT)
    (sdist,) = out.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(out, filter="data")
    run([*hatch, "-t", "wheel", "-d", str(out)], out / sdist.name.removesuffix(".tar.gz"))
    (wheel,) = out.glob("*.whl")
    return wheel


def install(python: Path, what: str, unconstrained: bool) -> None:
    """Install with pip, and tell how long it took and how large the environment is."""
    versions = [] if unconstrained else ["-c", str(ROOT / "constraints.txt")]
    began = time.monotonic()
    run([str(python), "-m", "pip", "install", "--quiet", "--no-compile", *versions, what], python.parent)
    size = sum(each.stat().st_size for each in python.parents[1].rglob("*") if each.is_file() and not each.is_symlink())
    print(f"installed {Path(what).name}: {time.monotonic() - began:.0f} s, {size / 1e6:.0f} MB", flush=True)


def try_light(python: Path, place: Path) -> None:
    """What must work without extras, and what must say which extra it needs."""
    for command in WORKS:
        run([str(python), "-m", "ishango", *command], place)
    for extra, command in REFUSED.items():
        said = subprocess.run(
            [str(python), "-m", "ishango", *command], cwd=place, env=_environment(), text=True, capture_output=True
        )
        wanted = f"pip install 'ishango[{extra}]'"
        if said.returncode != 2 or wanted not in said.stderr or len(said.stderr.strip().splitlines()) != 1:
            raise SystemExit(
                f"ishango {' '.join(command)} should name {wanted} and exit with 2; it said: {said.stderr}"
            )


def run(command: Sequence[str], where: Path, quiet: bool = True) -> None:
    """Run, and show what was said only if it failed."""
    done = subprocess.run(command, cwd=where, env=_environment(), text=True, capture_output=quiet)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout or ''}{done.stderr or ''}")


def _environment() -> dict[str, str]:
    """Nothing of the checkout's Python."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.wheel", description=__doc__)
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--unconstrained", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
