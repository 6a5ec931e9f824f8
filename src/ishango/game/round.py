"""Token strings as the speaker reads them: words and operators to whole numbers from 0."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ishango.errors import RequestError
from ishango.game.options import GameOptions

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
    def empty(cls, arms: int, batch: int) -> "Round":
        """A round in which nothing has been played yet: Q is 0 for each arm."""
        curves = np.zeros(0, np.uint8), np.zeros(0), np.zeros(0, np.int32)
        return cls(batch, np.zeros(arms), np.zeros(arms, np.int64), np.zeros(1), *curves)

    def extended(self, steps: int) -> "Round":
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
        """Steps played."""
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
        """The round for a checkpoint."""
        return {name: np.asarray(value) for name, value in vars(self).items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "Round":
        """The round that `to_arrays` wrote."""
        return cls(int(arrays["batch"]), **{n: np.array(a) for n, a in arrays.items() if n != "batch"})


def _share(won: np.ndarray, batch: int) -> float:
    return float(won.sum() / (won.size * batch)) if won.size else float("nan")


def check_request(arms: Sequence[Expressions], before: Round, options: GameOptions, steps: int) -> None:
    """Refuse what does not fit the round so far."""
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
