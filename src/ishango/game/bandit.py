# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The communication phase of Algorithm 1: a bandit chooses whose expressions the agents use, step after step."""

from ishango.compiling import entry, jit
from ishango.game.signalling import games_won, mean_effort, mean_reward, step


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
