"""The plane of size and average complexity, drawn with characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WIDTH, HEIGHT = 60, 12


def plane(records: Sequence[Mapping[str, Any]]) -> str:
    """The path of a run: size to the right, average upwards, `.` where it was and `o` where it is.

    >>> print(plane([{"size": 9, "average_complexity": 2.0}, {"size": 8, "average_complexity": 1.5}]).splitlines()[-1])
    size 8 to 9, average 1.500 to 2.000
    """
    points = [(r["size"], r["average_complexity"]) for r in records if r["average_complexity"] is not None]
    if not points:
        return ""
    sizes, averages = zip(*points, strict=True)
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    for size, average in points[:-1]:
        grid[_place(average, averages, HEIGHT)][_place(size, sizes, WIDTH)] = "."
    grid[_place(averages[-1], averages, HEIGHT)][_place(sizes[-1], sizes, WIDTH)] = "o"
    lines = ["|" + "".join(row).rstrip() for row in reversed(grid)]
    scale = f"size {min(sizes)} to {max(sizes)}, average {min(averages):.3f} to {max(averages):.3f}"
    return "\n".join([*lines, "+" + "-" * WIDTH, scale])


def _place(value: float, values: Sequence[float], cells: int) -> int:
    low, high = min(values), max(values)
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))
