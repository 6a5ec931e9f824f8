"""The best system under a law: the lower bound, its certificate, and the search beside it.

With a words that are numerals by themselves and at most c expressions of two leaves, a number can be said

- by a word, itself or another, for effort + precision x error;
- by its own expression of two leaves, for 3 effort; there are at most c of them;
- by another number's expression of two leaves, for 3 effort and at least the least error that a number can suffer;
- by three leaves or more, for at least 5 effort.

Dropping all that ties these together leaves a problem on the line: choose a places. A price for each expression of two
leaves (a Lagrange multiplier) stands for there being c of them; every price gives a lower bound, and the best of some
is taken. `docs/studies/kinds.md` has the proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ishango.frontiers import expression_counts
from ishango.kinds._law import (
    GREATEST,
    Costs,
    Floats,
    Kind,
    Law,
    Mask,
    OpenSystem,
    costs,
    kind_of,
    lexicons,
    lost_between,
    saying_costs,
    system_of,
)
from ishango.numerals import as_grammar
from ishango.restricted import chains, walk


def grown(lexicon: Mask) -> Mask:
    return flipped(lexicon, np.argwhere(~lexicon))


def shrunk(lexicon: Mask) -> Mask:
    return flipped(lexicon, np.argwhere(lexicon))


def exchanged(lexicon: Mask) -> Mask:
    """All lexicons with one word in another's place."""
    return np.concatenate([grown(each) for each in shrunk(lexicon)])


def moved(lexicon: Mask, farthest: int) -> Mask:
    """All lexicons with one word moved by up to so many numbers, in its role."""
    found: list[Mask] = []
    for role, place in np.argwhere(lexicon).tolist():
        near = range(max(0, place - farthest), min(lexicon.shape[1], place + farthest + 1))
        free = [[role, other] for other in near if not lexicon[role, other]]
        without = lexicon.copy()
        without[role, place] = False
        found.append(flipped(without, np.array(free, np.intp).reshape(-1, 2)))
    return np.concatenate(found)


def flipped(lexicon: Mask, places: NDArray[np.intp]) -> Mask:
    """The lexicon once for each place (role, number - 1): what was in it is not, and what was not is."""
    many = np.repeat(lexicon[None], len(places), axis=0)
    many[np.arange(len(places)), places[:, 0], places[:, 1]] ^= True
    return many


LEAST = 1e-9
"""Costs that differ by less are equal."""


class BestFound:
    """The best lexicon of each size 1, 2, ... and what saying costs with it: at first those without multipliers."""

    def __init__(self, law: Law, most: int) -> None:
        values, words = best_words(law, most)
        self.exact: Floats = values
        """What saying costs at least without multipliers."""
        self.values = values.copy()
        self.lexicons: list[Mask] = list(lexicons([OpenSystem(each, (), law.grammar) for each in words], law.upto))

    def offer(self, lexicon: Mask, value: float) -> None:
        """Keep the lexicon if it is better than what is known of its size, and not larger than can be worth it."""
        place = int(lexicon.sum()) - 1
        if place < len(self.values) and value < self.values[place] - LEAST:
            self.values[place], self.lexicons[place] = value, lexicon

    def at(self, word: float) -> int:
        """The place of the best lexicon at a price of a word; the smaller one in a tie."""
        totals = self._totals(word)
        return int(np.flatnonzero(totals <= totals.min() + LEAST)[0])

    def cost(self, word: float) -> float:
        return float(self._totals(word).min())

    def _totals(self, word: float) -> Floats:
        return self.values + word * np.arange(1, len(self.values) + 1)


# The best systems without multipliers, exactly: words share out the line, so the last word's place is all that dynamic
# programming has to know.


def best_words(law: Law, most: int | None = None) -> tuple[Floats, list[tuple[int, ...]]]:
    """For each number of words 1..range (or up to `most`): the least effort x E[length] + precision x E[error], and
    words that have it.

    >>> values, words = best_words(Law(precision=3))
    >>> words[4]
    (1, 2, 3, 6, 13)
    """
    values, places = chains(*_gaps(law), most)
    return law.effort * law.weights.sum() + values, [tuple((np.array(each) + 1).tolist()) for each in places]


