# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The kernel: one step of the signalling game, the bandit, imitation, and games of many agents."""

from typing import NamedTuple

import numpy as np

from ishango.compiling import entry, jit
from ishango.game._agents import Agent, aligned, split
from ishango.game._network import (
    Memory,
    Policy,
    PrefixTree,
    Weights,
    adam,
    draw,
    grow,
    lstm_backward,
    lstm_forward,
    normalise,
    output_backward,
    output_forward,
    policy_backward,
    policy_forward,
)
from ishango.game._round import Encoded, GameOptions
from ishango.game._vectors import clear, copy


class GameRules(NamedTuple):
    """What does not change while agents play."""

    need: np.ndarray
    """(range,) running sums of the need."""
    reward: np.ndarray
    """(range, range) reward when the first number is meant and the second is guessed."""
    tokens: np.ndarray
    """(arms, range, longest)"""
    lengths: np.ndarray
    """(arms, range)"""
    speaker_entropy: float
    lost_entropy: float
    listener_entropy: float
    learning_rate: float
    use_baseline: bool
    alpha: float
    epsilon: float
    felt_effort: float
    """What a further symbol costs in the reward that agents learn from."""
    scored_effort: float
    """What it costs in addition when a system is scored."""
    noise: float
    """Probability that a symbol is heard as another."""
    symbols: int
    """How many symbols there are."""
    even: bool
    """Whether arms take turns."""


class Batch(NamedTuple):
    """The games of a step."""

    numbers: np.ndarray
    """(games,) what the speaker means, from 0."""
    tokens: np.ndarray
    """(games, longest)"""
    lengths: np.ndarray
    """(games,) length of expression and message."""
    messages: np.ndarray
    """(games, longest) what is said."""
    heard: np.ndarray
    """(games, longest) what arrives: the same array where there is no noise."""
    guesses: np.ndarray
    """(games,) what the listener understands, from 0."""
    rewards: np.ndarray
    """(games,)"""


class Mind(NamedTuple):
    """An agent at work: its parameters, optimiser and everything it computes in a step."""

    weights: Weights
    gradient: Weights
    value: np.ndarray
    flat_gradient: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    steps: np.ndarray
    tree: PrefixTree
    memory: Memory
    policy: Policy
    row: np.ndarray
    """(nodes,) row of a node's state in the policy, -1 if the agent does not act there."""
    zero: np.ndarray
    """(hidden,) the state before the first symbol."""
    waste: np.ndarray
    """(hidden,) the gradient of that state, which is not used."""

    @classmethod
    def of(cls, agent: Agent, games: int, length: int) -> "Mind":
        """Room for batches of `games` strings of up to `length` symbols; shares the agent's parameters."""
        alphabet, embedding, hidden, outputs = agent.sizes
        nodes, gradient = games * length, aligned(agent.value.size)
        return cls(
            agent.weights, split(gradient, agent.sizes), agent.value, gradient, agent.mean, agent.square, agent.steps,
            PrefixTree.empty(games, length, alphabet),
            Memory.empty(nodes, alphabet, embedding, hidden),
            Policy.empty(nodes, hidden, outputs),
            np.full(nodes, -1, np.int64), np.zeros(hidden, np.float32), np.zeros(hidden, np.float32),
        )  # fmt: skip


def make_rules(
    options: GameOptions, encoded: Encoded, need: np.ndarray, reward: np.ndarray, even: bool = False
) -> GameRules:
    """The rules of a game; need and reward are checked by the caller."""
    return GameRules(
        np.cumsum(need), reward, *encoded,
        float(options.speaker_entropy), float(options.lost_entropy), float(options.listener_entropy),
        float(options.learning_rate),
        options.baseline == "mean", float(options.alpha), float(options.epsilon),
        options.felt_effort, options.scored_effort, float(options.noise), options.symbols, even,
    )  # fmt: skip


def make_batch(games: int, length: int, noise: bool = False) -> Batch:
    tokens, messages = (np.zeros((games, length), np.int64) for _ in range(2))
    numbers, lengths, guesses = (np.zeros(games, np.int64) for _ in range(3))
    heard = np.zeros_like(messages) if noise else messages
    return Batch(numbers, tokens, lengths, messages, heard, guesses, np.zeros(games))


@jit
def draw_numbers(batch, rules, arm, rng):
    """Draw a number for each game from the need, and look its expression up."""
    for game in range(batch.numbers.size):
        number = draw(rules.need, rng.random())
        batch.numbers[game] = number
        batch.lengths[game] = rules.lengths[arm, number]
        copy(rules.tokens[arm, number], batch.tokens[game])


@jit
def speak(speaker):
    """The speaker acts after every token."""
    nodes = speaker.tree.starts[speaker.tree.levels[0]]
    for node in range(nodes):
        copy(speaker.memory.hidden[node], speaker.policy.state[node])
    policy_forward(speaker.policy, speaker.weights, nodes)
    return nodes


