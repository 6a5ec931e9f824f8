"""Do those who decide prefer shorter languages? One number, with its intervals.

The number is the share of shorter alternatives that were kept minus the share of longer ones, run by run, then the mean
over runs and starts. Alternatives of equal length tell nothing.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd

from ishango.evolution.stratified import LEVEL, flipped


class Preference(NamedTuple):
    """How much more of what is shorter is kept than of what is longer."""

    value: float
    low: float
    """The interval over starts, from flipping signs; unbounded for fewer than six."""
    high: float
    here_low: float
    """The interval that says nothing of other starts and runs: from the decisions of these alone."""
    here_high: float
    starts: int
    runs: int
    shorter: int
    shorter_kept: int
    longer: int
    longer_kept: int


def preferences(rounds: pd.DataFrame, by: str = "delta_average") -> pd.Series:
    """For each run that had both, under its start: the share of lesser alternatives kept minus that of greater ones."""
    kept = _counts(rounds, by)
    shares = kept["mean"].unstack().reindex(columns=[True, False])
    return (shares[True] - shares[False]).dropna().droplevel("run")


def preference(rounds: pd.DataFrame) -> Preference:
    """The same over all runs, with the mean over starts and its intervals.

    >>> rows = [{"start": "1", "run": "a", "delta_average": d, "accepted": d < 0} for d in (-1.0, 1.0, -2.0, 2.0)]
    >>> preference(pd.DataFrame(rows)).value
    1.0
    """
    each = preferences(rounds)
    starts = each.groupby(level=0).mean()
    value, half = float(starts.mean()) if len(starts) else float("nan"), _half_width(rounds)
    counts = _counts(rounds, "delta_average")
    lesser = counts.index.get_level_values("lesser")
    totals = [int(counts.loc[lesser == kind, name].sum()) for kind in (True, False) for name in ("size", "sum")]
    return Preference(value, *flipped(starts), value - half, value + half, len(starts), len(each), *totals)


def _counts(rounds: pd.DataFrame, by: str) -> pd.DataFrame:
    """How many alternatives each run had that were lesser (True) and greater (False), and how many of them it kept."""
    decided = rounds[rounds["accepted"].notna() & rounds[by].notna() & (rounds[by] != 0)]
    keys = [decided["start"], decided["run"], (decided[by] < 0).rename("lesser")]
    return decided["accepted"].astype(float).groupby(keys).agg(["size", "sum", "mean"])


def _half_width(rounds: pd.DataFrame) -> float:
    """Of the interval from the decisions alone: binomial in each run, with one of each kind added to every count."""
    counts = _counts(rounds, "delta_average")
    size = counts["size"] + 2
    share = (counts["sum"] + 1) / size
    variances = (share * (1 - share) / size).unstack().reindex(columns=[True, False]).sum(axis=1, skipna=False).dropna()
    if not len(variances):
        return float("inf")
    runs = variances.groupby(level=0)
    of_starts = runs.sum() / runs.size() ** 2
    return NormalDist().inv_cdf((1 + LEVEL) / 2) * float(np.sqrt(of_starts.sum())) / len(of_starts)
