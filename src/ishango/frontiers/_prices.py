# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""A lower bound by prices: what each word can be worth at most, from an account of what it helps to reach.

For the grammars in which a multiplier alone is no phrase, two leaves make products only. Prices say what a number that
two leaves reach is worth, and which part of that its digit and which part its multiplier earns; then every word has a
worth of its own, and the best lexicon of a size is one of the worthiest words. Any prices give a bound, good prices
come from a linear program (`relax`). `docs/studies/frontier.md` proves it; all sums here are exact.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ishango.frontiers._problem import Problem
from ishango.numerals import GrammarFlags, NumeralSystem

PRICE_BITS = 40
"""Prices are whole multiples of 2^-40 of the weight of all numbers."""

NONE, DIGIT, MULTIPLIER, BOTH = 0, 1, 2, 3
Choices = tuple[frozenset[int], ...]
"""What each number may still be, from index 1."""

_RULES = {"bare_number", "bare_phrase", "plus", "minus", "flat"}
_PARTS = {"grammar", "need", "upto", "overlap", "max_multipliers"}


def understood(problem: Problem) -> bool:
    """Whether all that defines the problem was there when its bounds were proved, and a multiplier is one word."""
    known = set(GrammarFlags._fields) == _RULES and {part.name for part in fields(problem)} == _PARTS
    return known and problem.rules.multiplier_words == 1


def applies(problem: Problem) -> bool:
    """Whether the bound is proved for a problem: two leaves make products only, and all that defines it is known here.

    Sums inside products need three leaves, so it does not matter whether they are there. A multiplier that costs
    several words is another account, which nobody has made.

    >>> applies(Problem()), applies(Problem("flat")), applies(Problem("hurford"))
    (True, True, False)
    """
    return understood(problem) and not problem.rules.bare_phrase


@dataclass(frozen=True)
class Prices:
    """What is paid, in units of 2^-PRICE_BITS."""

    reached: tuple[int, ...]
    """For each number 1..range what its being reached by a product is worth; what is left of its weight is given."""
    shares: tuple[int, ...]
    """For each product inside the range, in the order of `products_of`, what of that its left factor earns."""
    word: int
    """The price of a place in the lexicon."""
    multiplier: int
    """What a multiplier is paid for being one (negative: has to pay)."""


