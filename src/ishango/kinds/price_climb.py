"""Local search at one price of a word after another: a word comes, goes or gives way to another as long as that pays.

It passes from size to size on the way, which the search size by size does not. Of a thousand numbers not each can be
tried in each word's place: those are that would help most if they came on top of all others. Several beginnings stand
against local optima: what was best before at this price and at the next, and plain systems such as 1-9 | 10,100.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ishango.kinds.best_found import LEAST, BestFound
from ishango.kinds.error_measures import Floats
from ishango.kinds.law import Law, saying_costs
from ishango.kinds.neighbours import flipped, moved, shrunk
from ishango.kinds.open_system import Mask, OpenSystem, lexicons
from ishango.numerals import as_grammar

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
        search = _Search(replace(law, word=word))
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


class _Search:
    """Local search under one law."""

    def __init__(self, law: Law) -> None:
        self.law, self._bare = law, as_grammar(law.grammar).bare_number
        self._tried = np.zeros((2, law.upto), np.bool_)
        self._tried[:, np.array(tried_words(law.upto)) - 1] = True

    def cost(self, lexicon: Mask) -> float:
        """What the law says."""
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
    """The cheapest of lexicons that come with their costs."""
    many, values = (np.concatenate(each) for each in zip(*groups, strict=True))
    return (many[int(values.argmin())], float(values.min())) if len(many) else (many, np.inf)


def _different(many: Sequence[Mask]) -> list[Mask]:
    """The lexicons, each once."""
    return list({each.tobytes(): each for each in many}.values())
