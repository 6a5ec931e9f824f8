"""What agents say to each other in a round: expressions of one system, or of two between which the bandit chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import numpy as np

from ishango.game import Round, Talkers, find_players
from ishango.lab import Progress, counted
from ishango.numerals import Need, NumeralSystem, average_complexity, minimal_language

if TYPE_CHECKING:
    from ishango.evolution.evolution_options import EvolutionOptions

ROUNDING = 1e-12
"""Averages over the game range that differ by less are the same, summed from other rounded products."""


class Communication(TypedDict, total=False):
    """The fields of a round's record that only communication fills."""

    q: list[float] | None
    uses: list[int] | None
    scores: list[float | None] | None
    accuracy: float | None
    accuracy_by_arm: list[float | None] | None
    accuracy_greedy: float | None


def converse(
    agents: Talkers,
    systems: list[NumeralSystem],
    options: EvolutionOptions,
    steps: int,
    rng: np.random.Generator,
    progress: Progress,
) -> Round:
    """Let the agents talk with the expressions of one system, or of two between which the bandit chooses."""
    arms = [expressions(system, options) for system in systems]
    return find_players(options.players).play(
        agents, arms, game_need(options), options.game, steps, rng,
        progress=counted(progress, steps), even=options.arms == "even",
    )  # fmt: skip


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


def change_of_average(before: NumeralSystem, after: NumeralSystem, options: EvolutionOptions) -> float:
    """By how much the average over the game range changes; where it is the same but for rounding, by nothing."""
    change = game_average(after, options) - game_average(before, options)
    return change if abs(change) > ROUNDING else 0.0


def communication(
    round_: Round, scores: np.ndarray | None, agents: Talkers, system: NumeralSystem, options: EvolutionOptions
) -> Communication:
    """How a round of communication went, for its record; the greedy accuracy is that of the system kept."""
    two_arms, players = len(round_.q) == 2, find_players(options.players)
    return {
        "q": round_.q.tolist() if two_arms else None,
        "uses": round_.uses.tolist() if two_arms else None,
        "scores": None if scores is None else [_number(each) for each in scores.tolist()],
        "accuracy": _number(round_.accuracy()),
        "accuracy_by_arm": [_number(each) for each in round_.accuracy_by_arm()] if two_arms else None,
        "accuracy_greedy": players.accuracy_greedy(agents, expressions(system, options), game_need(options)),
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
