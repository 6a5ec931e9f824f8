"""How children learn a language: lexicons as kernels take them, and neural learners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ishango import evolution
from ishango.evolution import communication
from ishango.game import Agents, Best, Population, Round, best, demonstrate, imitate, mingle, topographic_similarity
from ishango.generations._ideal_kernel import ALL, Rules
from ishango.generations._options import GenerationOptions
from ishango.lab import Progress, counted
from ishango.numerals import (
    GrammarName,
    Need,
    NumeralSystem,
    as_grammar,
    format_set,
    levels_of,
    outer_bases,
    value_limit,
)

Words = NDArray[np.bool_]
"""Which numbers are digits and which multipliers, (2, range + 1); number 0 is neither."""


def system_of(words: Words, grammar: GrammarName) -> NumeralSystem:
    return NumeralSystem(members(words[0]), members(words[1]), grammar)


def members(set_: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(set_).tolist())


def written(words: Words) -> str:
    """Words as `D | M`, either of which may be none."""
    return f"{format_set(members(words[0]))} | {format_set(members(words[1]))}"


def bases_of(words: Words, options: GenerationOptions) -> list[int]:
    """The base of each number's expression, from 1 to the game range; 0 for a bare digit.

    >>> from ishango.game import GameOptions
    >>> from ishango.numerals import NumeralSystem, words_of
    >>> bases_of(words_of(NumeralSystem.parse("1-4 | 5"), 8), GenerationOptions(game=GameOptions(upto=8)))
    [0, 0, 0, 0, 5, 5, 5, 5]
    """
    rules = rules_of(options)
    return outer_bases(levels_of(words, rules.flags, rules.upto, rules.limit), rules.flags, rules.upto).tolist()


def rules_of(options: GenerationOptions) -> Rules:
    upto = options.game.upto
    return Rules(
        flags=as_grammar(options.grammar).flags,
        need=np.array(Need.parse(options.need).weights(upto)),
        upto=upto,
        limit=value_limit(upto),
        bottleneck=ALL if options.examples is None else options.examples,
        any_expression=options.say == "any",
        random_loss=options.lose == "random",
        invent=float(options.invent),
        multipliers=float(options.multiplier_share),
        uniform_coining=options.coin == "uniform",
        body=float(options.body),
    )


# How agents grow up: they imitate their parents, then talk among themselves, and may score a new word.


@lru_cache(maxsize=256)
def said(system: NumeralSystem, options: evolution.EvolutionOptions) -> dict[int, tuple[str, ...]]:
    """What speakers read: the same systems are said again and again, by parents, children and others."""
    return evolution.expressions(evolution.Spoken(system), options)


@dataclass(frozen=True)
class Learnt:
    """What new agents have after imitation alone; none where there was nothing to imitate, or nobody unheard."""

    accuracy: float | None = None
    accuracy_unheard: float | None = None
    agreement: float | None = None


@dataclass(frozen=True)
class Contest:
    """A contest for an invented word: the lexicon without it and with it, and whether the latter was kept."""

    known: NumeralSystem
    alternative: NumeralSystem
    accepted: bool
    delta_average: float
    changed: float


@dataclass(frozen=True)
class Talk:
    """Communication of a generation: the system it ends with, how it went, and the contest if there was one."""

    system: NumeralSystem
    communication: evolution.Communication
    curve: np.ndarray | None = None
    contest: Contest | None = None


@dataclass(frozen=True)
class Company:
    """Those who talk: all pairs, each with its system."""

    population: Population
    systems: Sequence[NumeralSystem]
    newest: int

    @property
    def newcomers(self) -> Agents:
        return self.population.pairs[self.newest]


def first_company(
    system: NumeralSystem, options: GenerationOptions, agents_rng: np.random.Generator, game_rng: np.random.Generator,
    progress: Progress,
) -> tuple[Company, Talk]:  # fmt: skip
    """First agents, who have no parents, agree on messages by talking, each pair as long as one alone would."""
    pairs = [Agents.random(options.game, agents_rng) for _ in range(options.population)]
    company = Company(Population(pairs), [system] * len(pairs), 0)
    steps = options.pretraining * len(pairs)
    round_ = _converse(company, [system], options, steps, game_rng, progress)
    told = communication(round_, None, company.newcomers, said(system, options.talk), options.talk)
    return company, Talk(system, told, round_.curve())


def learn(
    parents: Agents, child: Agents, system: NumeralSystem, counts: np.ndarray, options: GenerationOptions,
    rng: np.random.Generator, progress: Progress,
) -> None:  # fmt: skip
    """Let new agents imitate their parents: each number so often as it was heard, in the parents' system."""
    if not options.imitation or not counts.sum():
        return
    numbers = np.repeat(np.arange(1, len(counts) + 1), counts).tolist()
    shown = demonstrate(parents, said(system, options.talk), numbers, rng, options.teach == "greedy")
    imitate(child, shown, options.game, options.imitation, rng, counted(progress, options.imitation + options.steps))


