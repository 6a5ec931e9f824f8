"""A lower bound by prices: what each word can be worth at most, from an account of what it helps to reach.

For the grammars in which a multiplier alone is no phrase, two leaves make products only. Prices say what a number that
two leaves reach is worth, and which part of that its digit and which part its multiplier earns; then every word has a
worth of its own, and the best lexicon of a size is one of the worthiest words. Any prices give a bound, good prices
come from a linear program (`price_program`). `docs/frontier.md` proves it; all sums here are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

from ishango.frontiers.problem import Problem
from ishango.numerals.grammar import GrammarFlags

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

    @cached_property
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
        """The digits and multipliers, where everything is decided."""
        if any(len(options) > 1 for options in choices):
            return None
        made = [next(iter(options)) for options in choices]
        return (
            tuple(n for n, choice in enumerate(made) if choice & DIGIT),
            tuple(n for n, choice in enumerate(made) if choice & MULTIPLIER),
        )


def decided(choices: Choices, number: int, choice: int) -> Choices:
    """The choices with one more number decided."""
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
