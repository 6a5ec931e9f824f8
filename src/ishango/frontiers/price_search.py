"""Branch and bound with prices: few nodes, each with a linear program, in exact arithmetic.

A node knows what each number may still be. Prices drop choices; what is left is priced anew, and where that does not
settle it, split by the number of which the program is least sure.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ishango.frontiers.price_program import Relaxed, relax
from ishango.frontiers.prices import PRICE_BITS, Choices, Market, Prices, decided
from ishango.frontiers.problem import Problem
from ishango.numerals import NumeralSystem

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
