# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The linear program behind the price bound: its dual solution is the best prices, its primal one a good lexicon."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from ishango.frontiers.prices import DIGIT, MULTIPLIER, PRICE_BITS, Choices, Market, Prices, decided, rounded
from ishango.frontiers.problem import Problem
from ishango.numerals import NumeralSystem

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Relaxed:
    """The solution: prices, and how far each number is a digit and a multiplier (from index 1)."""

    prices: Prices
    digits: Floats
    multipliers: Floats


def relax(market: Market, choices: Choices) -> Relaxed | None:
    """Solve the program over what is still possible; None where it has no solution."""
    program = _Program(market, choices)
    solved = program.solve()
    if solved.status != 0:
        return None
    n = market.upto
    return Relaxed(program.prices(solved), np.append(0.0, solved.x[:n]), np.append(0.0, solved.x[n : 2 * n]))


class _Program:
    """Columns: each number as a digit, as a multiplier, as reached by a product only, then each possible product."""

    def __init__(self, market: Market, choices: Choices) -> None:
        self.market, self.n = market, market.upto
        self.bare = market.problem.rules.bare_number
        self.rows: list[tuple[list[int], list[int]]] = []
        self.limits: list[float] = []
        self.lower = np.zeros(2 * self.n)
        self.upper = np.zeros(2 * self.n)
        for i in range(1, self.n + 1):
            for k, role in enumerate((DIGIT, MULTIPLIER)):
                self.upper[k * self.n + i - 1] = any(choice & role for choice in choices[i])
                self.lower[k * self.n + i - 1] = all(choice & role for choice in choices[i])
        self.possible = [t for t, (x, y) in enumerate(market.products) if self._may_be(x, y)]
        self._add_products()
        self._add_words()

    def _may_be(self, x: int, y: int) -> bool:
        return bool(self.upper[self.n + y - 1] and any(self.upper[column] for column in self._numeral(x)))

    def _numeral(self, i: int) -> list[int]:
        """The columns that make a number a numeral of one leaf."""
        return [i - 1, self.n + i - 1] if self.bare else [i - 1]

    def _add(self, limit: float, plus: Iterable[int] = (), minus: Iterable[int] = ()) -> int:
        """A row: the one sum less the other is at most the limit. Returns its number."""
        self.rows.append((list(plus), list(minus)))
        self.limits.append(limit)
        return len(self.limits) - 1

    def _add_products(self) -> None:
        """A product needs both its factors, and a number that is reached needs a product."""
        makes: list[list[int]] = [[] for _ in range(self.n + 1)]
        self.by_left: list[int] = []
        for column, t in enumerate(self.possible, start=3 * self.n):
            x, y = self.market.products[t]
            self.by_left.append(self._add(0, plus=[column], minus=self._numeral(x)))
            self._add(0, plus=[column], minus=[self.n + y - 1])
            makes[x * y].append(column)
        self.by_number = [self._add(0, plus=[2 * self.n + i - 1], minus=makes[i]) for i in range(1, self.n + 1)]

    def _add_words(self) -> None:
        """A number is reached with one leaf or with two, is one word unless words may overlap, and |M| has limits."""
        for i in range(1, self.n + 1):
            self._add(1, plus=[2 * self.n + i - 1, *self._numeral(i)])
            if self.bare or not self.market.problem.overlap:
                self._add(1, plus=[i - 1, self.n + i - 1])
        multipliers = range(self.n, 2 * self.n)
        self.fewest = self._add(-self.market.fewest, minus=multipliers)
        self.most = self._add(self.market.most, plus=multipliers)

    def solve(self) -> Any:
        """The solution as SciPy gives it, of the problem to lose least."""
        n, more = self.n, len(self.possible)
        weights = np.array(self.market.problem.exact_need, dtype=float)
        gain = np.concatenate([2 * weights, 2 * weights * self.bare, weights, np.zeros(more)])
        free = np.zeros(n + more), np.ones(n + more)
        words = coo_array((np.ones(2 * n), (np.zeros(2 * n, int), np.arange(2 * n))), shape=(1, 3 * n + more))
        return linprog(
            -gain,
            A_ub=self._matrix(3 * n + more),
            b_ub=self.limits,
            A_eq=words.tocsr(),
            b_eq=[self.market.size],
            bounds=np.column_stack([np.append(self.lower, free[0]), np.append(self.upper, free[1])]),
            method="highs",
        )

    def _matrix(self, columns: int) -> Any:
        entries = [
            (row, column, sign)
            for row, sides in enumerate(self.rows)
            for sign, side in zip((1.0, -1.0), sides, strict=True)
            for column in side
        ]
        row, column, value = zip(*entries, strict=True)
        return coo_array((value, (row, column)), shape=(len(self.rows), columns)).tocsr()

    def prices(self, solved: Any) -> Prices:
        """The dual solution, rounded and brought inside the limits of prices."""
        paid = -np.asarray(solved.ineqlin.marginals)
        shares = np.zeros(len(self.market.products))
        shares[self.possible] = paid[self.by_left]
        others = np.array([-solved.eqlin.marginals[0], paid[self.fewest] - paid[self.most]])
        prices = Prices(_whole(paid[self.by_number]), _whole(shares), *_whole(others))
        return rounded(self.market, prices)


