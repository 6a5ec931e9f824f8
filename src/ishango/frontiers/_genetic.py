# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The genetic algorithm, its estimates of the frontier, and tables of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ishango.compiling import entry
from ishango.errors import RequestError
from ishango.frontiers._exact import FrontierPoint, solve
from ishango.frontiers._measures import front, hypervolume
from ishango.frontiers._problem import Problem
from ishango.frontiers._search import costs, sizes
from ishango.numerals import NumeralSystem, changes, distinct, format_set, minimal_language, outer_base, system_of

if TYPE_CHECKING:
    import pandas as pd


@entry
def mutate(lexicons: NDArray[np.bool_], counts: NDArray[np.int64], chances: NDArray[np.float64], cap: int) -> None:
    """Mutate each lexicon in place; a mutation that the rules forbid leaves it as it is.

    chances (lexicons, mutations, 4): which mutation, which set, which word goes, which number comes.
    """
    n = lexicons.shape[1] // 2
    for row in range(len(lexicons)):
        lexicon = lexicons[row]
        for i in range(counts[row]):
            kind = int(chances[row, i, 0] * 3)  # 0 add, 1 remove, 2 interchange
            start = n if chances[row, i, 1] < 0.5 else 0
            held = 0
            free = 0
            for j in range(n):
                held += lexicon[start + j]
                free += not (lexicon[j] or lexicon[n + j])
            if (kind != 1 and free == 0) or (kind == 1 and held == 1):
                continue
            if kind == 0 and start == n and held >= cap:
                continue
            goes = int(chances[row, i, 2] * held) if kind != 0 else -1
            comes = int(chances[row, i, 3] * free) if kind != 1 else -1
            out = -1
            into = -1
            for j in range(n):
                if lexicon[start + j]:
                    if goes == 0:
                        out = j
                    goes -= 1
                if not (lexicon[j] or lexicon[n + j]):
                    if comes == 0:
                        into = j
                    comes -= 1
            if out >= 0:
                lexicon[start + out] = False
            if into >= 0:
                lexicon[start + into] = True


# The genetic algorithm with which Denić and Szymanik (2024) estimate the frontier.
#
# Parents are the current front. Each generation the parents share `population` children equally; a child is its parent
# after 1 to 3 mutations: add a free number, remove a word, or interchange a word with a free number, in the digits or
# in the multipliers with equal chance. Lexicons that do not cover the range are dropped. Here a front holds one lexicon
# a point. With `keep_duplicates` it holds every undominated lexicon, as in the published search, grows without end, and
# the search stops once there are more parents than children to share.

Mask = NDArray[np.bool_]
MOST = 1_000_000
"""The most children of a generation, and the most generations."""
_MUTATIONS = 3
_DECIMALS = 12  # averages that differ by less are ties: the same leaves summed in another order


@dataclass(frozen=True)
class GeneticSettings:
    """How long and how widely the genetic algorithm searches."""

    population: int = 2000
    """Children a generation."""
    generations: int = 100
    """Generations after the first, random one."""
    seed: int = 0
    """Same seed, same front."""
    keep_duplicates: bool = False
    """Keep lexicons on the front that equal another in size and average, as the published search did."""

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise RequestError(f"The seed is {self.seed}; it must be an integer from 0 up.")
        if not 1 <= self.population <= MOST or not 0 <= self.generations <= MOST:
            raise RequestError(
                f"The genetic algorithm needs a population of 1 to {MOST:,} and between 0 and {MOST:,} generations."
            )


DEFAULTS = GeneticSettings()
"""The settings of the published search."""


@dataclass(frozen=True)
class Generation:
    """What one generation left: its number, the front's length and distinct points, and the area it dominates."""

    number: int
    parents: int
    points: int
    hypervolume: float


@dataclass(frozen=True)
class EstimatedFront:
    """The front that the search ends with, by ascending size, and how it got there."""

    systems: tuple[NumeralSystem, ...]
    averages: tuple[float, ...]
    history: tuple[Generation, ...]


