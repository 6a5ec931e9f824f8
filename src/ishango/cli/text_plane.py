"""The path of a run through a plane, drawn with characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WIDTH, HEIGHT = 60, 12
LEAST_WIDTH = 10


def plane(
    records: Sequence[Mapping[str, Any]],
    columns: int = WIDTH + 1,
    x: str = "size",
    y: str = "average_complexity",
    y_name: str = "average",
) -> str:
    """The path of a run: one field to the right, one upwards, `.` where it was and `o` where it is.

    It takes no more than so many columns of the terminal, its axis included.

    >>> print(plane([{"size": 9, "average_complexity": 2.0}, {"size": 8, "average_complexity": 1.5}]).splitlines()[-1])
    size 8 to 9, average 1.500 to 2.000
    """
    points = [(r[x], r[y]) for r in records if r[y] is not None]
    if not points:
        return ""
    xs, ys = zip(*points, strict=True)
    width = max(LEAST_WIDTH, min(WIDTH, columns - 1))
    grid = [[" "] * width for _ in range(HEIGHT)]
    for across, up in points[:-1]:
        grid[_place(up, ys, HEIGHT)][_place(across, xs, width)] = "."
    grid[_place(ys[-1], ys, HEIGHT)][_place(xs[-1], xs, width)] = "o"
    lines = ["|" + "".join(row).rstrip() for row in reversed(grid)]
    scale = f"{x} {min(xs)} to {max(xs)}, {y_name} {min(ys):.3f} to {max(ys):.3f}"
    return "\n".join([*lines, "+" + "-" * width, scale])


def _place(value: float, values: Sequence[float], cells: int) -> int:
    low, high = min(values), max(values)
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))
