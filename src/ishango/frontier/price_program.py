"""The linear program behind the price bound: its dual solution is the best prices, its primal one a good lexicon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from ishango.frontier.prices import DIGIT, MULTIPLIER, PRICE_BITS, Choices, Market, Prices, rounded

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Relaxed:
    """The solution: prices, and how far each number is a digit and a multiplier (from index 1)."""

    prices: Prices
    digits: Floats
    multipliers: Floats


class _Rows:
    """Constraints, at most: coefficients by column."""

    def __init__(self) -> None:
        self.row: list[int] = []
        self.column: list[int] = []
        self.value: list[float] = []
        self.limit: list[float] = []

    def add(self, limit: float, **terms: Any) -> int:
        """Add a row; each term is `plus` or `minus` columns. Returns its number."""
        for sign, name in ((1.0, "plus"), (-1.0, "minus")):
            for column in terms.get(name, ()):
                self.row.append(len(self.limit))
                self.column.append(column)
                self.value.append(sign)
        self.limit.append(limit)
        return len(self.limit) - 1


def relax(market: Market, choices: Choices) -> Relaxed | None:
    """Solve the program over what is still possible; None where it has no solution.

    Columns: each number as a digit, as a multiplier, as reached by a product only, then each product that is possible.
    """
    n, bare = market.upto, market.problem.rules.bare_number
    numbers = range(1, n + 1)
    weights = np.array(market.problem.exact_need, dtype=float)
    upper = np.ones(3 * n)
    lower = np.zeros(3 * n)
    for i in numbers:
        for k, role in enumerate((DIGIT, MULTIPLIER)):
            upper[k * n + i - 1] = any(choice & role for choice in choices[i])
            lower[k * n + i - 1] = all(choice & role for choice in choices[i])

    def named(i: int) -> list[int]:
        return [i - 1, n + i - 1] if bare else [i - 1]

    possible = [
        t for t, (x, y) in enumerate(market.products) if upper[n + y - 1] and any(upper[c] for c in named(x))
    ]
    rows = _Rows()
    makes: list[list[int]] = [[] for _ in range(n + 1)]
    by_left: list[int] = []
    for k, t in enumerate(possible):
        x, y = market.products[t]
        column = 3 * n + k
        by_left.append(rows.add(0, plus=(column,), minus=named(x)))
        rows.add(0, plus=(column,), minus=(n + y - 1,))
        makes[x * y].append(column)
    by_number = [rows.add(0, plus=(2 * n + i - 1,), minus=makes[i]) for i in numbers]
    for i in numbers:
        rows.add(1, plus=(2 * n + i - 1, *named(i)))
        if bare or not market.problem.overlap:
            rows.add(1, plus=(i - 1, n + i - 1))
    fewest = rows.add(-market.fewest, minus=range(n, 2 * n))
    most = rows.add(market.most, plus=range(n, 2 * n))
    columns = 3 * n + len(possible)
    gain = np.concatenate([2 * weights, 2 * weights if bare else 0 * weights, weights, np.zeros(len(possible))])
    words = coo_array((np.ones(2 * n), (np.zeros(2 * n, int), np.arange(2 * n))), shape=(1, columns))
    solved: Any = linprog(
        -gain,
        A_ub=coo_array((rows.value, (rows.row, rows.column)), shape=(len(rows.limit), columns)).tocsr(),
        b_ub=rows.limit,
        A_eq=words.tocsr(),
        b_eq=[market.size],
        bounds=np.column_stack([np.pad(lower, (0, len(possible))), np.pad(upper, (0, len(possible)), constant_values=1)]),
        method="highs",
    )
    if solved.status != 0:
        return None
    paid = -np.asarray(solved.ineqlin.marginals)
    shares = np.zeros(len(market.products))
    shares[possible] = paid[by_left]
    prices = Prices(
        _whole(paid[by_number]),
        _whole(shares),
        *_whole(np.array([-solved.eqlin.marginals[0], paid[fewest] - paid[most]])),
    )
    prices = rounded(n, market.weights, market.problem.unit, prices)
    return Relaxed(prices, np.append(0.0, solved.x[:n]), np.append(0.0, solved.x[n : 2 * n]))


def _whole(values: Floats) -> tuple[int, ...]:
    return tuple(int(value) for value in np.rint(values * 2.0**PRICE_BITS))
