"""Playing rounds: thousands of steps at a time, cut anywhere and taken up again; by a pair or a population."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ishango.errors import RequestError
from ishango.game._agents import Agent, Agents, Sizes, aligned, check_finite, length, places, refuse_infinite
from ishango.game._ask import speak
from ishango.game._kernel import (
    Crowd,
    Mind,
    answer,
    imitate_steps,
    make_batch,
    make_rules,
    mingle_steps,
    play_steps,
    teach_steps,
)
from ishango.game._round import (
    Expressions,
    GameOptions,
    Round,
    check_need,
    check_request,
    check_reward,
    encode,
    reward_table,
)

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
    for block in _blocks(before.steps, after.steps, [agents], progress):
        curves = [curve[block] for curve in (after.arms, after.rewards, after.won)]
        play_steps(speaker, listener, batch, rules, after.q, after.uses, after.total, rng, *curves)
    return after


def _blocks(first: int, last: int, pairs: Sequence[Agents], progress: Callable[[int], None] | None) -> Iterator[slice]:
    """The steps, a block at a time; after each, learning that has run away is stopped and progress reported."""
    for start in range(first, last, _BLOCK):
        block = slice(start, min(start + _BLOCK, last))
        yield block
        for pair in pairs:
            check_finite(pair)
        if progress:
            progress(block.stop - block.start)


# Imitation: agents learn from what others demonstrate, numbers with their expressions and messages.


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
    for block in _blocks(0, steps, [agents], progress):
        imitate_steps(
            speaker, listener, batch, rules, shown.numbers, shown.tokens, shown.lengths, shown.messages, rng,
            block.stop - block.start,
        )  # fmt: skip


# Lessons: the listener alone hears expressions and is told the numbers.


class Lesson:
    """A listener and the numerals that it learns; it learns in place.

    A listener with an output for each number learns by cross-entropy, one with a single output, the number itself, by
    half the squared error. However the steps are cut into calls, the result has the same bits.

    >>> words = {n: (str(n),) for n in range(1, 6)}
    >>> options, rng = GameOptions(upto=5), np.random.default_rng(0)
    >>> lesson = Lesson(Agents.random(options, rng).listener, words, np.ones(5), options)
    >>> int(lesson.teach(300, rng).sum()), lesson.answers().tolist()
    (9600, [1, 2, 3, 4, 5])
    """

    def __init__(
        self, listener: Agent, expressions: Expressions, need: np.ndarray, options: GameOptions, shuffled: bool = False
    ) -> None:
        """`need` says how often each number is an example; `shuffled` tells a number drawn anew instead."""
        upto, (alphabet, *_, outputs) = options.upto, listener.sizes
        if alphabet != options.tokens or outputs not in (1, upto):
            raise RequestError(f"The listener has sizes {tuple(listener.sizes)}, which do not fit the range {upto}.")
        encoded = encode([expressions], upto)
        longest = encoded.tokens.shape[-1]
        self._rules = make_rules(options, encoded, check_need(need, upto), np.zeros((upto, upto)))
        self._listener, self._shuffled, self._upto = listener, shuffled, upto
        self._learning, self._batch = Mind.of(listener, options.batch, longest), make_batch(options.batch, longest)
        self._asked, self._all = Mind.of(listener, upto, longest), make_batch(upto, longest)
        self._all.tokens[...], self._all.lengths[...] = encoded.tokens[0], encoded.lengths[0]

    def teach(self, steps: int, rng: np.random.Generator) -> np.ndarray:
        """Learn for some steps, a batch each; returns how often each number was an example."""
        heard = np.zeros(self._upto, np.int64)
        teach_steps(self._learning, self._batch, self._rules, self._shuffled, rng, steps, heard)
        if not np.isfinite(self._listener.value).all():
            refuse_infinite(True, False)
        return heard

    def answers(self) -> np.ndarray:
        """The listener's best answer, from 1, to the expression of each number."""
        answer(self._asked, self._all, self._upto)
        return self._all.guesses + 1


# Several pairs of agents who talk with one another: their parameters lie side by side, and pairs are views of them.


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
    for block in _blocks(0, steps, pairs, progress):
        curves = [curve[block] for curve in (round_.rewards, round_.won)]
        mingle_steps(
            population.speakers, population.listeners, speaking, listening, batch, rules,
            rng.integers(0, len(pairs), (curves[0].size, 2)),
            round_.q, round_.uses, round_.total, rng, *curves,
        )  # fmt: skip
    return round_


def _crowd(sizes: Sizes, count: int) -> Crowd:
    """Room for so many agents; each row begins on a cache line, as its length is a whole number of them."""
    value, mean, square = (aligned(count * length(sizes)).reshape(count, -1) for _ in range(3))
    table = [(start, *((1, *shape)[-2:])) for start, shape in places(sizes)]
    return Crowd(value, mean, square, np.zeros((count, 1), np.int64), np.array(table, np.int64))


def _view(crowd: Crowd, index: int, sizes: Sizes) -> Agent:
    return Agent(sizes, crowd.value[index], crowd.mean[index], crowd.square[index], crowd.steps[index])
