# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The networks: prefix trees of strings, LSTM cells and their gradients, the policy, Adam.

Nodes are numbered level by level, so a level is a run of rows and parents come before their children.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic

from ishango.compiling import entry, jit
from ishango.game._vectors import (
    Row,
    add,
    clear,
    copy,
    exp,
    forward,
    logistic,
    multiply_add,
    over,
    padded,
    splat,
    tanh,
    to_inputs,
    to_weights,
)


class PrefixTree(NamedTuple):
    """Room for the prefix tree of `games` strings of up to `length` symbols."""

    parent: np.ndarray
    """(nodes,) parent of a node; meaningless on level 0."""
    symbol: np.ndarray
    """(nodes,) last symbol of a node's prefix."""
    starts: np.ndarray
    """(length + 1,) first node of each level."""
    levels: np.ndarray
    """(1,) levels in use."""
    node: np.ndarray
    """(games, length) node of each prefix of each game's string."""
    child: np.ndarray
    """(nodes + 1, alphabet) node reached by a symbol, -1 if none; row 0 is the root, row i + 1 is node i."""

    @classmethod
    def empty(cls, games: int, length: int, alphabet: int) -> "PrefixTree":
        nodes = games * length
        return cls(
            parent=np.zeros(nodes, np.int64),
            symbol=np.zeros(nodes, np.int64),
            starts=np.zeros(length + 1, np.int64),
            levels=np.zeros(1, np.int64),
            node=np.zeros((games, length), np.int64),
            child=np.full((nodes + 1, alphabet), -1, np.int64),
        )


@jit
def grow(tree, strings, lengths):
    """Make `tree` the prefix tree of `strings` (games, length), of which `lengths` (games,) symbols count."""
    _clear(tree)
    games, count, level = lengths.size, 0, 0
    while True:
        tree.starts[level] = count
        for game in range(games):
            if lengths[game] <= level:
                continue
            above = tree.node[game, level - 1] + 1 if level > 0 else 0
            symbol = strings[game, level]
            node = tree.child[above, symbol]
            if node < 0:
                node = count
                count += 1
                tree.child[above, symbol] = node
                tree.parent[node] = above - 1
                tree.symbol[node] = symbol
            tree.node[game, level] = node
        if tree.starts[level] == count:
            break
        level += 1
        if level == strings.shape[1]:
            tree.starts[level] = count
            break
    tree.levels[0] = level


@jit
def _clear(tree):
    """Forget the children of the nodes in use."""
    for node in range(tree.starts[tree.levels[0]]):
        tree.child[tree.parent[node] + 1, tree.symbol[node]] = -1


# One step of an LSTM, forward and backward: everything between its gates' sums and its states.
#
# Each value is read once, and what it leads to is computed before it leaves the registers.


def _rows(context: Any, builder: Any, signature: Any, args: Any) -> tuple[list[Row], list[Row], Any]:
    """The four gates, input, forget, cell, output, in the first array; the other arrays; the size of a state."""
    arrays = [context.make_array(t)(context, builder, a) for t, a in zip(signature.args, args, strict=True)]
    size = builder.extract_value(arrays[-1].shape, 0)
    gates = [Row(builder, arrays[0].data, builder.mul(size, size.type(i))) for i in range(4)]
    return gates, [Row(builder, array.data) for array in arrays[1:]], size


def _activate(typingctx, gates, cell_before, cell, squashed, hidden):  # noqa: ARG001 - as Numba calls it
    """One node: gates (4 hidden,) from sums to values, and the new cell and hidden state."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        gate_rows, (before, cell, squashed, hidden), size = _rows(context, builder, signature, args)

        def emit(j: Any, lanes: int) -> None:
            i, f, g, o = (row.load(j, lanes) for row in gate_rows)
            i, f, g, o = logistic(i), logistic(f), tanh(g), logistic(o)
            c = f * before.load(j, lanes) + i * g
            s = tanh(c)
            targets = (*gate_rows, cell, squashed, hidden)
            for row, vector in zip(targets, (i, f, g, o, c, s, o * s), strict=True):
                row.store(vector, j)

        over(builder, size, emit)
        return context.get_dummy_value()

    return types.void(gates, cell_before, cell, squashed, hidden), generate


def _deactivate(typingctx, gates, cell_before, squashed, d_hidden, d_cell, d_cell_before):  # noqa: ARG001 - as Numba calls it
    """One node: gates (4 hidden,) from values to gradients of their sums; adds to the parent's `d_cell_before`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        gate_rows, (before, squashed, d_hidden, d_cell, d_before), size = _rows(context, builder, signature, args)

        def emit(j: Any, lanes: int) -> None:
            i, f, g, o = (row.load(j, lanes) for row in gate_rows)
            s, dh = squashed.load(j, lanes), d_hidden.load(j, lanes)
            dc = d_cell.load(j, lanes) + dh * o * (1 - s * s)
            d_before.store(d_before.load(j, lanes) + dc * f, j)
            d_cell.store(dc, j)
            d_gates = (
                dc * g * i * (1 - i),
                dc * before.load(j, lanes) * f * (1 - f),
                dc * i * (1 - g * g),
                dh * s * o * (1 - o),
            )
            for row, vector in zip(gate_rows, d_gates, strict=True):
                row.store(vector, j)

        over(builder, size, emit)
        return context.get_dummy_value()

    return types.void(gates, cell_before, squashed, d_hidden, d_cell, d_cell_before), generate


