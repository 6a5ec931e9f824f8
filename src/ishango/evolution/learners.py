"""Who plays a round, by name: the agents of the round before, or some that have learnt nothing yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ishango.game import Talkers
from ishango.registry import by_name


@dataclass(frozen=True)
class Learners:
    """Which agents begin a round anew."""

    name: str
    """What the option `learners` calls it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    meet: Callable[[Talkers, Callable[[], Talkers]], Talkers]
    """From the agents of the round before, and a way to make untrained ones, to those who play."""
    practised: bool = True
    """Whether what is learnt before the first round lasts, so that agents are trained before it by default."""


SAME = Learners("same", "same agents", "one pair plays all rounds, as in the paper", lambda agents, _: agents)
NEW = Learners("new", "new agents", "a new pair plays each round", lambda _, untrained: untrained(), practised=False)
NEW_LISTENER = Learners(
    "new-listener",
    "new listeners",
    "the speaker stays, with a new listener each round",
    lambda agents, untrained: agents.with_listener(untrained()),
)

LEARNERS = by_name(SAME, NEW, NEW_LISTENER)
