"""Who decides between the current system and the alternative, by name: communication, a coin, an oracle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

import numpy as np

from ishango.errors import RequestError, RunError
from ishango.evolution.conversation import Communication, communication, converse
from ishango.game import Talkers
from ishango.lab import Progress
from ishango.numerals import NumeralSystem
from ishango.registry import Registry

if TYPE_CHECKING:
    from ishango.evolution.evolution_options import EvolutionOptions


@dataclass(frozen=True)
class Question:
    """What a chooser is asked in a round: keep the current system, or take the alternative?"""

    current: NumeralSystem
    alternative: NumeralSystem
    delta_average: float
    """Average complexity of the alternative minus that of the current system, over the game range."""
    options: EvolutionOptions
    agents: Talkers | None
    """They learn in place; None where the chooser uses none."""
    grammar_rng: np.random.Generator
    game_rng: np.random.Generator
    progress: Progress


@dataclass(frozen=True)
class Decision:
    """Whether the alternative is kept, how communication went, and its curve of rewards."""

    accepted: bool
    communication: Communication = field(default_factory=Communication)
    curve: np.ndarray | None = None


@dataclass(frozen=True)
class Chooser:
    """One way to decide."""

    name: str
    """What the option `choose` calls it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    uses_agents: bool
    """Whether agents are made, trained before the first round and kept with the run."""
    decide: Callable[[Question], Decision]


CHOOSERS: Registry[Chooser] = Registry("chooser", "ishango.choosers")


def decide(chooser: Chooser, question: Question) -> Decision:
    """What a chooser decides; one from outside may make a mistake, which is told in a sentence."""
    try:
        decision: Any = chooser.decide(question)
    except (RequestError, RunError):
        raise
    except Exception as error:
        where = extract_tb(error.__traceback__)[-1]
        raise RunError(
            f"The chooser {chooser.name!r} failed with {type(error).__name__}: {error}"
            f" ({where.filename}, line {where.lineno})."
        ) from error
    accepted: Any = getattr(decision, "accepted", None)
    if not isinstance(decision, Decision) or not isinstance(accepted, (bool, np.bool_)):
        raise RunError(
            f"The chooser {chooser.name!r} decided {decision!r}; it must give a Decision that is accepted or not."
        )
    if unknown := set(decision.communication) - Communication.__optional_keys__:
        raise RunError(f"The chooser {chooser.name!r} tells {min(unknown)} of communication, which no record has.")
    return replace(decision, accepted=bool(decision.accepted))


def by_communication(question: Question) -> Decision:
    """The communication phase of Algorithm 1: the higher Q wins, and a tie keeps the current system."""
    options, agents = question.options, question.agents
    assert agents is not None
    if options.reset_optimiser:
        agents.forget()
    systems = [question.current, question.alternative]
    round_ = converse(agents, systems, options, options.steps, question.game_rng, question.progress)
    accepted = bool(round_.q[1] > round_.q[0])
    return Decision(accepted, communication(round_, agents, systems[accepted], options), round_.curve())


def by_coin(question: Question) -> Decision:
    """Neutral drift: the alternative is kept with probability 1/2."""
    return Decision(bool(question.grammar_rng.random() < 0.5))


def by_length(question: Question) -> Decision:
    """The oracle: the alternative is kept if it is shorter on average over the game range."""
    return Decision(question.delta_average < 0)


COMMUNICATION = CHOOSERS.add(
    Chooser("bandit", "agents", "agents talk, and what is better understood is kept", True, by_communication)
)
DRIFT = CHOOSERS.add(
    Chooser("coin", "coin", "neutral drift: an alternative is kept with probability 1/2", False, by_coin)
)
ORACLE = CHOOSERS.add(Chooser("shorter", "oracle", "an oracle keeps what is shorter on average", False, by_length))
