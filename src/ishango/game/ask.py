"""Asking agents: what the speaker would say, what the listener would understand, and how well they do at their best."""

from collections.abc import Sequence

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
    p = agent.parameters()
    hidden = cell = np.zeros(agent.sizes.hidden, np.float64)
    values: list[tuple[np.ndarray, ...]] = []
    states: list[np.ndarray] = []
    for symbol in string:
        sums = p.embedding[symbol] @ p.w_input + p.b_input + hidden @ p.w_hidden + p.b_hidden
        i, f, g, o = np.split(sums, 4)
        i, f, g, o = _logistic(i), _logistic(f), np.tanh(g), _logistic(o)
        cell = f * cell + i * g
        hidden = o * np.tanh(cell)
        values.append((i, f, g, o))
        states.append(hidden)
    return np.array(values), np.array(states)


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


def accuracy_greedy(agents: Agents, expressions: Expressions, need: np.ndarray) -> float:
    """Need-weighted share of numbers understood when both agents take their most probable symbol."""
    need = check_need(need, agents.listener.sizes.outputs)
    won = [
        listen(agents, best_message(agents, expressions, number)).argmax() == number - 1
        for number in range(1, need.size + 1)
    ]
    return float(need @ won)
