"""What determines a run of a system that may become any kind: one frozen record, each field with its help sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from ishango.errors import require
from ishango.evolution import JUDGES, LEARNERS
from ishango.evolution.choosers import LATE, MEAN, NEW
from ishango.evolution.options import JudgeName, Learn
from ishango.game import GameOptions
from ishango.kinds.law import WEBER, ErrorName, Law, check_rise, risen
from ishango.kinds.system import OpenSystem
from ishango.lab import config_of
from ishango.lab.protocol import Streams
from ishango.numerals import MODIFIED
from ishango.numerals.need import GrammarChoice, NeedSpec
from ishango.options import UpTo, check_choice

MOST = 10**9
"""Rounds and steps that anybody can mean."""
CHOOSE: tuple[str, ...] = ("bandit", "coin", "law")


@dataclass(frozen=True)
class SocietyOptions:
    """Algorithm 1 for systems of every kind: they need not cover the range, nor have multipliers."""

    start: str = "1,2"
    """The first system: its digits, and its multipliers if it has any, as in 1-9 | 10."""
    rounds: int = 100
    """Rounds."""
    seed: int = 0
    """Seed of all random numbers."""
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    choose: Literal["bandit", "coin", "law"] = "bandit"
    """Who decides: agents talk, and what is worth more to them is kept; a coin; or the law itself, for agents who
    understand everything."""
    steps: int = 1_000
    """Steps of communication a round."""
    learners: Learn = NEW.name
    """Who plays a round."""
    judge: JudgeName = MEAN.name
    """What a system is worth after a round."""
    arms: Literal["bandit", "even"] = "even"
    """How the two systems take turns."""
    precision: float = 1.0
    """What an error of 1 costs, in rewards; a guess is worth exp(-precision x error)."""
    precision_to: float | None = None
    """The precision at the end of a rise or fall, if there is one."""
    precision_rounds: int = 60
    """How many rounds that takes; it goes on evenly over the logarithm."""
    word: float = 0.002
    """What a word of the lexicon costs, in rewards; game.effort is what a further symbol costs."""
    error: ErrorName = WEBER.name
    """How an error is measured."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    grammar: GrammarChoice = MODIFIED.name
    """The meta-grammar."""
    game: GameOptions = field(default_factory=lambda: GameOptions(effort=0.05))
    """The signalling game; its range is that of the numbers that are said, and of the words."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", str(self.start).strip())  # plans may give it as an integer
        for name, least in (("rounds", 0), ("seed", 0), ("steps", 1), ("precision_rounds", 1)):
            require(least <= getattr(self, name) <= MOST, name, getattr(self, name), f"between {least} and {MOST:,}")
        check_rise(self.precision, self.precision_to)
        require(self.streams in ("run", "seed"), "streams", self.streams, "run or seed")
        require(self.choose in CHOOSE, "choose", self.choose, " or ".join(CHOOSE))
        require(self.arms in ("bandit", "even"), "arms", self.arms, "bandit or even")
        check_choice(LEARNERS, "learners", self.learners)
        check_choice(JUDGES, "judge", self.judge)
        object.__setattr__(self, "grammar", self.law(0).grammar)  # the law refuses what is wrong with the rest
        self._check_game()
        last = max((0, *(words := self.first).digits, *words.multipliers))
        require(last <= self.game.upto, "the word", last, f"inside the game range, 1 to {self.game.upto}")

    def _check_game(self) -> None:
        """Refuse options of the game that nobody asks here."""
        unasked = {"reward": "a guess is worth exp(-precision x error)"}
        if self.arms == "even":
            unasked["epsilon"] = "no bandit chooses"
            if self.judge in (MEAN.name, LATE.name):
                unasked["alpha"] = "there is no bandit"
        for name, why in unasked.items():
            value, usual = getattr(self.game, name), getattr(GameOptions, name)
            require(value == usual, f"game.{name}", value, f"{usual}: {why}")

    @property
    def first(self) -> OpenSystem:
        """The first system."""
        return OpenSystem.parse(self.start, self.grammar)

    def law(self, number: int) -> Law:
        """The law in a round; extending a run changes nothing in rounds that were."""
        precision = risen(self.precision, self.precision_to, self.precision_rounds, number)
        return Law(precision, self.word, self.game.effort, self.error, self.need, self.game.upto, self.grammar)

    def to_config(self) -> dict[str, Any]:
        """All fields as JSON."""
        return config_of(self)


# What determines a run of generations that may lose numbers: one frozen record, each field with its help sentence.

MOST_INVENTED = 100
EVERYTHING = "all"
"""The bottleneck through which every number goes."""
LOSE: tuple[str, ...] = ("unheard", "random")
COIN: tuple[str, ...] = ("loss", "uniform")


@dataclass(frozen=True)
class OpenGenerationOptions:
    """Systems of every kind that are passed on: a generation knows the words it heard, whether they suffice or not."""

    start: str = "1,2"
    """The first system: its digits, and its multipliers if it has any, as in 1-9 | 10."""
    rounds: int = 150
    """Generations."""
    seed: int = 0
    """Seed of all random numbers."""
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    bottleneck: str = "200"
    """How many numbers a generation hears its parents say, drawn by need; or all: every number once."""
    lose: Literal["unheard", "random"] = "unheard"
    """Which words are lost: those that are not heard, or, as a control, words drawn uniformly, as many on average as
    are coined."""
    invent: float = 0.5
    """How many words a generation coins, on average."""
    multiplier_share: float = 0.2
    """The share of multipliers among the words coined."""
    coin: Literal["loss", "uniform"] = "loss"
    """For which number a word is coined: with probability proportional to its need times what saying it costs beyond
    one symbol, in effort and in error, or, as a control, for each number alike."""
    precision: float = 10.0
    """What an error of 1 costs."""
    precision_to: float | None = None
    """The precision at the end of a rise or fall, if there is one."""
    precision_rounds: int = 60
    """How many generations that takes; it goes on evenly over the logarithm."""
    word: float = 0.03
    """What a word of the lexicon costs, in the record alone: what makes words dear to generations is the bottleneck."""
    effort: float = 1.0
    """What a symbol of an expression costs."""
    error: ErrorName = WEBER.name
    """How an error is measured."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    upto: UpTo = 50
    """The largest number, and the largest word."""
    grammar: GrammarChoice = MODIFIED.name
    """The meta-grammar."""

    def __post_init__(self) -> None:
        for name in ("start", "bottleneck"):  # plans may give these as integers
            object.__setattr__(self, name, str(getattr(self, name)).strip())
        is_number = re.fullmatch("[0-9]{1,10}", self.bottleneck) is not None and 1 <= int(self.bottleneck) <= MOST
        asked = f"between 1 and {MOST:,}, or {EVERYTHING}"
        require(self.bottleneck == EVERYTHING or is_number, "bottleneck", self.bottleneck, asked)
        for name, least in (("rounds", 0), ("seed", 0), ("precision_rounds", 1)):
            require(least <= getattr(self, name) <= MOST, name, getattr(self, name), f"between {least} and {MOST:,}")
        require(0 <= self.invent <= MOST_INVENTED, "invent", self.invent, f"between 0 and {MOST_INVENTED}")
        require(0 <= self.multiplier_share <= 1, "multiplier_share", self.multiplier_share, "between 0 and 1")
        require(self.lose in LOSE, "lose", self.lose, " or ".join(LOSE))
        require(self.coin in COIN, "coin", self.coin, " or ".join(COIN))
        check_rise(self.precision, self.precision_to)
        require(self.streams in ("run", "seed"), "streams", self.streams, "run or seed")
        object.__setattr__(self, "grammar", self.law(0).grammar)  # the law refuses what is wrong with the rest
        last = max((0, *(words := self.first).digits, *words.multipliers))
        require(last <= self.upto, "the word", last, f"inside the range, 1 to {self.upto}")

    @property
    def first(self) -> OpenSystem:
        """The first system."""
        return OpenSystem.parse(self.start, self.grammar)

    @property
    def examples(self) -> int | None:
        """How many numbers a generation hears; None where it is every number once."""
        return None if self.bottleneck == EVERYTHING else int(self.bottleneck)

    def law(self, number: int) -> Law:
        """The law of a generation; extending a run changes nothing in those that were."""
        precision = risen(self.precision, self.precision_to, self.precision_rounds, number)
        return Law(precision, self.word, self.effort, self.error, self.need, self.upto, self.grammar)

    def to_config(self) -> dict[str, Any]:
        """All fields as JSON."""
        return config_of(self)
