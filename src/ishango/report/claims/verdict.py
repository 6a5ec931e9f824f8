"""A verdict on a claim: what was measured, how sure that is, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats  # pyright: ignore[reportMissingTypeStubs]

from ishango.evolution.against_drift import student_interval
from ishango.evolution.strength import LEVEL
from ishango.report.data import Tables

RESAMPLES = 2000

Ruling = Literal["holds", "does not hold", "too little data here"]


class Estimate(NamedTuple):
    """A number with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Verdict:
    """One row of the table of claims."""

    measured: str
    """What we did and found, in a sentence or two."""
    statistic: str
    """What the number is."""
    value: float
    low: float
    high: float
    each: str
    """The value of every run, seed, system or size behind the statistic."""
    ruling: Ruling
    steps: int | None = None
    """Steps in a round, or of learning, on which it rests; None where nothing was played."""
    exact: bool = False
    """Whether the number is proved or computed, so that there is no interval."""
    name: str = ""
    """The claim's name; whoever judges leaves this and the next to the claim."""
    claim: str = ""
    """What is claimed."""


def verdicts_table(found: Sequence[Verdict]) -> pd.DataFrame:
    """A row a verdict, the claim first."""
    return pd.DataFrame([{"name": each.name, "claim": each.claim, **vars(each)} for each in found])


def mean(values: Iterable[float]) -> Estimate:
    """The mean with Student's interval; without bounds where there is only one value."""
    array = np.asarray(list(values), np.float64)
    centre = float(array.mean()) if len(array) else float("nan")
    if len(array) < 2:
        return Estimate(centre, float("-inf"), float("inf"))
    return Estimate(centre, *student_interval(array))


def share(count: int, of: int) -> Estimate:
    """A share with Wilson's interval."""
    if not of:
        return Estimate(float("nan"), 0.0, 1.0)
    test: Any = stats.binomtest(count, of)  # pyright: ignore[reportUnknownMemberType]
    interval = test.proportion_ci(LEVEL, method="wilson")
    return Estimate(count / of, float(interval.low), float(interval.high))


def resampled(rows: int, statistic: Callable[[np.ndarray], float], seed: int = 0) -> Estimate:
    """A statistic of row numbers, with an interval from drawing rows again and again."""
    rng = np.random.default_rng(seed)
    drawn = np.array([statistic(rng.integers(rows, size=rows)) for _ in range(RESAMPLES)])
    drawn = drawn[~np.isnan(drawn)]
    value = float(statistic(np.arange(rows)))
    if not len(drawn):
        return Estimate(value, float("-inf"), float("inf"))
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(value, float(low), float(high))


def rule(estimate: Estimate, *, above: float | None = None, below: float | None = None, margin: float = 0.0) -> Ruling:
    """Whether the claim, that the number lies above or below a bound, holds.

    It does not where the whole interval lies on the other side, or no farther than the margin on this one, which is
    of no interest; it holds where the whole interval lies on this side.
    """
    assert (above is None) != (below is None)
    if above is not None:
        beyond, refuted = estimate.low > above, estimate.high <= above + margin
    else:
        assert below is not None
        beyond, refuted = estimate.high < below, estimate.low >= below - margin
    return "does not hold" if refuted else "holds" if beyond else "too little data here"


def steps_of(data: Tables, which: str) -> int:
    """How many steps of a kind the scale of a reproduction has."""
    return int(data["scale"][which].iloc[0])


def listed(values: Iterable[float], places: int = 3) -> str:
    """Numbers one after the other."""
    return " ".join("–" if np.isnan(value) else f"{value:.{places}f}" for value in values)


def by_start(rows: pd.DataFrame, describe: Callable[[pd.DataFrame], str]) -> str:
    """What there is to say about each start, its seeds in order."""
    grouped = rows.sort_values("seed").groupby("start")
    return "; ".join(f"start {start}: {describe(group)}" for start, group in grouped)


def enumerated(parts: Sequence[str]) -> str:
    """Parts of a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else "none"
