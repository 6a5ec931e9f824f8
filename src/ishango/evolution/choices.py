"""Who decides between the current system and the alternative: communication, a coin, or an oracle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ishango.evolution.evolution_options import EvolutionOptions
from ishango.game import Agents, Round, play
from ishango.game.ask import accuracy_greedy
from ishango.lab import Progress, counted
from ishango.numerals import Need, NumeralSystem, average_complexity, minimal_language

SILENT: dict[str, Any] = {
    "q": None,
    "uses": None,
    "accuracy": None,
    "accuracy_by_arm": None,
    "accuracy_greedy": None,
}
"""What a round without communication has to say about it."""


@dataclass(frozen=True)
class Decision:
    """Whether the alternative is kept, what communication there was, and its curve of rewards."""

    accepted: bool
    communication: dict[str, Any] = field(default_factory=lambda: dict(SILENT))
    curve: np.ndarray | None = None


def by_communication(
    agents: Agents,
    current: NumeralSystem,
    alternative: NumeralSystem,
    options: EvolutionOptions,
    rng: np.random.Generator,
    progress: Progress,
) -> Decision:
    """The communication phase of Algorithm 1: the higher Q wins, and a tie keeps the current system."""
    round_ = converse(agents, [current, alternative], options, options.steps, rng, progress)
    accepted = bool(round_.q[1] > round_.q[0])
    kept = alternative if accepted else current
    return Decision(accepted, communication(round_, agents, kept, options), round_.curve())


def by_coin(rng: np.random.Generator) -> Decision:
    """Neutral drift: the alternative is kept with probability 1/2."""
    return Decision(bool(rng.random() < 0.5))


def by_length(delta_average: float) -> Decision:
    """The oracle: the alternative is kept if it is shorter on average over the game range."""
    return Decision(delta_average < 0)


def converse(
    agents: Agents,
    systems: list[NumeralSystem],
    options: EvolutionOptions,
    steps: int,
    rng: np.random.Generator,
    progress: Progress,
) -> Round:
    """Let the agents talk with the expressions of one system, or of two between which the bandit chooses."""
    arms = [expressions(system, options) for system in systems]
    return play(agents, arms, game_need(options), options.game, steps, rng, progress=counted(progress, steps))


def expressions(system: NumeralSystem, options: EvolutionOptions) -> dict[int, tuple[str, ...]]:
    """What the speaker reads: the minimal language over the game range."""
    return minimal_language(system, options.game.upto).tokens(options.notation)


def game_need(options: EvolutionOptions) -> np.ndarray:
    """How often each number of the game range is talked about."""
    return Need.parse(options.need).weights(options.game.upto)


def game_average(system: NumeralSystem, options: EvolutionOptions) -> float:
    """The average complexity over the game range, which every system of a run covers."""
    average = average_complexity(system, options.need, options.game.upto)
    assert average is not None
    return average


def communication(round_: Round, agents: Agents, system: NumeralSystem, options: EvolutionOptions) -> dict[str, Any]:
    """How a round of communication went, for its record; the greedy accuracy is that of the system kept."""
    two_arms = len(round_.q) == 2
    return {
        "q": round_.q.tolist() if two_arms else None,
        "uses": round_.uses.tolist() if two_arms else None,
        "accuracy": _number(round_.accuracy()),
        "accuracy_by_arm": [_number(each) for each in round_.accuracy_by_arm()] if two_arms else None,
        "accuracy_greedy": accuracy_greedy(agents, expressions(system, options), game_need(options)),
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
