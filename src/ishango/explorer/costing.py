"""What systems cost, by any two costs of the registry: the plane's axes.

Size and length come from a kernel, at once. The other costs take milliseconds a system, and a plane has thousands:
they are measured in the background and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ishango.costs import COSTS, Cost, Said, all_costs
from ishango.errors import RequestError
from ishango.explorer.optima import NEED, NEEDS, RANGE, SIZES, Background
from ishango.explorer.runs import Listed
from ishango.explorer.summaries import defaults, shown
from ishango.numerals import GrammarName, Need, NumeralSystem, evaluate_many, minimal_language

SIZE, LENGTH = "size", "length"
MOST_COSTED = 60_000
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
            "costs", _measure, MOST_COSTED
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
        if len(self._lengths) > MOST_COSTED:
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


# What the costs that a run records are measured by, and what is known to be unattainable by that.

_FORMS = {name.partition(":")[0] for name in NEEDS}
"""Needs that can be made of their text alone: no file that a config names is read for a page."""


class RunProblem(NamedTuple):
    """Grammar, need and range by which a run's systems were measured, round by round."""

    grammar: GrammarName
    need: str
    upto: int

    @property
    def is_known(self) -> bool:
        """Whether its frontier is one that the pages have."""
        return self.need in NEEDS and self.upto == RANGE

    def __str__(self) -> str:
        papers = " (the paper’s)" if self.need == NEED else ""
        return f"the need {self.need}{papers} of the numbers 1 to {self.upto} under the grammar {self.grammar}"


def problem_of_run(listed: Listed) -> RunProblem | None:
    """By what a run was measured; None where its systems do not lie in the plane."""
    experiment = listed.summary["experiment"]
    if listed.study is None or not shown(experiment).in_plane:
        return None
    settings: dict[str, Any] = {**defaults(experiment), **listed.study["config"]}
    need = _canonical(str(settings.get("eval_need") or settings["need"]))
    return RunProblem(listed.summary["grammar"], need, settings["range"])


def _canonical(need: str) -> str:
    """The text of a need as the pages write it: power:2.0 is power:2."""
    if need.strip().partition(":")[0] not in _FORMS:
        return need
    try:
        return Need.parse(need).spec
    except RequestError:
        return need


def about_the_edge(problems: Set[RunProblem | None], is_drawn: bool) -> str | None:
    """What the grey below the ways of runs is proved for, or why there is none; None where nobody would expect any."""
    if problems <= {None}:
        return None
    if len(problems) > 1:
        ways = " or ".join(sorted(f"by {problem}" if problem else "in its own way" for problem in problems))
        return f"These runs are not measured alike, so no grey shows what is unattainable. Each is measured {ways}."
    (problem,) = problems
    if is_drawn:
        return f"Where there is grey, nothing can lie in it: that is proved for {problem}."
    if problem is not None and not problem.is_known:
        return f"No grey shows what is unattainable: that is not known here for {problem}."
    return f"No grey shows (yet) what is unattainable: it is worked out for sizes up to {SIZES[-1]}, for {problem}."
