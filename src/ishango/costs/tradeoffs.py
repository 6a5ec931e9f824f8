"""Frontiers of any costs, estimated: NSGA-II (Deb et al. 2002), as the library `pymoo` has it.

A lexicon is a row of bits, whether each number is a digit and whether it is a multiplier; what is both is a multiplier.
Lexicons that do not cover the range, or whose size is not one of those asked for, break a constraint, by so many
numbers or words. What comes out is an estimate: no lexicon that was seen is better in every cost; nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ishango.costs.cost import Said
from ishango.costs.regularity import COSTS
from ishango.errors import RequestError
from ishango.numerals import GrammarName, Need, NumeralSystem, as_grammar, averages, leaves_of_many
from ishango.numerals.system import check_range

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Told after each generation: its number, and how many lexicons are on the front."""

MOST = 100_000
"""Lexicons of a generation and generations that anybody waits for."""
EXTRA = "objectives"
_WORST = 1e12  # what a lexicon costs that breaks a constraint: it is never compared by this


@dataclass(frozen=True)
class TradeOffs:
    """What is minimised, over which lexicons, and for how long."""

    objectives: tuple[str, ...]
    """Names of costs, two or more."""
    grammar: GrammarName = "modified"
    need: Need | str = "power:2"
    upto: int = 99
    sizes: tuple[int, int] = (2, 20)
    """The least and the greatest size."""
    population: int = 200
    generations: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "grammar", as_grammar(self.grammar).name)
        object.__setattr__(self, "need", Need.parse(self.need))
        check_range(self.upto)
        for name in self.objectives:
            if name not in COSTS:
                raise RequestError(COSTS.refusal(name))
        if len(set(self.objectives)) < max(2, len(self.objectives)):
            raise RequestError("Give two or more different objectives, such as size,length,irregularity.")
        if not 2 <= self.population <= MOST or not 1 <= self.generations <= MOST or self.seed < 0:
            raise RequestError(
                f"The genetic algorithm needs a population of 2 to {MOST:,}, between 1 and {MOST:,} generations and a"
                " seed from 0 up."
            )
        if self.upto < 2 or self.sizes[1] < as_grammar(self.grammar).size(1, 1):
            raise RequestError("A digit and a multiplier are the least that is searched; allow a larger size or range.")


@dataclass(frozen=True)
class TradeOff:
    """A system on the estimated front, and what it costs."""

    system: NumeralSystem
    costs: dict[str, float]


def estimate_tradeoffs(asked: TradeOffs, progress: Progress | None = None) -> tuple[TradeOff, ...]:
    """The front that NSGA-II ends with, by ascending costs; one system for each combination of costs."""
    nsga2, problems, evaluators, pymoo_problem = _pymoo()
    lexicons = _Lexicons(asked)
    problem = pymoo_problem.Problem(
        n_var=2 * asked.upto, n_obj=len(asked.objectives), n_ieq_constr=2, xl=0, xu=1, vtype=bool
    )
    algorithm = nsga2(asked, _first(asked))
    algorithm.setup(problem, termination=("n_gen", asked.generations), seed=asked.seed, verbose=False)
    while algorithm.has_next():
        children = algorithm.ask()
        costs, broken = lexicons.evaluate(np.asarray(children.get("X"), dtype=np.bool_))
        evaluators.Evaluator().eval(problems.StaticProblem(problem, F=costs, G=broken), children)
        algorithm.tell(infills=children)
        if progress is not None:
            progress(int(algorithm.n_gen) - 1, 0 if algorithm.opt is None else len(algorithm.opt))
    found: Any = algorithm.opt
    rows = [] if found is None else [each.X for each in found if each.feas]
    return lexicons.front(np.array(rows, dtype=np.bool_).reshape(-1, 2 * asked.upto))


def measure_systems(
    systems: Sequence[NumeralSystem], lengths: Collection[float], objectives: Sequence[str], need: Need | str, upto: int
) -> Floats:
    """The costs `(systems, objectives)` of systems that cover the range and have these average complexities."""
    found = np.zeros((len(systems), len(objectives)))
    for row, (system, length) in enumerate(zip(systems, lengths, strict=True)):
        said, known = Said.canonical(system, need, upto), {"size": float(system.size), "length": length}
        found[row] = [known[name] if name in known else COSTS[name].measure(said) for name in objectives]
    return found


