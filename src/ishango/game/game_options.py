"""What a game is made of: one frozen record, each field with its help sentence."""

from dataclasses import dataclass
from typing import Any, Literal

from ishango.errors import require
from ishango.game.rewards import EXACT, REWARDS, RewardName
from ishango.options import UpTo, check_choice

LARGEST = {"range": 10_000, "vocabulary": 20_000, "embedding": 2_000, "hidden": 4_000, "batch": 50_000}
"""Sizes up to which agents fit a large machine's memory."""
GREATEST = {
    "learning_rate": 3e38,
    "effort": 1e15,
    "speaker_entropy": 1e15,
    "lost_entropy": 1e15,
    "listener_entropy": 1e15,
}
"""Agents compute in 32 bits, which have no greater numbers, nor the squares of gradients that are much larger."""


PAPER, ABLE = "paper", "able"
PRESETS: dict[str, dict[str, Any]] = {
    PAPER: {},
    ABLE: {"lost_entropy": 0.03},
}
"""Agents by name: those of the paper's letter, which is what defaults are, and those nearest to them who can talk."""


def game_presets() -> dict[str, dict[str, Any]]:
    """The presets as options of an experiment whose field `game` this is."""
    return {name: {f"game.{option}": value for option, value in each.items()} for name, each in PRESETS.items()}


@dataclass(frozen=True)
class GameOptions:
    """The signalling game: agents, learning, bandit. Defaults are the paper's; `(open)` marks what it leaves open.

    >>> GameOptions(hidden=25, reward="linear").batch
    32
    """

    upto: UpTo = 50
    """Numbers 1..RANGE are spoken about."""
    vocabulary: int | None = None
    """Symbols a message may use; none means one for each number and operator (open)."""
    embedding: int = 5
    """Size of the embedding of a token or symbol, in both agents."""
    hidden: int = 100
    """Size of the LSTM layer, in both agents."""
    batch: int = 32
    """Games in a step."""
    learning_rate: float = 0.002
    """Learning rate of both Adam optimisers."""
    reward: RewardName = EXACT.name
    """What a guess earns, given its distance from the number meant."""
    effort: float = 0.0
    """What every symbol of a message after its first costs the pair, in rewards."""
    effort_in: Literal["score", "reward"] = "score"
    """Where effort counts: only when systems are scored, or also in the rewards that agents learn from."""
    noise: float = 0.0
    """Probability that a symbol is heard as another one."""
    speaker_entropy: float = 0.0
    """Weight of the speaker's entropy, summed over the symbols of a message (open)."""
    lost_entropy: float = 0.0
    """Further weight of the speaker's entropy, in lost games only: where it is not understood it keeps trying other
    messages (open; a remedy for agents that get stuck)."""
    listener_entropy: float = 0.1
    """Weight of the listener's entropy (the paper has one but does not say how large: open)."""
    baseline: Literal["none", "mean"] = "none"
    """What is subtracted from a reward: nothing, or the mean reward of the round so far (open)."""
    alpha: float = 0.1
    """Learning rate of the bandit's Q-values."""
    epsilon: float = 0.2
    """Probability that the bandit takes the arm of higher Q; otherwise it takes the less used one."""

    def __post_init__(self) -> None:
        """Refuse sizes below one and numbers outside their interval."""
        sizes = {"range": self.upto, "embedding": self.embedding, "hidden": self.hidden, "batch": self.batch}
        for name, size in {**sizes, "vocabulary": self.symbols}.items():
            require(1 <= size <= LARGEST[name], name, size, f"between 1 and {LARGEST[name]:,}")
        for name, greatest in GREATEST.items():
            require(0 <= getattr(self, name) <= greatest, name, getattr(self, name), f"between 0 and {greatest:g}")
        for name in ("alpha", "epsilon", "noise"):
            require(0 <= getattr(self, name) <= 1, name, getattr(self, name), "between 0 and 1")
        check_choice(REWARDS, "reward", self.reward)
        require(self.baseline in ("none", "mean"), "baseline", self.baseline, "'none' or 'mean'")
        require(self.effort_in in ("score", "reward"), "effort_in", self.effort_in, "'score' or 'reward'")
        require(not self.noise or self.symbols > 1, "noise", self.noise, "0 where there is only one symbol")

    @property
    def felt_effort(self) -> float:
        """What a further symbol costs in the rewards that agents learn from."""
        return float(self.effort) if self.effort_in == "reward" else 0.0

    @property
    def scored_effort(self) -> float:
        """What it costs beside that, when a system is scored."""
        return float(self.effort) - self.felt_effort

    @property
    def tokens(self) -> int:
        """Tokens an expression may use: the numbers and three operators."""
        return self.upto + 3

    @property
    def symbols(self) -> int:
        """Symbols a message may use."""
        return self.tokens if self.vocabulary is None else self.vocabulary
