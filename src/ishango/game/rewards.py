"""What a guess is worth, by name: one for the right number only, or more for a near miss than for a far one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.options import OneOf, explained
from ishango.registry import Registry

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reward:
    """One way to reward guesses."""

    name: str
    """What the option `reward` calls it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    of: Callable[[Integers, Integers, int], Floats]
    """From arrays of one shape, the numbers meant and the numbers guessed, and the range to what both agents earn."""


REWARDS: Registry[Reward] = Registry("reward", "ishango.rewards")

RewardName = Annotated[str, OneOf(REWARDS), explained(REWARDS)]
"""The name of a reward."""

EXACT = REWARDS.add(
    Reward("exact", "exact", "1 if it is right, else 0", lambda meant, guessed, _: (meant == guessed).astype(np.float64))
)
LINEAR = REWARDS.add(
    Reward("linear", "linear", "1 - distance / range", lambda meant, guessed, upto: 1 - np.abs(meant - guessed) / upto)
)
INVERSE = REWARDS.add(
    Reward("inverse", "inverse", "1 / (1 + distance)", lambda meant, guessed, _: 1 / (1 + np.abs(meant - guessed)))
)
EXPONENTIAL = REWARDS.add(
    Reward("exponential", "exponential", "exp(-distance)", lambda meant, guessed, _: np.exp(-np.abs(meant - guessed)))
)


def reward_table(reward: str, upto: int) -> Floats:
    """The reward (range, range) of each pair of a number meant and a number guessed, under the reward of that name.

    >>> reward_table("inverse", 3).round(2).tolist()
    [[1.0, 0.5, 0.33], [0.5, 1.0, 0.5], [0.33, 0.5, 1.0]]
    """
    numbers = np.arange(1, upto + 1)
    meant, guessed = np.meshgrid(numbers, numbers, indexing="ij")
    return check_reward(REWARDS[reward].of(meant, guessed, upto), upto)


def check_reward(reward: Any, upto: int) -> Floats:
    """A reward table of one's own; refused unless it is one finite number for each pair."""
    table = np.ascontiguousarray(reward, np.float64)
    if table.shape != (upto, upto) or not np.all(np.isfinite(table)):
        raise RequestError(f"The rewards must be a table of {upto} by {upto} finite numbers.")
    return table
