"""What is optimal among systems of one kind: for every number of words the least and the greatest cost.

An exact restricted system is determined by its number of words. An approximate system of intervals costs the sum of
what its words cost, and what a word costs depends on its two ends alone, so dynamic programming over the last word
finds the best and the worst of all of them, where the literature samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.game import RewardName, reward_table
from ishango.numerals import Expression, Need
from ishango.restricted._term_system import (
    GAUSSIAN,
    KINDS,
    NEED,
    SUBITISED,
    WEBER,
    Floats,
    RestrictedKind,
    StudyLanguage,
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
    stretches,
    study_languages,
)

if TYPE_CHECKING:
    import pandas as pd

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
    if kind not in KINDS:
        raise RequestError(f"There is no kind of system {kind!r}; choose {' or '.join(KINDS)}.")
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
    return _rounded(ideal_cost(system, need) - float(_ideal_costs(Need.parse(need), system.upto)[system.size - 1]))


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
    costs, words = _programme(need, upto, weber, choice)
    return float(costs[size - 1]), TermSystem.of(words[size - 1], "approximate")


@lru_cache(maxsize=16)
def _programme(need: Need, upto: int, weber: float, choice: str) -> tuple[Floats, list[list[range]]]:
    """Costs of the best or worst way to share out numbers among 1, 2, ... words, and these words."""
    sign = 1.0 if choice == "least" else -1.0
    costs, words = share_out(sign * interval_costs(need, upto, weber))
    return sign * costs, words


def share_out(table: Floats) -> tuple[Floats, list[list[range]]]:
    """The least cost of sharing out 1..range among 1, 2, ... words, and the words that have it.

    `table[first, last]` is what the word for first..last costs, from 1.
    """
    n = len(table) - 1
    between, above = np.full((n, n), np.inf), np.full(n, np.inf)
    between[:-1], above[-1] = table[2:, 1:], 0.0  # a word begins behind the last number of the one before
    costs, places = chains(between, table[1, 1:], above)
    return costs, [[range(before + 2, last + 2) for before, last in pairwise([-1, *each])] for each in places]


def chains(between: Floats, below: Floats, above: Floats, most: int | None = None) -> tuple[Floats, list[list[int]]]:
    """The cheapest choices of 1, 2, ... places on a line (`most` at most): their costs, and the places."""
    values: list[float] = []
    before: list[NDArray[np.intp]] = []
    places: list[list[int]] = []
    for value, step in walk(between, below, most):
        before += [] if step is None else [step]
        total = value + above
        last = int(total.argmin())
        values.append(float(total[last]))
        places.append(_traced(before, last))
    return np.array(values), places


def walk(between: Floats, below: Floats, most: int | None = None) -> Iterator[tuple[Floats, NDArray[np.intp] | None]]:
    """What 1, 2, ... places cost at least where the last one is given, and the place before it."""
    n = len(below)
    value = below
    yield value, None
    blocked = np.where(np.arange(n)[:, None] < np.arange(n)[None, :], between, np.inf)
    for _ in range(1, min(n, most or n)):
        steps = value[:, None] + blocked
        value = steps.min(axis=0)
        yield value, steps.argmin(axis=0)


def _traced(before: list[NDArray[np.intp]], last: int) -> list[int]:
    found = [last]
    for step in reversed(before):
        found.append(int(step[found[-1]]))
    return found[::-1]


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
    """The least cost of 1, 2, ... intervals for an ideal listener."""
    weights = need.weights(upto)
    table = np.zeros((upto + 1, upto + 1))
    for first in range(1, upto + 1):
        mass = np.cumsum(weights[first - 1 :])
        logarithms = np.log2(weights[first - 1 :], out=np.zeros_like(mass), where=weights[first - 1 :] > 0)
        table[first, first:] = mass * np.log2(mass, out=np.zeros_like(mass), where=mass > 0) - np.cumsum(
            weights[first - 1 :] * logarithms
        )
    return share_out(table)[0]


@lru_cache(maxsize=16)
def _envelope(need: Need, upto: int, weber: float) -> tuple[tuple[int, float], ...]:
    costs, _ = _programme(need, upto, weber, "least")
    approximate = [(GAUSSIAN * size, float(cost)) for size, cost in enumerate(costs, start=1)]
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
    costs, words = share_out(-interval_rewards(reward, need, upto))
    return -float(costs[size - 1]), TermSystem.of(words[size - 1])


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


def describe_system(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> dict[str, Any]:
    """What `LearningRecord` has of a system: where it lies, how far from the frontier, which human one is like it."""
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


# Tables for figures: frontiers, the study's languages, and where they lie.


def restricted_frontier_table(
    sizes: Iterable[int] | None = None, need: Need | str = NEED, upto: int = 100, weber: float = WEBER
) -> pd.DataFrame:
    """Both frontiers, a row a kind and number of words: complexity, least and greatest cost, and the systems."""
    import pandas as pd

    chosen = None if sizes is None else list(sizes)
    return pd.DataFrame(
        [point_record(point) for kind in KINDS for point in restricted_frontier(kind, chosen, need, upto, weber)]
    )


def point_record(point: RestrictedPoint) -> dict[str, object]:
    """A point of a frontier as JSON and tables have it."""
    return {
        "kind": point.kind,
        "size": point.size,
        "complexity": point.complexity,
        "cost": point.cost,
        "system": str(point.system),
        "worst_cost": point.worst_cost,
        "worst": str(point.worst),
    }


def restricted_language_table(need: Need | str = NEED, upto: int = 100, weber: float = WEBER) -> pd.DataFrame:
    """The study's languages that share a point in one row: kind, complexity, cost, how many, and their names."""
    import pandas as pd

    points: dict[tuple[str, int, float], list[StudyLanguage]] = {}
    for language in study_languages():
        place = language.position(need, upto, weber)
        points.setdefault((language.kind, place.complexity, place.cost), []).append(language)
    rows = [
        {
            "kind": kind,
            "complexity": complexity,
            "cost": cost,
            "languages": len(sharing),
            "label": _label([language.name for language in sharing]),
            "glottocodes": " ".join(language.glottocode for language in sharing),
        }
        for (kind, complexity, cost), sharing in points.items()
    ]
    return pd.DataFrame(rows)


