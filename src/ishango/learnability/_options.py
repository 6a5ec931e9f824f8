"""What determines a run of the experiment `learnability`, and what is taught: a system, or an irregular twin of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, NamedTuple

import numpy as np

from ishango.errors import RequestError, require
from ishango.game import KERNEL, GameOptions, find_players
from ishango.lab import Idle, Streams
from ishango.languages import find_language
from ishango.numerals import (
    MODIFIED,
    STARTS,
    Expression,
    GrammarChoice,
    GrammarName,
    MinimalLanguage,
    Need,
    NeedSpec,
    Notation,
    NumeralSystem,
    as_grammar,
    average_complexity,
    check_range,
    evaluate_many,
    minimal_language,
    missing,
)
from ishango.registry import MOST, Between, Count, Positive, Seed, check_fields

Numerals = Literal["shortest", "ties", "permuted"]

MOST_DRAWS = 50
"""How often a tied expression is drawn again because another number has its string."""


class Taught(NamedTuple):
    """The numerals that a learner hears."""

    said: Mapping[int, Expression]
    """The expression of each number."""
    tokens: Mapping[int, tuple[str, ...]]
    """The same as strings."""

    @property
    def homonyms(self) -> int:
        """How many numbers share their string with another one, so that nobody can tell them apart."""
        return sum(count for count in Counter(self.tokens.values()).values() if count > 1)


def named_system(text: str, grammar: GrammarName) -> NumeralSystem:
    """The system that a text names: DIGITS | MULTIPLIERS, 1 to 8 for the paper's starts, or a language.

    >>> str(named_system("7", "modified")), str(named_system("French", "modified"))
    ('1,4,12 | 9,25', '1-9 | 10,20')
    """
    if re.fullmatch("[1-8]", text):
        return STARTS[int(text) - 1].with_grammar(grammar)
    if "|" in text or not any(letter.isalpha() for letter in text.replace("none", "")):
        return NumeralSystem.parse(text, grammar)
    try:
        system = find_language(text).system_under(grammar)
    except RequestError as error:
        raise RequestError(f"{error} Or give DIGITS | MULTIPLIERS, or 1 to 8 for one of the paper's starts.") from error
    if system is None:
        raise RequestError(
            f"{text} has no digits and multipliers under the grammar {grammar}; choose another language."
        )
    return system


def taught(
    system: NumeralSystem, numerals: Numerals, upto: int, notation: Notation, rng: np.random.Generator
) -> Taught:
    """The numerals of a system, or of an irregular twin, which has the same words and the same length for each number.

    Args:
        system: digits and multipliers.
        numerals: the shortest expressions; or one drawn from each number's ties, all as short; or the shortest
            expressions dealt out anew among the composed numbers of equal length, so that parts mean nothing.
        upto: numbers from 1 to this one.
        notation: how expressions are written.
        rng: draws the twin.

    >>> rng = np.random.default_rng(0)
    >>> twin = taught(NumeralSystem.parse("1-9 | 10"), "permuted", 99, "infix", rng)
    >>> str(twin.said[7]), twin.said[21].complexity
    ('7', 5)
    """
    language = minimal_language(system, upto)
    if language.missing:
        raise RequestError(f"The system {system} has no expression for {language.missing[0]}, but 1-{upto} is taught.")
    if numerals == "ties":
        return _tied(language, notation, rng)
    # Infix strings have no brackets: where two numbers would share one, `tokens` takes another of the ties.
    tokens, said = language.tokens(notation), language.expressions
    if numerals == "permuted":
        deal = _deal({number: len(string) for number, string in tokens.items()}, rng)
        return Taught({n: said[deal[n]] for n in said}, {n: tokens[deal[n]] for n in tokens})
    return Taught(said, tokens)


def _tied(language: MinimalLanguage, notation: Notation, rng: np.random.Generator) -> Taught:
    """One of the ties of each number; strings that another number has are drawn again, as long as there is hope."""
    said, usual = language.sample(rng), language.tokens(notation)
    owners: dict[tuple[str, ...], int] = {}
    for number in said:
        for _ in range(MOST_DRAWS if language.ties(number) > 1 else 0):
            if said[number].tokens(notation) not in owners:
                break
            said[number] = language.sample(rng)[number]
        string = said[number].tokens(notation)
        owners.setdefault(usual[number] if string in owners else string, number)
    strings = {number: string for string, number in owners.items()}
    return Taught(said, {number: strings.get(number, usual[number]) for number in said})


def _deal(lengths: Mapping[int, int], rng: np.random.Generator) -> dict[int, int]:
    """Whose expression each number takes over: words keep their own, others exchange theirs within a length."""
    deal = {number: number for number in lengths}
    for length in sorted({*lengths.values()} - {1}):
        equal = [number for number in lengths if lengths[number] == length]
        deal |= dict(zip(equal, rng.permutation(equal).tolist(), strict=True))
    return deal


# Random systems beside which a system is held.

PROPOSALS, MOST_STEPS, MOST_RESTARTS, PATIENCE = 48, 60, 8, 6
"""Exchanges that are looked at together, how often, from how many random systems, and how often in vain."""


def random_covering(size: int, rng: np.random.Generator, grammar: GrammarName, upto: int) -> NumeralSystem | None:
    """A random system of a size that covers the range and has the digit 1; None if few do."""
    for _ in range(MOST_STEPS):
        drawn = [_random(size, rng, grammar, upto) for _ in range(PROPOSALS)]
        covering = np.flatnonzero(~np.isnan(evaluate_many(drawn, "uniform", upto)))
        if covering.size:
            return drawn[int(covering[0])]
    return None


def _random(size: int, rng: np.random.Generator, grammar: GrammarName, upto: int) -> NumeralSystem:
    multipliers = int(rng.integers(1, max(2, size // 2 + 1)))
    words = (1 + rng.permutation(np.arange(1, upto))[: size - 1]).tolist()
    return NumeralSystem((1, *words[multipliers:]), tuple(words[:multipliers]), grammar)


def matched(
    system: NumeralSystem, rng: np.random.Generator, need: str = "power:2", upto: int = 99, within: float = 0.03
) -> NumeralSystem | None:
    """A random system of the same size and nearly the same average length, or None if none is found.

    Words of a random system are exchanged one at a time, each time for the best of some random exchanges, until its
    average length is within a share of the given system's.

    >>> found = matched(NumeralSystem.parse("1-9 | 10"), np.random.default_rng(0))
    >>> found.size, abs(average_complexity(found) / average_complexity("1-9 | 10") - 1) < 0.03
    (10, True)
    """
    wanted = average_complexity(system, need, upto)
    if wanted is None:
        raise RequestError(f"The system {system} does not cover 1-{upto}.")
    weighing = Need.parse(need)
    for _ in range(MOST_RESTARTS):
        current, off, vain = random_covering(system.size, rng, system.grammar, upto), np.inf, 0
        if current is None:
            return None
        for _ in range(MOST_STEPS):
            if vain == PATIENCE:
                break
            others = [_exchanged(current, rng, upto) for _ in range(PROPOSALS)]
            distances = np.abs(evaluate_many(others, weighing, upto) - wanted)
            distances[np.isnan(distances)] = np.inf
            best = int(distances.argmin())
            vain += 1
            if distances[best] < off:
                current, off, vain = others[best], float(distances[best]), 0
            if off <= within * wanted and current != system:
                return current
    return None


def _exchanged(system: NumeralSystem, rng: np.random.Generator, upto: int) -> NumeralSystem:
    """The same with one word, not the digit 1, exchanged for a free one, which may have the other role."""
    digits, multipliers = list(system.digits[1:]), list(system.multipliers)
    free = np.setdiff1d(np.arange(2, upto + 1), system.words)
    if (rng.random() < 0.2 or not free.size) and (len(multipliers) > 1 or digits):
        return _moved(digits, multipliers, system.grammar, rng)
    if not free.size:
        return system
    place = int(rng.integers(len(digits) + len(multipliers)))
    sets, place = (digits, place) if place < len(digits) else (multipliers, place - len(digits))
    sets[place] = int(rng.choice(free))
    return NumeralSystem((1, *digits), tuple(multipliers), system.grammar)


def _moved(digits: list[int], multipliers: list[int], grammar: GrammarName, rng: np.random.Generator) -> NumeralSystem:
    """One word takes the other role; a multiplier always remains."""
    gives, takes = (multipliers, digits) if len(multipliers) > 1 and rng.random() < 0.5 else (digits, multipliers)
    if not gives:
        gives, takes = takes, gives
    takes.append(gives.pop(int(rng.integers(len(gives)))))
    return NumeralSystem((1, *digits), tuple(multipliers), grammar)


NETWORK = ("range", "embedding", "hidden", "batch", "learning_rate")
"""Options of the game that every learner has."""
BANDIT = ("game.alpha", "game.epsilon")
"""Options of the game that no learner has: there is one system and nothing to choose."""


def lesson_game() -> GameOptions:
    """The paper's agents, on the numbers on which systems are measured."""
    return GameOptions(upto=99)


