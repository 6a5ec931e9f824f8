"""What determines runs of systems that may become any kind, and what their rounds record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from ishango import evolution
from ishango.errors import require
from ishango.frontiers import measure
from ishango.game import GameOptions
from ishango.kinds._law import GREATEST, WEBER, ErrorName, Law, OpenSystem, check_rise, costs, kind_of, risen
from ishango.lab import About, Idle, Streams
from ishango.numerals import DEFAULT_GRAMMAR, GrammarChoice, NeedSpec, NumeralSystem, with_bar
from ishango.registry import ALL, Between, Count, CountOrAll, Positive, Seed, Share, UpTo, check_fields

_Precision = Annotated[float, Between(0, GREATEST)]


@dataclass(frozen=True)
class SocietyOptions:
    """Algorithm 1 for systems of every kind: they need not cover the range, nor have multipliers."""

    start: str = "1,2"
    """The starting system: digits, and multipliers if it has any, as in "1-9,11 | 10"."""
    rounds: Count = 100
    """Rounds."""
    seed: Seed = 0
    """Seed of all random numbers."""
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    choose: evolution.Choose = evolution.COMMUNICATION.name
    """Who decides; law is what systems are worth to agents who understand everything."""
    steps: Positive = 1_000
    """Steps of communication a round."""
    learners: evolution.Learn = evolution.NEW.name
    """Who plays a round."""
    judge: evolution.JudgeName = evolution.MEAN.name
    """What a system is worth after a round."""
    arms: Literal["bandit", "even"] = "even"
    """How the two systems take turns."""
    precision: _Precision = 1.0
    """What an error of 1 costs, in rewards; a guess is worth exp(-precision x error)."""
    precision_to: Annotated[float | None, Between(0, GREATEST)] = None
    """The precision at the end of a rise or fall, if there is one."""
    precision_rounds: Positive = 60
    """How many rounds that takes; it goes on evenly over the logarithm."""
    word: float = 0.002
    """What a word of the lexicon costs, in rewards; game.effort is what a further symbol costs."""
    judge_noise: float = 0.0
    """Where the costs alone decide: the standard deviation of what blurs their comparison, in rewards."""
    keep: Share = 0.5
    """Where the biased coin decides: the probability that an alternative is kept."""
    error: ErrorName = WEBER.name
    """How an error is measured."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    grammar: GrammarChoice = DEFAULT_GRAMMAR.name
    """The meta-grammar."""
    game: GameOptions = field(default_factory=lambda: GameOptions(effort=0.05))
    """The signalling game; its range is that of the numbers that are said, and of the words."""

    def __post_init__(self) -> None:
        require(
            self.choose != evolution.NEARER.name, "choose", self.choose, "another: only what covers the range has a gap"
        )
        _settle(self, self.game.upto, "the game range")

    def idle(self) -> Idle:
        yield "a guess is worth exp(-precision x error)", ("game.reward",)
        if self.precision_to is None:
            yield "precision stays as it is", ("precision_rounds",)
        chooser = evolution.CHOOSERS[self.choose]
        yield (
            f"the chooser {evolution.CHOOSERS.called(self.choose)} does not ask for it",
            {"judge_noise", "keep"} - {*chooser.reads},
        )
        if not chooser.uses_agents:
            unasked = ("steps", "learners", "judge", "arms", *GameOptions.names("range", "effort"))
            yield f"no agents talk where the chooser is {self.choose}", {*unasked} - {*chooser.reads}
        elif self.arms == "even":
            estimates = ("game.alpha",) if self.judge in (evolution.MEAN.name, evolution.LATE.name) else ()
            yield "the systems take turns, and no bandit chooses", ("game.epsilon", *estimates)
        if not self.game.effort:
            yield "no symbol costs effort", ("game.effort_in",)

    @property
    def first(self) -> OpenSystem:
        return OpenSystem.parse(self.start, self.grammar)

    @property
    def talk(self) -> evolution.EvolutionOptions:
        """How agents talk, as evolution has it; they are not trained before the first round."""
        return evolution.EvolutionOptions(
            grammar=self.grammar, steps=self.steps, pretraining=0, learners=self.learners, judge=self.judge,
            arms=self.arms, word=self.word, judge_noise=self.judge_noise, keep=self.keep, need=self.need,
            upto=self.game.upto, game=self.game,
        )  # fmt: skip

    def law(self, number: int) -> Law:
        """The law in a round; extending a run changes nothing in rounds that were."""
        precision = risen(self.precision, self.precision_to, self.precision_rounds, number)
        return Law(precision, self.word, self.game.effort, self.error, self.need, self.game.upto, self.grammar)


