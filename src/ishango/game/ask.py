"""Asking agents: what the speaker would say, what the listener would understand, and how well they do at their best."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ishango.errors import RequestError
from ishango.game.agents import Agent, Agents
from ishango.game.expressions import Expressions, encode
from ishango.game.round import check_need


def _logistic(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1 + np.tanh(0.5 * x))


def gates(agent: Agent, string: Sequence[int]) -> np.ndarray:
    """Gates (length, 4, hidden) after each symbol: input, forget, cell and output."""
    return _run(agent, string)[0]


def _run(agent: Agent, string: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Gates (length, 4, hidden) and hidden states (length, hidden) after each symbol."""
    values, states = _run_all(agent, np.array([string], np.int64))
    return values[0], states[0]


def _run_all(agent: Agent, strings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same for strings of one length: (strings, length, 4, hidden) and (strings, length, hidden)."""
    p, (count, length) = agent.parameters(), strings.shape
    w_hidden = p.w_hidden.astype(np.float64)
    # One product a symbol, not one for all of them, whose last bits would depend on how many there are.
    inputs = {symbol: p.embedding[symbol] @ p.w_input + p.b_input for symbol in np.unique(strings).tolist()}
    hidden = cell = np.zeros((count, agent.sizes.hidden), np.float64)
    values = np.zeros((count, length, 4, agent.sizes.hidden))
    states = np.zeros((count, length, agent.sizes.hidden))
    for position, symbols in enumerate(strings.T.tolist()):
        sums = np.array([inputs[symbol] for symbol in symbols]) + hidden @ w_hidden + p.b_hidden
        i, f, g, o = np.split(sums, 4, axis=-1)
        i, f, g, o = _logistic(i), _logistic(f), np.tanh(g), _logistic(o)
        cell = f * cell + i * g
        hidden = o * np.tanh(cell)
        for gate, value in enumerate((i, f, g, o)):
            values[:, position, gate] = value
        states[:, position] = hidden
    return values, states


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


def _tokens(expressions: Expressions, number: int, upto: int) -> np.ndarray:
    if not 1 <= number <= upto:
        raise RequestError(f"The number {number} is outside the game range 1-{upto}.")
    tokens, lengths = encode([expressions], upto)
    return tokens[0, number - 1, : lengths[0, number - 1]]


def speak(agents: Agents, expressions: Expressions, number: int) -> np.ndarray:
    """Probabilities (length, symbols) of each symbol of the message for a number."""
    speaker = agents.speaker
    _, states = _run(speaker, _tokens(expressions, number, agents.listener.sizes.outputs).tolist())
    return _softmax(states @ speaker.parameters().w_output + speaker.parameters().b_output)


def listen(agents: Agents, message: Sequence[int]) -> np.ndarray:
    """Probabilities (range,) of the numbers 1..range after a message, a non-empty string of symbols from 0."""
    listener = agents.listener
    if not len(message) or not all(0 <= symbol < listener.sizes.alphabet for symbol in message):
        raise RequestError(f"A message is one or more symbols from 0 to {listener.sizes.alphabet - 1}.")
    _, states = _run(listener, message)
    return _softmax(states[-1] @ listener.parameters().w_output + listener.parameters().b_output)


def best_message(agents: Agents, expressions: Expressions, number: int) -> tuple[int, ...]:
    """The message of the most probable symbols."""
    return tuple(int(symbol) for symbol in speak(agents, expressions, number).argmax(-1))


class Best(NamedTuple):
    """What becomes of every number of the game range when both agents take their most probable symbols."""

    messages: np.ndarray
    """(range, longest) symbols; those beyond an expression's length mean nothing."""
    lengths: np.ndarray
    """(range,)"""
    said: np.ndarray
    """(range,) the probability that the speaker sends just this message."""
    heard: np.ndarray
    """(range, range) the probabilities of what the listener then guesses."""


def best(agents: Agents, expressions: Expressions) -> Best:
    """Ask both agents about all numbers at once, which is much faster than one by one."""
    speaker, listener = agents.speaker, agents.listener
    tokens, lengths = (each[0] for each in encode([expressions], listener.sizes.outputs))
    _, states = _run_all(speaker, tokens)
    spoken = _softmax(states @ speaker.parameters().w_output + speaker.parameters().b_output)
    messages = spoken.argmax(-1)
    counts = np.array([[position < length for position in range(tokens.shape[1])] for length in lengths.tolist()])
    _, states = _run_all(listener, messages)
    last = states[np.arange(len(lengths)), lengths - 1]
    heard = _softmax(last @ listener.parameters().w_output + listener.parameters().b_output)
    return Best(messages, lengths, np.where(counts, spoken.max(-1), 1).prod(-1), heard)


class Competence(NamedTuple):
    """How well two agents talk when both take their most probable symbols."""

    accuracy: float
    """Need-weighted share of numbers understood; a few frequent numbers are most of it."""
    numbers: int
    """How many numbers are understood."""
    messages: int
    """How many different messages there are; numbers that share one cannot all be understood."""


def competence(agents: Agents, expressions: Expressions, need: np.ndarray) -> Competence:
    """Ask both agents about every number, and count what is understood."""
    need = check_need(need, agents.listener.sizes.outputs)
    found = best(agents, expressions)
    return competence_of(found.messages, found.lengths, found.heard.argmax(-1), need)


def competence_of(messages: np.ndarray, lengths: np.ndarray, guesses: np.ndarray, need: np.ndarray) -> Competence:
    """The same from what is said for each number and guessed, from 0; `need` is normalised."""
    won = guesses == np.arange(need.size)
    said = {tuple(row[:length]) for row, length in zip(messages.tolist(), lengths.tolist(), strict=True)}
    return Competence(float(need @ won), int(won.sum()), len(said))
