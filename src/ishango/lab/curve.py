"""The curve of a run: the reward per block of steps, round after round."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


class Curve:
    """Grows by a round at a time; as arrays it is `reward` and, for each block, the `round` it belongs to.

    >>> curve = Curve()
    >>> curve.add(0, np.array([0.1, 0.2]))
    >>> curve.add(1, np.array([0.5]))
    >>> curve.arrays()["round"].tolist()
    [0, 0, 1]
    """

    def __init__(self, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self._pieces = [(arrays["reward"], arrays["round"])] if arrays else []

    def add(self, round: int, rewards: np.ndarray | None) -> None:
        """Add a round's blocks, if it has any."""
        if rewards is None:
            return
        if rewards.ndim != 1:
            raise ValueError(f"The curve of round {round} has {rewards.ndim} dimensions; it must have one.")
        self._pieces.append((rewards.copy(), np.full(len(rewards), round, np.int64)))

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole curve; empty if no round had one."""
        if not self._pieces:
            return {}
        rewards, rounds = zip(*self._pieces, strict=True)
        self._pieces = [(np.concatenate(rewards), np.concatenate(rounds))]
        return dict(zip(("reward", "round"), self._pieces[0], strict=True))
