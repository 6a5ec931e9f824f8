"""Paths in the plane as steps, which never cross what is unattainable."""

from __future__ import annotations

import pandas as pd

Place = tuple[float, float]
"""Across (a size) and up (a cost)."""


def corner(before: Place, after: Place) -> Place:
    """Between two places of a path: the larger size at the cost of the smaller one.

    What a small lexicon costs can be had with a larger one, so the corner is attainable where both ends are. Hence a
    step goes right before it goes down, and up before it goes left.

    >>> corner((5, 1.5), (7, 1.3)), corner((7, 1.3), (5, 1.5))
    ((7, 1.5), (7, 1.5))
    """
    return max(before[0], after[0]), before[1] if before[0] <= after[0] else after[1]


def stepped(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds of runs with a row for the corner of each step between them, in the order of the column `step`.

    `rounds`: run, round, size, average_complexity, and whatever else is kept.
    """
    ordered = rounds.sort_values(["run", "round"], ignore_index=True)
    place = ordered[["size", "average_complexity"]]
    before = place.groupby(ordered["run"]).shift()
    moved = before["size"].notna() & (before != place).any(axis=1)
    cost = before["average_complexity"].where(before["size"] <= place["size"], place["average_complexity"])
    size = before["size"].where(before["size"] >= place["size"], place["size"])
    corners = ordered.assign(size=size, average_complexity=cost, step=2 * ordered["round"] - 1)[moved]
    ends = ordered.assign(step=2 * ordered["round"])
    return pd.concat([ends, corners]).sort_values(["run", "step"], ignore_index=True)
