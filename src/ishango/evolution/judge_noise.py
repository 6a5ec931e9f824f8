"""How noisy a judge is: what it makes of two arms that are the same system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ishango.evolution.stratified import LEVEL
from ishango.evolution.strength import FEWEST, resampled_counts

_RESAMPLES = 999


@dataclass(frozen=True)
class JudgeNoise:
    """The difference of two scores of one system, over the rounds of A/A runs."""

    runs: int
    rounds: int
    noise: float
    """Its root mean square: what `judge_noise` has to be for the costs alone to be blurred as much."""
    noise_low: float
    noise_high: float
    kept: float
    """Share of rounds in which the second arm would have been kept; 0.5 if the judge favours neither."""


def judge_noise(rounds: pd.DataFrame, run: str = "run", seed: int = 0) -> JudgeNoise:
    """The noise in some A/A runs; the interval comes from resampling whole runs."""
    table = rounds[rounds["accepted"].notna() & rounds["scores"].notna()]
    scores = np.array([[np.nan if each is None else each for each in pair] for pair in table["scores"]], np.float64)
    squared = np.square(scores[:, 1] - scores[:, 0]) if len(table) else np.array([])
    known = ~np.isnan(squared)
    codes, names = pd.factorize(table[run][known], sort=True)
    if not len(names):
        return JudgeNoise(0, 0, *[float("nan")] * 4)
    sums, counts = (np.bincount(codes, weights) for weights in (squared[known], None))
    noise, kept = float(np.sqrt(sums.sum() / counts.sum())), float(table["accepted"][known].astype(bool).mean())
    low = high = float("nan")
    if len(names) >= FEWEST:
        drawn = resampled_counts(_RESAMPLES, len(names), np.random.default_rng(seed))
        found = np.sqrt((drawn @ sums) / (drawn @ counts))
        low, high = map(float, np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    return JudgeNoise(len(names), int(counts.sum()), noise, low, high, kept)
