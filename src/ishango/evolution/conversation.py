"""What agents say to each other in a round: expressions of one system, or of two between which the bandit chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

from ishango.game import Round, Talkers, find_players
from ishango.lab import Progress, counted
from ishango.numerals import Need, NumeralSystem, average_complexity, minimal_language

if TYPE_CHECKING:
    from ishango.evolution.options import EvolutionOptions

ROUNDING = 1e-12
"""Averages over the game range that differ by less are the same, summed from other rounded products."""

BLOCK = 500
"""Steps of practice after which it is looked whether both systems have been learnt."""

Names = tuple[int, ...]
"""What each number of the game range is called as a word, from 1 up; empty where each has its own name."""


class Spoken(NamedTuple):
    """A system as the speaker reads it: words may have been given other names."""

    system: NumeralSystem
    names: Names = ()


class Communication(TypedDict, total=False):
    """The fields of a round's record that only communication fills."""

    q: list[float] | None
    uses: list[int] | None
    scores: list[float | None] | None
    practice: int | None
    accuracy: float | None
    accuracy_by_arm: list[float | None] | None
    accuracy_greedy: float | None
    numbers_understood: int | None
    messages: int | None


def converse(
    agents: Talkers,
    arms: Sequence[Spoken],
    options: EvolutionOptions,
    steps: int,
    rng: np.random.Generator,
    progress: Callable[[int], None],
    even: bool | None = None,
) -> Round:
    """Let the agents talk with the expressions of one system, or of two; `even` lets them take turns in any case."""
    even = options.arms == "even" if even is None else even
    return find_players(options.players).play(
        agents, [expressions(arm, options) for arm in arms], game_need(options), options.game, steps, rng,
        progress=progress, even=even,
    )  # fmt: skip


def compete(
    agents: Talkers, arms: Sequence[Spoken], options: EvolutionOptions, rng: np.random.Generator, progress: Progress
) -> tuple[Round, int]:
    """A round between two systems, and the steps of practice before it, in which neither counted."""
    most = most_practice(options)
    report = counted(progress, most + options.steps)
    practised = _practise(agents, arms, options, most, rng, report)
    if practised < most:  # what was not needed counts as done
        report(most - practised)
    return converse(agents, arms, options, options.steps, rng, report), practised


def most_practice(options: EvolutionOptions) -> int:
    """Steps that are practised before a round counts, at the most; both systems share them evenly."""
    if options.contest == "bandit":
        return 0
    return 2 * (options.steps if options.practice is None else options.practice)


def _practise(
    agents: Talkers,
    arms: Sequence[Spoken],
    options: EvolutionOptions,
    most: int,
    rng: np.random.Generator,
    report: Callable[[int], None],
) -> int:
    """Let both systems take turns without counting, until both are known well enough or time is up."""
    if options.contest == "practised":
        converse(agents, arms, options, most, rng, report, even=True)
        return most
    practised = 0
    while practised < most:
        steps = min(BLOCK, most - practised)
        block = converse(agents, arms, options, steps, rng, report, even=True)
        practised += steps
        if min(block.accuracy_by_arm()) >= options.criterion:
            break
    return practised


def expressions(spoken: Spoken, options: EvolutionOptions) -> dict[int, tuple[str, ...]]:
    """What the speaker reads: the minimal language over the game range."""
    said = minimal_language(spoken.system, options.game.upto).tokens(options.notation)
    if not spoken.names:
        return said
    called = {str(number): str(name) for number, name in enumerate(spoken.names, 1)}
    return {number: tuple(called.get(token, token) for token in tokens) for number, tokens in said.items()}


def with_brackets(system: NumeralSystem, options: EvolutionOptions) -> dict[int, str]:
    """The same language for people, with brackets where they matter, and every word under its own name."""
    language = minimal_language(system, options.game.upto)
    return {number: str(language.expression(number)) for number in language}


def relabelled(spoken: Spoken, upto: int, rng: np.random.Generator) -> Spoken | None:
    """The same system with another name for one word: one that no word has; None where every name is taken.

    The number whose name it was gets the word's old one, so that words which come later have names of their own.
    """
    words = spoken.system.words
    free = [number for number in range(1, upto + 1) if number not in set(words)]
    if not free:
        return None
    names = list(spoken.names or range(1, upto + 1))
    word, other = (int(among[int(rng.integers(len(among)))]) for among in (words, free))
    names[word - 1], names[other - 1] = names[other - 1], names[word - 1]
    return Spoken(spoken.system, tuple(names))


def share_changed(before: Spoken, after: Spoken, options: EvolutionOptions) -> float:
    """The share of talk that is said otherwise: how often a number is needed whose expression changes."""
    said, new = (expressions(each, options) for each in (before, after))
    differs = np.array([said[number] != new[number] for number in range(1, options.game.upto + 1)])
    return float(game_need(options) @ differs)


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
    round_: Round,
    scores: np.ndarray | None,
    agents: Talkers,
    kept: Spoken,
    options: EvolutionOptions,
    practice: int | None = None,
) -> Communication:
    """How a round of communication went, for its record; how well agents talk is about the system that was kept."""
    two_arms, players = len(round_.q) == 2, find_players(options.players)
    able = players.competence(agents, expressions(kept, options), game_need(options))
    return {
        "q": round_.q.tolist() if two_arms else None,
        "uses": round_.uses.tolist() if two_arms else None,
        "scores": None if scores is None else [_number(each) for each in scores.tolist()],
        "practice": practice,
        "accuracy": _number(round_.accuracy()),
        "accuracy_by_arm": [_number(each) for each in round_.accuracy_by_arm()] if two_arms else None,
        "accuracy_greedy": able.accuracy,
        "numbers_understood": able.numbers,
        "messages": able.messages,
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
