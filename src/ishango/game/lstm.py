# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""An embedding and an LSTM over a prefix tree, forward and backward.

Gates are in PyTorch's order: input, forget, cell, output. The input side (embedding, its weights, both biases)
collapses into one row of gates for each symbol in use, and level 0 starts from a zero state: only the nodes below
it need the recurrent product.
"""

from typing import NamedTuple

import numpy as np

from ishango.compiling import jit
from ishango.game.cell import activate, deactivate
from ishango.game.products import add, clear, copy, forward, padded, to_inputs, to_weights


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
        """Room for `nodes` nodes."""
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
