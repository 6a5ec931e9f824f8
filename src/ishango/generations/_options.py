"""What determines a run of generations: one frozen record, each field with its help sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from ishango.errors import RequestError, require
from ishango.evolution import CONTESTS, JUDGES, Contest, EvolutionOptions, JudgeName, Q, check_contest
from ishango.game import GameOptions
from ishango.lab import Streams, config_of
from ishango.numerals import MODIFIED, GrammarChoice, Need, NeedSpec, Notation, as_grammar, check_range
from ishango.registry import UpTo, check_choice

MOST = 10**9
"""Generations and examples that anybody can mean."""
MOST_INVENTED = 100
EVERYTHING = "all"
"""The bottleneck through which every number goes."""

CHOICES: dict[str, tuple[str, ...]] = {
    "agents": ("ideal", "neural"),
    "say": ("minimal", "any"),
    "lose": ("unheard", "random"),
    "coin": ("need", "uniform"),
    "teach": ("sampled", "greedy"),
    "contest": ("none", *CONTESTS),
    "arms": ("bandit", "even"),
    "notation": ("infix", "prefix", "postfix"),
}
MOST_PAIRS = 100
MOST_SHOWN = 100_000
"""Examples that agents can be shown: each is a message in memory."""


@dataclass(frozen=True)
class GenerationOptions:
    """Languages that are passed on: each generation learns from its parents, and may coin words."""

    start: str = "1"
    """The first language: 1 to 8 for the paper's starts, random:SEED, or DIGITS | MULTIPLIERS."""
    grammar: GrammarChoice = MODIFIED.name
    """The meta-grammar."""
    rounds: int = 80
    """Generations."""
    seed: int = 0
    """Seed of all random numbers."""
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    agents: Literal["ideal", "neural"] = "ideal"
    """Who learns: ideal learners, who need nothing but to hear a word, or pairs of agents, who have to learn messages
    for expressions, too."""
    population: int = 1
    """Pairs that live at the same time, each with its own lexicon. In each generation the oldest is replaced by a new
    one, which learns from another at random; neural pairs then all talk with one another. 1 is a chain."""
    bottleneck: str = "200"
    """How many numbers a generation hears its parents say, drawn by need; or all: every number once."""
    say: Literal["minimal", "any"] = "minimal"
    """What parents say: a number's shortest expression (the first of them), or, as a control, any expression with up to
    two words more than it needs."""
    lose: Literal["unheard", "random"] = "unheard"
    """Which words are lost: those that are not heard, or, as a control, words drawn uniformly from those that can be
    spared, as many on average as are coined; then nobody needs to hear anything."""
    invent: float = 0.5
    """How many words a generation coins, on average."""
    multiplier_share: float = 0.2
    """The share of multipliers among the words coined."""
    coin: Literal["need", "uniform"] = "need"
    """For which number a word is coined: with probability proportional to its need times its length less 1, or, as a
    control, for each number alike."""
    body: float = 1.0
    """How much likelier than else a word for 5, 10 or 20 is coined: hands and feet count them. 1 favours none."""
    imitation: int = 1_000
    """Neural: steps in which new agents imitate what their parents show them."""
    steps: int = 500
    """Neural: steps of communication after that, of the new agents among themselves; in a population, of a random
    speaker with a random listener each."""
    pretraining: int = 5_000
    """Neural: steps of communication of the first pair, who have nobody to learn from; of several, for
    each pair."""
    teach: Literal["sampled", "greedy"] = "sampled"
    """Neural: whether parents' messages are drawn as they would say them, or are their likeliest ones."""
    contest: Literal["none", "bandit", "practised", "criterion"] = "none"
    """Neural: whether a word that is coined is simply there, or has to be better understood than the lexicon without
    it, as in Algorithm 1: at once, after both have been practised, or after both have been learnt to a criterion."""
    practice: int | None = None
    """Neural, in a contest: steps for which each lexicon is practised before either counts, or at most, to criterion;
    none means as many as there are steps of communication."""
    criterion: float = 0.95
    """Neural, in a contest to criterion: the share of games that both lexicons must win before either counts."""
    judge: JudgeName = Q.name
    """Neural, in a contest: what a lexicon is worth after communication."""
    arms: Literal["bandit", "even"] = "bandit"
    """Neural, in a contest: how the two lexicons take turns, as the paper's bandit chooses or one after the other."""
    notation: Notation = "infix"
    """Neural: how expressions are written for the speaker."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    upto: UpTo = 99
    """Systems are evaluated on the numbers from 1 to this one."""
    game: GameOptions = field(default_factory=GameOptions)
    """The signalling game; its range is that of the numbers that are said, and of the words."""

    def __post_init__(self) -> None:
        """Refuse numbers outside their interval and names that are not known."""
        for name in ("start", "bottleneck"):  # plans may give these as integers
            object.__setattr__(self, name, str(getattr(self, name)).strip())
        object.__setattr__(self, "grammar", as_grammar(self.grammar).name)
        check_range(self.upto)
        for upto in (self.game.upto, self.upto):
            Need.parse(self.need).weights(upto)
        require(0 <= self.rounds <= MOST, "rounds", self.rounds, f"between 0 and {MOST:,}")
        require(self.seed >= 0, "seed", self.seed, "0 or more")
        require(self.streams in ("run", "seed"), "streams", self.streams, "run or seed")
        require(self.game.upto <= self.upto, "the game range", self.game.upto, f"at most the range, {self.upto}")
        require(0 <= self.invent <= MOST_INVENTED, "invent", self.invent, f"between 0 and {MOST_INVENTED}")
        require(0 < self.body <= MOST, "body", self.body, f"above 0 and at most {MOST:,}")
        require(0 <= self.multiplier_share <= 1, "multiplier_share", self.multiplier_share, "between 0 and 1")
        require(1 <= self.population <= MOST_PAIRS, "population", self.population, f"between 1 and {MOST_PAIRS}")
        for name, choices in CHOICES.items():
            require(getattr(self, name) in choices, name, getattr(self, name), " or ".join(choices))
        for name, least in (("imitation", 0), ("steps", 0), ("pretraining", 1)):
            require(least <= getattr(self, name) <= MOST, name, getattr(self, name), f"between {least} and {MOST:,}")
        check_choice(JUDGES, "judge", self.judge)
        _check_bottleneck(self.bottleneck)
        self._check_combinations()

    def _check_combinations(self) -> None:
        """Refuse options that contradict one another."""
        if self.lose == "random" and self.say != "minimal":
            raise RequestError("Where words are lost at random nobody is heard; leave out say or lose.")
        check_contest(self.direct_contest, self.practice, self.criterion)
        if self.contest != "none" and (self.agents != "neural" or self.steps == 0):
            raise RequestError("Only agents who communicate can hold a contest; use agents neural and some steps.")
        if self.contest != "none" and self.population > 1:
            raise RequestError("A contest is held by a single pair; leave out contest, or use a population of 1.")
        if self.agents == "neural" and self.say != "minimal":
            raise RequestError("Agents are shown the shortest expressions; leave out say, or use agents ideal.")
        if self.agents == "neural" and (self.examples or 0) > MOST_SHOWN:
            raise RequestError(f"Agents can be shown at most {MOST_SHOWN:,} numbers; use a smaller bottleneck.")

    @property
    def examples(self) -> int | None:
        """How many numbers a generation hears; None where it is every number once."""
        return None if self.bottleneck == EVERYTHING else int(self.bottleneck)

    @property
    def talk(self) -> EvolutionOptions:
        """How agents talk, as evolution has it."""
        return EvolutionOptions(
            grammar=self.grammar, steps=max(1, self.steps), judge=self.judge, arms=self.arms,
            contest=self.direct_contest, practice=self.practice, criterion=self.criterion, notation=self.notation,
            need=self.need, upto=self.upto, game=self.game,
        )  # fmt: skip

    @property
    def direct_contest(self) -> Contest:
        """The contest as evolution has it, where there always is one."""
        return "bandit" if self.contest == "none" else self.contest

    def to_config(self) -> dict[str, Any]:
        """All fields as JSON."""
        return config_of(self)


def _check_bottleneck(text: str) -> None:
    is_number = re.fullmatch("[0-9]{1,10}", text) is not None and 1 <= int(text) <= MOST
    require(text == EVERYTHING or is_number, "bottleneck", text, f"between 1 and {MOST:,}, or {EVERYTHING}")


OTHER_NAMES = {"generations": "rounds"}
"""A round of the lab is a generation, and may be called so."""
