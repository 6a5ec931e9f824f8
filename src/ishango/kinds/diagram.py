"""The phase diagram: which kind of system is best where, over what precision is worth and what a word costs.

Rows are written as they are done, so that a diagram that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ishango.errors import RequestError, require
from ishango.kinds.law import Law
from ishango.kinds.optimum import Optimum, best_of_sizes
from ishango.lab.engines.executors import available_cores
from ishango.numerals import Need, format_set
from ishango.safe_files import write

MOST_CELLS = 400
"""Cells a side."""


@dataclass(frozen=True)
class Grid:
    """The cells of a diagram: precisions and prices of a word, each spread evenly over its logarithm."""

    precisions: tuple[float, ...]
    words: tuple[float, ...]

    @classmethod
    def spread(cls, precision: tuple[float, float], word: tuple[float, float], cells: int) -> Grid:
        """A grid of so many cells a side between two precisions and two prices."""
        require(1 <= cells <= MOST_CELLS, "cells", cells, f"between 1 and {MOST_CELLS}")
        for name, (low, high) in (("precision", precision), ("word", word)):
            require(0 < low <= high <= 1e6, name, f"{low:g} to {high:g}", "two numbers above 0, the smaller one first")
        return cls(*(tuple(np.geomspace(*ends, cells).tolist()) for ends in (precision, word)))


def diagram(law: Law, grid: Grid, directory: Path, progress: Callable[[int, int], None] | None = None) -> pd.DataFrame:
    """A row a cell: the best system there, its kind and its costs, and what nothing costs less than.

    Precision and price of the law itself are not used. Rows of the grid are kept in `directory/rows`.
    """
    rows = directory / "rows"
    rows.mkdir(parents=True, exist_ok=True)
    _take(directory, law, grid)

    def row(number: int) -> list[dict[str, Any]]:
        file = rows / f"{number:03}.json"
        precision = grid.precisions[number]
        found = _kept_row(file, precision, grid.words)
        if found is None:
            found = row_of(replace(law, precision=precision), grid.words)
            write(file, json.dumps(found).encode())
        return found

    cells: list[dict[str, Any]] = []
    with ThreadPoolExecutor(available_cores()) as pool:  # kernels let go of the interpreter's lock
        for number, found in enumerate(pool.map(row, range(len(grid.precisions))), start=1):
            cells += found
            if progress:
                progress(number, len(grid.precisions))
    return pd.DataFrame(cells)


def _kept_row(file: Path, precision: float, words: Sequence[float]) -> list[dict[str, Any]] | None:
    """The row that was written; None where there is none or it cannot be read, so that it is computed again."""
    try:
        found = json.loads(file.read_bytes())
        same = [(each["precision"], each["word"]) for each in found] == [(precision, word) for word in words]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return found if same else None


def row_of(law: Law, words: Sequence[float]) -> list[dict[str, Any]]:
    """The cells of one precision."""
    best = best_of_sizes(law, words)
    return [cell(best.at(word)) for word in words]


def cell(best: Optimum) -> dict[str, Any]:
    """An optimum as tables and JSON have it."""
    return {
        "precision": best.law.precision,
        "word": best.law.word,
        "kind": best.kind.name,
        "exact_upto": best.kind.exact_upto,
        "digits": format_set(best.system.digits),
        "multipliers": format_set(best.system.multipliers),
        "size": best.costs.size,
        "length": best.costs.length,
        "error": best.costs.error,
        "cost": best.costs.total,
        "lower": best.lower,
        "proved": best.proved,
    }


def _take(directory: Path, law: Law, grid: Grid) -> None:
    """Note what the directory is a diagram of; one of something else is refused."""
    need = Need.parse(law.need)
    what = asdict(law) | {"precisions": grid.precisions, "words": grid.words, "need": need.fingerprint or need.spec}
    del what["precision"], what["word"]
    digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
    mark = directory / "diagram.json"
    if not mark.exists():
        write(mark, json.dumps({"digest": digest, **what}, indent=1).encode() + b"\n")
        return
    try:
        held = json.loads(mark.read_text(encoding="utf-8"))["digest"]
    except (ValueError, KeyError, TypeError, OSError):
        raise RequestError(f"{mark} cannot be read; choose another directory for --out.") from None
    if held != digest:
        raise RequestError(f"{directory} holds a diagram of other options; choose another directory for --out.")


# The diagram of the law as it is by default, which ships with the package: `ishango kinds diagram` writes it.

LAW = Law()
"""What the diagram is of; its own precision and price are not used."""


@cache
def shipped_diagram() -> pd.DataFrame:
    """A row a cell, as `diagram` gives them: precisions ascending, and prices of a word within each."""
    text = files("ishango.kinds").joinpath("diagram.csv").read_text(encoding="utf-8")
    return pd.read_csv(StringIO(text), keep_default_na=False)
