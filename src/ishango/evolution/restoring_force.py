"""Does the size of lexicons return to some size, or does it wander? The change of size in a round, against size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ishango.evolution.stratified import LEVEL
from ishango.evolution.strength import FEWEST, Floats, decisions, resampled_counts

_RESAMPLES = 999


@dataclass(frozen=True)
class Pull:
    """The change of size in a round as a line over size; intervals come from resampling whole runs."""

    runs: int
    slope: float
    """Words a round for each further word; below 0 where lexicons are drawn back to some size."""
    slope_low: float
    slope_high: float
    returns_to: float
    """The size at which the line crosses 0; nan where the slope may as well be 0 or more."""
    returns_low: float
    returns_high: float


def pull(rounds: pd.DataFrame, run: str = "run", seed: int = 0) -> Pull:
    """The restoring force of some runs as one line; nan where there are too few runs, or only one size."""
    steps = _changes(rounds, run)
    names = steps["run"].unique()
    size, change = (steps[name].to_numpy(np.float64) for name in ("size", "change"))
    sums = pd.DataFrame(
        {"count": 1.0, "x": size, "y": change, "xx": size**2, "xy": size * change, "run": steps["run"].to_numpy()}
    )
    by_run = sums.groupby("run").sum().to_numpy()
    if len(names) < FEWEST or np.ptp(size) == 0:
        return Pull(len(names), *[float("nan")] * 6)
    drawn = resampled_counts(_RESAMPLES, len(names), np.random.default_rng(seed)) @ by_run
    slope, crossing = _lines(by_run.sum(axis=0)[None])
    slopes, crossings = _lines(drawn)
    edges = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = np.nanquantile(slopes, edges)
    returns = (crossing[0], *np.nanquantile(crossings, edges)) if high < 0 else [float("nan")] * 3
    return Pull(len(names), float(slope[0]), float(low), float(high), *map(float, returns))


def _lines(sums: Floats) -> tuple[Floats, Floats]:
    """Least squares: the slope of each row of sums, and where its line is 0."""
    count, x, y, xx, xy = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (xy - x * y / count) / (xx - x * x / count)
        return slope, (x - y / slope) / count


def restoring_force(rounds: pd.DataFrame, run: str = "run") -> pd.DataFrame:
    """The mean change of size in a round, at each size; negative above a size to which lexicons return.

    One row a size: decisions made at it, the mean change (0 where an alternative is refused), and its standard error
    over runs.
    """
    by_run = _changes(rounds, run).groupby(["size", "run"])["change"].agg(total="sum", count="size").reset_index()
    rows = [{"size": size, **_mean_change(here)} for size, here in by_run.groupby("size")]
    return pd.DataFrame(rows, columns=["size", "decisions", "change", "error"])


def _changes(rounds: pd.DataFrame, run: str) -> pd.DataFrame:
    """Of each decision: the size before it, and by how much it was changed."""
    table = decisions(rounds).dropna(subset="delta_size")  # not every table has it
    gained = table["delta_size"].astype(float).where(table["accepted"].astype(bool), 0.0)
    before = table["size"] - gained
    return pd.DataFrame({"size": before.astype(int), "change": gained, "run": table[run]})


def _mean_change(by_run: pd.DataFrame) -> dict[str, float]:
    """The mean over all decisions, with an error that allows for runs differing from one another."""
    total, count = by_run["total"].to_numpy(np.float64), by_run["count"].to_numpy(np.float64)
    mean = float(total.sum() / count.sum())
    error = float(np.sqrt(((total - mean * count) ** 2).sum()) / count.sum()) if len(count) > 1 else float("nan")
    return {"decisions": int(count.sum()), "change": mean, "error": error}
