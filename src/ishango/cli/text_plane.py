"""The path of a run through a plane, drawn with characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WIDTH, HEIGHT = 60, 12


def plane(
    records: Sequence[Mapping[str, Any]], x: str = "size", y: str = "average_complexity", y_name: str = "average"
) -> str:
    """The path of a run: one field to the right, one upwards, `.` where it was and `o` where it is.

    >>> print(plane([{"size": 9, "average_complexity": 2.0}, {"size": 8, "average_complexity": 1.5}]).splitlines()[-1])
    size 8 to 9, average 1.500 to 2.000
    """
    points = [(r[x], r[y]) for r in records if r[y] is not None]
    if not points:
        return ""
    xs, ys = zip(*points, strict=True)
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    for across, up in points[:-1]:
        grid[_place(up, ys, HEIGHT)][_place(across, xs, WIDTH)] = "."
    grid[_place(ys[-1], ys, HEIGHT)][_place(xs[-1], xs, WIDTH)] = "o"
    lines = ["|" + "".join(row).rstrip() for row in reversed(grid)]
    scale = f"{x} {min(xs)} to {max(xs)}, {y_name} {min(ys):.3f} to {max(ys):.3f}"
    return "\n".join([*lines, "+" + "-" * WIDTH, scale])


def _place(value: float, values: Sequence[float], cells: int) -> int:
    low, high = min(values), max(values)
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))
