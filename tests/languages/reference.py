"""Published tables beside the project, for checks that run where they are present."""

import csv
from pathlib import Path

import pytest

ABOVE = Path(__file__).resolve().parents[3:]
FOLDER = next((found for each in ABOVE if (found := each / "shared" / "reference").exists()), ABOVE[0])


def reference(name: str) -> list[dict[str, str]]:
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{name} is not here")
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))
