"""Several pairs of agents who talk with one another: their parameters lie side by side, and pairs are views of them."""

from collections.abc import Callable, Sequence

import numpy as np

from ishango.errors import RequestError
from ishango.game.agents import Agent, Agents, Sizes, aligned, check_finite, length, places
from ishango.game.expressions import Expressions, encode
from ishango.game.game_options import GameOptions
from ishango.game.mingling_kernel import Crowd, mingle_steps  # pyright: ignore[reportUnknownVariableType]
from ishango.game.rewards import reward_table
from ishango.game.round import Round, check_need
from ishango.game.signalling import Mind, make_batch, make_rules

_BLOCK = 1000
"""Steps between two chances to report progress or be interrupted."""


class Population:
    """Pairs of agents of the same sizes; `pairs` can be asked, taught and saved as any others.

    >>> rng = np.random.default_rng(0)
    >>> population = Population([Agents.random(GameOptions(upto=5), rng) for _ in range(3)])
    >>> len(population.pairs), population.speakers.value.shape[0]
    (3, 3)
    """

    def __init__(self, pairs: Sequence[Agents]) -> None:
        """Take the pairs in, as copies."""
        self.speakers = _crowd(pairs[0].speaker.sizes, len(pairs))
        self.listeners = _crowd(pairs[0].listener.sizes, len(pairs))
        self.pairs = tuple(
            Agents(_view(self.speakers, i, pair.speaker.sizes), _view(self.listeners, i, pair.listener.sizes))
            for i, pair in enumerate(pairs)
        )
        for i, pair in enumerate(pairs):
            self.replace(i, pair)

    def replace(self, index: int, newcomers: Agents) -> None:
        """Put a copy of other agents in the place of a pair."""
        self.pairs[index].take(newcomers)


def mingle(
    population: Population,
    arms: Sequence[Expressions],
    need: np.ndarray,
    options: GameOptions,
    steps: int,
    rng: np.random.Generator,
    progress: Callable[[int], None] | None = None,
) -> Round:
    """Play a round in which a random speaker meets a random listener each step; both learn, in place.

    Each speaker uses the expressions of its own arm. Who meets whom is drawn uniformly and independently, a block of
    steps at a time before it is played; for a pair that is alone the result has the bits of `play`. The round is told
    as one of a single arm, since nobody chooses.

    >>> words = {n: (str(n),) for n in range(1, 6)}
    >>> options, rng = GameOptions(upto=5), np.random.default_rng(0)
    >>> population = Population([Agents.random(options, rng) for _ in range(3)])
    >>> mingle(population, [words] * 3, np.ones(5), options, 10, rng).steps
    10
    """
    pairs = population.pairs
    if len(arms) != len(pairs):
        raise RequestError(f"There are {len(arms)} arms, but each of the {len(pairs)} pairs needs one.")
    pairs[0].check(options)
    encoded = encode(arms, options.upto)
    reward = reward_table(options.reward, options.upto)
    rules, longest = make_rules(options, encoded, check_need(need, options.upto), reward), encoded.tokens.shape[-1]
    speaking, listening = (Mind.of(each, options.batch, longest) for each in (pairs[0].speaker, pairs[0].listener))
    batch = make_batch(options.batch, longest, options.noise > 0)
    round_ = Round.empty(1, options.batch).extended(steps)
    for start in range(0, steps, _BLOCK):
        curves = [curve[start : start + _BLOCK] for curve in (round_.rewards, round_.won)]
        mingle_steps(
            population.speakers, population.listeners, speaking, listening, batch, rules,
            rng.integers(0, len(pairs), (curves[0].size, 2)),
            round_.q, round_.uses, round_.total, rng, *curves,
        )  # fmt: skip
        for pair in pairs:
            check_finite(pair)
        if progress:
            progress(curves[0].size)
    return round_


def _crowd(sizes: Sizes, count: int) -> Crowd:
    """Room for so many agents; each row begins on a cache line, as its length is a whole number of them."""
    value, mean, square = (aligned(count * length(sizes)).reshape(count, -1) for _ in range(3))
    table = [(start, *((1, *shape)[-2:])) for start, shape in places(sizes)]
    return Crowd(value, mean, square, np.zeros((count, 1), np.int64), np.array(table, np.int64))


def _view(crowd: Crowd, index: int, sizes: Sizes) -> Agent:
    return Agent(sizes, crowd.value[index], crowd.mean[index], crowd.square[index], crowd.steps[index])
