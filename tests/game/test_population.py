"""Populations: who meets whom changes nothing about how agents play and learn."""

from dataclasses import replace

import numpy as np
import pytest
from tests.game.test_play import identical

from ishango.errors import RequestError
from ishango.game import Agents, GameOptions, Population, mingle, play
from ishango.game._kernel import mingle_steps

OPTIONS = GameOptions(hidden=24, noise=0.05, speaker_entropy=0.01)


def pairs(count: int, options: GameOptions = OPTIONS) -> list[Agents]:
    rng = np.random.default_rng(7)
    return [Agents.random(options, rng) for _ in range(count)]


@pytest.mark.parametrize("baseline", ["none", "mean"])
def test_a_population_of_one_pair_plays_as_the_pair_would(starts, need, baseline):
    options = replace(OPTIONS, baseline=baseline, effort=0.1)
    (alone,) = pairs(1)
    population = Population([alone])
    told = play(alone, [starts[1]], need, options, 60, np.random.default_rng(1))
    mingled = mingle(population, [starts[1]], need, options, 60, np.random.default_rng(1))
    assert identical(population.pairs[0].to_arrays(), alone.to_arrays())
    assert identical(mingled.to_arrays(), told.to_arrays())


def test_meetings_are_steps_of_the_pairs_that_meet(starts, need):
    """The drawn pairs play one step at a time, each agent on its own: equal bits."""
    apart, population, arms = pairs(3), Population(pairs(3)), [starts[number] for number in (1, 5, 7)]
    mingled = mingle(population, arms, need, OPTIONS, 60, np.random.default_rng(1))
    rng, rewards = np.random.default_rng(1), []
    meetings = rng.integers(0, 3, (60, 2)).tolist()
    for speaker, listener in meetings:
        met = apart[speaker].with_listener(apart[listener])
        rewards.append(float(play(met, [arms[speaker]], need, OPTIONS, 1, rng).rewards[0]))
    for mine, theirs in zip(population.pairs, apart, strict=True):
        assert identical(mine.to_arrays(), theirs.to_arrays())
    assert mingled.rewards.tolist() == rewards
    assert len({tuple(each) for each in meetings}) == 9


def test_pairs_are_views_that_begin_on_a_cache_line_and_take_others_in_place():
    population = Population(pairs(3))
    newcomers = pairs(4)[3]
    population.replace(1, newcomers)
    assert identical(population.pairs[1].to_arrays(), newcomers.to_arrays())
    population.speakers.value[1] = 0
    assert not population.pairs[1].speaker.value.any()
    assert newcomers.speaker.value.any()
    for pair in population.pairs:
        assert pair.speaker.value.ctypes.data % 64 == pair.listener.mean.ctypes.data % 64 == 0


def test_one_compiled_kernel_serves_populations_of_every_size(need):
    words = {number: (str(number),) for number in range(1, 51)}
    for count in (2, 5):
        population = Population(pairs(count))
        mingle(population, [words] * count, need, OPTIONS, 2, np.random.default_rng(1))
    assert len(mingle_steps.signatures) == 1  # pyright: ignore[reportFunctionMemberAccess]


def test_every_pair_needs_its_expressions(need):
    with pytest.raises(RequestError, match="each of the 2 pairs"):
        mingle(Population(pairs(2)), [{}], need, OPTIONS, 1, np.random.default_rng(1))
