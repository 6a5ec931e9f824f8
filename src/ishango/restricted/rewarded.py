"""What rewards ask for: the system with which agents would earn most, whatever it costs in bits."""

from __future__ import annotations

import numpy as np

from ishango.game.rewards import RewardName, reward_table
from ishango.numerals import Need
from ishango.restricted.best_systems import share_out, trace
from ishango.restricted.measures import NEED, Floats
from ishango.restricted.term_system import TermSystem


def best_rewarded(size: int, reward: RewardName, need: Need | str = NEED, upto: int = 20) -> tuple[float, TermSystem]:
    """The greatest expected reward of so many words, and a system that earns it.

    A speaker does best with the word whose guess is nearest, so under a reward that falls with distance the words of
    an optimum are intervals, and dynamic programming finds it. Under `exact` other systems earn as much.

    >>> [str(best_rewarded(3, reward)[1]) for reward in ("linear", "exponential")]
    ['1|2-4|5-', '1|2|3-']
    """
    costs, firsts = share_out(-interval_rewards(reward, need, upto))
    return -float(costs[size, upto]), TermSystem.of(trace(firsts, size, upto))


def expected_reward(system: TermSystem, reward: RewardName, need: Need | str = NEED) -> float:
    """What agents earn on average who use the system and guess the best number for each word."""
    weights, table = Need.parse(need).weights(system.upto), reward_table(reward, system.upto)
    indices = [np.asarray(word) - 1 for word in system.words]
    return sum(float((weights[index] @ table[index]).max()) for index in indices)


def interval_rewards(reward: RewardName, need: Need | str, upto: int) -> Floats:
    """What a word for first..last earns with its best guess, [first, last], from 1."""
    earned = Need.parse(need).weights(upto)[:, None] * reward_table(reward, upto)  # (meant, guessed)
    found = np.zeros((upto + 1, upto + 1))
    for first in np.arange(1, upto + 1):
        found[first, first:] = np.cumsum(earned[first - 1 :], axis=0).max(axis=1)
    return found
