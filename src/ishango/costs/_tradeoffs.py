"""Irregularity among tied expressions, and fronts of several costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ishango.costs._automaton import Automaton, automaton_of, bits, canonical_automaton, descend, numbered
from ishango.costs._regularity import COSTS, Said, heard
from ishango.errors import RequestError, require
from ishango.numerals import (
    GrammarName,
    MinimalLanguage,
    Need,
    NumeralSystem,
    Part,
    Role,
    Walk,
    as_grammar,
    averages,
    check_range,
    fill_tables,
    leaves_of_many,
    minimal_language,
    system_of,
)

String = tuple[str, ...]
Ints = NDArray[np.int64]

MOST_STRINGS = 64
"""Of each number's tied strings so many are looked at, the first ones in rule order."""

STARTS, DESCENTS, KICKS, SWEEPS = 200, 10, 40, 20
"""The search draws so many systematic languages, improves the best of them number by number, and then kicks the best
language, a few numbers at a time, to see whether it falls into a better one."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What the automaton of every minimal language has at least."""

    states: int
    transitions: int
    letters: int

    @property
    def bits(self) -> float:
        """Bits below which no minimal language of the system can be written down."""
        return float(bits(self.states, self.transitions, self.letters))


@dataclass(frozen=True, slots=True)
class TiedLanguages:
    """The automata of minimal languages of a system."""

    shipped: Automaton
    """Of the shipped tie rule."""
    sampled: tuple[Automaton, ...]
    """Of languages drawn uniformly."""
    best: Automaton
    """Of the most regular language that was found."""
    bound: Bound

    @property
    def average(self) -> float:
        """The mean bits of the sampled languages."""
        return math.fsum(each.bits for each in self.sampled) / len(self.sampled)

    @property
    def proved(self) -> bool:
        """Whether no minimal language of the system is more regular than the one that was found."""
        return self.best.bits <= self.bound.bits


def tied_languages(
    system: NumeralSystem, need: Need | str = "power:2", upto: int = 99, *, samples: int = 100, seed: int = 0,
    operators: bool = False,
) -> TiedLanguages | None:  # fmt: skip
    """How irregular the minimal languages of a system are; None where the range is not covered.

    >>> found = tied_languages(NumeralSystem.parse("1-9 | 10", "hurford"), samples=10)
    >>> found.shipped.transitions, found.best.transitions, found.proved
    (40, 20, True)
    """
    shipped = canonical_automaton(system, need, upto, operators=operators)
    if shipped is None:
        return None
    drawing, searching = np.random.default_rng(seed).spawn(2)  # what the search finds must not hang on the samples
    language = minimal_language(system, upto)
    sampled = sampled_automata(language, samples, drawing, need, operators=operators)
    best = most_regular(language, searching, need, operators=operators)
    return TiedLanguages(shipped, sampled, best, bound(language, operators=operators))


def sampled_automata(
    language: MinimalLanguage, samples: int, rng: np.random.Generator, need: Need | str = "power:2", *,
    operators: bool = False,
) -> tuple[Automaton, ...]:  # fmt: skip
    require(samples > 0, "samples", samples, "a positive number")
    weights = Need.parse(need).weights(language.upto)
    drawn = (language.sample(rng) for _ in range(samples))
    return tuple(
        automaton_of([heard(said[n], operators=operators) for n in sorted(said)], weights) for said in drawn
    )  # fmt: skip


def most_regular(
    language: MinimalLanguage, rng: np.random.Generator, need: Need | str = "power:2", *, operators: bool = False
) -> Automaton:
    """The automaton of the most regular minimal language that a search finds.

    Regularity lies in many numbers' choosing alike, so the search begins with languages in which all follow one rule:
    words and operators are ranked at random, and each number avoids what has the worst ranks. The best of these
    languages are improved by changing one number after the other. Only `bound` can prove that nothing better exists.
    """
    strings = _tied_strings(language)
    groups = np.cumsum([0, *map(len, strings)])
    whole = [string for tied in strings for string in tied]
    said = whole if operators else [string[::2] for string in whole]
    letters, starts = numbered(said)
    weights = Need.parse(need).weights(language.upto)

    def improved(chosen: Ints, order: Ints) -> tuple[Ints, float]:
        return descend(letters, starts, groups, chosen, weights, order, SWEEPS)

    nobody = np.zeros(0, np.int64)
    rules = [groups[:-1], *_systematic(whole, groups, rng)]
    rules.sort(key=lambda chosen: improved(chosen, nobody)[1])
    found = [improved(chosen, rng.permutation(len(strings))) for chosen in rules[:DESCENTS]]
    best, least = min(found, key=lambda pair: pair[1])
    for _ in range(KICKS):
        kicked = best.copy()
        some = rng.choice(len(strings), size=min(len(strings), int(rng.integers(2, 9))), replace=False)
        kicked[some] = rng.integers(groups[some], groups[some + 1])
        other, its_bits = improved(kicked, rng.permutation(len(strings)))
        if its_bits <= least:
            best, least = other, its_bits
    return automaton_of([said[int(i)] for i in best], weights)