@jit
def listen(listener, batch):
    """The listener acts after the last symbol; returns the number of distinct messages."""
    rows = gather(listener, batch)
    policy_forward(listener.policy, listener.weights, rows)
    return rows


@jit
def gather(listener, batch):
    """Give each distinct message a row of the policy, with the state after its last symbol; returns how many."""
    rows = 0
    for game in range(batch.lengths.size):
        node = listener.tree.node[game, batch.lengths[game] - 1]
        if listener.row[node] < 0:
            listener.row[node] = rows
            copy(listener.memory.hidden[node], listener.policy.state[rows])
            rows += 1
    return rows


@jit
def draw_messages(speaker, batch, rng):
    """Sample a symbol for every token of every game."""
    for game in range(batch.lengths.size):
        for position in range(batch.lengths[game]):
            node = speaker.tree.node[game, position]
            batch.messages[game, position] = draw(speaker.policy.cumulative[node], rng.random())


@jit
def disturb(batch, rules, rng):
    """Let each symbol arrive as another one, now and then; all others are equally likely."""
    for game in range(batch.lengths.size):
        for position in range(batch.lengths[game]):
            symbol = batch.messages[game, position]
            if rng.random() < rules.noise:
                shift = 1 + int(rng.random() * (rules.symbols - 1))
                symbol = (symbol + shift) % rules.symbols
            batch.heard[game, position] = symbol


@jit
def draw_guesses(listener, batch, rules, rng):
    """Sample a guess for every game, and reward it."""
    for game in range(batch.lengths.size):
        node = listener.tree.node[game, batch.lengths[game] - 1]
        guess = draw(listener.policy.cumulative[listener.row[node]], rng.random())
        batch.guesses[game] = guess
        cost = rules.felt_effort * (batch.lengths[game] - 1)
        batch.rewards[game] = rules.reward[batch.numbers[game], guess] - cost


@jit
def credit(speaker, listener, batch, rules, baseline):
    """Sum the rewards and entropy weights of the games by what each agent did in each of its states."""
    for game in range(batch.lengths.size):
        pull = np.float32(batch.rewards[game] - baseline)
        lost = batch.guesses[game] != batch.numbers[game]
        entropy = rules.speaker_entropy + (rules.lost_entropy if lost else 0.0)
        for position in range(batch.lengths[game]):
            node = speaker.tree.node[game, position]
            speaker.policy.pull[node, batch.messages[game, position]] += pull
            speaker.policy.entropy[node] += entropy
        row = listener.row[listener.tree.node[game, batch.lengths[game] - 1]]
        listener.policy.pull[row, batch.guesses[game]] += pull
        listener.policy.entropy[row] += rules.listener_entropy


@jit
def back_speak(speaker, nodes, games):
    """Gradients of the speaker's output layer and of its states."""
    policy_backward(speaker.policy, speaker.weights, speaker.gradient, nodes, games)
    for node in range(nodes):
        copy(speaker.policy.d_state[node], speaker.memory.d_hidden[node])


@jit
def back_listen(listener, rows, games):
    """Gradients of the listener's output layer and of its states; takes the rows back."""
    policy_backward(listener.policy, listener.weights, listener.gradient, rows, games)
    scatter(listener)


@jit
def scatter(listener):
    """Hand the gradients of the policy's states to their nodes, and take the rows back."""
    for node in range(listener.tree.starts[listener.tree.levels[0]]):
        row = listener.row[node]
        listener.row[node] = -1
        if row < 0:
            clear(listener.memory.d_hidden[node])
        else:
            copy(listener.policy.d_state[row], listener.memory.d_hidden[node])


@jit
def back_think(mind):
    """Gradients of everything but the output layer."""
    lstm_backward(mind.tree, mind.weights, mind.memory, mind.gradient, mind.zero, mind.waste)


@jit
def improve(mind, learning_rate):
    adam(mind.value, mind.flat_gradient, mind.mean, mind.square, mind.steps, learning_rate)


@jit
def learn(speaker, listener, nodes, rows, games, learning_rate):
    """Let both agents learn from what they were credited with, in the states in which they acted."""
    back_listen(listener, rows, games)
    back_think(listener)
    improve(listener, learning_rate)
    back_speak(speaker, nodes, games)
    back_think(speaker)
    improve(speaker, learning_rate)


