"""How a round of communication is judged, by name: what each of the two systems was worth to those who used it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ishango.game import Round
from ishango.registry import by_name


@dataclass(frozen=True)
class Judge:
    """One way to compare the two systems of a round."""

    name: str
    """What the option `judge` calls it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    scores: Callable[[Round], np.ndarray]
    """From a round to the score of either system; nan for one that was never used."""


def mean_scores(round_: Round, first: int = 0) -> np.ndarray:
    """The mean score of the steps played with each system, from the step `first` on."""
    arms, rewards = round_.arms[first:], round_.rewards[first:]
    return np.array([rewards[arms == arm].mean() if (arms == arm).any() else np.nan for arm in range(round_.q.size)])


Q = Judge("q", "Q", "the bandit's last estimate, as in the paper", lambda round_: round_.q)
MEAN = Judge("mean", "mean", "the mean over the round", mean_scores)
LATE = Judge("late", "late mean", "the mean over the round's second half", lambda r: mean_scores(r, r.steps // 2))

JUDGES = by_name(Q, MEAN, LATE)