def _systematic(strings: Sequence[String], groups: Ints, rng: np.random.Generator) -> Iterator[Ints]:
    """Languages in which one ranking decides, of words and of operators, whether these are heard or not."""
    letters, starts = numbered(strings)
    uses = np.zeros((len(strings), int(letters.max()) + 1))
    np.add.at(uses, (np.repeat(np.arange(len(strings)), np.diff(starts)), letters), 1)
    for _ in range(STARTS):
        prices = uses @ 2.0 ** rng.permutation(uses.shape[1])
        yield np.array([first + np.argmin(prices[first:last]) for first, last in pairwise(groups.tolist())])


def bound(language: MinimalLanguage, *, operators: bool = False) -> Bound:
    """What no automaton of a minimal language of the system can do without.

    - Its longest string passes through one state more than it has letters, all different, since there are no loops.
    - The numbers that are words are strings of one letter, so each has its transition from the first state.
    - Every other string ends on a transition that begins elsewhere, with one of the letters on which the number's tied
      expressions may end: there are at least as many as it takes to have one of them for every such number.
    - Every state of the longest string but the first and the last has a transition, too; where operators are heard,
      every second of these is an operator, and so is none of those before.
    """
    leaves = language.leaves
    longest = int(leaves.max())
    words = frozenset(str(n) for n in language if leaves[n - 1] == 1)
    composed = [n for n in language if leaves[n - 1] > 1]
    walk = _walk(language)
    last = _last_letters(walk, composed)
    ends = _least_hitting(last)
    letters = len(words) + _least_hitting([each for each in last if not each & words])
    if not operators:
        return Bound(longest + 1, len(words) + max(ends, longest - 1), letters)
    signs = [frozenset(way.operator for way in walk.ways(Part(n, Role.NUMBER))) for n in composed]
    steps = max(ends + longest - 1, 2 * longest - 2)
    return Bound(2 * longest, len(words) + steps, letters + _least_hitting(signs))


def _least_hitting(sets: Sequence[frozenset[str]]) -> int:
    """A number of elements below which no choice has one of each set: sets that share nothing need one each."""
    needed, taken = 0, frozenset[str]()
    for each in sorted(sets, key=lambda each: (len(each), sorted(each))):
        if not each & taken:
            needed, taken = needed + 1, taken | each
    return needed


def _walk(language: MinimalLanguage) -> Walk:
    return Walk(fill_tables(language.system, language.upto, language.limit))


def _by_leaves(walk: Walk, numbers: Iterable[int]) -> Sequence[Part]:
    """The parts that the numbers' tied expressions are made of, each behind those that it is made of."""
    found: set[Part] = set()
    stack = [Part(n, Role.NUMBER) for n in numbers]
    while stack:
        part = stack.pop()
        if part not in found:
            found.add(part)
            stack += [each for _, *below in walk.ways(part) for each in below]
    return sorted(found, key=lambda part: (1 if part.role == Role.MULTIPLIER else walk.source.level(part), part))


def _tied_strings(language: MinimalLanguage) -> list[list[String]]:
    """For each number the strings of its tied expressions, operators included, as many as are looked at."""
    walk = _walk(language)
    known: dict[Part, list[String]] = {}
    for part in _by_leaves(walk, language):
        strings: dict[String, None] = {}
        for operator, left, right in walk.ways(part):
            strings |= {(*a, operator, *b): None for a in known[left] for b in known[right]}
            if len(strings) >= MOST_STRINGS:
                break
        known[part] = list(strings)[:MOST_STRINGS] or [(str(part.value),)]
    return [known[Part(n, Role.NUMBER)] for n in language]


def _last_letters(walk: Walk, numbers: Sequence[int]) -> list[frozenset[str]]:
    """For each number the letters on which its tied expressions may end."""
    known: dict[Part, frozenset[str]] = {}
    for part in _by_leaves(walk, numbers):
        ways = [known[right] for _, _, right in walk.ways(part)]
        known[part] = frozenset[str]().union(*ways) if ways else frozenset({str(part.value)})
    return [known[Part(n, Role.NUMBER)] for n in numbers]


# Frontiers of any costs, estimated: NSGA-II (Deb et al. 2002), as the library `pymoo` has it.
#
# A lexicon is a row of bits, whether each number is a digit and whether it is a multiplier; what is both is a
# multiplier. Lexicons that do not cover the range, or whose size is not one of those asked for, break a constraint, by
# so many numbers or words. What comes out is an estimate: no lexicon that was seen is better in every cost; nothing is
# proved.

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Told after each generation: its number, and how many lexicons are on the front."""

MOST = 100_000
"""The most lexicons of a generation, and the most generations."""
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
        if self.sizes[0] > self.sizes[1]:
            raise RequestError(f"The sizes run from {self.sizes[0]} to {self.sizes[1]}; give the smaller one first.")
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
        return tuple(
            TradeOff(system_of(np.stack((digits[i], multipliers[i])), self.asked.grammar), named[i]) for i in first
        )

    def _costs(self, digits: Mask, multipliers: Mask, length: float) -> Floats:
        system = system_of(np.stack((digits, multipliers)), self.asked.grammar)
        said = Said.canonical(system, self.asked.need, self.asked.upto)
        known = {"size": system.size, "length": length}
        return np.array([known[n] if n in known else COSTS[n].measure(said) for n in self.asked.objectives], np.float64)

    def _halves(self, rows: Mask) -> tuple[Mask, Mask]:
        multipliers = rows[:, self.asked.upto :]
        return rows[:, : self.asked.upto] & ~multipliers, multipliers


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
