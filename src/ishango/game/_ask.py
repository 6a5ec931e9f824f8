# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Asking agents: what they say and hear, how much they understand, their dictionary."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry, jit
from ishango.errors import RequestError
from ishango.game._agents import Agent, Agents
from ishango.game._round import Expressions, check_need, encode
from ishango.safe_files import write

if TYPE_CHECKING:
    import pandas as pd


def edit_distances(strings: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """Least number of symbols to insert, delete or replace between the strings of each pair: of the first with all
    behind it, then of the second, and so on.

    >>> edit_distances([("a", "b", "c"), ("b", "c", "d"), ()]).tolist()
    [2, 3, 3]
    """
    numbers: dict[str, int] = {}
    lengths = np.array([len(string) for string in strings], np.int64)
    table = np.zeros((len(strings), max(lengths, default=0)), np.int64)
    for row, string in zip(table, strings, strict=True):
        row[: len(string)] = [numbers.setdefault(symbol, len(numbers)) for symbol in string]
    return _all_pairs(table, lengths)


@jit
def _distance(one, other, row):
    """Row i has the distances of one[:i] from every beginning of the other string."""
    for j in range(other.size + 1):
        row[j] = j
    for i in range(one.size):
        diagonal, row[0] = row[0], i + 1
        for j in range(other.size):
            above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + (one[i] != other[j]))
            diagonal = above
    return row[other.size]


@entry
def _all_pairs(table, lengths):
    count, longest = table.shape
    found = np.empty(count * (count - 1) // 2, np.int64)
    row = np.empty(longest + 1, np.int64)
    at = 0
    for one in range(count):
        for other in range(one + 1, count):
            found[at] = _distance(table[one, : lengths[one]], table[other, : lengths[other]], row)
            at += 1
    return found


# Asking agents: what the speaker would say, what the listener would understand, and how well they do at their best.


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


def _output(agent: Agent, states: np.ndarray) -> np.ndarray:
    """Probabilities of what an agent does in these states."""
    logits = states @ agent.parameters().w_output + agent.parameters().b_output
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


def _tokens(expressions: Expressions, number: int, upto: int) -> np.ndarray:
    if not 1 <= number <= upto:
        raise RequestError(f"The number {number} is outside the game range 1-{upto}.")
    tokens, lengths = encode([expressions], upto)
    return tokens[0, number - 1, : lengths[0, number - 1]]


def speak(agents: Agents, expressions: Expressions, number: int) -> np.ndarray:
    """Probabilities (length, symbols) of each symbol of the message for a number."""
    tokens = _tokens(expressions, number, agents.listener.sizes.outputs).tolist()
    return _output(agents.speaker, _run(agents.speaker, tokens)[1])


def listen(agents: Agents, message: Sequence[int]) -> np.ndarray:
    """Probabilities (range,) of the numbers 1..range after a message, a non-empty string of symbols from 0."""
    listener = agents.listener
    if not len(message) or not all(0 <= symbol < listener.sizes.alphabet for symbol in message):
        raise RequestError(f"A message is one or more symbols from 0 to {listener.sizes.alphabet - 1}.")
    return _output(listener, _run(listener, message)[1][-1])


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
    spoken = _output(speaker, _run_all(speaker, tokens)[1])
    messages = spoken.argmax(-1)
    counts = np.array([[position < length for position in range(tokens.shape[1])] for length in lengths.tolist()])
    _, states = _run_all(listener, messages)
    last = states[np.arange(len(lengths)), lengths - 1]
    return Best(messages, lengths, np.where(counts, spoken.max(-1), 1).prod(-1), _output(listener, last))


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


# The language of two agents as a table, and how far similar expressions get similar messages.

# pandas is loaded where it is used: players do not need it.


def dictionary(agents: Agents, expressions: Expressions, written: Mapping[int, str] | None = None) -> "pd.DataFrame":
    """One row a number: its expression, the likeliest message, and what the listener makes of that.

    Agents read expressions without brackets; `written` says how people read them.

    `said` is the probability that the speaker sends just this message, `understood` the probability that the
    listener then guesses right, `heard` its likeliest guess, `shared_by` how many numbers have this message.
    """
    import pandas as pd

    table = pd.DataFrame(_entries(agents, expressions))
    similarity = topographic_similarity(
        [tuple(e.split()) for e in table["expression"]], [tuple(m.split()) for m in table["message"]]
    )
    if written is not None:
        table["expression"] = [written[number] for number in table["number"]]
    table["shared_by"] = table.groupby("message")["number"].transform("size")
    return table.assign(topographic_similarity=similarity)


def _entries(agents: Agents, expressions: Expressions) -> Iterator[dict[str, object]]:
    for number, (message, length, said, heard) in enumerate(zip(*best(agents, expressions), strict=True), 1):
        yield {
            "number": number,
            "expression": " ".join(expressions[number]),
            "message": " ".join(map(str, message[:length].tolist())),
            "said": float(said),
            "heard": int(heard.argmax()) + 1,
            "understood": float(heard[number - 1]),
        }


def write_dictionary(
    agents: Agents, expressions: Expressions, path: Path | str, written: Mapping[int, str] | None = None
) -> None:
    """Write `dictionary` as CSV; the topographic similarity is the same in each row."""
    write(Path(path), dictionary(agents, expressions, written).to_csv(index=False).encode(), goes_on=False)


def topographic_similarity(meanings: list[tuple[str, ...]], messages: list[tuple[str, ...]]) -> float:
    """Spearman correlation between the edit distances of all pairs of meanings and of their messages.

    1 if messages are as near to one another as what they mean; nan if all distances on one side are equal.

    >>> topographic_similarity([("a",), ("a", "b"), ("c", "d")], [("x",), ("x", "y"), ("z", "w")])
    1.0
    """
    left, right = edit_distances(meanings), edit_distances(messages)
    if any(len(set(side.tolist())) < 2 for side in (left, right)):
        return float("nan")
    return float(np.corrcoef(np.column_stack((_ranks(left), _ranks(right))), rowvar=False)[1, 0])


def _ranks(values: np.ndarray) -> np.ndarray:
    """The rank of each value from 1 on; equal ones share the mean of theirs.

    >>> _ranks(np.array([3, 1, 3])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[place]
