"""The pictures of docs/gallery.md: every figure of the report, from a reproduction that is as small as figures allow.

`python -m tools.gallery` plays it (some minutes, resumable) and draws; `python -m tools.gallery DIR` takes the figures
of a reproduction that is there, `ishango reproduce --out DIR`. What figures look like is to be seen, not a result.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

from ishango.lab import LocalExecutor
from ishango.report import QUICK, reproduce

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "gallery"
SMALL = replace(
    QUICK,
    name="small",
    summary="Small runs, to show what figures look like.",
    rounds=12,
    steps=200,
    coin=6,
    oracle=3,
    matched=2,
    side_steps=40,
    learning_steps=600,
    restricted_steps=60,
    genetic_generations=20,
    capped=range(2, 9),
)


def main(arguments: list[str]) -> int:
    """Draw, or take what was drawn, and copy."""
    out = Path(arguments[0]) if arguments else ROOT / "out" / "gallery"
    if not arguments:
        reproduce(SMALL, out, LocalExecutor())
    PICTURES.mkdir(exist_ok=True)
    elsewhere = {path.stem for path in (ROOT / "docs" / "figures").iterdir()}  # from larger studies
    for picture in sorted((out / "figures").glob("*.svg")):
        if picture.stem not in elsewhere:
            shutil.copyfile(picture, PICTURES / picture.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
