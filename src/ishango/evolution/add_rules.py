"""Which free numeral is added, by name. The paper's table says the highest; docs/evolution.md says why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ishango.numerals import NumeralSystem
from ishango.registry import Registry


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


ADD_RULES: Registry[AddRule] = Registry("rule for adding", "ishango.add_rules")


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


LOWEST = ADD_RULES.add(AddRule("lowest", "lowest", "the lowest numeral in neither set", lowest))
HIGHEST = ADD_RULES.add(
    AddRule("highest", "highest", "the highest of the game range, as the paper's table says", highest)
)
HIGHEST_BELOW_MAX = ADD_RULES.add(
    AddRule("highest-below-max", "highest below the largest word", "the highest below the largest word",
            highest_below_max)
)  # fmt: skip