def estimate(
    problem: Problem, settings: GeneticSettings = DEFAULTS, listener: Callable[[Generation], None] | None = None
) -> EstimatedFront:
    """Run the genetic algorithm on disjoint lexicons."""
    check_estimable(problem)
    rng = np.random.default_rng(settings.seed)
    parents, points = _select(problem, settings, _first_generation(problem, settings, rng))
    history: list[Generation] = []
    for number in range(settings.generations + 1):
        if number > 0:
            share = settings.population // max(1, len(parents))
            if share == 0 or len(parents) == 0:
                break
            children = np.repeat(parents, share, axis=0)
            cap = problem.max_multipliers or problem.upto
            mutate(children, rng.integers(1, _MUTATIONS + 1, len(children)),
                   rng.random((len(children), _MUTATIONS, 4)), cap)  # fmt: skip
            parents, points = _select(problem, settings, np.concatenate((parents, children)))
        area = hypervolume(points, (problem.upto + 1, 2.0 * problem.upto))
        history.append(Generation(number, len(points), len(np.unique(points, axis=0)), area))
        if listener is not None:
            listener(history[-1])
    first = np.unique(points, axis=0, return_index=True)[1]
    systems = tuple(system_of(row, problem.grammar) for row in parents[first])
    return EstimatedFront(systems, tuple(points[first, 1].tolist()), tuple(history))


def check_estimable(problem: Problem) -> None:
    """Refuse a problem that the genetic algorithm cannot search."""
    if problem.overlap:
        raise RequestError("The genetic algorithm searches disjoint lexicons; leave out overlap.")
    if problem.upto < 2:
        raise RequestError("The genetic algorithm needs two words that differ; use a range of 2 or more.")


def _first_generation(problem: Problem, settings: GeneticSettings, rng: np.random.Generator) -> Mask:
    n = problem.upto
    lexicons = np.zeros((settings.population, 2 * n), dtype=np.bool_)
    most = min(problem.max_multipliers or n - 1, n - 1)
    for row in lexicons:
        m = int(rng.integers(1, most + 1))
        d = int(rng.integers(1, n - m + 1))
        words = rng.permutation(n)[: m + d]
        row[n + words[:m]] = True
        row[words[m:]] = True
    return lexicons


def _select(problem: Problem, settings: GeneticSettings, lexicons: Mask) -> tuple[Mask, NDArray[np.float64]]:
    """The undominated lexicons that cover the range, by ascending size; one a point unless duplicates are kept."""
    averages = np.round(costs(problem, lexicons) / problem.scale, _DECIMALS)
    points = np.column_stack((sizes(problem, lexicons).astype(np.float64), averages))
    chosen = np.flatnonzero(np.isfinite(averages))
    chosen = chosen[front(points[chosen])]
    if not settings.keep_duplicates:
        chosen = chosen[np.unique(points[chosen], axis=0, return_index=True)[1]]
    return lexicons[chosen], points[chosen]


# How far an estimated front stays above the proved frontier.

NODE_LIMIT = 100_000
"""Nodes spent on the lower bound of each size."""


def not_found(found: EstimatedFront, sizes: Collection[int]) -> tuple[int, ...]:
    """The sizes of which the estimate has no system; an estimate that has none of any of them is refused."""
    there = {system.size for system in found.systems}
    missing = tuple(size for size in sizes if size not in there)
    if len(missing) == len(sizes):
        raise RequestError(
            "The genetic algorithm found no system of these sizes; allow more generations or a larger population, or"
            " choose other sizes."
        )
    return missing


