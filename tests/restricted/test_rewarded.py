from __future__ import annotations

from itertools import product

import pytest

from ishango.game import REWARDS, RewardName
from ishango.restricted import TermSystem
from ishango.restricted._best_systems import best_rewarded, expected_reward


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("need", ["power:2.02", "uniform"])
def test_no_partition_earns_more(reward: RewardName, need: str) -> None:
    """Over all partitions of 1..7, intervals or not."""
    systems = {TermSystem.from_word_map(words) for words in product(range(3), repeat=7)}
    for size in (1, 2, 3):
        best, system = best_rewarded(size, reward, need, 7)
        assert system.size == size
        assert expected_reward(system, reward, need) == pytest.approx(best)
        assert best == pytest.approx(max(expected_reward(s, reward, need) for s in systems if s.size == size))


def test_by_hand() -> None:
    """1, 2, 3 equally often: with one word the best guess is 2, off by one two times of three."""
    assert expected_reward(TermSystem.parse("1-", 3), "linear", "uniform") == pytest.approx(1 - 2 / 9)
    assert expected_reward(TermSystem.parse("1-", 3), "exact", "uniform") == pytest.approx(1 / 3)
    assert best_rewarded(3, "exact", "uniform", 3)[0] == pytest.approx(1)
