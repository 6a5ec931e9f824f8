"""What a guess is worth: one for the right number only, or more for a near miss than for a far one."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ishango.errors import RequestError

RewardName = Literal["exact", "linear", "inverse", "exponential"]
REWARDS: tuple[RewardName, ...] = get_args(RewardName)


def reward_table(reward: RewardName, upto: int) -> np.ndarray:
    """The reward (range, range) of each pair of a number meant, n, and a number guessed, g.

    `exact`: 1 if they are equal, else 0; `linear`: 1 - |n - g| / range; `inverse`: 1 / (1 + |n - g|); `exponential`:
    exp(-|n - g|).

    >>> reward_table("inverse", 3).round(2).tolist()
    [[1.0, 0.5, 0.33], [0.5, 1.0, 0.5], [0.33, 0.5, 1.0]]
    """
    numbers = np.arange(1, upto + 1)
    distance = np.abs(numbers[:, None] - numbers[None, :])
    match reward:
        case "exact":
            return (distance == 0).astype(np.float64)
        case "linear":
            return 1 - distance / upto
        case "inverse":
            return 1 / (1 + distance)
        case "exponential":
            return np.exp(-distance)
    raise RequestError(f"The reward {reward!r} is not known; choose one of {', '.join(REWARDS)}.")


def check_reward(reward: np.ndarray, upto: int) -> np.ndarray:
    """A reward table of one's own; refused unless it is one finite number for each pair."""
    reward = np.ascontiguousarray(reward, np.float64)
    if reward.shape != (upto, upto) or not np.all(np.isfinite(reward)):
        raise RequestError(f"The rewards must be a table of {upto} by {upto} finite numbers.")
    return reward