def products_of(upto: int) -> list[tuple[int, int]]:
    """The products x * y inside the range, by y and then x.

    >>> products_of(3)
    [(1, 1), (2, 1), (3, 1), (1, 2), (1, 3)]
    """
    return [(x, y) for y in range(1, upto + 1) for x in range(1, upto // y + 1)]


class Market:
    """The lexicons of one size, and what prices say about those that are still possible."""

    def __init__(self, problem: Problem, size: int) -> None:
        self.problem, self.size = problem, size
        self.upto = problem.upto
        self.fewest, self.most = problem.multiplier_counts(size)
        self.weights = [0, *(unit << PRICE_BITS for unit in problem.units)]
        self.products = products_of(self.upto)

    @property
    def every_choice(self) -> Choices:
        """Nothing is decided."""
        one = {NONE, DIGIT, MULTIPLIER}
        if self.problem.rules.bare_number:
            one = {NONE, MULTIPLIER} if self.problem.max_multipliers is None else one
        elif self.problem.overlap:
            one |= {BOTH}
        return (frozenset({NONE}), *[frozenset(one)] * self.upto)

    def narrowed(self, choices: Choices, prices: Prices | None, target: int | None) -> tuple[Choices | None, int]:
        """What is still possible below the target, None if nothing is, and a lower bound on all that was possible.

        Both are costs in units of 2^-PRICE_BITS of a unit of need.
        A choice goes when what has it is not below the target, or when it leaves too many words or too few.
        """
        bound = 0
        while True:
            counted = self._counted(choices)
            if counted is None:
                return None, bound
            if prices is None:
                return counted, bound
            worth = self.worth(counted, prices)
            best = [max(options.values()) for options in worth]
            bound = self.bound_of(prices, sum(best))
            if target is None:
                return counted, bound
            if bound >= target:
                return None, bound
            spare = target - bound
            kept = tuple(
                frozenset(choice for choice in options if 2 * (most - options[choice]) < spare)
                for options, most in zip(worth, best, strict=True)
            )
            if kept == choices:
                return kept, bound
            choices = kept

    def _counted(self, choices: Choices) -> Choices | None:
        """Without what would leave too many words or multipliers, or too few; None where nothing else is left."""
        while True:
            before = choices
            for count, fewest, most in ((_words, self.size, self.size), (_multipliers, self.fewest, self.most)):
                least = [min(map(count, options)) for options in choices]
                greatest = [max(map(count, options)) for options in choices]
                if sum(least) > most or sum(greatest) < fewest:
                    return None
                ends = least if sum(least) == most else greatest if sum(greatest) == fewest else None
                if ends is not None:
                    choices = tuple(
                        frozenset(choice for choice in options if count(choice) == end)
                        for options, end in zip(choices, ends, strict=True)
                    )
            if choices == before:  # multipliers that go or come change the number of words
                return choices

    def worth(self, choices: Choices, prices: Prices) -> list[dict[int, int]]:
        """What each choice of each number is worth, its place paid."""
        unit, bare = self.problem.unit, self.problem.rules.bare_number
        number = [0] * (self.upto + 1)
        multiplier = [unit * prices.multiplier] * (self.upto + 1)
        for n in range(1, self.upto + 1):
            number[n] = self.weights[n] + unit * prices.reached[n - 1]
        named = [_named(options, bare) for options in choices]
        multiplies = [any(choice & MULTIPLIER for choice in options) for options in choices]
        for (x, y), share in zip(self.products, prices.shares, strict=True):
            if named[x] and multiplies[y]:
                number[x] += unit * share
                multiplier[y] += unit * (prices.reached[x * y - 1] - share)
        if bare:
            multiplier = list(map(sum, zip(number, multiplier, strict=True)))
        place = unit * prices.word
        return [
            {
                choice: (choice & 1) * (number[n] - place) + (choice >> 1) * (multiplier[n] - place)
                for choice in choices[n]
            }
            for n in range(self.upto + 1)
        ]

    def bound_of(self, prices: Prices, best: int) -> int:
        """The lower bound on the cost, when the worthiest choices are worth that much together."""
        unit, total = self.problem.unit, sum(self.weights)
        given = total - unit * sum(prices.reached)
        limit = self.fewest if prices.multiplier > 0 else self.most
        reach = given + unit * (prices.word * self.size - prices.multiplier * limit) + best
        return 5 * total - 2 * reach

    def lexicon(self, choices: Choices) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The digits and multipliers; None where something is not decided."""
        if any(len(options) > 1 for options in choices):
            return None
        made = [next(iter(options)) for options in choices]
        return (
            tuple(n for n, choice in enumerate(made) if choice & DIGIT),
            tuple(n for n, choice in enumerate(made) if choice & MULTIPLIER),
        )


def decided(choices: Choices, number: int, choice: int) -> Choices:
    return (*choices[:number], frozenset({choice}), *choices[number + 1 :])


def rounded(market: Market, prices: Prices) -> Prices:
    """The prices brought inside their limits: nothing below 0, a price not above its weight, a share not above it."""
    top = [weight // market.problem.unit for weight in market.weights[1:]]
    reached = tuple(max(0, min(price, most)) for price, most in zip(prices.reached, top, strict=True))
    shares = tuple(
        max(0, min(share, reached[x * y - 1])) for share, (x, y) in zip(prices.shares, market.products, strict=True)
    )
    return replace(prices, reached=reached, shares=shares)


def _words(choice: int) -> int:
    return (choice & 1) + (choice >> 1)


def _multipliers(choice: int) -> int:
    return choice >> 1


def _named(options: frozenset[int], bare: bool) -> bool:
    return any(choice & DIGIT or (bare and choice & MULTIPLIER) for choice in options)


# The linear program behind the price bound: its dual solution is the best prices, its primal one a good lexicon.

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
        from scipy.optimize import linprog  # an extra, which few proofs need
        from scipy.sparse import coo_array

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
        from scipy.sparse import coo_array

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
        return len(self.record)

    @property
    def done(self) -> bool:
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
        if choices is None or self._tried(market.lexicon(choices)):
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
        assert sum(map(len, lexicon)) == self.size
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
