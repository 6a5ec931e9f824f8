"""What determines a run of agents that learn a restricted system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ishango.errors import require
from ishango.game import GameOptions
from ishango.game.rewards import RewardName
from ishango.lab import config_of, record_from_config
from ishango.numerals import Need
from ishango.numerals.numeral_options import NeedSpec
from ishango.options import UpTo
from ishango.restricted.measures import NEED, WEBER


@dataclass(frozen=True)
class LearningOptions(GameOptions):
    """Agents that learn words for numbers: the signalling game with one token in and one symbol out.

    Defaults that differ from those of the recursive game come from learning curves; docs/restricted.md shows them.
    """

    upto: UpTo = 20
    """Numbers 1..RANGE are spoken about."""
    vocabulary: int | None = 4
    """Words that agents may use; they may leave some unused."""
    reward: RewardName = "linear"
    """What a guess earns: exact (1 if it is right), or by its distance: linear, inverse or exponential."""
    need: NeedSpec = NEED
    """How often each number is needed, in the game and for costs."""
    weber: float = WEBER
    """The Weber fraction of approximate words."""
    rounds: int = 20
    """Rounds; after each the words are read off and recorded."""
    steps: int = 2_000
    """Steps of learning in a round."""
    seed: int = 0
    """Seed of all random numbers."""
    halving: int = 3
    """Rounds after which the weights of all entropies are halved, again and again; 0 keeps them as they are."""
    batch: int = 128
    """Games in a step."""
    learning_rate: float = 0.001
    """Learning rate of both Adam optimisers."""
    lost_entropy: float = 0.05
    """Further weight of the speaker's entropy, in games that were not guessed exactly."""
    baseline: Literal["none", "mean"] = "mean"
    """What is subtracted from a reward: nothing, or the mean reward of the round so far."""
    # There is no bandit here: one way to say a number, and nothing to choose.
    alpha: float = field(default=GameOptions.alpha, init=False)
    epsilon: float = field(default=GameOptions.epsilon, init=False)

    def __post_init__(self) -> None:
        """Refuse numbers outside their interval and names that are not known."""
        super().__post_init__()
        Need.parse(self.need).weights(self.upto)
        require(self.vocabulary is not None and self.vocabulary <= self.upto, "vocabulary", self.vocabulary,
                f"between 1 and the range, {self.upto}")  # fmt: skip
        require(0 < self.weber < float("inf"), "weber", self.weber, "above 0")
        require(self.rounds >= 0, "rounds", self.rounds, "0 or more")
        require(self.halving >= 0, "halving", self.halving, "0 or more")
        require(self.steps >= 1, "steps", self.steps, "at least 1")
        require(self.seed >= 0, "seed", self.seed, "0 or more")

    def in_round(self, number: int) -> LearningOptions:
        """The options of a round, from 1: entropies keep agents trying at first, and then let them settle."""
        share = 0.5 ** ((number - 1) / self.halving) if self.halving else 1.0
        names = ("speaker_entropy", "lost_entropy", "listener_entropy")
        return replace(self, **{name: share * getattr(self, name) for name in names})

    def to_config(self) -> dict[str, Any]:
        """All fields that can be chosen, as JSON."""
        return config_of(self)


def complete_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config with every field: what is not given takes its default, and what is not known is refused."""
    return options_from_config(config).to_config()


def options_from_config(config: Mapping[str, Any]) -> LearningOptions:
    """The options that a config, complete or not, stands for."""
    return record_from_config(LearningOptions, config)