@dataclass(frozen=True)
class OpenGenerationOptions:
    """Systems of every kind that are passed on: a generation knows the words it heard, whether they suffice or not."""

    start: str = "1,2"
    """The starting system: digits, and multipliers if it has any, as in "1-9,11 | 10"."""
    rounds: Count = 150
    """Generations."""
    seed: Seed = 0
    """Seed of all random numbers."""
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    bottleneck: CountOrAll = "200"
    """How many numbers a generation hears its parents say, drawn by need; or all: every number once."""
    lose: Literal["unheard", "random"] = "unheard"
    """Which words are lost: those that are not heard, or, as a control, words drawn uniformly, as many on average as
    are invented."""
    invent: Annotated[float, Between(0, 100)] = 0.5
    """How many words a generation invents, on average."""
    multiplier_share: Share = 0.2
    """The share of multipliers among the words invented."""
    coin: Literal["loss", "uniform"] = "loss"
    """For which number a word is invented: with probability proportional to its need times what saying it costs beyond
    one symbol, in effort and in error, or, as a control, for each number alike."""
    precision: _Precision = 10.0
    """What an error of 1 costs."""
    precision_to: Annotated[float | None, Between(0, GREATEST)] = None
    """The precision at the end of a rise or fall, if there is one."""
    precision_rounds: Positive = 60
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
    grammar: GrammarChoice = DEFAULT_GRAMMAR.name
    """The meta-grammar."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bottleneck", str(self.bottleneck).strip())  # plans may give it as an integer
        _settle(self, self.upto, "the range")

    def idle(self) -> Idle:
        if self.precision_to is None:
            yield "precision stays as it is", ("precision_rounds",)
        if self.lose == "random":
            yield "words are lost at random, and hearing plays no part", ("bottleneck",)
        if not self.invent:
            yield "no word is invented", ("multiplier_share", "coin")

    @property
    def first(self) -> OpenSystem:
        return OpenSystem.parse(self.start, self.grammar)

    @property
    def examples(self) -> int | None:
        """How many numbers a generation hears; None where it is every number once."""
        return None if self.bottleneck == ALL else int(self.bottleneck)

    def law(self, number: int) -> Law:
        """The law of a generation; extending a run changes nothing in those that were."""
        precision = risen(self.precision, self.precision_to, self.precision_rounds, number)
        return Law(precision, self.word, self.effort, self.error, self.need, self.upto, self.grammar)


def _settle(options: SocietyOptions | OpenGenerationOptions, upto: int, where: str) -> None:
    """Refuse what is not allowed in a field, and a first system with words outside the range."""
    object.__setattr__(options, "start", with_bar(str(options.start)))  # plans may give it as an integer
    check_fields(options)
    check_rise(options.precision, options.precision_to)
    object.__setattr__(options, "grammar", options.law(0).grammar)  # the law refuses what is wrong with the rest
    last = max((0, *(words := options.first).digits, *words.multipliers))
    require(last <= upto, "the word", last, f"inside {where}, 1 to {upto}")


@dataclass(frozen=True)
class OpenRecord:
    """A system under the law of its round; what was not measured is null."""

    round: Annotated[int, About("0 is the first system, before anything is decided or learnt")]
    digits: Annotated[list[int], About("the digits after the round")]
    multipliers: Annotated[list[int], About("the multipliers after the round; there may be none")]
    size: Annotated[int, About("|D| + |M|", "words")]
    kind: Annotated[str, About("approximate, exact restricted, partly recursive or recursive, by what is said")]
    exact_upto: Annotated[int, About("the numbers 1..k are said exactly")]
    precision: Annotated[float, About("what an error of 1 cost in the round")]
    cost: Annotated[float, About("the cost of the law: word x size + effort x E[length] + precision x E[error]")]
    length: Annotated[float, About("mean length of what is said", "symbols")]
    error: Annotated[float, About("mean error of what is said")]
    average_complexity: Annotated[
        float | None,
        About("average complexity of the shortest expressions; null where the range is not covered", "symbols"),
    ]
    gap: Annotated[
        float | None,
        About("that above the proved frontier of the size, where there is a multiplier, else null", "symbols"),
    ]


@dataclass(frozen=True)
class SocietyRecord(OpenRecord):
    """What a round of Algorithm 1 for systems of every kind leaves in `rounds.jsonl`."""

    action: Annotated[str | None, About("the change that was tried")]
    alternative: Annotated[str | None, About("what it led to")]
    accepted: Annotated[bool | None, About("whether the alternative was kept")]
    delta_size: Annotated[int | None, About("its change of size", "words")]
    delta_cost: Annotated[float | None, About("its change of the law's cost")]
    changed: Annotated[float | None, About("how new it is: need-weighted share of the range that it says otherwise")]
    scores: Annotated[list[float | None] | None, About("what the judge made of either system, words not counted")]
    accuracy: Annotated[float | None, About("share of games in which the very number was guessed")]
    numbers_understood: Annotated[
        int | None, About("numbers that are guessed if both agents take their likeliest symbols", "numbers")
    ]
    messages: Annotated[int | None, About("different messages for them", "messages")]
    seconds: Annotated[float, About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, About("how fast agents played")]


@dataclass(frozen=True)
class OpenGenerationRecord(OpenRecord):
    """What a generation that may lose numbers leaves in `rounds.jsonl`."""

    numbers_heard: Annotated[int | None, About("distinct numbers that were meant when parents spoke", "numbers")]
    words_heard: Annotated[int | None, About("words that it heard, each role of a word counting", "words")]
    words_lost: Annotated[int | None, About("words of its parents that it does not know", "words")]
    words_invented: Annotated[int | None, About("words that it invented", "words")]
    lost: Annotated[str | None, About("the words lost, D | M")]
    invented: Annotated[str | None, About("the words invented, D | M")]
    seconds: Annotated[float, About("how long the generation took", "seconds")]


def measured(number: int, system: OpenSystem, law: Law) -> dict[str, Any]:
    here, kind = costs(system, law), kind_of(system, law)
    average, gap = coverage(system, law)
    return {
        "round": number,
        "digits": list(system.digits),
        "multipliers": list(system.multipliers),
        "size": system.size,
        "kind": kind.name,
        "exact_upto": kind.exact_upto,
        "precision": law.precision,
        "cost": here.total,
        "length": here.length,
        "error": here.error,
        "average_complexity": average,
        "gap": gap,
    }


def coverage(system: OpenSystem, law: Law) -> tuple[float | None, float | None]:
    """Average complexity and gap over the law's range, null where it is not covered.

    >>> coverage(OpenSystem.parse("1,2"), Law()), coverage(OpenSystem.parse("1-50"), Law())
    ((None, None), (1.0, None))
    >>> coverage(OpenSystem.parse("1-9 | 10"), Law())[1]
    0.0
    """
    if not system.multipliers:
        return (1.0 if len(system.digits) == law.upto else None), None
    found = measure(NumeralSystem(system.digits, system.multipliers, system.grammar), law.need, law.upto)
    return found.average_complexity, found.gap