def look(
    parents: Agents, child: Agents, before: NumeralSystem, after: NumeralSystem, counts: np.ndarray,
    options: GenerationOptions,
) -> Learnt:  # fmt: skip
    """How well new agents understand each other with what they know, and how far they speak as their parents do."""
    need, known = evolution.game_need(options.talk), best(child, said(after, options.talk))
    won = known.heard.argmax(-1) == np.arange(need.size)
    unheard = counts == 0
    rest = float(need[unheard].sum())
    theirs, mine = (best(each, said(before, options.talk)) for each in (parents, child))
    same = np.array([_alike(theirs, mine, row) for row in range(need.size)])
    return Learnt(float(need @ won), float(need[unheard] @ won[unheard]) / rest if rest else None, float(need @ same))


def talk(
    company: Company, known: NumeralSystem, invented: NumeralSystem, options: GenerationOptions,
    rng: np.random.Generator, progress: Progress,
) -> Talk:  # fmt: skip
    """Let agents talk; where there is a contest, with the lexicon that new ones know and with an invented word."""
    if options.steps == 0:
        return Talk(invented, {})

    def later(done: int, steps: int) -> None:
        progress(options.imitation + done, options.imitation + steps)

    if options.contest != "none" and invented != known:
        return _contest(company.newcomers, known, invented, options, rng, later)
    round_ = _converse(company, [invented], options, options.steps, rng, later)
    told = communication(round_, None, company.newcomers, said(invented, options.talk), options.talk)
    return Talk(invented, told, round_.curve())


def similarity(agents: Agents, system: NumeralSystem, options: GenerationOptions) -> float | None:
    """The topographic similarity of expressions and likeliest messages; none where all of either are equally far."""
    words = said(system, options.talk)
    found = best(agents, words)
    rows = zip(found.messages.tolist(), found.lengths.tolist(), strict=True)
    messages = [tuple(map(str, message[:length])) for message, length in rows]
    value = topographic_similarity([tuple(words[number]) for number in sorted(words)], messages)
    return None if np.isnan(value) else value


def _converse(
    company: Company, systems: list[NumeralSystem], options: GenerationOptions, steps: int, rng: np.random.Generator,
    progress: Progress,
) -> Round:  # fmt: skip
    """A pair that is alone talks as in evolution, with these systems; several meet, each speaker with its own."""
    pairs = company.population.pairs
    arms = [said(system, options.talk) for system in (systems if len(pairs) == 1 else company.systems)]
    if len(pairs) == 1:
        return evolution.converse(pairs[0], arms, options.talk, steps, rng, counted(progress, steps))
    need, game = evolution.game_need(options.talk), options.game
    return mingle(company.population, arms, need, game, steps, rng, counted(progress, steps))


def _contest(
    agents: Agents, known: NumeralSystem, invented: NumeralSystem, options: GenerationOptions, rng: np.random.Generator,
    progress: Progress,
) -> Talk:  # fmt: skip
    """Keep the invented word if it scores higher; a tie keeps what was known."""
    talking = options.talk
    arms = said(known, talking), said(invented, talking)
    round_, practised = evolution.compete(agents, arms, talking, rng, progress)
    scores = evolution.JUDGES[options.judge].scores(round_)
    accepted = bool(scores[1] > scores[0])
    delta = evolution.change_of_average(known, invented, talking)
    changed = evolution.share_changed(*arms, evolution.game_need(talking))
    practice = None if options.contest == "bandit" else practised
    told = communication(round_, scores, agents, arms[accepted], talking, practice)
    contest = Contest(known, invented, accepted, delta, changed)
    return Talk(invented if accepted else known, told, round_.curve(), contest)


def _alike(one: Best, other: Best, row: int) -> bool:
    """Whether two pairs have the same likeliest message for a number of equal expressions."""
    length = int(one.lengths[row])
    return one.messages[row, :length].tolist() == other.messages[row, :length].tolist()
