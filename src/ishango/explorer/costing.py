"""What systems cost, by any two costs of the registry: the plane's axes.

Size and length come from a kernel, at once. The other costs take milliseconds a system, and a plane has thousands:
they are measured in the background and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ishango.costs import COSTS, Cost, Said, all_costs
from ishango.explorer.optima import RANGE, Background
from ishango.numerals import NumeralSystem, evaluate_many, minimal_language

SIZE, LENGTH = "size", "length"
MOST_KEPT = 60_000
Place = tuple[float, float]


@dataclass(frozen=True)
class Axes:
    """The two costs that a plane is of, by their names."""

    x: str = SIZE
    y: str = LENGTH

    @property
    def are_the_papers(self) -> bool:
        """Whether what is unattainable is proved for them."""
        return (self.x, self.y) == (SIZE, LENGTH)

    @property
    def titles(self) -> dict[str, str]:
        """What is written beside them."""
        return {"x": _title(COSTS[self.x]), "y": _title(COSTS[self.y])}

    @property
    def are_log(self) -> dict[str, bool]:
        """On which of them equal steps mean equal factors: human languages lie close together, starts far above."""
        return {"log_x": self.x == LENGTH, "log_y": self.y == LENGTH}


def _title(cost: Cost) -> str:
    if cost.name == SIZE:
        return "lexicon size |D| + |M|"
    if cost.name == LENGTH:
        return "average complexity (symbols a numeral)"
    return cost.label if cost.label == cost.unit else f"{cost.label} ({cost.unit})"


class Costing:
    """Costs of systems, as far as they are known."""

    def __init__(self) -> None:
        self._measured: Background[tuple[NumeralSystem, str], dict[str, float | None]] = Background(
            "costs", _measure, MOST_KEPT
        )
        self._lengths: dict[tuple[NumeralSystem, str], float] = {}

    def places(
        self, systems: Iterable[NumeralSystem], need: str, axes: Axes, wait: bool = False
    ) -> tuple[dict[NumeralSystem, Place], dict[str, int]]:
        """Where systems lie, and of how many that is known; one that does not cover the range lies nowhere."""
        wanted = list(dict.fromkeys(systems))
        if {axes.x, axes.y} <= {SIZE, LENGTH}:
            lengths = self._lengths_of(wanted, need)
            found = [{SIZE: system.size, LENGTH: lengths[system, need]} for system in wanted]
            counts = {"measured": len(wanted), "systems": len(wanted)}
        else:
            keys = [(system, need) for system in wanted]
            found, measured = self._costs(keys, wait)
            counts = {"measured": measured, "systems": len(wanted)}
        known = {system: costs for system, costs in zip(wanted, found, strict=True) if costs}
        places = {system: _place(costs.get(axes.x), costs.get(axes.y)) for system, costs in known.items()}
        return {system: place for system, place in places.items() if place}, counts

    def _costs(
        self, keys: Sequence[tuple[NumeralSystem, str]], wait: bool
    ) -> tuple[Sequence[dict[str, float | None] | None], int]:
        """What is known of each, and of how many: counted before it is asked, since meanwhile there may be more."""
        if wait:
            return self._measured.wait(keys), len(keys)
        measured = self._measured.settled(keys)
        return [self._measured.get(key) for key in keys], measured

    def _lengths_of(self, systems: Sequence[NumeralSystem], need: str) -> dict[tuple[NumeralSystem, str], float]:
        if len(self._lengths) > MOST_KEPT:
            self._lengths = {}
        missing = [system for system in systems if (system, need) not in self._lengths]
        averages = evaluate_many(missing, need, RANGE).tolist()
        self._lengths |= {(system, need): average for system, average in zip(missing, averages, strict=True)}
        return self._lengths


def _measure(key: tuple[NumeralSystem, str]) -> dict[str, float | None]:
    system, need = key
    return all_costs(Said.shortest(minimal_language(system, RANGE), need))


def _place(x: float | None, y: float | None) -> Place | None:
    return (x, y) if x is not None and y is not None and np.isfinite([x, y]).all() else None