@lru_cache(maxsize=2)
def _gaps(law: Law) -> tuple[Floats, Floats, Floats]:
    """Few words are asked for before many, under the same law."""
    return gap_costs(law.losses * law.weights[:, None])


def gap_costs(losses: Floats) -> tuple[Floats, Floats, Floats]:
    """What is lost between two neighbouring words i < j (range, range), below a first word and above a last one.

    `losses[n, v]` is what is lost where v is said for n, weighted by need.
    """
    between: Floats = lost_between(losses)
    below, above = np.triu(losses, 1).sum(axis=0), np.tril(losses, -1).sum(axis=0)
    return between, below, above


# Local search over lexicons of all sizes at once: each size learns from its neighbours.

PATIENCE = 3
"""The search for larger systems ends after so many sizes that are not worth a word."""


class _SizeSearch:
    def __init__(self, law: Law, found: BestFound) -> None:
        self.law, self.found = law, found
        self.recursive: dict[int, tuple[float, Mask]] = {}
        """The best lexicon with a multiplier of each size: it may lead to the best of the next where it is not yet."""

    def run(self, least_word: float) -> None:
        """Up through the sizes, as far as a word more can be worth `least_word`, each from the one before, with and
        without multipliers; then down again from the one above."""
        idle, size, values = 0, 1, self.found.values
        while idle < PATIENCE and size < len(values):
            self._improve(size + 1, grown(self.found.lexicons[size - 1]))
            if size in self.recursive:
                self._improve(size + 1, grown(self.recursive[size][1]))
            idle = 0 if values[size - 1] - values[size] > least_word else idle + 1
            size += 1
        for larger in range(size, 2, -1):
            if larger in self.recursive:
                self._improve(larger - 1, shrunk(self.recursive[larger][1]))

    def _improve(self, size: int, candidates: Mask) -> None:
        """Take the best of the candidates that have a multiplier, and exchange word after word."""
        value, lexicon = self._best(candidates)
        while np.isfinite(value) and value < self.recursive.get(size, (np.inf,))[0] - LEAST:
            self.recursive[size] = value, lexicon
            self.found.offer(lexicon, value)
            value, lexicon = self._best(exchanged(lexicon))

    def _best(self, many: Mask) -> tuple[float, Mask]:
        """The cheapest of some lexicons that have a multiplier and a numeral."""
        many = many[many[:, 1].any(axis=1) & many[:, 0].any(axis=1)]
        if not len(many):
            return np.inf, many
        values = saying_costs(many, self.law)
        best = int(values.argmin())
        return float(values[best]), many[best]


# Local search at one price of a word after another: a word comes, goes or gives way to another as long as that pays.
#
# It passes from size to size on the way, which the search size by size does not. Of a thousand numbers not each can be
# tried in each word's place: those are that would help most if they came on top of all others. Several beginnings stand
# against local optima: what was best before at this price and at the next, and plain systems such as 1-9 | 10,100.

EVERY = 60
"""Numbers up to here are all tried as words; above, those in steps of `STEP`, and powers."""
STEP = 1.03
HELPFUL = 30
"""Words that are tried in the place of others."""
NEAR = 5
"""A word is also moved by up to so many numbers."""
BASES = range(2, 41)
PLAIN = 3
"""Plain systems from which a search begins, the cheapest ones."""
FAR = 1.5
"""Nothing is begun from systems that cost so many times what the best one does, above one symbol."""


def search_prices(law: Law, found: BestFound, words: Sequence[float], others: Sequence[OpenSystem] = ()) -> None:
    """Look for better systems at these prices of a word; the search begins from `others`, too."""
    plain = plain_systems(law)
    masks, sizes = lexicons(plain, law.upto), np.array([each.size for each in plain])
    saying, before = saying_costs(masks, law), list(lexicons(others, law.upto))
    for word in sorted(set(words), reverse=True):  # few words first: they lead to more
        search = _PriceSearch(replace(law, word=word))
        cheapest = masks[np.argsort(saying + word * sizes, kind="stable")[:PLAIN]]
        for lexicon in _different([found.lexicons[found.at(word)], *before[-1:], *cheapest, *before[:-1]]):
            if search.cost(lexicon) - law.effort > FAR * (found.cost(word) - law.effort):
                continue
            after, cost = search.improved(lexicon)
            found.offer(after, cost - word * float(after.sum()))
        before = [*before[: len(others)], found.lexicons[found.at(word)]]


