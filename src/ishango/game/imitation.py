"""Imitation: agents learn from what others demonstrate, numbers with their expressions and messages."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ishango.errors import RequestError
from ishango.game.agents import Agents, check_finite
from ishango.game.ask import speak
from ishango.game.expressions import Expressions, encode
from ishango.game.game_options import GameOptions
from ishango.game.imitation_kernel import imitate_steps  # pyright: ignore[reportUnknownVariableType]
from ishango.game.signalling import Mind, make_batch, make_rules

_BLOCK = 1000
"""Steps between two chances to report progress or be interrupted."""


class Demonstrations(NamedTuple):
    """What was demonstrated, an example a row."""

    numbers: np.ndarray
    """(examples,) the numbers meant, from 0."""
    tokens: np.ndarray
    """(examples, longest) their expressions."""
    lengths: np.ndarray
    """(examples,) the lengths of expressions and messages."""
    messages: np.ndarray
    """(examples, longest) the symbols said."""


def demonstrate(
    agents: Agents, expressions: Expressions, numbers: Sequence[int], rng: np.random.Generator, greedy: bool = False
) -> Demonstrations:
    """Let the speaker say each of the numbers, from 1; each saying is drawn anew, or takes the likeliest symbols."""
    upto = agents.listener.sizes.outputs
    if not numbers:
        raise RequestError("There is nothing to demonstrate; give at least one number.")
    tokens, lengths = (each[0] for each in encode([expressions], upto))
    messages = np.zeros((len(numbers), tokens.shape[1]), np.int64)
    running = {number: speak(agents, expressions, number).cumsum(-1) for number in set(numbers)}
    for row, number in enumerate(numbers):
        sums = running[number]
        steps = np.diff(sums, axis=-1, prepend=0)
        thresholds = rng.random(len(sums)) * sums[:, -1]
        drawn = steps.argmax(-1) if greedy else (sums <= thresholds[:, None]).sum(-1)
        messages[row, : len(sums)] = np.minimum(drawn, sums.shape[1] - 1)
    meant = np.array(numbers, np.int64) - 1
    return Demonstrations(meant, tokens[meant], lengths[meant], messages)


def imitate(
    agents: Agents,
    shown: Demonstrations,
    options: GameOptions,
    steps: int,
    rng: np.random.Generator,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Learn for some steps, in place: the speaker to say what was said, the listener to understand what was meant.

    A step is a batch of demonstrations, drawn uniformly with replacement, and one update of each agent by its mean
    cross-entropy (the speaker's summed over the symbols of a message). Entropies, noise and effort play no part.

    >>> words = {n: (str(n),) for n in range(1, 6)}
    >>> options, rng = GameOptions(upto=5), np.random.default_rng(0)
    >>> parents, child = Agents.random(options, rng), Agents.random(options, rng)
    >>> imitate(child, demonstrate(parents, words, [1, 2, 3, 4, 5], rng), options, 10, rng)
    >>> int(child.speaker.steps[0])
    10
    """
    agents.check(options)
    plain = replace(options, speaker_entropy=0.0, lost_entropy=0.0, listener_entropy=0.0, noise=0.0)
    words = {number: (str(number),) for number in range(1, options.upto + 1)}  # rules want some; none is said
    everything = np.ones((options.upto, options.upto))
    rules = make_rules(plain, encode([words], options.upto), np.full(options.upto, 1 / options.upto), everything)
    length = shown.tokens.shape[1]
    speaker, listener = (Mind.of(agent, options.batch, length) for agent in (agents.speaker, agents.listener))
    batch = make_batch(options.batch, length)
    for start in range(0, steps, _BLOCK):
        count = min(_BLOCK, steps - start)
        imitate_steps(
            speaker, listener, batch, rules, shown.numbers, shown.tokens, shown.lengths, shown.messages, rng, count
        )
        check_finite(agents)
        if progress:
            progress(count)
