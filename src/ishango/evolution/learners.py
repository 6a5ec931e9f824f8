"""Who plays a round, by name: the agents of the round before, or some that have learnt nothing yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ishango.game import Agent, Agents
from ishango.registry import Registry


@dataclass(frozen=True)
class Learners:
    """Which agents begin a round anew."""

    name: str
    """What the option `learners` calls it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    renewed: Callable[[Agents], tuple[Agent, ...]]
    """From the agents to those of them that a round begins without anything they have learnt."""
    practised: bool = True
    """Whether what is learnt before the first round lasts, so that agents are trained before it by default."""


LEARNERS: Registry[Learners] = Registry("way of learning", "ishango.learners")

SAME = LEARNERS.add(Learners("same", "same agents", "one pair plays all rounds, as in the paper", lambda _: ()))
NEW = LEARNERS.add(
    Learners(
        "new",
        "new agents",
        "a new pair plays each round",
        lambda agents: (agents.speaker, agents.listener),
        practised=False,
    )
)
NEW_LISTENER = LEARNERS.add(
    Learners(
        "new-listener", "new listeners", "the speaker stays, with a new listener each round", lambda a: (a.listener,)
    )
)


def renew(learners: Learners, agents: Agents, rng: np.random.Generator) -> bool:
    """Let a round begin: agents that do not stay are drawn afresh, in place; whether there were any."""
    renewed = learners.renewed(agents)
    for agent in renewed:
        agent.begin_anew(rng)
    return bool(renewed)