activate: Any = intrinsic(_activate)
deactivate: Any = intrinsic(_deactivate)


# An embedding and an LSTM over a prefix tree, forward and backward.
#
# Gates are in PyTorch's order: input, forget, cell, output. The input side (embedding, its weights, both biases)
# collapses into one row of gates for each symbol in use, and level 0 starts from a zero state: only the nodes below it
# need the recurrent product.


class Weights(NamedTuple):
    """The parameters of an agent, or their gradients; matrices are (inputs, outputs), rows padded with zeros."""

    embedding: np.ndarray
    """(alphabet, embedding)"""
    w_input: np.ndarray
    """(embedding, 4 hidden)"""
    w_hidden: np.ndarray
    """(hidden, 4 hidden)"""
    b_input: np.ndarray
    """(4 hidden,)"""
    b_hidden: np.ndarray
    """(4 hidden,): PyTorch keeps two biases; merged, Adam would move them differently."""
    w_output: np.ndarray
    """(hidden, outputs)"""
    b_output: np.ndarray
    """(outputs,)"""


class Memory(NamedTuple):
    """What the LSTM remembers of a forward pass for the backward one, a row for each node of a tree."""

    gates: np.ndarray
    """(nodes, 4 hidden) gates; their gradients after the backward pass."""
    cell: np.ndarray
    squashed: np.ndarray
    """(nodes, hidden) tanh of the cell."""
    hidden: np.ndarray
    previous: np.ndarray
    """(nodes, hidden) the parent's hidden state."""
    d_hidden: np.ndarray
    """(nodes, hidden) gradient of the hidden state: the output layer writes it, the backward pass adds to it."""
    d_cell: np.ndarray
    slot: np.ndarray
    """(alphabet,) row of a symbol in the next four, -1 for symbols not in use."""
    used: np.ndarray
    """(alphabet,) the symbols in use, and how many (1,)."""
    in_use: np.ndarray
    embedded: np.ndarray
    """(alphabet, embedding)"""
    d_embedded: np.ndarray
    table: np.ndarray
    """(alphabet, 4 hidden) the input side's part of the gates; its gradient after the backward pass."""

    @classmethod
    def empty(cls, nodes: int, alphabet: int, embedding: int, hidden: int) -> "Memory":
        gates, state = padded(4 * hidden), (nodes, hidden)
        names = ("cell", "squashed", "hidden", "previous", "d_hidden", "d_cell")
        return cls(
            gates=np.zeros((nodes, gates), np.float32),
            **{name: np.zeros(state, np.float32) for name in names},
            slot=np.full(alphabet, -1, np.int64),
            used=np.zeros(alphabet, np.int64),
            in_use=np.zeros(1, np.int64),
            embedded=np.zeros((alphabet, embedding), np.float32),
            d_embedded=np.zeros((alphabet, embedding), np.float32),
            table=np.zeros((alphabet, gates), np.float32),
        )


@jit
def _tabulate(tree, weights, memory):
    """Fill the rows of `memory.table` for the symbols in use."""
    count = 0
    for i in range(memory.in_use[0]):
        memory.slot[memory.used[i]] = -1
    for node in range(tree.starts[tree.levels[0]]):
        symbol = tree.symbol[node]
        if memory.slot[symbol] < 0:
            memory.slot[symbol] = count
            memory.used[count] = symbol
            copy(weights.embedding[symbol], memory.embedded[count])
            copy(weights.b_input, memory.table[count])
            add(weights.b_hidden, memory.table[count])
            count += 1
    memory.in_use[0] = count
    forward(memory.embedded, weights.w_input, memory.table, 0, count)


