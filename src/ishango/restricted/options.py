"""What determines a run of agents that learn a restricted system."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from ishango.errors import require
from ishango.game import GameOptions
from ishango.game.options import LINEAR
from ishango.lab import config_of
from ishango.lab.protocol import Streams
from ishango.numerals import Need
from ishango.numerals.need import NeedSpec
from ishango.options import OUTSIDE
from ishango.restricted.best_systems import check_frontier_range
from ishango.restricted.measures import GREATEST, LEAST, NEED, WEBER

BANDIT = ("alpha", "epsilon")
"""Options of the game that nobody asks here: there is one way to say a number, and nothing to choose."""

ENTROPIES = ("speaker_entropy", "lost_entropy", "listener_entropy")


def learning_game() -> GameOptions:
    """The game with defaults that come from learning curves; docs/restricted.md shows them."""
    return GameOptions(
        upto=20,
        vocabulary=4,
        reward=LINEAR.name,
        batch=128,
        learning_rate=0.001,
        lost_entropy=0.05,
        baseline="mean",
    )


@dataclass(frozen=True)
class LearningOptions:
    """Agents that learn words for numbers: the signalling game with one token in and one symbol out."""

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
    streams: Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    halving: int = 3
    """Rounds after which the weights of all entropies are halved, again and again; 0 keeps them as they are."""
    game: GameOptions = field(default_factory=learning_game)
    """The signalling game; its vocabulary is the words that agents may use, some of which they may leave unused."""

    def __post_init__(self) -> None:
        """Refuse numbers outside their interval and names that are not known."""
        game = self.game
        check_frontier_range(game.upto)
        Need.parse(self.need).weights(game.upto)
        require(game.vocabulary is not None and game.vocabulary <= game.upto, "vocabulary", game.vocabulary,
                f"between 1 and the range, {game.upto}")  # fmt: skip
        for name in BANDIT:
            usual = getattr(GameOptions, name)
            require(getattr(game, name) == usual, f"game.{name}", getattr(game, name), f"{usual}: there is no bandit")
        require(LEAST <= self.weber <= GREATEST, "weber", self.weber, f"between {LEAST:g} and {GREATEST:g}")
        require(0 <= self.rounds <= 10**9, "rounds", self.rounds, "between 0 and 1,000,000,000")
        require(self.halving >= 0, "halving", self.halving, "0 or more")
        require(1 <= self.steps <= 10**9, "steps", self.steps, "between 1 and 1,000,000,000")
        require(self.seed >= 0, "seed", self.seed, "0 or more")
        require(self.streams in ("run", "seed"), "streams", self.streams, "run or seed")

    def game_in_round(self, number: int) -> GameOptions:
        """The game of a round, from 1: entropies keep agents trying at first, and then let them settle."""
        share = 0.5 ** ((number - 1) / self.halving) if self.halving else 1.0
        return replace(self.game, **{name: share * getattr(self.game, name) for name in ENTROPIES})

    def to_config(self) -> dict[str, Any]:
        """All fields as JSON."""
        return config_of(self)


def _other_names() -> dict[str, str]:
    names = (OUTSIDE.get(each.name, each.name) for each in fields(GameOptions) if each.name not in BANDIT)
    return {name: f"game.{name}" for name in names}


OTHER_NAMES = _other_names()
"""Options of the game by the names that they had before there was `game`, which still do: `reward`, `vocabulary`."""
