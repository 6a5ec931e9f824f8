# pyright: basic
# SciPy has no types of its own.
"""The linear program behind the price bound: its dual solution is the best prices, its primal one a good lexicon."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from ishango.frontiers.prices import DIGIT, MULTIPLIER, PRICE_BITS, Choices, Market, Prices, rounded

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
