# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The output layer of an agent as a policy: probabilities, samples, and the gradient of REINFORCE with entropy."""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic

from ishango.compiling import entry, jit
from ishango.game.elementwise import exp
from ishango.game.products import add, clear, copy, forward, padded, to_inputs, to_weights
from ishango.game.vectors import Row, over, splat

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
        """Room for `rows` states."""
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
    outputs = policy.cumulative.shape[1]
    for row in range(rows):
        copy(weights.b_output, policy.logarithm[row])
    forward(policy.state, weights.w_output, policy.logarithm, 0, rows)
    for row in range(rows):
        _normalise(policy.logarithm[row], policy.probability[row], policy.cumulative[row], outputs)
        clear(policy.pull[row])
        policy.entropy[row] = 0


def _exponentials(typingctx, row, zero, target, outputs):  # noqa: ARG001
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