@jit
def lstm_forward(tree, weights, memory, zero):
    """Fill `memory` for every node of `tree`; `zero` (hidden,) is the state before the first symbol."""
    _tabulate(tree, weights, memory)
    for level in range(tree.levels[0]):
        first, last = tree.starts[level], tree.starts[level + 1]
        for node in range(first, last):
            copy(memory.table[memory.slot[tree.symbol[node]]], memory.gates[node])
            if level > 0:
                copy(memory.hidden[tree.parent[node]], memory.previous[node])
        if level > 0:
            forward(memory.previous, weights.w_hidden, memory.gates, first, last)
        for node in range(first, last):
            before = memory.cell[tree.parent[node]] if level > 0 else zero
            activate(memory.gates[node], before, memory.cell[node], memory.squashed[node], memory.hidden[node])


@jit
def lstm_backward(tree, weights, memory, gradient, zero, waste):
    """Fill `gradient` but for the output layer from `memory.d_hidden`; `waste` (hidden,) takes what leaves the tree."""
    nodes = tree.starts[tree.levels[0]]
    for node in range(nodes):
        clear(memory.d_cell[node])
    for level in range(tree.levels[0] - 1, -1, -1):
        first, last = tree.starts[level], tree.starts[level + 1]
        for node in range(first, last):
            parent = tree.parent[node]
            before = memory.cell[parent] if level > 0 else zero
            d_before = memory.d_cell[parent] if level > 0 else waste
            deactivate(
                memory.gates[node], before, memory.squashed[node], memory.d_hidden[node], memory.d_cell[node], d_before
            )
        if level > 0:
            # `hidden` is no longer needed and takes the products; `previous` still is, for the weights.
            to_inputs(memory.gates, weights.w_hidden, memory.hidden, first, last)
            for node in range(first, last):
                add(memory.hidden[node], memory.d_hidden[tree.parent[node]])
    below = tree.starts[1] if tree.levels[0] > 0 else 0
    to_weights(memory.previous, memory.gates, gradient.w_hidden, below, nodes)
    _untabulate(tree, weights, memory, gradient)


@jit
def _untabulate(tree, weights, memory, gradient):
    """Gradients of the input side, from those of the gates."""
    count = memory.in_use[0]
    for row in range(count):
        clear(memory.table[row])
    for node in range(tree.starts[tree.levels[0]]):
        add(memory.gates[node], memory.table[memory.slot[tree.symbol[node]]])
    clear(gradient.b_input)
    for row in range(count):
        add(memory.table[row], gradient.b_input)
    copy(gradient.b_input, gradient.b_hidden)
    to_weights(memory.embedded, memory.table, gradient.w_input, 0, count)
    to_inputs(memory.table, weights.w_input, memory.d_embedded, 0, count)
    for symbol in range(gradient.embedding.shape[0]):
        clear(gradient.embedding[symbol])
    for row in range(count):
        copy(memory.d_embedded[row], gradient.embedding[memory.used[row]])


# The output layer of an agent as a policy: probabilities, samples, and the gradient of REINFORCE with entropy.

_ZERO = np.float32(0)


class Policy(NamedTuple):
    """Distributions over an agent's outputs, a row for each state in which it acts."""

    state: np.ndarray
    """(rows, hidden) hidden states; their gradients after the backward pass."""
    probability: np.ndarray
    """(rows, outputs); the gradients of the logits after the backward pass."""
    logarithm: np.ndarray
    """(rows, outputs) logarithms of the probabilities."""
    cumulative: np.ndarray
    """(rows, outputs)"""
    pull: np.ndarray
    """(rows, outputs) sum over games of (reward - baseline) for each output taken."""
    entropy: np.ndarray
    """(rows,) sum over games of the entropy's weight."""
    d_state: np.ndarray
    """(rows, hidden)"""

    @classmethod
    def empty(cls, rows: int, hidden: int, outputs: int) -> "Policy":
        width = padded(outputs)
        return cls(
            np.zeros((rows, hidden), np.float32),
            np.zeros((rows, width), np.float32),
            np.zeros((rows, width), np.float32),
            np.zeros((rows, outputs), np.float64),
            np.zeros((rows, width), np.float32),
            np.zeros(rows),
            np.zeros((rows, hidden), np.float32),
        )


@jit
def policy_forward(policy, weights, rows):
    """Fill the distributions of the first `rows` states."""
    output_forward(policy, weights, rows)
    normalise(policy, rows)


