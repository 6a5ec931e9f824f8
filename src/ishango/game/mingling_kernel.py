# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Agents of a population at work: each step another speaker meets another listener, and nobody's weights are copied."""

from typing import NamedTuple

import numpy as np

from ishango.compiling import entry, jit
from ishango.game.bandit import enter
from ishango.game.lstm import Weights
from ishango.game.signalling import Mind, games_won, step


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
