"""The registry of objectives: all that a language is known to cost."""

from __future__ import annotations

from ishango.costs.constancy import CHANGES
from ishango.costs.cost import Cost, Said
from ishango.costs.irregularity import HOMONYMS, IRREGULARITY, STATES, TRANSITIONS
from ishango.costs.length import LENGTH
from ishango.costs.packing import UNPACKED
from ishango.costs.processing import PROCESSING
from ishango.costs.size import SIZE
from ishango.costs.suppletion import SUPPLETION
from ishango.registry import Registry

COSTS: Registry[Cost] = Registry("cost", "ishango.costs")

for _cost in (
    SIZE, LENGTH, IRREGULARITY, STATES, TRANSITIONS, HOMONYMS, PROCESSING, CHANGES, UNPACKED, SUPPLETION,
):  # fmt: skip
    COSTS.add(_cost)


MOST_LEAVES = 1_000_000
"""Languages with more words than this in all their numerals together are not measured: few words, a huge range."""


def all_costs(said: Said) -> dict[str, float | None]:
    """Every cost of a language by its name; only the size where a number lacks an expression, or all are too long.

    >>> from ishango.numerals import NumeralSystem, minimal_language
    >>> found = all_costs(Said.shortest(minimal_language(NumeralSystem.parse("1-9 | 10"))))
    >>> found["size"], found["states"], round(found["irregularity"], 1)
    (10, 4, 101.1)
    """
    if not said.covers or sum(each.leaves for each in said.expressions.values()) > MOST_LEAVES:
        return {name: said.system.size if name == "size" else None for name in COSTS}
    return {name: cost.measure(said) for name, cost in COSTS.items()}
