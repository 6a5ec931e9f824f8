"""The checker's own evaluator and its bounds, by layers and by prices, as `docs/studies/frontier.md` defines them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

Words = tuple[int, ...]
LAYERS = 5


class RefutedError(Exception):
    """The proof does not hold; the message says why."""


@dataclass(frozen=True)
class Rules:
    """Which rules the grammar has; by default those of the paper's."""

    bare_number: bool = False
    """Is a multiplier alone a numeral?"""
    bare_phrase: bool = False
    """Is it a phrase?"""
    plus: bool = True
    minus: bool = True
    flat: bool = False
    """Are products without sums inside: is what is multiplied a word or a product?"""
    multiplier_words: int = 1
    """How many words does a multiplier cost?"""

    @property
    def free_split(self) -> bool:
        """Does a multiplier all that a digit does, for the same price?"""
        return self.bare_number and self.multiplier_words == 1

    def join(self, phrase: int, number: int) -> tuple[int, ...]:
        """What a phrase and a number make."""
        return (phrase + number,) * self.plus + (phrase - number,) * self.minus

    def pairs(self, count: int) -> int:
        """How many sums and positive differences so many phrases make among themselves."""
        return count * (count + 1) // 2 * self.plus + count * (count - 1) // 2 * self.minus


@dataclass(frozen=True)
class Lexicons:
    """The lexicons of one size, and the weight of each number in whole units (index 0 is not used)."""

    rules: Rules
    overlap: bool
    cap: int | None
    size: int
    limit: int
    weights: list[int]

    @cached_property
    def upto(self) -> int:
        """The largest number that is evaluated and the largest possible word."""
        return len(self.weights) - 1

    @cached_property
    def heaviest_first(self) -> list[int]:
        return sorted(range(1, self.upto + 1), key=lambda n: -self.weights[n])

    @cached_property
    def total(self) -> int:
        return sum(self.weights)

    def choices(self, number: int) -> list[tuple[Words, Words]]:
        """What a number may be, as additions to the digits and to the multipliers, in the order of the tree."""
        one: Words = (number,)
        if self.rules.bare_number:
            all_multipliers = self.rules.free_split and self.cap is None
            return [((), one), ((), ())] if all_multipliers else [((), one), (one, ()), ((), ())]
        both = [(one, one)] if self.overlap else []
        return [(one, ()), ((), one), *both, ((), ())]

    def words(self, digits: Sized, multipliers: Sized) -> int:
        return len(digits) + self.rules.multiplier_words * len(multipliers)

    def splits(self, digits: Words, multipliers: Words, c: int) -> list[tuple[int, int]]:
        """How many digits and multipliers above c may complete the lexicon."""
        left = self.size - self.words(digits, multipliers)
        room = self.upto - c
        most = self.size if self.cap is None else min(self.cap, self.size)
        bare = self.rules.bare_number
        disjoint = bare or not self.overlap
        found: list[tuple[int, int]] = []
        for b in range(left // self.rules.multiplier_words + 1):
            a, m = left - self.rules.multiplier_words * b, len(multipliers) + b
            if a > room or b > room or (disjoint and a + b > room):
                continue
            if self.rules.free_split and m != most:
                continue
            if not 1 <= m <= most or (not bare and len(digits) + a < 1):
                continue
            found.append((a, b))
        return found


def least_leaves(digits: Words, multipliers: Words, lexicons: Lexicons, last: int | None = None) -> dict[int, int]:
    """The least leaves of each value up to the limit that has a derivation (of at most `last` leaves, if given)."""
    rules = lexicons.rules
    one = set(digits) | (set(multipliers) if rules.bare_number else set[int]())
    numbers = [set[int](), one]
    phrases = [set[int](), set(multipliers) if rules.bare_phrase else set[int]()]
    leaves = dict.fromkeys(one, 1)
    all_phrases = set(phrases[1])
    newest, k = 1, 1
    while k < (2 * newest if last is None else last):
        k += 1
        factors = phrases[k - 1] if rules.flat and k > 2 else numbers[k - 1]
        products = {n * m for n in factors for m in multipliers if n * m <= lexicons.limit} - all_phrases
        found = set(products)
        for x in range(1, k):
            for phrase in phrases[x]:
                for number in numbers[k - x]:
                    found.update(rules.join(phrase, number))
        found = {value for value in found if 1 <= value <= lexicons.limit and value not in leaves}
        leaves.update(dict.fromkeys(found, k))
        all_phrases |= products
        numbers.append(found)
        phrases.append(products)
        if found or products:
            newest = k
        if last is None and all(n in leaves for n in range(1, lexicons.upto + 1)):
            break
    return leaves


def completion_bound(
    digits: Words, multipliers: Words, c: int, lexicons: Lexicons, enough: Fraction | None = None
) -> int:
    """What every lexicon of the size with these words up to c costs at least.

    Where it is only asked whether this is `enough`, the answer may be lower than the bound, but not lower than that.
    """
    node = _Node(digits, multipliers, c, lexicons)
    return min(node.bound(a, b, enough) for a, b in lexicons.splits(digits, multipliers, c))


class _Node:
    """A partial lexicon, and what its decided words reach."""

    def __init__(self, digits: Words, multipliers: Words, c: int, lexicons: Lexicons) -> None:
        self.digits, self.multipliers, self.c, self.lexicons = digits, multipliers, c, lexicons
        self.least = max(c, 1)  # new factors above 1 are at least this plus 1, plus 2, ...
        self.weight = lexicons.weights
        self.rules = lexicons.rules
        self.one = set(digits) | (set(multipliers) if self.rules.bare_number else set[int]())
        self.two = self.one | set(self._pairs(self.one, multipliers))
        self.undecided = range(c + 1, lexicons.upto + 1)
        self.heaviest_first = lexicons.heaviest_first
        self.total = lexicons.total
        self.known = self._sum(self.one) + self._sum(self.two)
        self._levels: dict[int, int] | None = None

    @cached_property
    def unreached_first(self) -> list[int]:
        """The numbers that two leaves do not reach yet, the heaviest first."""
        return [n for n in self.heaviest_first if n not in self.two]

    @cached_property
    def undecided_first(self) -> list[int]:
        """The numbers that may still become words, the heaviest first."""
        return [n for n in self.heaviest_first if n > self.c]

    @cached_property
    def open_first(self) -> list[int]:
        """Those of both."""
        return [n for n in self.unreached_first if n > self.c]

    @cached_property
    def new_products(self) -> set[int]:
        """What can be a product above 1 x 1 with a new factor."""
        upto, c = self.lexicons.upto, self.c
        factors = [(x, y) for x in range(2, upto // 2 + 1) for y in range(2, upto // x + 1)]
        return {
            x * y for x, y in factors if (x > c and (y > c or y in self.multipliers)) or (y > c and x in self.digits)
        }

    @cached_property
    def digit_gains(self) -> list[int]:
        return sorted(map(self._gain_as_digit, self.undecided), reverse=True)

    @cached_property
    def multiplier_gains(self) -> list[int]:
        return sorted(map(self._gain_as_multiplier, self.undecided), reverse=True)

    def bound(self, a: int, b: int, enough: Fraction | None = None) -> int:
        """The least cost when a digits and b multipliers above c are still to come, or at least `enough`."""
        bound = 0
        for unreached in self._steps(a, b, 2 * self.total - self.known):
            bound = self.total + 2 * unreached
            if enough is not None and bound >= enough:
                break
        return bound

    def _steps(self, a: int, b: int, most: int) -> Iterator[int]:
        """What stays unreached, `most` being what could be reached yet in the layers 1 and 2: more and more of it."""
        counted = self._by_counting(a, b)
        yield max(0, most - counted)
        unreached = max(0, most - min(counted, self._by_gains(a, b)))
        yield unreached
        for k in range(3, LAYERS + 1):
            new = self._new_expressions(a, b, k)
            if new >= self.lexicons.upto:
                break
            unreached += self._unreached(k, new)
            yield unreached

    def _sum(self, numbers: Iterable[int]) -> int:
        return sum(self.weight[n] for n in numbers if n <= self.lexicons.upto)

    def _pairs(self, numbers: Iterable[int], multipliers: Iterable[int]) -> Iterator[int]:
        """What a number word and a multiplier make with two leaves, inside the range."""
        multipliers = tuple(multipliers)
        for x in numbers:
            for m in multipliers:
                made = (x * m, *self.rules.join(m, x)) if self.rules.bare_phrase else (x * m,)
                yield from (value for value in made if 1 <= value <= self.lexicons.upto)

    def _gain_as_digit(self, w: int) -> int:
        return self.weight[w] + self._sum({w, *self._pairs((w,), self.multipliers)} - self.two)

    def _gain_as_multiplier(self, w: int) -> int:
        if not self.rules.bare_number:
            return self._sum(set(self._pairs(self.one, (w,))) - self.two)
        return self.weight[w] + self._sum({w, *self._pairs({*self.one, w}, (w,))} - self.two)

    def _by_gains(self, a: int, b: int) -> int:
        gained = sum(self.digit_gains[:a]) + sum(self.multiplier_gains[:b])
        return gained + (self._new_pairs(a, b) if self.rules.bare_number else self._new_products(a, b))

    def _count_new_products(self, a: int, b: int) -> int:
        """How many of the products (least + i)(least + j), i up to a and j up to b, lie in the range."""
        return sum(self._new_factors(self.least + i, b) for i in range(1, a + 1))

    def _new_factors(self, word: int, most: int) -> int:
        """How many of the products word x (least + i), i up to `most`, lie in the range."""
        return max(0, min(most, self.lexicons.upto // word - self.least))

    def _new_products(self, a: int, b: int) -> int:
        free = self.unreached_first
        products = [n for n in free if n >= (self.least + 1) ** 2][: self._count_new_products(a, b)]
        once = free[:b] if self.c == 0 else []
        return self._sum(products) + self._sum(once)

    def _new_pairs(self, a: int, b: int) -> int:
        pairs = a * b + b * (b - 1) // 2
        joined = pairs if self.rules.bare_phrase else 0
        from_product = (self.c + 1) * (self.c + 2)
        from_sum = min(2 * self.c + 3, from_product)
        slots = {"product": pairs, "sum": joined * self.rules.plus, "difference": joined * self.rules.minus}
        gained = 0
        for n in self.unreached_first:
            makes = ("product",) * (n >= from_product) + ("sum",) * (n >= from_sum) + ("difference",)
            slot = next((s for s in makes if slots[s]), None)
            if slot:
                slots[slot] -= 1
                gained += self.weight[n]
        return gained

    def _by_counting(self, a: int, b: int) -> int:
        words = a + b if self.rules.bare_number else a
        by_one = self._sum(self.undecided_first[:words])
        free = self.unreached_first
        if self.rules.bare_number:
            if not (self.rules.bare_phrase and self.rules.minus):
                free = self.open_first
            return by_one + self._sum(free[: self._new_expressions(a, b, 2)])
        products = self._count_new_products(a, b)
        products += sum(self._new_factors(m, a) for m in self.multipliers if m > 1)
        products += sum(self._new_factors(d, b) for d in self.digits if d > 1)
        others = a + (b if self.c == 0 or 1 in self.digits else 0)
        return by_one + self._sum(self._take(self.open_first, others + products, others))

    def _take(self, candidates: list[int], count: int, others: int) -> Iterator[int]:
        """The first `count` candidates, of which at most `others` cannot be a product above 1 x 1 with a new factor."""
        for n in candidates:
            if count == 0:
                return
            if n not in self.new_products:
                if others == 0:
                    continue
                others -= 1
            count -= 1
            yield n

    def _new_expressions(self, a: int, b: int, k: int) -> int:
        d, m = len(self.digits), len(self.multipliers)
        return count_expressions(d + a, m + b, self.rules, k) - count_expressions(d, m, self.rules, k)

    def _unreached(self, k: int, new: int) -> int:
        if self._levels is None:
            self._levels = least_leaves(self.digits, self.multipliers, self.lexicons, LAYERS)
        return self._sum([n for n in self.heaviest_first if self._levels.get(n, k + 1) > k][new:])


def count_expressions(d: int, m: int, rules: Rules, k: int) -> int:
    """How many expressions of at most k leaves there are, those that differ by a commutation counted once."""
    signs = rules.plus + rules.minus
    of_two = d * m + (m * (m + 1) // 2 if rules.bare_number else 0)
    phrases = [0, m if rules.bare_phrase else 0, of_two]
    joined = rules.pairs(m) + signs * m * d if rules.bare_phrase else 0
    numbers = [0, d + (m if rules.bare_number else 0), of_two + joined]
    for leaves in range(3, k + 1):
        in_order = leaves == 3 and not rules.bare_number  # a digit times two multipliers, in whatever order
        factors = phrases[leaves - 1] if rules.flat else numbers[leaves - 1]
        phrases.append(d * (m * (m + 1) // 2) if in_order else factors * m)
        joined = sum(signs * phrases[x] * numbers[leaves - x] for x in range(1, leaves))
        if leaves == 4 and not rules.bare_phrase:
            joined += rules.pairs(of_two) - signs * of_two * of_two
        numbers.append(phrases[leaves] + joined)
    return sum(numbers[: k + 1])


# Trees with prices. The bound is one for grammars in which two leaves make products only. `allowed[n]` is what a number
# may still be, as pairs: is it a digit, is it a multiplier?

PRICE_BITS = 40
Role = tuple[bool, bool]
Allowed = dict[int, frozenset[Role]]
ORDER: tuple[Role, ...] = ((True, True), (False, True), (True, False), (False, False))
"""The order of children: both, multiplier, digit, no word."""


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
            raise RefutedError("prices prove nothing where a multiplier alone is a phrase")
        if lexicons.rules.multiplier_words > 1:
            raise RefutedError("prices prove nothing where a multiplier costs several words")
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
            raise RefutedError("the file goes on after the tree has ended")
        return self.position

    def _read(self, entry: Any) -> _Prices:
        n = self.lexicons.upto
        products = [(x, y) for y in range(1, n + 1) for x in range(1, n // y + 1)]
        figures = [*entry["reached"], *entry["shares"], entry["word"], entry["multiplier"]]
        if not all(type(figure) is int for figure in figures):
            raise RefutedError("a price is not a whole number")
        if len(entry["reached"]) != n or len(entry["shares"]) != len(products):
            raise RefutedError("there is not a price for each number and a share for each product")
        reached: dict[int, int] = dict(zip(range(1, n + 1), entry["reached"], strict=True))
        shares: dict[tuple[int, int], int] = dict(zip(products, entry["shares"], strict=True))
        if any(not 0 <= price * self.unit <= self.weight[number] for number, price in reached.items()):
            raise RefutedError("a number is priced above its weight or below 0")
        if any(not 0 <= share <= reached[x * y] for (x, y), share in shares.items()):
            raise RefutedError("a share is more than the price or less than nothing")
        return _Prices(reached, shares, entry["word"], entry["multiplier"])

    def _visit(self, allowed: Allowed, inherited: _Prices | None) -> None:
        if self.position >= len(self.splits):
            raise RefutedError("the tree ends early")
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
            raise RefutedError(f"node {self.position} cannot be split by {split}")
        for role in ORDER:
            if role in left[split]:
                self._visit({**left, split: frozenset({role})}, own or inherited)

    def _check_whole(self, allowed: Allowed) -> None:
        if any(len(roles) > 1 for roles in allowed.values()):
            raise RefutedError(f"node {self.position} is called settled, and lexicons are left that its prices allow")
        made = {n: next(iter(roles)) for n, roles in allowed.items()}
        digits: Words = tuple(n for n, (digit, _) in made.items() if digit)
        multipliers: Words = tuple(n for n, (_, multiplier) in made.items() if multiplier)
        if not digits and not self.lexicons.rules.bare_number:
            return
        cost = self.cost(self.lexicons, digits, multipliers)
        if cost is not None and cost << PRICE_BITS < self.target:
            raise RefutedError(f"node {self.position}: a lexicon costs less than the optimum")

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
