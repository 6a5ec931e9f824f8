"""The checker's own reading of trees with prices, from their definition in `docs/frontier.md`; integers only.

The bound is one for grammars in which two leaves make products only. `allowed[n]` is what a number may still be, as
pairs: is it a digit, is it a multiplier?
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ishango.frontiers._checker_bound import Lexicons, Words

PRICE_BITS = 40
Role = tuple[bool, bool]
Allowed = dict[int, frozenset[Role]]
ORDER: tuple[Role, ...] = ((True, True), (False, True), (True, False), (False, False))
"""The order of children: both, multiplier, digit, no word."""


class PriceError(Exception):
    """A tree with prices does not hold; the message says why."""


@dataclass(frozen=True)
class _Prices:
    reached: dict[int, int]
    shares: dict[tuple[int, int], int]
    """What the left factor of a product earns."""
    word: int
    multiplier: int


class PriceWalk:
    """Reads a tree in preorder; costs are counted in units of 2^-PRICE_BITS of a unit of weight."""

    def __init__(
        self, lexicons: Lexicons, unit: int, optimum: int, record: Any, cost: Callable[..., int | None]
    ) -> None:
        if lexicons.rules.bare_phrase:
            raise PriceError("prices prove nothing where a multiplier alone is a phrase")
        if lexicons.rules.multiplier_words > 1:
            raise PriceError("prices prove nothing where a multiplier costs several words")
        self.lexicons, self.unit, self.cost = lexicons, unit, cost
        self.target = optimum << PRICE_BITS
        self.weight = {n: lexicons.weights[n] << PRICE_BITS for n in range(1, lexicons.upto + 1)}
        self.splits: list[int] = record["splits"]
        self.prices = {entry["node"]: self._read(entry) for entry in record["prices"]}
        top = lexicons.size if lexicons.cap is None else min(lexicons.cap, lexicons.size)
        self.most = top if lexicons.rules.bare_number else min(top, lexicons.size - 1)
        self.fewest = self.most if lexicons.rules.bare_number else 1
        self.position = 0

    def walk(self) -> int:
        """Check the whole tree; returns its number of nodes."""
        roles = {(False, False), (False, True), (True, False), (True, True)}
        if self.lexicons.rules.bare_number or not self.lexicons.overlap:
            roles.discard((True, True))
        if self.lexicons.rules.bare_number and self.lexicons.cap is None:
            roles.discard((True, False))
        self._visit(dict.fromkeys(self.weight, frozenset(roles)), None)
        if self.position != len(self.splits) or any(node >= self.position or node < 0 for node in self.prices):
            raise PriceError("the file goes on after the tree has ended")
        return self.position

    def _read(self, entry: Any) -> _Prices:
        n = self.lexicons.upto
        products = [(x, y) for y in range(1, n + 1) for x in range(1, n // y + 1)]
        figures = [*entry["reached"], *entry["shares"], entry["word"], entry["multiplier"]]
        if not all(type(figure) is int for figure in figures):
            raise PriceError("a price is not a whole number")
        if len(entry["reached"]) != n or len(entry["shares"]) != len(products):
            raise PriceError("there is not a price for each number and a share for each product")
        reached: dict[int, int] = dict(zip(range(1, n + 1), entry["reached"], strict=True))
        shares: dict[tuple[int, int], int] = dict(zip(products, entry["shares"], strict=True))
        if any(not 0 <= price * self.unit <= self.weight[number] for number, price in reached.items()):
            raise PriceError("a number is priced above its weight or below 0")
        if any(not 0 <= share <= reached[x * y] for (x, y), share in shares.items()):
            raise PriceError("a share is more than the price or less than nothing")
        return _Prices(reached, shares, entry["word"], entry["multiplier"])

    def _visit(self, allowed: Allowed, inherited: _Prices | None) -> None:
        if self.position >= len(self.splits):
            raise PriceError("the tree ends early")
        split, own = self.splits[self.position], self.prices.get(self.position)
        self.position += 1
        left: Allowed | None = allowed
        for prices in (inherited, own):
            left = None if left is None else self._narrow(left, prices)
        if split == 0:
            if left is not None:
                self._check_whole(left)
            return
        if left is None or split not in left:
            raise PriceError(f"node {self.position} cannot be split by {split}")
        for role in ORDER:
            if role in left[split]:
                self._visit({**left, split: frozenset({role})}, own or inherited)

    def _check_whole(self, allowed: Allowed) -> None:
        if any(len(roles) > 1 for roles in allowed.values()):
            raise PriceError(f"node {self.position} is called settled, and lexicons are left that its prices allow")
        made = {n: next(iter(roles)) for n, roles in allowed.items()}
        digits: Words = tuple(n for n, (digit, _) in made.items() if digit)
        multipliers: Words = tuple(n for n, (_, multiplier) in made.items() if multiplier)
        if not digits and not self.lexicons.rules.bare_number:
            return
        cost = self.cost(self.lexicons, digits, multipliers)
        if cost is not None and cost << PRICE_BITS < self.target:
            raise PriceError(f"node {self.position}: a lexicon costs less than the optimum")

    def _narrow(self, allowed: Allowed, prices: _Prices | None) -> Allowed | None:
        """What is left when everything goes that counts or prices exclude, over and over; None: nothing."""
        while True:
            left = self._count(allowed)
            if left is None:
                return None
            if prices is not None:
                left = self._price(left, prices)
                if left is None:
                    return None
            if left == allowed:
                return left
            allowed = left

    def _count(self, allowed: Allowed) -> Allowed | None:
        size = self.lexicons.size
        for count, fewest, most in ((_words, size, size), (_multipliers, self.fewest, self.most)):
            low = {n: min(map(count, roles)) for n, roles in allowed.items()}
            high = {n: max(map(count, roles)) for n, roles in allowed.items()}
            if sum(low.values()) > most or sum(high.values()) < fewest:
                return None
            if sum(low.values()) == most:
                allowed = {n: frozenset(r for r in roles if count(r) == low[n]) for n, roles in allowed.items()}
            elif sum(high.values()) == fewest:
                allowed = {n: frozenset(r for r in roles if count(r) == high[n]) for n, roles in allowed.items()}
        return allowed

    def _price(self, allowed: Allowed, prices: _Prices) -> Allowed | None:
        """Without the roles that leave nothing below the optimum."""
        unit, bare = self.unit, self.lexicons.rules.bare_number
        numeral = {n for n, roles in allowed.items() if any(digit or (bare and mult) for digit, mult in roles)}
        multiplier = {n for n, roles in allowed.items() if any(mult for _, mult in roles)}
        as_numeral = {n: self.weight[n] + unit * prices.reached[n] for n in allowed}
        as_multiplier = dict.fromkeys(allowed, unit * prices.multiplier)
        for (x, y), share in prices.shares.items():
            if x in numeral and y in multiplier:
                as_numeral[x] += unit * share
                as_multiplier[y] += unit * (prices.reached[x * y] - share)

        def worth(n: int, role: Role) -> int:
            earned = as_multiplier[n] if role[1] else 0
            if role[0] or (role[1] and bare):
                earned += as_numeral[n]
            return earned - sum(role) * unit * prices.word

        best = {n: max(worth(n, role) for role in roles) for n, roles in allowed.items()}
        total = sum(self.weight.values())
        reach = total - unit * sum(prices.reached.values()) + unit * prices.word * self.lexicons.size
        reach -= unit * prices.multiplier * (self.fewest if prices.multiplier > 0 else self.most)
        spare = self.target - (5 * total - 2 * (reach + sum(best.values())))
        if spare <= 0:
            return None
        return {
            n: frozenset(role for role in roles if 2 * (best[n] - worth(n, role)) < spare)
            for n, roles in allowed.items()
        }


def _words(role: Role) -> int:
    return role[0] + role[1]


def _multipliers(role: Role) -> int:
    return int(role[1])