def compare(
    problem: Problem,
    found: EstimatedFront,
    sizes: Collection[int],
    listener: Callable[[int], None] | None = None,
    time_limit: float | None = None,
) -> Iterator[FrontierPoint]:
    """Each system of the estimate that has one of the sizes, as a point: its average, and the lower bound of its size.

    A point is called proved where the estimate attains the proved optimum; `gap` is how far it stays above the bound,
    for which there are `time_limit` seconds a size, if given.
    """
    for system in found.systems:
        if system.size not in sizes:
            continue
        started = time.monotonic()
        if listener is not None:
            listener(system.size)
        least = solve(problem, system.size, node_limit=NODE_LIMIT, time_limit=time_limit)
        average = problem.average(system)
        assert average is not None
        proved = least.proved and average == least.average
        yield FrontierPoint(
            system.size, system, average, least.lower_bound, proved, least.nodes, time.monotonic() - started
        )


# The frontier's results as tables, for figures and for analyses of your own.

TABLE_4 = {
    "Hurford (published)": NumeralSystem.parse("1-3,5,6,9-11,14 | 4,7,25", "hurford"),
    "modified": NumeralSystem.parse("1-11 | 12"),
    "Mixtec A": NumeralSystem.parse("1-9 | 10,15,20"),
}
"""The paper's size-12 systems, each under the grammar it stands for."""


def frontier_table(problem: Problem, points: Iterable[FrontierPoint]) -> pd.DataFrame:
    """One row a size: the optimum, whether it is proved, and the span of |M| among the optima that are known."""
    import pandas as pd

    return pd.DataFrame(
        {
            "grammar": problem.grammar,
            "size": point.size,
            "average_complexity": float(point.average),
            "lower_bound": point.lower_bound,
            "proved": point.proved,
            "digits": format_set(point.system.digits),
            "multipliers": format_set(point.system.multipliers),
            "fewest": min(optimum.fewest_multipliers for optimum in point.optima),
            "most": max(optimum.most_multipliers for optimum in point.optima),
        }
        for point in points
    )


def genetic_table(
    problem: Problem, points: Iterable[FrontierPoint], seeds: Sequence[int], settings: GeneticSettings
) -> pd.DataFrame:
    """How far the genetic algorithm ends above proved points: median, least and greatest over seeds."""
    import pandas as pd

    proved = {point.size: float(point.average) for point in points if point.proved}
    rows: list[dict[str, float]] = []
    for seed in seeds:
        found = estimate(problem, replace(settings, seed=seed))
        rows += [
            {"size": system.size, "above": max(0.0, average - proved[system.size])}
            for system, average in zip(found.systems, found.averages, strict=True)
            if system.size in proved
        ]
    grouped = pd.DataFrame(rows, columns=["size", "above"]).groupby("size")["above"]
    return pd.DataFrame(
        {"above": grouped.median(), "low": grouped.min(), "high": grouped.max(), "seeds": grouped.count()}
    ).reset_index()


def minimal_table(systems: dict[str, NumeralSystem], upto: int = 99) -> pd.DataFrame:
    """The minimal languages of systems in one long table: system, number, expression, leaves, base.

    `base` is the multiplier of the outermost phrase, 0 for a bare digit: where it jumps from number to number, the
    structure is hard to predict.
    """
    import pandas as pd

    rows: list[dict[str, object]] = []
    for name, system in systems.items():
        language = minimal_language(system, upto)
        for number in language:
            expression = language.expression(number)
            rows.append(
                {
                    "system": f"{name}: {system}",
                    "number": number,
                    "expression": str(expression).replace(" ", "").replace("*", "·"),
                    "leaves": expression.leaves,
                    "base": outer_base(expression, system),
                }
            )
    return pd.DataFrame(rows)


def regularity(table: pd.DataFrame) -> pd.DataFrame:
    """For each minimal language: on how many steps from n to n + 1 the base changes, and how many bases there are."""
    import pandas as pd

    grouped = table.groupby("system", sort=False)["base"]
    return pd.DataFrame(
        {
            "changes": grouped.apply(lambda bases: changes(bases.tolist())),
            "bases": grouped.apply(lambda bases: distinct(bases.tolist())),
        }
    ).reset_index()
