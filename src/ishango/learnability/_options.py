"""What determines a run of the experiment `learnability`: one frozen record, each field with its help sentence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from ishango.errors import RequestError, require
from ishango.game import KERNEL, GameOptions, find_players
from ishango.lab import Idle, Streams
from ishango.learnability._systems import Numerals, named_system
from ishango.numerals import MODIFIED, GrammarChoice, Need, NeedSpec, Notation, as_grammar, check_range, missing
from ishango.registry import MOST, Between, Count, Positive, Seed, check_fields

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
        """Refuse numbers outside their interval, names that are not known, and what would have no effect."""
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
        """Refuse options that the learner does not have."""
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
        """Options that nothing reads under the choices made here, and why."""
        if self.learner == "listener":
            yield "the listener is told the numbers, and nobody talks", GameOptions.names(*NETWORK)
        if self.learner == "imitation":
            yield "the pair is shown what to say, and nobody is rewarded", GameOptions.names(*NETWORK)
        yield "there is one system, and no bandit chooses", BANDIT
        if not self.game.felt_effort:
            yield "no symbol costs effort in the rewards", ("game.effort", "game.effort_in")


OTHER_NAMES = {name: f"game.{name}" for name in NETWORK}
"""Options of the networks may be given without the game's name: `range`, `hidden`."""