def _whole(values: Floats) -> tuple[int, ...]:
    return tuple(int(value) for value in np.rint(values * 2.0**PRICE_BITS))


# Branch and bound with prices: few nodes, each with a linear program, in exact arithmetic.
#
# A node knows what each number may still be. Prices drop choices; what is left is priced anew, and where that does not
# settle it, split by the number of which the program is least sure.

Lexicon = tuple[tuple[int, ...], tuple[int, ...]]

SETTLED = 0
"""In place of the number by which a node is split."""


@dataclass(frozen=True)
class PriceNode:
    """A node as it is recorded: the prices that it sets, if it sets any, and the number by which it is split."""

    prices: Prices | None
    split: int


@dataclass(frozen=True)
class _Open:
    choices: Choices
    prices: Prices | None
    bound: int


class PriceSearch:
    """A search in progress for one size."""

    def __init__(self, problem: Problem, size: int, incumbent: Fraction | None = None) -> None:
        self.problem, self.size = problem, size
        self.market = Market(problem, size)
        self.best = incumbent
        self.lexicon: Lexicon | None = None
        """The best lexicon, where it is better than the incumbent that was given."""
        self.record: list[PriceNode] = []
        self._open = [_Open(self.market.every_choice, None, 0)]

    @property
    def nodes(self) -> int:
        """How many nodes were entered."""
        return len(self.record)

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return not self._open

    @property
    def lower_bound(self) -> float:
        """What every lexicon of the size costs at least, as an average."""
        known = [Fraction(node.bound, self.problem.unit << PRICE_BITS) for node in self._open]
        if self.best is not None:
            known.append(self.best)
        return float(min(known, default=0))

    def run(self, node_limit: int, deadline: float | None = None) -> bool:
        """Go on until all is done, so many nodes were entered, or the deadline of `time.monotonic` has passed."""
        while self._open and self.nodes < node_limit and (deadline is None or time.monotonic() < deadline):
            self._enter(self._open.pop())
        return self.done

    def _enter(self, node: _Open) -> None:
        market = self.market
        choices, bound = market.narrowed(node.choices, node.prices, self._target)
        if choices is None:
            self.record.append(PriceNode(None, SETTLED))
            return
        if self._tried(market.lexicon(choices)):
            self.record.append(PriceNode(None, SETTLED))
            return
        relaxed, set_ = relax(market, choices), None
        if relaxed is not None:
            self._round(relaxed)
            set_ = relaxed.prices
            choices, bound = market.narrowed(choices, set_, self._target)
            if choices is None or self._tried(market.lexicon(choices)):
                self.record.append(PriceNode(set_, SETTLED))
                return
        split = _least_sure(choices, relaxed)
        self.record.append(PriceNode(set_, split))
        for choice in sorted(choices[split]):
            # The last one pushed is entered first; the record is in preorder.
            self._open.append(_Open(decided(choices, split, choice), set_ or node.prices, max(bound, node.bound)))

    @property
    def _target(self) -> int | None:
        """What a lexicon must cost less than to be of interest."""
        if self.best is None:
            return None
        scaled = self.best * (self.problem.unit << PRICE_BITS)
        return scaled.numerator // scaled.denominator

    def _tried(self, lexicon: Lexicon | None) -> bool:
        """Whether everything is decided; then the lexicon is evaluated."""
        if lexicon is None:
            return False
        if self.market.fewest <= len(lexicon[1]) <= self.market.most and (lexicon[0] or self.problem.rules.bare_number):
            self._take(lexicon)
        return True

    def _take(self, lexicon: Lexicon) -> None:
        value = self.problem.average(NumeralSystem(*lexicon, self.problem.grammar))
        if value is not None and (self.best is None or value < self.best):
            self.best, self.lexicon = value, lexicon

    def _round(self, relaxed: Relaxed) -> None:
        """Try the lexicon nearest to the program's solution."""
        sure = relaxed.multipliers
        multipliers = np.flatnonzero(sure > 0.5)[: self.market.most]
        if len(multipliers) < self.market.fewest:
            multipliers = np.argsort(-sure, kind="stable")[: self.market.fewest]
        wish = relaxed.digits.copy()
        wish[0] = -1.0
        if not self.problem.overlap:
            wish[multipliers] = -1.0
        digits = np.argsort(-wish, kind="stable")[: self.size - len(multipliers)]
        if 0 not in multipliers and (len(digits) or self.problem.rules.bare_number) and (wish[digits] >= 0).all():
            self._take((tuple(sorted(digits.tolist())), tuple(sorted(multipliers.tolist()))))


def _least_sure(choices: Choices, relaxed: Relaxed | None) -> int:
    """The number to split by: where the program halves a multiplier, else a digit, else the first that is open."""
    open_ = [n for n, options in enumerate(choices) if len(options) > 1]
    if relaxed is None:
        return open_[0]
    digits, multipliers = relaxed.digits, relaxed.multipliers
    unsure = [2 * min(multipliers[n], 1 - multipliers[n]) + min(digits[n], 1 - digits[n]) for n in open_]
    return open_[int(np.argmax(np.array(unsure)))]
