# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The checker's own reading of trees with prices, from their definition in `docs/frontier.md`; integers only.

The bound is one for grammars in which two leaves make products only. `allowed[n]` is what a number may still be, as
pairs: is it a digit, is it a multiplier?
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ishango.compiling import entry, jit
from ishango.frontiers.checker_bound import Lexicons, Words

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


# The checker's own look at every lexicon of a small size, from the definitions in `docs/frontier.md`.
#
# Multipliers are chosen first, then digits, and numbers and phrases are kept level by level. Sums are whole numbers of
# 64 bits. Weights that do not fit are rounded down to 45 bits and the optimum up, and what then seems to be cheaper is
# evaluated with the weights as they are.

FITS, BITS = 62, 45


class CheaperError(Exception):
    """A lexicon costs less than the optimum that is claimed."""


def look_at_everything(lexicons: Lexicons, optimum: int, cost: Callable[..., int | None]) -> int:
    """How many lexicons there are, none of which costs less than the optimum; raises if one does."""
    rules, size = lexicons.rules, lexicons.size
    if lexicons.overlap and not rules.bare_number:
        raise CheaperError("lexicons that overlap are not looked at one by one")
    if rules.multiplier_words > 1:
        raise CheaperError("lexicons in which a multiplier costs several words are not looked at one by one")
    top = size if lexicons.cap is None else min(size, lexicons.cap)
    counts = [top] if rules.bare_number else range(1, min(top, size - 1) + 1)
    total = sum(lexicons.weights)
    fits = (total * (4 * lexicons.limit + 8)).bit_length() <= FITS
    shift = 0 if fits else max(0, total.bit_length() - BITS)
    weights = np.array([weight >> shift for weight in lexicons.weights])
    # More than three times the limit is never reached: the least leaves are fewer than the values below the limit.
    target = min(-(-optimum >> shift), int(weights.sum()) * (4 * lexicons.limit + 8))
    flags = np.array([rules.bare_number, rules.bare_phrase, rules.plus, rules.minus, rules.flat])
    seen = 0
    for m in counts:
        multipliers, chosen = np.arange(1, m + 1), np.arange(size - m)
        resumed = False
        while True:
            found, many, digits = _look(multipliers, chosen, resumed, lexicons.limit, weights, flags, target)
            seen += many
            if not found:
                break
            exact = cost(lexicons, tuple(digits.tolist()), tuple(multipliers.tolist()))
            if exact is not None and exact < optimum:
                raise CheaperError(f"with {m} multipliers there is a lexicon that costs less than the optimum")
            resumed = True
    return seen


@entry
def _look(multipliers, chosen, resumed, limit, weights, flags, target):
    """Go on to the next lexicon that seems to be cheaper: whether there is one, how many were passed, its digits."""
    upto, d = len(weights) - 1, len(chosen)
    free = np.zeros(upto, np.int64)
    digits = np.zeros(d, np.int64)
    level = np.zeros((2, limit + 1), np.int64)
    values = np.zeros((2, limit + 1), np.int64)
    start = np.zeros((2, 4 * limit + 8), np.int64)
    seen = 0
    more_multipliers = True
    while more_multipliers:
        rest = 0
        for n in range(1, upto + 1):
            if not (multipliers == n).any():
                free[rest] = n
                rest += 1
        more_digits = d <= rest
        while more_digits:
            if resumed:
                resumed = False
            else:
                for i in range(d):
                    digits[i] = free[chosen[i]]
                seen += 1
                if not _hopeless(digits, multipliers, flags[0]) and cheaper(
                    digits, multipliers, limit, weights, flags, target, level, values, start
                ):
                    return True, seen, digits
            more_digits = _advance(chosen, rest - 1)
        for i in range(d):
            chosen[i] = i
        more_multipliers = _advance(multipliers, upto)
    return False, seen, digits


@jit
def _advance(chosen, last):
    """The next choice in order, of numbers up to `last`; whether there was one."""
    count = len(chosen)
    for i in range(count - 1, -1, -1):
        if chosen[i] < last - (count - 1 - i):
            chosen[i] += 1
            for j in range(i + 1, count):
                chosen[j] = chosen[i] + j - i
            return True
    return False


@jit
def _hopeless(digits, multipliers, bare_number):
    """Whether some number cannot have a numeral, whatever the number of leaves: the lemma on divisors."""
    divisor = 0
    for word in multipliers:
        divisor = np.gcd(divisor, word)
    if bare_number:
        for word in digits:
            divisor = np.gcd(divisor, word)
        return divisor > 1
    common = 0
    for word in digits:
        common = np.gcd(common, word)
    if common > 1 or divisor - 1 > 2 * len(digits):
        return True
    for remainder in range(1, divisor):
        if not ((digits % divisor == remainder) | (-digits % divisor == remainder)).any():
            return True
    return False


@jit
def cheaper(digits, multipliers, limit, weights, flags, optimum, level, values, start):
    """Whether a lexicon covers the range for less than the optimum; it is given up once it cannot."""
    upto = len(weights) - 1
    bare_number, bare_phrase, plus, minus, flat = flags[0], flags[1], flags[2], flags[3], flags[4]
    level[:] = 0
    numbers, phrases = values[0], values[1]
    start[:, :2] = 0
    found = made = 0
    missing = weights.sum()
    todo = upto
    total = missing
    for word in digits:
        numbers[found] = word
        level[0, word] = 1
        found += 1
    for word in multipliers:
        if bare_number and level[0, word] == 0:
            numbers[found] = word
            level[0, word] = 1
            found += 1
        if bare_phrase:
            phrases[made] = word
            level[1, word] = 1
            made += 1
    leaves, last_news = 1, 1
    cost = total
    while True:
        for i in range(start[0, leaves], found):
            if numbers[i] <= upto:
                missing -= weights[numbers[i]]
                todo -= 1
        start[0, leaves + 1], start[1, leaves + 1] = found, made
        if todo == 0:
            return cost < optimum
        cost += 2 * missing
        if cost >= optimum or leaves >= 2 * last_news:
            return False
        leaves += 1
        # What is multiplied: any number, or, without sums inside products, a word at first and then a product.
        factor = 1 if flat and leaves > 2 else 0
        for i in range(start[factor, leaves - 1], start[factor, leaves]):
            for word in multipliers:
                value = values[factor, i] * word
                if value <= limit and level[1, value] == 0:
                    level[1, value] = leaves
                    phrases[made] = value
                    made += 1
        for i in range(start[1, leaves], made):
            value = phrases[i]
            if level[0, value] == 0:
                level[0, value] = leaves
                numbers[found] = value
                found += 1
        for x in range(1, leaves):
            for i in range(start[1, x], start[1, x + 1]):
                for j in range(start[0, leaves - x], start[0, leaves - x + 1]):
                    value = phrases[i] + numbers[j]
                    if plus and value <= limit and level[0, value] == 0:
                        level[0, value] = leaves
                        numbers[found] = value
                        found += 1
                    value = phrases[i] - numbers[j]
                    if minus and value > 0 and level[0, value] == 0:
                        level[0, value] = leaves
                        numbers[found] = value
                        found += 1
        if found > start[0, leaves] or made > start[1, leaves]:
            last_news = leaves
