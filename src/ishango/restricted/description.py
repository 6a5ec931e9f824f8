"""A system in figures: what records of runs and the command line say about it."""

from __future__ import annotations

from typing import TypedDict

from ishango.numerals import Need
from ishango.restricted.best_systems import check_frontier_range, ideal_gap, restricted_gap
from ishango.restricted.measures import NEED, WEBER, ideal_cost, position
from ishango.restricted.term_system import TermSystem
from ishango.restricted.variation import nearest_human


class Description(TypedDict):
    """Where a system lies; `LearningRecord` says what each figure means."""

    words: str
    size: int
    kind: str
    contiguous: bool
    complexity: int
    cost: float
    ideal_cost: float
    gap: float
    ideal_gap: float
    nearest: str | None
    variation: float | None
    variation_by_need: float | None


def describe_system(system: TermSystem, need: Need | str = NEED, weber: float = WEBER) -> Description:
    """Where a system lies in the plane, how far from the frontier, and which human one is most like it."""
    check_frontier_range(system.upto)
    place, human = position(system, need, weber), nearest_human(system, need)
    return {
        "words": str(system),
        "size": system.size,
        "kind": system.kind,
        "contiguous": system.contiguous,
        "complexity": place.complexity,
        "cost": place.cost,
        "ideal_cost": ideal_cost(system, need),
        "gap": restricted_gap(system, need, weber),
        "ideal_gap": ideal_gap(system, need),
        "nearest": human.language if human else None,
        "variation": human.variation if human else None,
        "variation_by_need": human.variation_by_need if human else None,
    }
