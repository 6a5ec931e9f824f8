"""Agents beside a coin from the same starts: what both do, and whether agents do more of it."""

from __future__ import annotations

from typing import Any, TypedDict

import pandas as pd

from ishango.analysis.comparable import SHARED, under_start
from ishango.analysis.statistics import Contrast, contrast
from ishango.evolution.modifications import LOWEST
from ishango.report.claims.claim import Ruling, beside_coin, rule
from ishango.report.claims.estimates import Estimate, mean_of_starts
from ishango.report.data import Tables


class Beside(TypedDict):
    """The fields of a verdict that tell of the coin."""

    coin: float
    contrast: float
    contrast_low: float
    contrast_high: float
    contrast_within: float
    p: float


def beside(coin: float, found: Contrast) -> Beside:
    """The coin's number and the contrast as fields of a verdict."""
    return {"coin": coin, "contrast": found.value, "contrast_low": found.low, "contrast_high": found.high,
            "contrast_within": found.within, "p": found.p}  # fmt: skip


def judged(agents: pd.Series, coin: pd.Series, **bound: Any) -> tuple[Estimate, Ruling, Beside]:
    """The mean over starts of agents, the ruling on them beside the coin, and what the coin does.

    Both series have a number for each run, under its start and unit. The bounds are those of `rule`; agents do more
    than the coin if the contrast lies on the side of 0 that is claimed.
    """
    own, drift, found = mean_of_starts(agents), mean_of_starts(coin), contrast(agents, coin)
    side = "above" if "above" in bound else "below"
    more = rule(Estimate(*found[:3]), **{side: 0})
    return own, beside_coin(rule(own, **bound), rule(drift, **bound), more), beside(drift.value, found)


def of_study(data: Tables, study: str, add: str | None = None) -> pd.DataFrame:
    """Where the runs of a study began and ended; a run that ends without a gap tells nothing here."""
    rows = data["ends"][data["ends"]["study"] == study]
    rows = rows[rows["gap"].notna() & rows["gap_before"].notna()]
    return rows if add is None else rows[rows["add"] == add]


def of_coin(data: Tables, add: str = LOWEST.name) -> pd.DataFrame:
    """Where the coin's runs from the paper's starts began and ended."""
    return of_study(data, "coin", add)


def by_run(rows: pd.DataFrame, value: pd.Series) -> pd.Series:
    """A number for each run, under its start and unit."""
    return under_start(rows, value)


def with_streams(rows: pd.DataFrame, data: Tables, run: str = "run") -> pd.DataFrame:
    """Rows of a table that has only the names of runs, with their seeds and streams."""
    told = data["ends"].drop_duplicates("run").set_index("run").reindex(rows[run])
    streams = told["streams"].to_numpy() if "streams" in told else SHARED
    return rows.assign(run=rows[run].to_numpy(), seed=told["seed"].to_numpy(), streams=streams)


def changes(rows: pd.DataFrame, column: str) -> pd.Series:
    """What a column is at the end minus what it was at the start, for each run under its start and unit."""
    return by_run(rows, rows[column] - rows[f"{column}_before"])
