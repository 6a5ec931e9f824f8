"""What is optimal among systems of one kind: for every number of words the least and the greatest cost.

An exact restricted system is determined by its number of words. An approximate system of intervals costs the sum of
what its words cost, and what a word costs depends on its two ends alone, so dynamic programming over the last word
finds the best and the worst of all of them, where the literature samples.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.game import RewardName, reward_table
from ishango.numerals import Need
from ishango.restricted._term_system import (
    GAUSSIAN,
    NEED,
    SUBITISED,
    WEBER,
    Floats,
    RestrictedKind,
    TermSystem,
    check_weber,
    communicative_cost,
    complexity,
    exact_complexity,
    ideal_cost,
    log_gaussian,
    nearest_human,
    position,
    rest_cost,
)

LONGEST_RANGE = 400
"""Numbers up to which the costs of all intervals are tabulated: their number grows with the cube of the range."""


@dataclass(frozen=True)
class RestrictedPoint:
    """The best and the worst system with so many words."""

    kind: RestrictedKind
    size: int
    complexity: int
    cost: float
    system: TermSystem
    worst_cost: float
    worst: TermSystem


def restricted_frontier(
    kind: RestrictedKind,
    sizes: Iterable[int] | None = None,
    need: Need | str = NEED,
    upto: int = 100,
    weber: float = WEBER,
) -> list[RestrictedPoint]:
    """The best and the worst system of every number of words, proved.

    >>> [str(point.system) for point in restricted_frontier("approximate", [2, 3])]
    ['1|2-', '1|2-4|5-']
    """
    chosen = list(range(1, upto + 1) if sizes is None else sizes)
    for size in chosen:
        if not 1 <= size <= upto:
            raise RequestError(f"A system cannot have {size} words; for the numbers 1 to {upto} it has 1 to {upto}.")
    need = Need.parse(need)
    check_weber(weber)
    if kind == "exact restricted":
        return [_exact_point(size, need, upto) for size in chosen]
    return [_approximate_point(size, need, upto, weber) for size in chosen]


def least_cost(nodes: int, need: Need | str = NEED, upto: int = 100, weber: float = WEBER) -> float | None:
    """The least cost of all systems of either kind with at most so many nodes; None if there is none."""
    costs = [cost for nodes_of, cost in _envelope(Need.parse(need), upto, weber) if nodes_of <= nodes]
    return min(costs, default=None)


def restricted_gap(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> float:
    """How many bits a system costs above the least cost of its complexity, over systems of either kind.

    Negative only for words that are not intervals: the frontier is over intervals.
    """
    least = least_cost(complexity(system), need, system.upto, weber)
    assert least is not None  # the system itself has as many words as some point of the frontier
    return _rounded(communicative_cost(system, need, weber) - least)


def ideal_gap(system: TermSystem, need: Need | str = NEED) -> float:
    """How many bits an ideal listener lacks above the least of all systems of as many intervals.

    The ideal listener weighs numbers by need alone, so this tells what words say apart from how people hear them.
    """
    return _rounded(ideal_cost(system, need) - float(_ideal_costs(Need.parse(need), system.upto)[system.size]))


def worst_exact(size: int, need: Need | str = NEED, upto: int = 100) -> TermSystem:
    """The costliest system that names 1, 2, 3 and then single numbers, and the rest with one word: it names the
    least needed ones. Its rules are as many as those of the exact restricted system of the same size.

    What a word for the rest costs grows with the need of each number in it, so no other choice costs more.
    """
    weights = Need.parse(need).weights(upto)
    named = list(range(1, min(size - 1, SUBITISED) + 1))
    others = sorted(range(len(named) + 1, upto + 1), key=lambda number: (weights[number - 1], -number))
    named += others[: size - 1 - len(named)]
    rest = sorted(set(range(1, upto + 1)) - set(named))
    return TermSystem.of([*([number] for number in named), rest], "approximate")


def _exact_point(size: int, need: Need, upto: int) -> RestrictedPoint:
    best, worst = TermSystem.exact(size - 1, upto), worst_exact(size, need, upto)
    weights = need.weights(upto)
    dear = sum(rest_cost(word, weights) for word in worst.words)
    return RestrictedPoint(
        "exact restricted", size, exact_complexity(size - 1), communicative_cost(best, need), best, dear, worst
    )


def _approximate_point(size: int, need: Need, upto: int, weber: float) -> RestrictedPoint:
    (cost, best), (dear, worst) = (_optimum(size, need, upto, weber, choice) for choice in ("least", "greatest"))
    return RestrictedPoint("approximate", size, complexity(best), cost, best, dear, worst)


def _optimum(size: int, need: Need, upto: int, weber: float, choice: str) -> tuple[float, TermSystem]:
    costs, firsts = _programme(need, upto, weber, choice)
    return float(costs[size, upto]), TermSystem.of(trace(firsts, size, upto), "approximate")


@lru_cache(maxsize=16)
def _programme(need: Need, upto: int, weber: float, choice: str) -> tuple[Floats, NDArray[np.int64]]:
    """Costs of the best or worst way to share out numbers, and where its last word begins, as `share_out` has them."""
    sign = 1.0 if choice == "least" else -1.0
    costs, firsts = share_out(sign * interval_costs(need, upto, weber))
    return sign * costs, firsts


def trace(firsts: NDArray[np.int64], size: int, upto: int) -> list[Iterable[int]]:
    """The words of the optimum with so many, the last one first, from where `share_out` says that they begin."""
    words: list[Iterable[int]] = []
    last = upto
    for words_left in reversed(range(1, size + 1)):
        first = int(firsts[words_left, last])
        words.append(range(first, last + 1))
        last = first - 1
    return words


def share_out(table: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """For every number of words and last number the least cost of sharing out 1..last, and where the last word begins.

    `table[first, last]` is what the word for first..last costs, from 1.
    """
    upto = table.shape[0] - 1
    costs = np.full((upto + 1, upto + 1), np.inf)
    firsts = np.zeros((upto + 1, upto + 1), np.int64)
    costs[0, 0] = 0.0
    for words in range(1, upto + 1):
        for last in range(words, upto + 1):
            options = costs[words - 1, words - 1 : last] + table[words : last + 1, last]
            chosen = int(np.argmin(options))
            costs[words, last], firsts[words, last] = options[chosen], words + chosen
    return costs, firsts


def check_frontier_range(upto: int) -> None:
    """Refuse a range for which there are no frontiers, before anything is measured."""
    if upto > LONGEST_RANGE:
        raise RequestError(f"The range is {upto}; frontiers of approximate systems go up to {LONGEST_RANGE}.")


@lru_cache(maxsize=8)
def interval_costs(need: Need, upto: int, weber: float) -> Floats:
    """What the Gaussian word for first..last costs, [first, last], from 1; row and column 0 are not used."""
    check_frontier_range(upto)
    weights = need.weights(upto)
    numbers = np.arange(1, upto + 1)
    with np.errstate(divide="ignore"):
        scores = log_gaussian(numbers, numbers, weber) + np.log(weights)  # (means, numbers)
    linear = np.where(weights > 0, weights * np.where(weights > 0, scores, 0.0), 0.0)
    table = np.zeros((upto + 1, upto + 1))
    for first in numbers:
        total = np.logaddexp.accumulate(scores[first - 1 :, first - 1 :], axis=1)
        mass = np.cumsum(weights[first - 1 :])
        expected = np.where(mass > 0, mass * np.where(mass > 0, total, 0.0), 0.0)
        costs = expected - np.cumsum(linear[first - 1 :, first - 1 :], axis=1)
        # A mean must be one of the word's numbers: row (mean) <= column (last).
        costs[np.tril_indices_from(costs, -1)] = np.inf
        table[first, first:] = costs.min(axis=0) / np.log(2)
    return np.maximum(table, 0.0)


@lru_cache(maxsize=16)
def _ideal_costs(need: Need, upto: int) -> Floats:
    """The least cost of each number of intervals for an ideal listener."""
    weights = need.weights(upto)
    table = np.zeros((upto + 1, upto + 1))
    for first in range(1, upto + 1):
        mass = np.cumsum(weights[first - 1 :])
        logarithms = np.log2(weights[first - 1 :], out=np.zeros_like(mass), where=weights[first - 1 :] > 0)
        table[first, first:] = mass * np.log2(mass, out=np.zeros_like(mass), where=mass > 0) - np.cumsum(
            weights[first - 1 :] * logarithms
        )
    return share_out(table)[0][:, upto]


@lru_cache(maxsize=16)
def _envelope(need: Need, upto: int, weber: float) -> tuple[tuple[int, float], ...]:
    """Complexity and cost of the best systems of both kinds."""
    costs, _ = _programme(need, upto, weber, "least")
    approximate = [(GAUSSIAN * size, float(costs[size, upto])) for size in range(1, upto + 1)]
    exact = [
        (exact_complexity(size - 1), communicative_cost(TermSystem.exact(size - 1, upto), need))
        for size in range(1, upto + 1)
    ]
    return tuple(approximate + exact)


def _rounded(difference: float) -> float:
    """An optimum's distance from itself is 0, in whichever order its cost was added up."""
    return 0.0 if abs(difference) < 1e-12 else difference


