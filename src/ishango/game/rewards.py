"""What a guess is worth, by name: one for the right number only, or more for a near miss than for a far one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

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


def exact(meant: Integers, guessed: Integers, _upto: int) -> Floats:
    """Won or lost."""
    return (meant == guessed).astype(np.float64)


def linear(meant: Integers, guessed: Integers, upto: int) -> Floats:
    """The same loss for each number farther."""
    return 1 - np.abs(meant - guessed) / upto


def inverse(meant: Integers, guessed: Integers, _upto: int) -> Floats:
    """Half for a neighbour, and slowly less."""
    return 1 / (1 + np.abs(meant - guessed))


def exponential(meant: Integers, guessed: Integers, _upto: int) -> Floats:
    """Next to nothing for what is not near."""
    return np.exp(-np.abs(meant - guessed))


EXACT = REWARDS.add(Reward("exact", "exact", "1 if it is right, else 0", exact))
LINEAR = REWARDS.add(Reward("linear", "linear", "1 - distance / range", linear))
INVERSE = REWARDS.add(Reward("inverse", "inverse", "1 / (1 + distance)", inverse))
EXPONENTIAL = REWARDS.add(Reward("exponential", "exponential", "exp(-distance)", exponential))


def reward_table(reward: str, upto: int) -> Floats:
    """The reward (range, range) of each pair of a number meant and a number guessed, under the reward of that name.

    >>> reward_table("inverse", 3).round(2).tolist()
    [[1.0, 0.5, 0.33], [0.5, 1.0, 0.5], [0.33, 0.5, 1.0]]
    """
    numbers = np.arange(1, upto + 1)
    meant, guessed = np.meshgrid(numbers, numbers, indexing="ij")
    return check_reward(REWARDS[reward].of(meant, guessed, upto), upto, f"The reward {reward!r} must give")


def check_reward(table: ArrayLike, upto: int, wanted: str = "The rewards must be") -> Floats:
    """A reward table of one's own; refused unless it is one finite number for each pair."""
    try:
        numbers = np.ascontiguousarray(table, np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (upto, upto) or not np.all(np.isfinite(numbers)):
        raise RequestError(f"{wanted} a table of {upto} by {upto} finite numbers.")
    return numbers