def plain_systems(law: Law) -> list[OpenSystem]:
    """1..b-1 | b, and the same with all powers of b that lie in the range.

    >>> [str(each) for each in plain_systems(Law(upto=4))]
    ['1 | 2', '1 | 2,4', '1,2 | 3', '1-3 | 4']
    """
    found: dict[OpenSystem, None] = {}
    for base in BASES:
        powers = [base**k for k in range(1, 11) if base**k <= law.upto]
        for multipliers in (powers[:1], powers):
            if multipliers:
                found[OpenSystem(tuple(range(1, base)), tuple(multipliers), law.grammar)] = None
    return list(found)


def tried_words(upto: int) -> list[int]:
    """Numbers that are tried as words: all small ones, some large ones.

    >>> len(tried_words(50)), len(tried_words(999))
    (50, 180)
    """
    steps = (EVERY * STEP ** np.arange(1, 1000)).round().astype(int).tolist()
    powers = [base**k for base in range(2, EVERY) for k in range(2, 11)]
    return [*range(1, min(EVERY, upto) + 1), *sorted({each for each in (*steps, *powers) if EVERY < each <= upto})]


class _PriceSearch:
    def __init__(self, law: Law) -> None:
        self.law, self._bare = law, as_grammar(law.grammar).bare_number
        self._tried = np.zeros((2, law.upto), np.bool_)
        self._tried[:, np.array(tried_words(law.upto)) - 1] = True

    def cost(self, lexicon: Mask) -> float:
        return float(self._costs(lexicon[None])[0])

    def improved(self, lexicon: Mask) -> tuple[Mask, float]:
        """The lexicon after all changes of one word that pay, the best one first, and its cost."""
        cost = self.cost(lexicon)
        while True:
            more = flipped(lexicon, np.argwhere(self._tried & ~lexicon))
            values = self._costs(more)
            after, least = _cheapest((more, values), self._costed(shrunk(lexicon)))
            if least >= cost - LEAST:
                after, least = _cheapest(self._costed(self._exchanged(lexicon, more, values)))
            if least >= cost - LEAST:
                return lexicon, cost
            lexicon, cost = after, least

    def _exchanged(self, lexicon: Mask, more: Mask, values: Floats) -> Mask:
        """Each word gives way to one of those that help most on top of all, or to a number near it."""
        helpful = more[np.argsort(values, kind="stable")[:HELPFUL]]
        places = np.argwhere(lexicon)
        return np.concatenate([moved(lexicon, NEAR), *(flipped(each, places) for each in helpful)])

    def _costed(self, many: Mask) -> tuple[Mask, Floats]:
        """Those that can say something, and what they cost."""
        able = many[many[:, 0].any(axis=1) | (self._bare & many[:, 1].any(axis=1))]
        return able, self._costs(able)

    def _costs(self, many: Mask) -> Floats:
        return saying_costs(many, self.law) + self.law.word * many.sum(axis=(1, 2))


def _cheapest(*groups: tuple[Mask, Floats]) -> tuple[Mask, float]:
    many, values = (np.concatenate(each) for each in zip(*groups, strict=True))
    return (many[int(values.argmin())], float(values.min())) if len(many) else (many, np.inf)


def _different(many: Sequence[Mask]) -> list[Mask]:
    return list({each.tobytes(): each for each in many}.values())


PRICES = 16
"""Prices of an expression of two leaves that are tried."""


def recursive_bounds(law: Law, largest: int | None = None) -> Floats:
    """For each size 0..range (or up to the largest): a lower bound of effort x E[length] + precision x E[error] with a
    multiplier or more.

    Infinite where there is no such system: a digit and a multiplier are two words.
    """
    tried, largest = prices(law), largest or law.upto
    by_price = np.stack([chains(*line(law, price), largest)[0] for price in tried])  # (prices, words), from 1 word on
    bounds = np.full(largest + 1, np.inf)
    for size, words, at_most in lexicon_counts(law, largest):
        bounds[size] = min(bounds[size], float((by_price[:, words - 1] - tried * at_most).max()))
    return bounds