class _Lexicons:
    """Rows of bits as lexicons."""

    def __init__(self, asked: TradeOffs) -> None:
        self.asked, self.rules = asked, as_grammar(asked.grammar)
        self.weights = Need.parse(asked.need).weights(asked.upto)
        self.known: dict[bytes, Floats] = {}  # children often are what there was before

    def evaluate(self, rows: Mask) -> tuple[Floats, Floats]:
        """Costs `(rows, objectives)`, and by how much each row misses the range and the sizes: nothing is positive."""
        digits, multipliers = self._halves(rows)
        leaves = leaves_of_many(digits, multipliers, self.asked.grammar)
        missing = (leaves == 0).sum(axis=1)
        missing[~multipliers.any(axis=1)] = self.asked.upto
        sizes = digits.sum(axis=1) + self.rules.multiplier_words * multipliers.sum(axis=1)
        least, greatest = self.asked.sizes
        outside = np.maximum(sizes - greatest, least - sizes)
        broken = np.column_stack((missing, outside)).astype(np.float64)
        costs = np.full((len(rows), len(self.asked.objectives)), _WORST)
        lengths = averages(leaves, self.weights)
        for i in np.flatnonzero((broken <= 0).all(axis=1)).tolist():
            key = np.packbits(np.concatenate((digits[i], multipliers[i]))).tobytes()
            if key not in self.known:
                self.known[key] = self._costs(digits[i], multipliers[i], float(lengths[i]))
            costs[i] = self.known[key]
        return costs, broken

    def front(self, rows: Mask) -> tuple[TradeOff, ...]:
        """The rows as systems, one for each combination of costs."""
        costs, _ = self.evaluate(rows)
        first: list[int] = np.unique(costs.round(9), axis=0, return_index=True)[1].tolist() if len(rows) else []
        digits, multipliers = self._halves(rows)
        named = [dict(zip(self.asked.objectives, map(float, row), strict=True)) for row in costs]
        return tuple(TradeOff(self._system(digits[i], multipliers[i]), named[i]) for i in first)

    def _costs(self, digits: Mask, multipliers: Mask, length: float) -> Floats:
        system = self._system(digits, multipliers)
        return measure_systems([system], [length], self.asked.objectives, self.asked.need, self.asked.upto)[0]

    def _halves(self, rows: Mask) -> tuple[Mask, Mask]:
        multipliers = rows[:, self.asked.upto :]
        return rows[:, : self.asked.upto] & ~multipliers, multipliers

    def _system(self, digits: Mask, multipliers: Mask) -> NumeralSystem:
        words = [tuple((np.flatnonzero(half) + 1).tolist()) for half in (digits, multipliers)]
        return NumeralSystem(words[0], words[1], self.asked.grammar)


def _first(asked: TradeOffs) -> Mask:
    """The first generation: one to five multipliers; every other lexicon has the digits 1, 2, 3, ..., the rest any."""
    rng, n = np.random.default_rng(asked.seed), asked.upto
    rules = as_grammar(asked.grammar)
    rows = np.zeros((asked.population, 2 * n), dtype=np.bool_)
    for i, row in enumerate(rows):
        size = int(rng.integers(max(asked.sizes[0], rules.size(1, 1)), asked.sizes[1] + 1))
        multipliers = int(rng.integers(1, min(5, (size - 1) // rules.multiplier_words, n - 1) + 1))
        digits = min(size - rules.size(0, multipliers), n - multipliers)
        words = rng.permutation(n)
        own = words[multipliers:] if i % 2 else np.sort(words[multipliers:])
        row[n + words[:multipliers]] = True
        row[own[:digits]] = True
    return rows


def _pymoo() -> tuple[Callable[[TradeOffs, Mask], Any], Any, Any, Any]:
    """NSGA-II with bit flips and uniform crossover, and what it takes to evaluate its lexicons; or what to install."""
    try:
        nsga2: Any = import_module("pymoo.algorithms.moo.nsga2")
        crossover: Any = import_module("pymoo.operators.crossover.ux")
        mutation: Any = import_module("pymoo.operators.mutation.bitflip")
        static: Any = import_module("pymoo.problems.static")
        evaluator: Any = import_module("pymoo.core.evaluator")
        problem: Any = import_module("pymoo.core.problem")
    except ImportError:
        raise RequestError(
            f"Frontiers of further costs need the library pymoo; install it with pip install 'ishango[{EXTRA}]'."
        ) from None

    def algorithm(asked: TradeOffs, first: Mask) -> Any:
        return nsga2.NSGA2(
            pop_size=asked.population, sampling=first, crossover=crossover.UX(prob=0.5),
            mutation=mutation.BitflipMutation(prob_var=2.0 / (2 * asked.upto)), eliminate_duplicates=True,
        )  # fmt: skip

    return algorithm, static, evaluator, problem
