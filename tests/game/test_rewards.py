"""What a guess is worth."""

from dataclasses import replace

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.game import REWARDS, Agents, GameOptions, play, reward_table
from ishango.game._round import check_reward

OPTIONS = GameOptions(upto=6, hidden=8)
WORDS = {n: (str(n),) for n in range(1, 7)}


@pytest.mark.parametrize(
    ("reward", "of_distance"),
    [
        ("exact", lambda d: float(d == 0)),
        ("linear", lambda d: 1 - d / 6),
        ("inverse", lambda d: 1 / (1 + d)),
        ("exponential", lambda d: np.exp(-d)),
    ],
)
def test_rewards_fall_with_distance(reward, of_distance):
    expected = [[of_distance(abs(n - g)) for g in range(1, 7)] for n in range(1, 7)]
    np.testing.assert_allclose(reward_table(reward, 6), expected, rtol=1e-15)


@pytest.mark.parametrize("reward", REWARDS)
def test_the_option_names_the_table(reward):
    def rewards(options, **table):
        rng = np.random.default_rng(0)
        return play(Agents.random(options, rng), [WORDS], np.ones(6), options, 40, rng, **table).rewards

    named = rewards(replace(OPTIONS, reward=reward))
    assert np.array_equal(named, rewards(OPTIONS, reward=reward_table(reward, 6)))
    assert reward == "exact" or not np.array_equal(named, rewards(OPTIONS))


def test_an_unknown_reward_is_refused():
    with pytest.raises(RequestError, match="linear"):
        GameOptions(reward="squared")  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="linear"):
        reward_table("squared", 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("table", [np.zeros((3, 2)), np.diag([1.0, 1.0, np.nan]), "none"])
def test_a_table_that_is_no_table_of_finite_numbers_is_refused(table):
    with pytest.raises(RequestError, match="a table of 3 by 3 finite numbers"):
        check_reward(table, 3)