@jit
def step(speaker, listener, batch, rules, arm, baseline, rng):
    draw_numbers(batch, rules, arm, rng)
    grow(speaker.tree, batch.tokens, batch.lengths)
    lstm_forward(speaker.tree, speaker.weights, speaker.memory, speaker.zero)
    nodes = speak(speaker)
    draw_messages(speaker, batch, rng)
    if rules.noise > 0:
        disturb(batch, rules, rng)
    grow(listener.tree, batch.heard, batch.lengths)
    lstm_forward(listener.tree, listener.weights, listener.memory, listener.zero)
    rows = listen(listener, batch)
    draw_guesses(listener, batch, rules, rng)
    credit(speaker, listener, batch, rules, baseline)
    learn(speaker, listener, nodes, rows, batch.numbers.size, rules.learning_rate)


@jit
def mean_reward(batch):
    total = 0.0
    for game in range(batch.rewards.size):
        total += batch.rewards[game]
    return total / batch.rewards.size


@jit
def mean_effort(batch, rules):
    """What the games cost a system's score, beside what is in their rewards."""
    if rules.scored_effort == 0:
        return 0.0
    symbols = 0
    for game in range(batch.lengths.size):
        symbols += batch.lengths[game] - 1
    return rules.scored_effort * symbols / batch.lengths.size


@jit
def games_won(batch):
    """Games in which the listener guessed the speaker's number."""
    won = 0
    for game in range(batch.numbers.size):
        won += batch.numbers[game] == batch.guesses[game]
    return won


# The communication phase of Algorithm 1: a bandit chooses whose expressions the agents use, step after step.


@jit
def _prefer(first, second, rng):
    """The arm with more; a coin decides between equals."""
    if first == second:
        return 0 if rng.random() < 0.5 else 1
    return 0 if first > second else 1


@entry
def choose(q, uses, epsilon, rng):
    """The arm of a step: with probability epsilon the one of higher Q, otherwise the less used one."""
    if q.size == 1:
        return 0
    if 1 - epsilon <= rng.random():
        return _prefer(q[0], q[1], rng)
    return _prefer(-uses[0], -uses[1], rng)


@jit
def enter(batch, rules, arm, q, uses, total):
    """Enter a step in the state of a round; returns the score."""
    reward = mean_reward(batch)
    score = reward - mean_effort(batch, rules)
    q[arm] += rules.alpha * (score - q[arm])
    uses[arm] += 1
    total[0] += reward
    return score


@entry
def play_steps(speaker, listener, batch, rules, q, uses, total, rng, arms, rewards, won):
    """Fill one entry of `arms`, `rewards` (the score: mean of the batch) and `won` (games won) for each step played.

    `q`, `uses` (arms,) and `total` (1,), the sum of what the agents were rewarded with, are the state of the round.
    """
    played = uses[0] if uses.size == 1 else uses[0] + uses[1]
    for t in range(arms.size):
        arm = played % q.size if rules.even else choose(q, uses, rules.epsilon, rng)
        baseline = total[0] / played if rules.use_baseline and played > 0 else 0.0
        step(speaker, listener, batch, rules, arm, baseline, rng)
        played += 1
        arms[t], rewards[t], won[t] = arm, enter(batch, rules, arm, q, uses, total), games_won(batch)


# Learning by imitation: cross-entropy is the gradient of a game with a pull of 1 on what was demonstrated.


@entry
def imitate_steps(speaker, listener, batch, rules, numbers, tokens, lengths, messages, rng, steps):
    """Learn for some steps, each from a batch of the demonstrations, drawn uniformly; entropies must be 0.

    `numbers` and `lengths` (examples,), `tokens` and `messages` (examples, longest) are what was demonstrated.
    """
    games = batch.numbers.size
    for _ in range(steps):
        for game in range(games):
            example = int(rng.random() * numbers.size)
            batch.numbers[game] = batch.guesses[game] = numbers[example]
            batch.lengths[game] = lengths[example]
            copy(tokens[example], batch.tokens[game])
            copy(messages[example], batch.messages[game])
            batch.rewards[game] = 1.0
        grow(speaker.tree, batch.tokens, batch.lengths)
        lstm_forward(speaker.tree, speaker.weights, speaker.memory, speaker.zero)
        nodes = speak(speaker)
        grow(listener.tree, batch.heard, batch.lengths)
        lstm_forward(listener.tree, listener.weights, listener.memory, listener.zero)
        rows = listen(listener, batch)
        credit(speaker, listener, batch, rules, 0.0)
        learn(speaker, listener, nodes, rows, games, rules.learning_rate)


# Learning from examples: the listener alone hears the expressions themselves and is told the numbers.
#
# With an output for each number it learns by cross-entropy, which is a pull of 1 on the number that it is told. With a
# single output, the number on a line from 0 to LINE, it learns by half the squared error.

LINE = 10.0


@jit
def hear(listener, batch):
    """Fill the logits of each distinct expression, in `policy.logarithm`; returns how many there are."""
    grow(listener.tree, batch.tokens, batch.lengths)
    lstm_forward(listener.tree, listener.weights, listener.memory, listener.zero)
    rows = gather(listener, batch)
    output_forward(listener.policy, listener.weights, rows)
    return rows