# What rewards ask for: the system with which agents would earn most, whatever it costs in bits.


def best_rewarded(size: int, reward: RewardName, need: Need | str = NEED, upto: int = 20) -> tuple[float, TermSystem]:
    """The greatest expected reward of so many words, and a system that earns it.

    A speaker does best with the word whose guess is nearest, so under a reward that falls with distance the words of
    an optimum are intervals, and dynamic programming finds it. Under `exact` other systems earn as much.

    >>> [str(best_rewarded(3, reward)[1]) for reward in ("linear", "exponential")]
    ['1|2-4|5-', '1|2|3-']
    """
    costs, firsts = share_out(-interval_rewards(reward, need, upto))
    return -float(costs[size, upto]), TermSystem.of(trace(firsts, size, upto))


def expected_reward(system: TermSystem, reward: RewardName, need: Need | str = NEED) -> float:
    """What agents earn on average who use the system and guess the best number for each word."""
    weights, table = Need.parse(need).weights(system.upto), reward_table(reward, system.upto)
    indices = [np.asarray(word) - 1 for word in system.words]
    return sum(float((weights[index] @ table[index]).max()) for index in indices)


def interval_rewards(reward: RewardName, need: Need | str, upto: int) -> Floats:
    """What a word for first..last earns with its best guess, [first, last], from 1."""
    earned = Need.parse(need).weights(upto)[:, None] * reward_table(reward, upto)  # (meant, guessed)
    found = np.zeros((upto + 1, upto + 1))
    for first in np.arange(1, upto + 1):
        found[first, first:] = np.cumsum(earned[first - 1 :], axis=0).max(axis=1)
    return found


# A system in figures: what records of runs and the command line say about it.


class Description(TypedDict):
    """Where a system lies; `LearningRecord` says what each figure means."""

    words: str
    size: int
    kind: str
    contiguous: bool
    complexity: int
    cost: float
    ideal_cost: float
    gap: float
    ideal_gap: float
    nearest: str | None
    variation: float | None
    variation_by_need: float | None


def describe_system(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> Description:
    """Where a system lies in the plane, how far from the frontier, and which human one is most like it."""
    check_frontier_range(system.upto)
    place, human = position(system, need, weber), nearest_human(system, need)
    return {
        "words": str(system),
        "size": system.size,
        "kind": system.kind,
        "contiguous": system.contiguous,
        "complexity": place.complexity,
        "cost": place.cost,
        "ideal_cost": ideal_cost(system, need),
        "gap": restricted_gap(system, need, weber),
        "ideal_gap": ideal_gap(system, need),
        "nearest": human.language if human else None,
        "variation": human.variation if human else None,
        "variation_by_need": human.variation_by_need if human else None,
    }