@jit
def output_forward(policy, weights, rows):
    """Fill the logits of the first `rows` states, in `policy.logarithm`."""
    for row in range(rows):
        copy(weights.b_output, policy.logarithm[row])
    forward(policy.state, weights.w_output, policy.logarithm, 0, rows)
    for row in range(rows):
        clear(policy.pull[row])
        policy.entropy[row] = 0


@jit
def normalise(policy, rows):
    outputs = policy.cumulative.shape[1]
    for row in range(rows):
        _normalise(policy.logarithm[row], policy.probability[row], policy.cumulative[row], outputs)


def _exponentials(typingctx, row, zero, target, outputs):  # noqa: ARG001 - as Numba calls it
    """target = e^(row - zero), the first `outputs` elements."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = [context.make_array(signature.args[i])(context, builder, args[i]).data for i in (0, 2)]
        row, target = (Row(builder, pointer) for pointer in data)

        def emit(j: Any, lanes: int) -> None:
            target.store(exp(row.load(j, lanes) - splat(builder, args[1], lanes)), j)

        over(builder, args[3], emit)
        return context.get_dummy_value()

    return types.void(row, types.float32, target, types.intp), generate


_exp_above: Any = intrinsic(_exponentials)


@jit
def _normalise(logarithm, probability, cumulative, outputs):
    """One row: logits to log-probabilities, probabilities and their running sums."""
    largest = logarithm[0]
    for j in range(1, outputs):
        largest = max(largest, logarithm[j])
    _exp_above(logarithm, largest, probability, outputs)
    total = 0.0
    for j in range(outputs):
        total += probability[j]
        cumulative[j] = total
    shift, scale = np.float32(largest + math.log(total)), np.float32(1 / total)
    for j in range(outputs):
        logarithm[j] -= shift
        probability[j] *= scale


@entry
def draw(cumulative, uniform):
    """The output that `uniform` in [0, 1) falls on, by inverting the running sums."""
    last = cumulative.size - 1
    threshold = uniform * cumulative[last]
    index = 0
    while index < last and cumulative[index] <= threshold:
        index += 1
    return index


@jit
def policy_backward(policy, weights, gradient, rows, games):
    """Fill `policy.d_state` and the output layer's `gradient`.

    The loss is the mean over `games` of -(reward - baseline) log p(taken) - weight x entropy.
    """
    outputs = policy.cumulative.shape[1]
    for row in range(rows):
        _logit_gradient(
            policy.logarithm[row], policy.probability[row], policy.pull[row], outputs,
            np.float32(1 / games), np.float32(policy.entropy[row] / games),
        )  # fmt: skip
    output_backward(policy, weights, gradient, rows)


@jit
def output_backward(policy, weights, gradient, rows):
    """The same from the gradients of the logits, which stand in `policy.probability`."""
    to_inputs(policy.probability, weights.w_output, policy.d_state, 0, rows)
    to_weights(policy.state, policy.probability, gradient.w_output, 0, rows)
    clear(gradient.b_output)
    for row in range(rows):
        add(policy.probability[row], gradient.b_output)


@jit
def _logit_gradient(logarithm, probability, pull, outputs, scale, entropy_scale):
    """One row: probabilities to gradients of the logits."""
    total, entropy = _ZERO, _ZERO
    for j in range(outputs):
        total += pull[j]
        entropy -= probability[j] * logarithm[j]
    for j in range(outputs):
        p = probability[j]
        probability[j] = scale * (total * p - pull[j]) + entropy_scale * p * (logarithm[j] + entropy)


# Adam with PyTorch's defaults, over one flat vector of parameters.

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
_B1, _B2 = np.float32(BETA1), np.float32(BETA2)
_1_B1, _1_B2 = np.float32(1 - BETA1), np.float32(1 - BETA2)
_EPSILON = np.float32(EPSILON)


@jit
def adam(value, gradient, mean, square, steps, learning_rate):
    """Move `value` by one step of Adam; `steps` (1,) counts them and `mean`, `square` are its moments."""
    steps[0] += 1
    rate = np.float32(learning_rate / (1 - BETA1 ** steps[0]))
    scale = np.float32(1 / math.sqrt(1 - BETA2 ** steps[0]))
    for i in range(value.size):
        g = gradient[i]
        m = multiply_add(_B1, mean[i], _1_B1 * g)
        s = multiply_add(_B2, square[i], _1_B2 * (g * g))
        mean[i] = m
        square[i] = s
        value[i] -= rate * (m / multiply_add(np.sqrt(s), scale, _EPSILON))
