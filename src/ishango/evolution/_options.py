"""What determines a run: one frozen record, each field with its help sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from ishango.errors import RequestError, require
from ishango.evolution._choosers import CHOOSERS, COMMUNICATION, JUDGES, LAW, LEARNERS, NEARER, NEW, SAME, Q
from ishango.evolution._modifications import ADD_RULES, LOWEST, MODIFICATIONS, PAPER_NAMES, parse_modifications
from ishango.frontiers import LARGEST_RANGE
from ishango.game import KERNEL, GameOptions, find_players
from ishango.lab import Idle, Streams
from ishango.numerals import MODIFIED, GrammarChoice, Need, NeedSpec, Notation, as_grammar, check_range, with_bar
from ishango.registry import MOST, Between, Count, OneOf, Positive, Seed, Share, UpTo, check_fields, explained

Choose = Annotated[str, OneOf(CHOOSERS), explained(CHOOSERS)]
"""The name of a chooser."""
Add = Annotated[str, OneOf(ADD_RULES), explained(ADD_RULES)]
"""The name of a rule for adding."""
Learn = Annotated[str, OneOf(LEARNERS), explained(LEARNERS)]
"""The name of a way of learning."""
JudgeName = Annotated[str, OneOf(JUDGES), explained(JUDGES)]
"""The name of a judge."""

Contest = Literal["bandit", "practised", "criterion"]

_OF_AGENTS = (
    "steps", "pretraining", "learners", "judge", "arms", "contest", "practice", "criterion", "players", "notation",
    "reset_optimiser", *GameOptions.names("range"),
)  # fmt: skip
"""Options that a chooser reads who lets agents talk, and another one only if it says so."""
_OF_CHOOSERS = ("word", "judge_noise", "keep")
"""Options that only those choosers read who say so."""
_ADDS_NOTHING = {"m2", "m3", "m4", "m5", "m7", "relabel"}
"""Modifications that add no free numeral."""


@dataclass(frozen=True)
class EvolutionOptions:
    """A run of Algorithm 1. Defaults are the paper's; `(open)` marks what it leaves open.

    >>> options = EvolutionOptions(start="7", rounds=20, choose="coin")
    >>> options.rounds, options.steps, options.game.hidden
    (20, 40000, 100)
    >>> EvolutionOptions(rounds=-1)
    Traceback (most recent call last):
    ishango.errors.FieldError: rounds is -1, but must be between 0 and 1,000,000,000.
    """

    start: str = "1"
    """The starting system: 1 to 8 for the paper's, random:SEED, or digits and multipliers as in "1-9,11 | 10"."""
    grammar: GrammarChoice = MODIFIED.name
    """The meta-grammar."""
    rounds: Count = 100
    """Rounds: modifications of the grammar, each followed by communication."""
    steps: Positive = 40_000
    """Steps of communication in a round."""
    pretraining: Annotated[int | None, Between(0, MOST)] = None
    """Steps of communication before the first round (by new pairs: before each round, with the current system); none
    means as many as in a round (open), and 0 for new pairs."""
    seed: Seed = 0
    """Seed of all random numbers."""
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    modifications: Annotated[str, explained(MODIFICATIONS)] = PAPER_NAMES
    """Which modifications there are: their names, with commas between them."""
    add: Add = LOWEST.name
    """Which free numeral m0 and m1 add (the paper's table, read literally, says the highest)."""
    body: Annotated[float, Between(1e-6, MOST)] = 1.0
    """Where numerals are drawn: how much likelier a new word is for 5, 10 or 20, which hands and feet count; 1 favours
    none."""
    choose: Choose = COMMUNICATION.name
    """Who decides whether an alternative is kept."""
    learners: Learn = SAME.name
    """Who plays a round."""
    judge: JudgeName = Q.name
    """What a system is worth after a round of communication."""
    arms: Literal["bandit", "even"] = "bandit"
    """How the two systems of a round take turns: as the paper's bandit chooses, or one after the other, so that both
    are known equally well."""
    contest: Contest = "bandit"
    """When the two systems of a round begin to count: at once, as in the paper; after both have been practised; or
    after both have been learnt to the same criterion."""
    practice: Annotated[int | None, Between(1, MOST)] = None
    """Steps for which each system is practised before either counts, or at most, to criterion; none means as many as in
    a round."""
    criterion: Share = 0.95
    """To criterion: the share of games that both systems must win before either counts."""
    word: Annotated[float, Between(0)] = 0.0
    """What a word of the lexicon costs when two systems are compared, in rewards."""
    judge_noise: Annotated[float, Between(0)] = 0.0
    """Where the costs alone decide: the standard deviation of what blurs their comparison, in rewards."""
    keep: Share = 0.5
    """Where the biased coin decides: the probability that an alternative is kept."""
    players: str = KERNEL
    """Who plays the game. kernel: the paper's agents, compiled: the fastest; torch: PyTorch modules, the paper's;
    torch:MODULE:MAKE: the speaker and listener that a function of your own makes from the game's options (slower; needs
    the extra torch)."""
    notation: Notation = "infix"
    """How expressions are written for the speaker (open)."""
    reset_optimiser: bool = False
    """Forget Adam's moments at the start of each round (open)."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    eval_need: str | None = None
    """The need for evaluating systems; none means the same as for playing."""
    upto: UpTo = 99
    """Systems are evaluated on the numbers from 1 to this one."""
    game: GameOptions = field(default_factory=GameOptions)
    """The signalling game."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", with_bar(str(self.start)))  # plans may give the paper's starts as integers
        object.__setattr__(self, "grammar", as_grammar(self.grammar).name)
        check_fields(self)
        check_range(self.upto)
        Need.parse(self.need).weights(self.game.upto)
        Need.parse(self.eval_need or self.need).weights(self.upto)
        find_players(self.players)
        require(self.game.upto <= self.upto, "the game range", self.game.upto, f"at most the range, {self.upto}")
        if self.choose == NEARER.name and self.upto > LARGEST_RANGE:
            raise RequestError(
                f"Which of two systems lies nearer the frontier is known up to the range {LARGEST_RANGE:,}, not"
                f" {self.upto:,}; choose shorter, which needs no frontier."
            )
        if self.choose == LAW.name and not self.word and not self.game.effort:
            raise RequestError("The costs alone cannot decide where nothing costs; set word or game.effort.")
        named = parse_modifications(self.modifications)
        object.__setattr__(self, "modifications", ",".join(each.name for each in named))  # without spaces

    def idle(self) -> Idle:
        chooser, names = CHOOSERS[self.choose], {each.name for each in parse_modifications(self.modifications)}
        if not chooser.modifies:
            yield "nothing is modified", ("modifications", "add", "body")
        elif not ADD_RULES[self.add].draws:
            yield f"the rule {self.add} draws no numeral", ("body",)
            if names <= _ADDS_NOTHING:
                yield "no modification adds a numeral", ("add",)
        elif names <= _ADDS_NOTHING and not ADD_RULES[self.add].more:
            yield "no modification adds a numeral", ("body",)
        yield f"the chooser {CHOOSERS.called(self.choose)} does not ask for it", {*_OF_CHOOSERS} - {*chooser.reads}
        if not chooser.uses_agents:
            yield (
                f"no agents talk where the chooser is {CHOOSERS.called(self.choose)}",
                {*_OF_AGENTS} - {*chooser.reads},
            )
            return
        if self.learners == NEW.name and not self.pretraining:
            yield "a new pair has nothing to forget", ("reset_optimiser",)
        yield from idle_in_contests(self.contest, self.arms, self.game)


def idle_in_contests(contest: str, arms: str, game: GameOptions) -> Idle:
    """Options that nothing reads where two systems compete like this."""
    if contest == "bandit":
        yield "systems count at once, and nothing is practised", ("practice",)
    if contest != "criterion":
        yield "nothing is learnt to a criterion", ("criterion",)
    if arms == "even":
        yield "the systems take turns, and no bandit chooses", ("game.epsilon",)
    if not game.effort:
        yield "no symbol costs effort", ("game.effort_in",)
