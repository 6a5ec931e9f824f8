"""Which free numeral is added, by name. The paper's table says the highest; docs/evolution.md says why we took another.

A rule that draws is an unbiased test bed: every modification draws the numeral it adds, moves or removes, so that
nothing but the decisions can lead to efficient systems (docs/pressures.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ishango.numerals import NumeralSystem
from ishango.registry import by_name


@dataclass(frozen=True)
class AddRule:
    """One reading of the modifications that add."""

    name: str
    """What the option `add` calls it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    pick: Callable[[NumeralSystem, Sequence[int]], int | None]
    """From a system and the numerals in neither of its sets, ascending, to one of them, or None if none will do."""
    draws: bool = False
    """Whether each modification draws its numeral, uniformly from all that it may take, instead of asking `pick`."""
    more: str = ""
    """Further modifications that come with the rule: their names, with commas between them."""


def lowest(_system: NumeralSystem, free: Sequence[int]) -> int | None:
    """Fill the lexicon from below."""
    return min(free, default=None)


def highest(_system: NumeralSystem, free: Sequence[int]) -> int | None:
    """Fill the range from above, as the paper's table says."""
    return max(free, default=None)


def highest_below_max(system: NumeralSystem, free: Sequence[int]) -> int | None:
    """Fill gaps between words from above."""
    largest = max(system.words)
    return max((n for n in free if n < largest), default=None)


def none_picked(_system: NumeralSystem, _free: Sequence[int]) -> int | None:
    """Where each modification draws its own numeral, none is picked for all."""
    return None


LOWEST = AddRule("lowest", "lowest", "the lowest numeral in neither set", lowest)
HIGHEST = AddRule("highest", "highest", "the highest of the game range, as the paper's table says", highest)
HIGHEST_BELOW_MAX = AddRule(
    "highest-below-max", "highest below the largest word", "the highest below the largest word", highest_below_max
)
ANY = AddRule(
    "any",
    "any numeral",
    "every modification draws its numeral, uniformly from all that it may take",
    none_picked,
    draws=True,
)
ANY_PLUS = AddRule(
    "any+",
    "any numeral, with replacing and swapping",
    "the same, with m6 and m7 among the modifications",
    none_picked,
    draws=True,
    more="m6,m7",
)

ADD_RULES = by_name(LOWEST, HIGHEST, HIGHEST_BELOW_MAX, ANY, ANY_PLUS)