def lexicon_counts(law: Law, largest: int) -> Iterator[tuple[int, int, int]]:
    """Each size up to the largest, divided into digits and multipliers in every way: the size, how many words are
    numerals by themselves, and how many expressions of exactly two leaves there are at most."""
    n, flags = law.upto, as_grammar(law.grammar).flags
    for size in range(1, largest + 1):
        for multipliers in range(1, size if not flags.bare_number else size + 1):
            counts = expression_counts(size - multipliers, multipliers, flags)  # of at most so many leaves
            words = min(int(counts[1]), n)
            if words:
                yield size, words, min(int(counts[2] - counts[1]), n)


def prices(law: Law) -> Floats:
    """From nothing to what a number saves at most by having an expression of its own."""
    dearest = float(2 * law.effort * law.weights.max())
    least = dearest * 1e-4  # 0 where effort costs nothing, or less than floats have
    return np.concatenate([[0.0], np.geomspace(least, dearest, PRICES - 1)]) if least else np.zeros(1)


def line(law: Law, price: float) -> tuple[Floats, Floats, Floats]:
    """The problem on the line where an expression of two leaves has a price: what numbers between two neighbouring
    words cost together with the later word, those up to a first word, and those above a last one."""
    n, effort, weights = law.upto, law.effort, law.weights
    others = np.where(np.eye(n, dtype=bool), np.inf, law.losses).min(axis=1) if n > 1 else np.array([np.inf])
    otherwise = np.minimum(
        np.minimum(weights * 3 * effort + price, weights * (3 * effort + others)), weights * 5 * effort
    )
    by_word = weights[:, None] * (effort + law.losses)
    between, below, above = gap_costs(np.minimum(by_word, otherwise[:, None]))
    own = weights * effort
    return between + own, below + own, above


# What a checker needs to see for itself that no system costs less than a lower bound.
#
# The problem on the line is a shortest way from word to word, so a table of what k words with a given last one cost at
# least proves itself: it is enough that no step undercuts it. One table stands for systems without multipliers, and one
# for each price of an expression of two leaves that some number of digits and multipliers needs. Larger systems than
# the tables have rows cost too much by their words alone.
# `docs/studies/kinds.md` has the proof, `_certificate_check` the check.


def certificate(best: Optimum) -> dict[str, Any]:
    """The optimum with all that its lower bound rests on."""
    law, rows = best.law, _rows(best)
    between, below, _ = _gaps(law)
    return {
        "law": asdict(law),
        "weights": law.weights.tolist(),
        "digits": list(best.system.digits),
        "multipliers": list(best.system.multipliers),
        "cost": best.costs.total,
        "lower": best.lower,
        "proved": best.proved,
        "plain": _table(between, below, rows),
        "priced": [
            {"price": price, "table": _table(*line(law, price)[:2], rows)} for price in _needed(law, best.lower, rows)
        ],
    }


def _table(between: Floats, below: Floats, rows: int) -> list[list[float | None]]:
    """What 1, 2, ... words cost at least, by the last one; null where there is no room for so many."""
    return [[x if math.isfinite(x) else None for x in value.tolist()] for value, _ in walk(between, below, rows)]


def _rows(best: Optimum) -> int:
    """A system of more words costs more than the bound by its words and one symbol alone."""
    law = best.law
    spare = (best.lower - law.effort) / law.word if law.word else math.inf
    return max(1, min(law.upto, math.floor(spare) + 1 if math.isfinite(spare) else law.upto))


def _needed(law: Law, lower: float, rows: int) -> list[float]:
    """Prices that reach the bound for every number of digits and multipliers, few of them."""
    tried = prices(law).tolist()
    values: dict[float, Floats] = {}
    for price in tried:
        between, below, above = line(law, price)
        values[price] = np.array([float((value + above).min()) for value, _ in walk(between, below, rows)])
    kept: list[float] = []
    for size, words, at_most in lexicon_counts(law, rows):
        reached = {price: values[price][words - 1] - price * at_most + law.word * size for price in tried}
        if not any(reached[price] >= lower - TOLERANCE / 10 for price in kept):
            kept.append(max(tried, key=reached.__getitem__))
    return kept