@jit
def tell(listener, batch, rules, shuffled, rng, heard):
    """Count what was heard, and sum what the listener is told about each distinct expression."""
    policy = listener.policy
    for game in range(batch.numbers.size):
        told = batch.numbers[game]
        heard[told] += 1
        if shuffled:
            told = draw(rules.need, rng.random())
        batch.guesses[game] = told
        row = listener.row[listener.tree.node[game, batch.lengths[game] - 1]]
        if policy.cumulative.shape[1] > 1:
            policy.pull[row, told] += np.float32(1)
        else:
            policy.pull[row, 0] += policy.logarithm[row, 0] - np.float32((told + 1) * LINE / rules.need.size)


@entry
def teach_steps(listener, batch, rules, shuffled, rng, steps, heard):
    """Learn for some steps, each from a batch of numbers drawn from the need; `heard` (range,) counts the numbers.

    `shuffled` draws the number that is told anew, from the same need: a control in which there is nothing to learn.
    """
    policy, games = listener.policy, batch.numbers.size
    for _ in range(steps):
        draw_numbers(batch, rules, 0, rng)
        rows = hear(listener, batch)
        if policy.cumulative.shape[1] > 1:
            normalise(policy, rows)
            tell(listener, batch, rules, shuffled, rng, heard)
            back_listen(listener, rows, games)
        else:
            tell(listener, batch, rules, shuffled, rng, heard)
            for row in range(rows):
                clear(policy.probability[row])
                policy.probability[row, 0] = policy.pull[row, 0] / np.float32(games)
            output_backward(policy, listener.weights, listener.gradient, rows)
            scatter(listener)
        back_think(listener)
        improve(listener, rules.learning_rate)


@entry
def answer(listener, batch, upto):
    """Fill the guesses of a batch: the most probable numbers, or the nearest on the line, from 0."""
    hear(listener, batch)
    logits, outputs = listener.policy.logarithm, listener.policy.cumulative.shape[1]
    for game in range(batch.lengths.size):
        row = listener.row[listener.tree.node[game, batch.lengths[game] - 1]]
        best = 0
        if outputs == 1:
            best = min(max(round(logits[row, 0] * upto / LINE), 1), upto) - 1
        for number in range(1, outputs):
            if logits[row, number] > logits[row, best]:
                best = number
        batch.guesses[game] = best
    scatter(listener)


# Agents of a population at work: each step another speaker meets another listener, and no weights are copied.


class Crowd(NamedTuple):
    """The agents of one role, a row each: their parameters and the memory of their optimisers."""

    value: np.ndarray
    """(agents, parameters)"""
    mean: np.ndarray
    square: np.ndarray
    steps: np.ndarray
    """(agents, 1)"""
    places: np.ndarray
    """(weights, 3) where each field of `Weights` begins in a row, its rows and its columns."""


@jit
def _matrix(row, place):
    start, rows, columns = place
    return row[start : start + rows * columns].reshape(rows, columns)


@jit
def _vector(row, place):
    return row[place[0] : place[0] + place[2]]


@jit
def weights_of(row, places):
    """The parameters inside a row (views)."""
    return Weights(
        _matrix(row, places[0]), _matrix(row, places[1]), _matrix(row, places[2]),
        _vector(row, places[3]), _vector(row, places[4]), _matrix(row, places[5]), _vector(row, places[6]),
    )  # fmt: skip


@jit
def mind_of(crowd, agent, room):
    """One of a crowd at work, in the room that all of them share: a step leaves nothing there that the next reads."""
    value = crowd.value[agent]
    return Mind(
        weights_of(value, crowd.places), room.gradient, value, room.flat_gradient,
        crowd.mean[agent], crowd.square[agent], crowd.steps[agent],
        room.tree, room.memory, room.policy, room.row, room.zero, room.waste,
    )  # fmt: skip


@entry
def mingle_steps(
    speakers, listeners, speaking, listening, batch, rules, meetings, q, uses, total, rng, rewards, won
):  # fmt: skip
    """Play the meetings, (steps, 2): who speaks, with the expressions of the arm of that number, and who listens.

    `speaking` and `listening` are minds whose room is used; the rest is as in `play_steps`, with one arm.
    """
    for t in range(rewards.size):
        arm = meetings[t, 0]
        speaker, listener = mind_of(speakers, arm, speaking), mind_of(listeners, meetings[t, 1], listening)
        baseline = total[0] / uses[0] if rules.use_baseline and uses[0] > 0 else 0.0
        step(speaker, listener, batch, rules, arm, baseline, rng)
        rewards[t], won[t] = enter(batch, rules, 0, q, uses, total), games_won(batch)
