"""Playing rounds: thousands of steps at a time, cut anywhere and taken up again."""

from collections.abc import Callable, Sequence

import numpy as np

from ishango.game.agents import Agents, check_finite
from ishango.game.bandit import play_steps  # pyright: ignore[reportUnknownVariableType]
from ishango.game.expressions import Expressions, encode
from ishango.game.game_options import GameOptions
from ishango.game.rewards import check_reward, reward_table
from ishango.game.round import Round, check_need, check_request
from ishango.game.signalling import Mind, make_batch, make_rules

_BLOCK = 1000
"""Steps between two chances to report progress or be interrupted."""


def play(
    agents: Agents,
    arms: Sequence[Expressions],
    need: np.ndarray,
    options: GameOptions,
    steps: int,
    rng: np.random.Generator,
    so_far: Round | None = None,
    reward: np.ndarray | None = None,
    progress: Callable[[int], None] | None = None,
    even: bool = False,
) -> Round:
    """Play `steps` more steps of a round and return it; the agents learn in place.

    One arm is plain training, two are the bandit of Algorithm 1. `reward[i, j]` is what both agents get when i + 1
    is meant and j + 1 is guessed (by default the table that the options name). `progress` is called with the number of
    steps just played. `even` lets two arms take turns instead of leaving it to the bandit. However a round is cut into
    calls, the result has the same bits.

    >>> words = {n: (str(n),) for n in range(1, 6)}
    >>> options, rng = GameOptions(upto=5), np.random.default_rng(0)
    >>> agents = Agents.random(options, rng)
    >>> play(agents, [words], np.ones(5), options, steps=10, rng=rng).steps
    10
    """
    agents.check(options)
    before = so_far or Round.empty(len(arms), options.batch)
    check_request(arms, before, options, steps)
    encoded = encode(arms, options.upto)
    need = check_need(need, options.upto)
    reward = check_reward(reward_table(options.reward, options.upto) if reward is None else reward, options.upto)
    rules, length = make_rules(options, encoded, need, reward, even), encoded.tokens.shape[-1]
    speaker, listener = (Mind.of(agent, options.batch, length) for agent in (agents.speaker, agents.listener))
    batch, after = make_batch(options.batch, length, options.noise > 0), before.extended(steps)
    for start in range(before.steps, after.steps, _BLOCK):
        curves = [curve[start : start + _BLOCK] for curve in (after.arms, after.rewards, after.won)]
        play_steps(speaker, listener, batch, rules, after.q, after.uses, after.total, rng, *curves)
        check_finite(agents)
        if progress:
            progress(curves[0].size)
    return after
