"""Options of the game, rewards by name, expressions as tokens, and the round that is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ishango.errors import RequestError, require
from ishango.registry import OUTSIDE, Between, Labelled, OneOf, Registry, Share, UpTo, check_fields, explained

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reward(Labelled):
    """One way to reward guesses."""

    of: Callable[[Integers, Integers, int], Floats]
    """From arrays of one shape, the numbers meant and the numbers guessed, and the range to what both agents earn."""


REWARDS: Registry[Reward] = Registry("reward", "ishango.rewards")

RewardName = Annotated[str, OneOf(REWARDS), explained(REWARDS)]
"""The name of a reward."""


EXACT = REWARDS.add(
    Reward("exact", "exact", "1 if it is right, else 0",
           lambda meant, guessed, _: (meant == guessed).astype(np.float64))
)  # fmt: skip
LINEAR = REWARDS.add(
    Reward("linear", "linear", "1 - distance / range",
           lambda meant, guessed, upto: 1 - np.abs(meant - guessed) / upto)
)  # fmt: skip
INVERSE = REWARDS.add(
    Reward("inverse", "inverse", "1 / (1 + distance)",
           lambda meant, guessed, _: 1 / (1 + np.abs(meant - guessed)))
)  # fmt: skip
EXPONENTIAL = REWARDS.add(
    Reward("exponential", "exponential", "exp(-distance)",
           lambda meant, guessed, _: np.exp(-np.abs(meant - guessed)))
)  # fmt: skip


def reward_table(reward: str, upto: int) -> Floats:
    """The reward (range, range) of each pair of a number meant and a number guessed, under the reward of that name.

    >>> reward_table("inverse", 3).round(2).tolist()
    [[1.0, 0.5, 0.33], [0.5, 1.0, 0.5], [0.33, 0.5, 1.0]]
    """
    numbers = np.arange(1, upto + 1)
    meant, guessed = np.meshgrid(numbers, numbers, indexing="ij")
    return check_reward(REWARDS[reward].of(meant, guessed, upto), upto, f"The reward {reward!r} must give")


def check_reward(table: ArrayLike, upto: int, wanted: str = "The rewards must be") -> Floats:
    """A reward table of one's own; refused unless it is one finite number for each pair."""
    try:
        numbers = np.ascontiguousarray(table, np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (upto, upto) or not np.all(np.isfinite(numbers)):
        raise RequestError(f"{wanted} a table of {upto} by {upto} finite numbers.")
    return numbers


# What a game is made of: one frozen record, each field with its help sentence.

_Weight = Annotated[float, Between(0, 1e15)]
"""Agents compute in 32 bits, which have no squares of gradients that are much larger."""


PAPER = "paper"
ABLE = "able"
PRESETS: dict[str, dict[str, Any]] = {
    PAPER: {},
    ABLE: {"vocabulary": 106, "lost_entropy": 0.03},
}
"""Agents by name: those that the paper describes, which are the defaults, and the nearest to them who can talk."""


def game_presets() -> dict[str, dict[str, Any]]:
    """The presets as options of an experiment whose field `game` this is."""
    return {name: {f"game.{option}": value for option, value in each.items()} for name, each in PRESETS.items()}


@dataclass(frozen=True)
class GameOptions:
    """The signalling game: agents, learning, bandit. Defaults are the paper's; `(open)` marks what it leaves open.

    >>> GameOptions(hidden=25, reward="linear").batch
    32
    """

    # Sizes up to which agents fit a large machine's memory.
    upto: Annotated[UpTo, Between(1, 10_000)] = 50
    """Numbers 1..RANGE are spoken about."""
    vocabulary: Annotated[int | None, Between(1, 20_000)] = None
    """Symbols a message may use; none means one for each number and operator (open)."""
    embedding: Annotated[int, Between(1, 2_000)] = 5
    """Size of the embedding of a token or symbol, in both agents."""
    hidden: Annotated[int, Between(1, 4_000)] = 100
    """Size of the LSTM layer, in both agents."""
    batch: Annotated[int, Between(1, 50_000)] = 32
    """Games in a step."""
    learning_rate: Annotated[float, Between(0, 3e38)] = 0.002
    """Learning rate of both Adam optimisers."""
    reward: RewardName = EXACT.name
    """What a guess earns, given its distance from the number meant."""
    effort: _Weight = 0.0
    """What every symbol of a message after its first costs the pair, in rewards."""
    effort_in: Literal["score", "reward"] = "score"
    """Where effort counts: only when systems are scored, or also in the rewards that agents learn from."""
    noise: Share = 0.0
    """Probability that a symbol is heard as another one."""
    speaker_entropy: _Weight = 0.0
    """Weight of the speaker's entropy, summed over the symbols of a message (open)."""
    lost_entropy: _Weight = 0.0
    """Further weight of the speaker's entropy, in lost games only: where it is not understood it keeps trying other
    messages (open; a remedy for agents that get stuck)."""
    listener_entropy: _Weight = 0.1
    """Weight of the listener's entropy (the paper has one but does not say how large: open)."""
    baseline: Literal["none", "mean"] = "none"
    """What is subtracted from a reward: nothing, or the mean reward of the round so far (open)."""
    alpha: Share = 0.1
    """Learning rate of the bandit's Q-values."""
    epsilon: Share = 0.2
    """Probability that the bandit takes the arm of higher Q; otherwise it takes the less used one."""

    def __post_init__(self) -> None:
        check_fields(self)
        require(not self.noise or self.symbols > 1, "noise", self.noise, "0 where there is only one symbol")

    @classmethod
    def names(cls, *without: str) -> tuple[str, ...]:
        """Its options as those of an experiment whose field `game` this is, but for some.

        >>> GameOptions.names("range")[:2]
        ('game.vocabulary', 'game.embedding')
        """
        known = (OUTSIDE.get(each.name, each.name) for each in fields(cls))
        return tuple(f"game.{name}" for name in known if name not in without)

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
        return self.tokens if self.vocabulary is None else self.vocabulary


# Token strings as the speaker reads them: words and operators to whole numbers from 0.

OPERATORS = ("+", "-", "*")

Expressions = Mapping[int, Sequence[str]]
"""The token string of each number 1..range: words in decimal, and the operators."""


class Encoded(NamedTuple):
    """The expressions of the bandit's arms."""

    tokens: np.ndarray
    """(arms, range, longest) token numbers; word w is w - 1, the operators follow the words."""
    lengths: np.ndarray
    """(arms, range) tokens of each expression."""


def encode(arms: Sequence[Expressions], upto: int) -> Encoded:
    """The expressions of all arms as arrays; numbers that are missing and words outside 1..range_ are refused."""
    strings = [[_string(arm, number, upto) for number in range(1, upto + 1)] for arm in arms]
    lengths = np.array([[len(s) for s in arm] for arm in strings], np.int64)
    tokens = np.zeros((*lengths.shape, lengths.max()), np.int64)
    for a, arm in enumerate(strings):
        for n, string in enumerate(arm):
            tokens[a, n, : len(string)] = string
    return Encoded(tokens, lengths)


def _string(arm: Expressions, number: int, upto: int) -> list[int]:
    if not arm.get(number):
        raise RequestError(f"The number {number} has no expression, but the game needs one for each of 1-{upto}.")
    return [_token(token, number, upto) for token in arm[number]]


def _token(token: str, number: int, upto: int) -> int:
    if token in OPERATORS:
        return upto + OPERATORS.index(token)
    if not token.isdecimal():
        raise RequestError(f"The expression of {number} has the token {token!r}, which is no word and no operator.")
    if not 1 <= int(token) <= upto:
        raise RequestError(
            f"The expression of {number} uses the word {token}, which is outside the game range 1-{upto}."
        )
    return int(token) - 1


# A round of communication: what is asked for, and what happened in it, step by step.

WINDOW = 500
"""Steps at the end of a round over which its accuracy is taken."""


@dataclass(eq=False)
class Round:
    """A round of communication so far, step by step."""

    batch: int
    """Games in a step."""
    q: np.ndarray
    """(arms,) the bandit's estimate of each arm's reward."""
    uses: np.ndarray
    """(arms,) steps played with each arm."""
    total: np.ndarray
    """(1,) sum of what the agents were rewarded with in each step, added up in order."""
    arms: np.ndarray
    """(steps,) the arm used."""
    rewards: np.ndarray
    """(steps,) what the arm scored: the mean reward of the batch, less what effort costs."""
    won: np.ndarray
    """(steps,) games won, that is, guessed right."""

    @classmethod
    def empty(cls, arms: int, batch: int) -> Round:
        """A round in which nothing has been played yet: Q is 0 for each arm."""
        curves = np.zeros(0, np.uint8), np.zeros(0), np.zeros(0, np.int32)
        return cls(batch, np.zeros(arms), np.zeros(arms, np.int64), np.zeros(1), *curves)

    def extended(self, steps: int) -> Round:
        """A copy with room for `steps` more steps."""
        curves = (np.append(curve, np.zeros(steps, curve.dtype)) for curve in (self.arms, self.rewards, self.won))
        return Round(self.batch, self.q.copy(), self.uses.copy(), self.total.copy(), *curves)

    def record(self, step: int, arm: int, reward: float, score: float, won: int, alpha: float) -> None:
        """Enter a step: Q(arm) moves towards the score by `alpha`."""
        self.arms[step], self.rewards[step], self.won[step] = arm, score, won
        self.q[arm] += alpha * (score - self.q[arm])
        self.uses[arm] += 1
        self.total[0] += reward

    @property
    def steps(self) -> int:
        return self.arms.size

    def accuracy(self, window: int = WINDOW) -> float:
        """Share of games won in the last `window` steps; nan if none were played."""
        return _share(self.won[-window:], self.batch)

    def accuracy_by_arm(self, window: int = WINDOW) -> list[float]:
        """The same, for the steps of each arm among the last `window`."""
        return [_share(self.won[-window:][self.arms[-window:] == arm], self.batch) for arm in range(self.q.size)]

    def curve(self, block: int = 100) -> np.ndarray:
        """The mean reward of each block of steps; the last one may be shorter."""
        starts = np.arange(0, self.steps, block)
        if not len(starts):
            return np.zeros(0)
        return np.add.reduceat(self.rewards, starts) / np.diff(np.append(starts, self.steps))

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {name: np.asarray(value) for name, value in vars(self).items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Round:
        return cls(int(arrays["batch"]), **{n: np.array(a) for n, a in arrays.items() if n != "batch"})


def _share(won: np.ndarray, batch: int) -> float:
    return float(won.sum() / (won.size * batch)) if won.size else float("nan")


def check_request(arms: Sequence[Expressions], before: Round, options: GameOptions, steps: int) -> None:
    if len(arms) not in (1, 2):
        raise RequestError(f"There are {len(arms)} arms, but a round is played with one or two.")
    if before.q.size != len(arms):
        raise RequestError(f"The round so far has {before.q.size} arms, but {len(arms)} are given.")
    if before.batch != options.batch:
        raise RequestError(f"The round so far has batches of {before.batch}, but the options ask for {options.batch}.")
    if steps < 0:
        raise RequestError(f"steps is {steps}, but must be 0 or more.")


def check_need(need: np.ndarray, upto: int) -> np.ndarray:
    """The need, normalised; refused unless it is one weight for each number."""
    need = np.asarray(need, np.float64)
    if need.shape != (upto,) or not np.all(need >= 0) or not 0 < need.sum() < np.inf:
        raise RequestError(f"The need must be {upto} weights, none negative and not all zero.")
    return need / need.sum()
