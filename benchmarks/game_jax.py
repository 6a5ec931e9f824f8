"""The same game in JAX, for comparison only: a block of steps is one compiled function (extra `benchmarks`)."""

import os
from functools import partial
from typing import Any

# One thread, as for the others; XLA reads this when it is loaded.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import jax
import jax.numpy as jnp
import numpy as np

from ishango.game import Agents, GameOptions
from ishango.game._network import BETA1, BETA2, EPSILON
from ishango.game._round import Encoded

Parameters = dict[str, Any]


def from_agents(agents: Agents) -> tuple[Parameters, Parameters]:
    """The kernel's parameters; matrices are (inputs, outputs) here too."""
    pair = (agents.speaker, agents.listener)
    return tuple({n: jnp.array(w) for n, w in a.parameters()._asdict().items()} for a in pair)  # pyright: ignore[reportReturnType]


def _states(p: Parameters, strings: Any) -> Any:
    """(longest, games, hidden) hidden states of an LSTM that reads `strings` (games, longest)."""
    inputs = p["embedding"][strings.T] @ p["w_input"] + p["b_input"] + p["b_hidden"]

    def read(state: Any, sums: Any) -> Any:
        hidden, cell = state
        i, f, g, o = jnp.split(sums + hidden @ p["w_hidden"], 4, axis=-1)
        cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
        hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
        return (hidden, cell), hidden

    zero = jnp.zeros((strings.shape[0], p["w_hidden"].shape[0]))
    return jax.lax.scan(read, (zero, zero), inputs)[1]


def _loss(both: Any, batch: Any, keys: Any, reward: Any, options: GameOptions) -> Any:
    """The sum of both REINFORCE losses on freshly sampled messages and guesses."""
    speaker, listener = both
    numbers, tokens, lengths = batch
    said = jax.nn.log_softmax(_states(speaker, tokens) @ speaker["w_output"] + speaker["b_output"])
    messages = jax.random.categorical(keys[0], jax.lax.stop_gradient(said)).T
    last = _states(listener, messages)[lengths - 1, jnp.arange(numbers.size)]
    heard = jax.nn.log_softmax(last @ listener["w_output"] + listener["b_output"])
    guesses = jax.random.categorical(keys[1], jax.lax.stop_gradient(heard))
    earned = reward[numbers, guesses]
    mask = jnp.arange(tokens.shape[1])[None] < lengths[:, None]
    spoken = jnp.where(mask, jnp.take_along_axis(said, messages.T[..., None], -1)[..., 0].T, 0).sum(-1)
    guessed = jnp.take_along_axis(heard, guesses[:, None], -1)[:, 0]
    entropy = -(jnp.exp(heard) * heard).sum(-1)
    return -(earned * (spoken + guessed)).mean() - options.listener_entropy * entropy.mean()


def _adam(steps: Any, rate: float, value: Any, gradient: Any, mean: Any, square: Any) -> Any:
    mean, square = BETA1 * mean + (1 - BETA1) * gradient, BETA2 * square + (1 - BETA2) * gradient**2
    below = jnp.sqrt(square / (1 - BETA2**steps)) + EPSILON
    return value - rate / (1 - BETA1**steps) * mean / below, mean, square


class JaxGame:
    """Agents with default options that play the expressions of one arm, all arrays padded to the longest."""

    def __init__(self, encoded: Encoded, need: np.ndarray, options: GameOptions) -> None:
        self.tokens, self.lengths = jnp.array(encoded.tokens[0]), jnp.array(encoded.lengths[0])
        self.need, self.reward, self.options = jnp.log(jnp.array(need)), jnp.eye(options.upto), options

    def _step(self, state: Any, key: Any) -> Any:
        values, means, squares, steps = state
        draw, *keys = jax.random.split(key, 3)
        numbers = jax.random.categorical(draw, self.need, shape=(self.options.batch,))
        batch = numbers, self.tokens[numbers], self.lengths[numbers]
        gradients = jax.grad(_loss)(values, batch, keys, self.reward, self.options)
        move = partial(_adam, steps + 1, self.options.learning_rate)
        leaves, tree = jax.tree.flatten(values)
        moved = [move(*each) for each in zip(leaves, *map(jax.tree.leaves, (gradients, means, squares)), strict=True)]
        return (*(tree.unflatten(column) for column in zip(*moved, strict=True)), steps + 1), None

    @partial(jax.jit, static_argnums=0)
    def _play(self, state: Any, keys: Any) -> Any:
        return jax.lax.scan(self._step, state, keys)[0]

    def play(self, agents: Agents, steps: int) -> None:
        """Play and learn; the agents themselves stay as they are."""
        values = from_agents(agents)
        zeros = jax.tree.map(jnp.zeros_like, values)
        keys = jax.random.split(jax.random.key(0), steps)
        jax.block_until_ready(self._play((values, zeros, zeros, jnp.zeros(())), keys))