@dataclass(frozen=True)
class LearnabilityOptions:
    """How fast a learner from scratch comes to understand one numeral system.

    >>> options = LearnabilityOptions(system="French", held_out=10, answers="line")
    >>> options.rounds * options.steps
    4000
    >>> LearnabilityOptions(held_out=-1)
    Traceback (most recent call last):
    ishango.errors.FieldError: held_out is -1, but must be between 0 and 98.
    """

    system: str = "1-9 | 10"
    """What is learned: DIGITS | MULTIPLIERS, a language, or 1 to 8 for the paper's starts."""
    grammar: GrammarChoice = MODIFIED.name
    """The meta-grammar."""
    numerals: Numerals = "shortest"
    """How its numbers are said: by the shortest expressions; by an irregular twin, with ties, one of the shortest drawn
    for each number; or with the shortest ones permuted among the composed numbers of equal length."""
    learner: Literal["listener", "pair", "imitation"] = "listener"
    """Who learns: a listener who hears expressions and is told the numbers; a pair who talk, by REINFORCE; or a pair
    who imitate a teacher who says each expression word by word."""
    answers: Literal["classes", "line"] = "classes"
    """How the listener answers: with one of RANGE classes, which know nothing of order; or with a point on the line of
    numbers, rounded."""
    labels: Literal["own", "shuffled"] = "own"
    """What the listener is told: the number or, as a control, one that is drawn anew: nothing can be learned."""
    need: NeedSpec = "power:2"
    """How often each number is an example."""
    test_need: NeedSpec = "uniform"
    """How much each number counts in the test."""
    examples: Annotated[int | None, Between(1, MOST)] = None
    """Examples that are drawn once and learned again and again; none means new ones in each step."""
    held_out: Count = 0
    """Composed numbers, drawn at random, that are never examples; the test counts them apart."""
    rounds: Count = 20
    """Tests, each after some steps."""
    steps: Positive = 200
    """Steps of learning before each test."""
    seed: Seed = 0
    """Seed of all random numbers."""
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    learners with one seed begin alike."""
    players: str = KERNEL
    """The learner's networks. kernel: the paper's, compiled; torch or torch:MODULE:MAKE: PyTorch modules."""
    notation: Notation = "infix"
    """How expressions are written."""
    game: GameOptions = field(default_factory=lesson_game)
    """The networks and, for pairs, the signalling game."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "grammar", as_grammar(self.grammar).name)
        system, upto = named_system(str(self.system), self.grammar), self.game.upto
        object.__setattr__(self, "system", str(system))  # a run does not depend on the table of languages
        require(check_range(upto) > 1, "the range", upto, "2 or more")
        if system.words[-1] > upto:
            raise RequestError(f"The system {system} has the word {system.words[-1]}, above the range, {upto}.")
        if gaps := missing(system, upto):
            raise RequestError(f"The system {system} has no expression for {gaps[0]}, but 1-{upto} is taught.")
        for need in (self.need, self.test_need):
            Need.parse(need).weights(upto)
        require(0 <= self.held_out < upto, "held_out", self.held_out, f"between 0 and {upto - 1}")
        check_fields(self)
        find_players(self.players)
        self._check_learner()

    def _check_learner(self) -> None:
        alone, kernel = self.learner == "listener", self.players == KERNEL
        if not alone and self.answers != "classes":
            raise RequestError("Only a listener that learns alone answers on the line; pairs answer with classes.")
        if not kernel and self.answers != "classes":
            raise RequestError(
                "Only the kernel's listener answers on the line; modules of PyTorch answer with classes."
            )
        if not alone and self.labels != "own":
            raise RequestError("Shuffled labels are a control for the listener alone; pairs are told nothing.")
        if not kernel and self.learner == "imitation":
            raise RequestError("Only the kernel's pairs learn by imitation; choose the learner listener or pair.")

    @property
    def played(self) -> GameOptions:
        """The game as the learner has it: only a pair that talks has symbols of its own."""
        return self.game if self.learner == "pair" else replace(self.game, vocabulary=None)

    def idle(self) -> Idle:
        if self.learner == "listener":
            yield "the listener is told the numbers, and nobody talks", GameOptions.names(*NETWORK)
        if self.learner == "imitation":
            yield "the pair is shown what to say, and nobody is rewarded", GameOptions.names(*NETWORK)
        yield "there is one system, and no bandit chooses", BANDIT
        if not self.game.felt_effort:
            yield "no symbol costs effort in the rewards", ("game.effort", "game.effort_in")


OTHER_NAMES = {name: f"game.{name}" for name in NETWORK}
"""Options of the networks may be given without the game's name: `range`, `hidden`."""
