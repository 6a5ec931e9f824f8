"""What determines a run of generations: one frozen record, each field with its help sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from ishango.errors import RequestError, require
from ishango.evolution import Contest, EvolutionOptions, JudgeName, Q, idle_in_contests
from ishango.game import GameOptions
from ishango.lab import Idle, Streams
from ishango.numerals import MODIFIED, GrammarChoice, Need, NeedSpec, Notation, as_grammar, check_range, with_bar
from ishango.registry import ALL, MOST, Between, Count, CountOrAll, Positive, Seed, Share, UpTo, check_fields

MOST_SHOWN = 100_000
"""Examples that agents can be shown: each is a message in memory."""

_IN_CONTESTS = ("practice", "criterion", "judge", "arms", "game.alpha", "game.epsilon")
_OF_AGENTS = (
    "imitation", "steps", "pretraining", "teach", "contest", "notation", *_IN_CONTESTS[:4], *GameOptions.names("range"),
)  # fmt: skip
"""Options that only neural agents read."""


@dataclass(frozen=True)
class GenerationOptions:
    """Languages that are passed on: each generation learns from its parents, and may invent words."""

    start: str = "1"
    """The starting system: 1 to 8 for the paper's, random:SEED, or digits and multipliers as in "1-9,11 | 10"."""
    grammar: GrammarChoice = MODIFIED.name
    """The meta-grammar."""
    rounds: Count = 80
    """Generations."""
    seed: Seed = 0
    """Seed of all random numbers."""
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    agents: Literal["ideal", "neural"] = "ideal"
    """Who learns: ideal learners, who need nothing but to hear a word, or pairs of agents, who have to learn messages
    for expressions, too."""
    population: Annotated[int, Between(1, 100)] = 1
    """Pairs that live at the same time, each with its own lexicon. In each generation the oldest is replaced by a new
    one, which learns from another at random; neural pairs then all talk with one another. 1 is a chain."""
    bottleneck: CountOrAll = "200"
    """How many numbers a generation hears its parents say, drawn by need; or all: every number once."""
    say: Literal["minimal", "any"] = "minimal"
    """What parents say: a number's shortest expression (the first of them), or, as a control, any expression with up to
    two words more than it needs."""
    lose: Literal["unheard", "random"] = "unheard"
    """Which words are lost: those that are not heard, or, as a control, words drawn uniformly from those that can be
    spared, as many on average as are invented; then hearing plays no part."""
    invent: Annotated[float, Between(0, 100)] = 0.5
    """How many words a generation invents, on average."""
    multiplier_share: Share = 0.2
    """The share of multipliers among the words invented."""
    coin: Literal["need", "uniform"] = "need"
    """For which number a word is invented: with probability proportional to its need times its length less 1, or, as a
    control, for each number alike."""
    body: Annotated[float, Between(1e-6, MOST)] = 1.0
    """How much likelier a word for 5, 10 or 20 is invented, which hands and feet count; 1 favours none."""
    imitation: Count = 1_000
    """Neural: steps in which new agents imitate what their parents show them."""
    steps: Count = 500
    """Neural: steps of communication after that, of the new agents among themselves; in a population, of a random
    speaker with a random listener each."""
    pretraining: Positive = 5_000
    """Neural: steps of communication of the first pairs, each, since they have no parents to learn from."""
    teach: Literal["sampled", "greedy"] = "sampled"
    """Neural: whether parents' messages are drawn as they would say them, or are their likeliest ones."""
    contest: Literal["none", "bandit", "practised", "criterion"] = "none"
    """Neural: whether a word that is invented is simply kept, or has to be better understood than the lexicon without
    it, as in Algorithm 1: at once, after both have been practised, or after both have been learnt to a criterion."""
    practice: Annotated[int | None, Between(1, MOST)] = None
    """Neural, in a contest: steps for which each lexicon is practised before either counts, or at most, to criterion;
    none means as many as there are steps of communication."""
    criterion: Share = 0.95
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
        object.__setattr__(self, "start", with_bar(str(self.start)))  # plans may give it as an integer
        object.__setattr__(self, "bottleneck", str(self.bottleneck).strip())  # and this
        object.__setattr__(self, "grammar", as_grammar(self.grammar).name)
        check_fields(self)
        check_range(self.upto)
        for upto in (self.game.upto, self.upto):
            Need.parse(self.need).weights(upto)
        require(self.game.upto <= self.upto, "the game range", self.game.upto, f"at most the range, {self.upto}")
        if self.contest != "none" and (self.agents != "neural" or self.steps == 0):
            raise RequestError("Only agents who communicate can hold a contest; use agents neural and some steps.")
        if self.contest != "none" and self.population > 1:
            raise RequestError("A contest is held by a single pair; leave out contest, or use a population of 1.")
        if self.agents == "neural" and self.say != "minimal":
            raise RequestError("Agents are shown the shortest expressions; leave out say, or use agents ideal.")
        if self.agents == "neural" and (self.examples or 0) > MOST_SHOWN:
            raise RequestError(f"Agents can be shown at most {MOST_SHOWN:,} numbers; use a smaller bottleneck.")

    def idle(self) -> Idle:
        random, ideal = self.lose == "random", self.agents == "ideal"
        if random and ideal:
            yield "words are lost at random, and hearing plays no part", ("bottleneck", "say")
        if not self.invent:
            yield "no word is invented", ("multiplier_share", "coin", "body", "contest", *_IN_CONTESTS)
        if ideal:
            yield "ideal learners do not talk", _OF_AGENTS
            return
        if self.contest == "none":
            yield "there is no contest", _IN_CONTESTS
        if not self.imitation:
            yield "nobody imitates", ("teach",)
        yield from idle_in_contests(self.direct_contest, self.arms, self.game)

    @property
    def examples(self) -> int | None:
        """How many numbers a generation hears; None where it is every number once."""
        return None if self.bottleneck == ALL else int(self.bottleneck)

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


OTHER_NAMES = {"generations": "rounds"}
"""A round of the lab is a generation, and may be called so."""