# The best system under a law: exact without multipliers; with them by search, beside a bound that nothing undercuts.
#
# What a word costs is the same for every word, so it is enough to know the best system of each size: `best_of_sizes`
# finds these for one precision, and every price of a word reads its optimum from them.

TOLERANCE = LEAST
LADDER = (4.0, 3.0, 2.2, 1.7, 1.3, 1.0)
"""One optimum is approached from where words are dearer: what is best there leads to what else would not be found."""
FEW = 8
"""Words of systems without multipliers that more are held against."""
LONG = 200
"""Ranges beyond which systems are searched for price by price alone: size by size each number would be tried in each
word's place, which takes minutes."""


@dataclass(frozen=True, eq=False)
class SizeOptima:
    """The best systems of each size 1, 2, ...: what saying costs, and what it costs at least.

    Larger systems cost more than the best by their words and one symbol alone, at every price that was asked for.
    """

    law: Law
    """Its price of a word does not matter."""
    best: BestFound

    @property
    def found(self) -> Floats:
        """What saying costs with the best system of each size that was found."""
        return self.best.values

    @cached_property
    def bounds(self) -> Floats:
        return np.minimum(self.best.exact, recursive_bounds(self.law, len(self.found))[1:])

    def system(self, word: float) -> OpenSystem:
        """The best system found at a price of a word; the smaller one in a tie."""
        return system_of(self.best.lexicons[self.best.at(word)], self.law.grammar)

    def at(self, word: float) -> Optimum:
        """The best system at a price of a word, with the bound."""
        sizes = np.arange(1, len(self.bounds) + 1)
        lower = min(float((self.bounds + word * sizes).min()), self._larger(word))
        law, system = replace(self.law, word=word), self.system(word)
        found = costs(system, law)
        return Optimum(law, system, found, kind_of(system, law), min(lower, found.total))

    def _larger(self, word: float) -> float:
        words = len(self.bounds) + 1
        return self.law.effort + word * words if words <= self.law.upto else np.inf


@dataclass(frozen=True)
class Optimum:
    """The best system that was found under a law, and a cost that no system is below."""

    law: Law
    system: OpenSystem
    costs: Costs
    kind: Kind
    lower: float

    @property
    def slack(self) -> float:
        """By how much a better system could be better; 0 where there is none."""
        return max(0.0, self.costs.total - self.lower)

    @property
    def proved(self) -> bool:
        return self.slack <= TOLERANCE


def optimum(law: Law) -> Optimum:
    """The best system under a law.

    >>> best = optimum(Law(precision=1, word=0.1))
    >>> str(best.system), best.proved
    ('1,2 | none', True)
    """
    prices = [min(GREATEST, law.word * rung) for rung in LADDER]
    return best_of_sizes(law, prices).at(law.word)


def best_of_sizes(law: Law, words: Sequence[float], others: Sequence[OpenSystem] = ()) -> SizeOptima:
    """The best systems of each size, as far as they can be worth it at these prices of a word; the search begins from
    `others`, too, such as the best at another precision."""
    found = BestFound(law, _most(law, min(words)))
    if law.upto <= LONG:
        _SizeSearch(law, found).run(min(words))
    search_prices(law, found, words, others)
    return SizeOptima(law, found)


def _most(law: Law, word: float) -> int:
    """How many words can be worth it: with more of them, they and one symbol alone cost more than a plain system."""
    if not word:
        return law.upto
    few, plain = best_words(law, min(FEW, law.upto))[0], plain_systems(law)
    sizes = np.array([*range(1, len(few) + 1), *(each.size for each in plain)])
    saying = np.concatenate([few, saying_costs(lexicons(plain, law.upto), law)])
    cost = float((saying + word * sizes).min())
    worth = min(law.upto, (cost - law.effort) / word)  # which is infinite where words cost next to nothing
    return max(len(few), min(law.upto, int(worth) + 1))
