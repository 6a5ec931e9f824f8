"""Playing rounds: thousands of steps at a time, cut anywhere and taken up again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ishango.errors import RequestError
from ishango.game.agents import Agents
from ishango.game.bandit import play_steps
from ishango.game.expressions import Expressions, encode
from ishango.game.options import GameOptions
from ishango.game.signalling import Mind, make_batch, make_rules

WINDOW = 500
"""Steps at the end of a round over which its accuracy is taken."""
_BLOCK = 1000
"""Steps between two chances to report progress or be interrupted."""


def _none(kind: type) -> np.ndarray:
    return field(default_factory=lambda: np.zeros(0, kind))


@dataclass(eq=False)
class Round:
    """A round of communication so far, step by step. `Round()` is one in which nothing has been played yet."""

    batch: int = 0
    """Games in a step."""
    q: np.ndarray = _none(np.float64)
    """(arms,) the bandit's estimate of each arm's reward."""
    uses: np.ndarray = _none(np.int64)
    """(arms,) steps played with each arm."""
    arms: np.ndarray = _none(np.uint8)
    """(steps,) the arm used."""
    rewards: np.ndarray = _none(np.float64)
    """(steps,) mean reward of the batch."""
    won: np.ndarray = _none(np.int32)
    """(steps,) games won, that is, guessed right."""
    total: np.ndarray = field(default_factory=lambda: np.zeros(1))
    """(1,) sum of `rewards`, added up in order."""

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

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The round for a checkpoint."""
        return {name: np.asarray(value) for name, value in vars(self).items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "Round":
        """The round that `to_arrays` wrote."""
        return cls(int(arrays["batch"]), **{n: np.array(a) for n, a in arrays.items() if n != "batch"})


def _share(won: np.ndarray, batch: int) -> float:
    return float(won.sum() / (won.size * batch)) if won.size else float("nan")


def play(
    agents: Agents,
    arms: Sequence[Expressions],
    need: np.ndarray,
    options: GameOptions,
    steps: int,
    rng: np.random.Generator,
    so_far: Round | None = None,
    reward: np.ndarray | None = None,
    progress: Callable[[int], None] | None = None,
) -> Round:
    """Play `steps` more steps of a round and return it; the agents learn in place.

    One arm is plain training, two are the bandit of Algorithm 1. `reward[i, j]` is what both agents get when i + 1
    is meant and j + 1 is guessed (by default 1 if they are equal, else 0). `progress` is called with the number of
    steps just played. However a round is cut into calls, the result has the same bits.

    >>> words = {n: (str(n),) for n in range(1, 6)}
    >>> options, rng = GameOptions(range=5), np.random.default_rng(0)
    >>> agents = Agents.random(options, rng)
    >>> play(agents, [words], np.ones(5) / 5, options, steps=10, rng=rng).steps
    10
    """
    agents.check(options)
    before = so_far or Round(options.batch, np.zeros(len(arms)), np.zeros(len(arms), np.int64))
    _check(arms, before, options, steps)
    encoded = encode(arms, options.range)
    rules = make_rules(options, encoded, _need(need, options.range), _reward(reward, options.range))
    length = encoded.tokens.shape[-1]
    minds = [Mind.of(agent, options.batch, length) for agent in (agents.speaker, agents.listener)]
    q, uses, total = before.q.copy(), before.uses.copy(), before.total.copy()
    new = np.zeros(steps, np.uint8), np.zeros(steps), np.zeros(steps, np.int32)
    for start in range(0, steps, _BLOCK):
        block = [array[start : start + _BLOCK] for array in new]
        play_steps(*minds, make_batch(options.batch, length), rules, q, uses, total, rng, *block)
        if progress:
            progress(block[0].size)
    curves = (np.concatenate(pair) for pair in zip((before.arms, before.rewards, before.won), new, strict=True))
    return Round(options.batch, q, uses, *curves, total)


def _check(arms: Sequence[Expressions], before: Round, options: GameOptions, steps: int) -> None:
    if len(arms) not in (1, 2):
        raise RequestError(f"There are {len(arms)} arms, but a round is played with one or two.")
    if before.q.size != len(arms):
        raise RequestError(f"The round so far has {before.q.size} arms, but {len(arms)} are given.")
    if before.batch != options.batch:
        raise RequestError(f"The round so far has batches of {before.batch}, but the options ask for {options.batch}.")
    if steps < 0:
        raise RequestError(f"steps is {steps}, but must be 0 or more.")


def _need(need: np.ndarray, range_: int) -> np.ndarray:
    need = np.asarray(need, np.float64)
    if need.shape != (range_,) or not np.all(need >= 0) or not 0 < need.sum() < np.inf:
        raise RequestError(f"The need must be {range_} weights, none negative and not all zero, for a game range of {range_}.")
    return need / need.sum()


def _reward(reward: np.ndarray | None, range_: int) -> np.ndarray:
    reward = np.eye(range_) if reward is None else np.ascontiguousarray(reward, np.float64)
    if reward.shape != (range_, range_) or not np.all(np.isfinite(reward)):
        raise RequestError(f"The rewards must be a table of {range_} by {range_} finite numbers for a game range of {range_}.")
    return reward