def _label(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} others"


# Numeral systems of all kinds as tables of coloured bands: which words each number is said with.

COLUMNS = ["system", "kind", "number", "part", "parts", "word", "order"]
"""A row for each word of each number's expression: `part` of `parts`, and the word's place in its system."""


def term_bands(name: str, system: TermSystem, last: int | None = None) -> pd.DataFrame:
    """The bands of a system without recursion over 1..last: every number is one word.

    >>> term_bands("Chiquitano", TermSystem.parse("1|2-", kind="approximate"), 3)["word"].tolist()
    ['1', '2 or more', '2 or more']
    """
    import pandas as pd

    labels = [_band_label(word, system) for word in system.words]
    rows = [
        (name, system.kind, number, 0, 1, labels[index], index)
        for number, index in enumerate(system.word_map[:last], start=1)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def expression_bands(name: str, expressions: Mapping[int, Expression], last: int | None = None) -> pd.DataFrame:
    """The bands of a recursive system over 1..last: every number is as many words as its expression has leaves.

    The expressions are what is said (`Language.expressions`) or what would be shortest (`MinimalLanguage`).

    >>> from ishango.languages import find_language
    >>> bands = expression_bands("English", find_language("English").expressions("hurford"), 30)
    >>> bands[bands["number"] == 23]["word"].tolist()
    ['2', '10', '3']
    """
    import pandas as pd

    said = {number: _words(expressions[number]) for number in sorted(expressions) if last is None or number <= last}
    order = {word: index for index, word in enumerate(sorted({word for words in said.values() for word in words}))}
    rows = [
        (name, "recursive", number, part, len(words), str(word), order[word])
        for number, words in said.items()
        for part, word in enumerate(words)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _words(expression: Expression) -> list[int]:
    return [int(token) for token in expression.tokens("infix") if token.isdecimal()]


def _band_label(word: tuple[int, ...], system: TermSystem) -> str:
    parts = [
        str(first) if first == last else f"{first} or more" if last == system.upto else f"{first}–{last}"
        for first, last in stretches(word)
    ]
    if system.kind == "exact restricted" and len(word) > 1:
        return "higher"
    return ", ".join(parts)
