"""Answers that take long (optima, costs, diagrams of kinds): found in a thread of their own, one by one."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from queue import PriorityQueue
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from ishango.costs import COSTS, Cost, Said
from ishango.errors import RequestError
from ishango.explorer._found_runs import Listed
from ishango.explorer._summaries import defaults, shown
from ishango.frontiers import NODE_LIMIT, FrontierPoint, Optimum, Problem, frontier_table, solve
from ishango.kinds import ERROR_MEASURES, KINDS, LAW, NEAR, Law, OpenSystem, Plane, human_systems, said, shipped_diagram
from ishango.numerals import GrammarName, Need, NumeralSystem, evaluate_many, format_set, listing

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")

NOW, SOON, LATER = 0, 1, 2
"""Order of the search: first what someone waits for, then what someone looks at, then what may be asked."""


class Background(Generic[Key, Answer]):
    """Finds answers by a function that may take seconds; asking returns at once, with the answer or with None."""

    def __init__(self, name: str, find: Callable[[Key], Answer], most: int | None = None) -> None:
        """`most`: so many answers are kept; beyond that the oldest are forgotten."""
        self._name, self._find, self._most = name, find, most
        self._found: dict[Key, Answer] = {}
        self._failed: dict[Key, Exception] = {}
        self._asked: set[tuple[int, Key]] = set()
        self._queue: PriorityQueue[tuple[int, int, Key]] = PriorityQueue()
        self._numbers = count()  # no two questions have one, since keys cannot be put in order
        self._news = threading.Condition()
        self._works = False

    def get(self, key: Key, when: int = LATER) -> Answer | None:
        """The answer, if it is known already; if not, it is looked for, the sooner the sooner it is wanted."""
        answer = self._found.get(key)
        if answer is None and not self.are_settled([key]):
            with self._news:
                if (when, key) not in self._asked:
                    self._asked.add((when, key))
                    self._queue.put((when, next(self._numbers), key))
                if not self._works:  # the thread starts with the first question: many never need it
                    self._works = True
                    threading.Thread(target=self._work, name=self._name, daemon=True).start()
        return answer

    def know(self, answers: Mapping[Key, Answer]) -> None:
        self._found |= answers

    def are_settled(self, keys: Sequence[Key]) -> bool:
        return self.settled(keys) == len(keys)

    def settled(self, keys: Sequence[Key]) -> int:
        """For how many of these there is nothing more to come."""
        return sum(key in self._found or key in self._failed for key in keys)

    def wait(self, keys: Sequence[Key]) -> list[Answer]:
        """All answers, however long it takes: for a page that is written once."""
        for key in keys:
            self.get(key, NOW)
        for key in keys:
            with self._news:
                self._news.wait_for(lambda key=key: self.are_settled([key]))
            if key in self._failed:
                raise self._failed[key]
        return [self._found[key] for key in keys]

    def _work(self) -> None:
        while True:
            _, _, key = self._queue.get()
            if not self.are_settled([key]):
                self._settle(key)
                with self._news:
                    self._news.notify_all()

    def _settle(self, key: Key) -> None:
        """Find one; one that fails (a grammar of another package, say) must not end the search for all others."""
        try:
            self._found[key] = self._find(key)
            if self._most is not None and len(self._found) > self._most:
                oldest = next(iter(self._found))
                with self._news:
                    del self._found[oldest]
                    self._asked -= {(when, oldest) for when in (NOW, SOON, LATER)}
        except Exception as error:
            self._failed[key] = error
            print(f"The {self._name} of {key}: {type(error).__name__}: {error}", file=sys.stderr)


# The frontier as the page needs it: solved once, in the background, and never waited for.


class PageNeed(NamedTuple):
    name: str
    """How requests and the command line give it."""
    label: str
    sentence: str


NEEDS = {
    need.name: need
    for need in (
        PageNeed("power:2", "n⁻² (small numbers often, the paper’s)", "a number n is needed in proportion to 1 / n²"),
        PageNeed("power:1", "n⁻¹", "a number n is needed in proportion to 1 / n"),
        PageNeed("exp:0.1", "exponential, rate 0.1", "each number is needed e^0.1 times as often as the next"),
        PageNeed("uniform", "all numbers equally often", "all numbers are needed equally often"),
    )
}
"""The needs of the page, by name; each has its own frontier, so there are few."""
NEED = next(iter(NEEDS))
"""The paper's need, with which the page begins."""
RANGE = 99
SIZES = range(1, 25)
"""Sizes that the plane shows and that are solved without being asked for."""

SHIPPED = Path(__file__).with_name("optima.csv")
"""The frontier of every shipped grammar and need of the page, solved by `python -m tools.explorer optima`."""

ProblemKey = tuple[GrammarName, str, int]

problem_of = lru_cache(maxsize=64)(Problem)


class Optima:
    """Points of the frontier for every grammar and need of the page: shipped, or solved by a thread of its own.

    Asking returns at once: the point, or None while it is still being looked for.
    """

    def __init__(self) -> None:
        self._points: Background[ProblemKey, FrontierPoint] = Background("frontier", solved_point)
        self._taken: set[tuple[GrammarName, str]] = set()

    def point(self, grammar: GrammarName, need: str, size: int) -> FrontierPoint | None:
        """The best system of a size, if it is known already; if not, it is looked for next."""
        self._take_shipped(grammar, need)
        return self._points.get((grammar, need, min(size, problem_of(grammar, need, RANGE).largest_size)), NOW)

    def points(
        self, grammar: GrammarName, need: str, sizes: Iterable[int] = SIZES, when: int = SOON
    ) -> list[FrontierPoint]:
        """The points of several sizes that are known already."""
        found = [self._points.get(key, when) for key in self._keys(grammar, need, sizes)]
        return [point for point in found if point]

    def solved(self, grammar: GrammarName, need: str, sizes: Iterable[int] = SIZES) -> dict[str, int]:
        keys = self._keys(grammar, need, sizes)
        return {"solved": self._points.settled(keys), "sizes": len(keys)}

    def wait(self, grammar: GrammarName, need: str, sizes: Iterable[int] = SIZES) -> list[FrontierPoint]:
        return self._points.wait(self._keys(grammar, need, sizes))

    def _keys(self, grammar: GrammarName, need: str, sizes: Iterable[int]) -> list[ProblemKey]:
        self._take_shipped(grammar, need)
        problem = problem_of(grammar, need, RANGE)
        return [(grammar, need, min(size, problem.largest_size)) for size in sizes if size >= problem.smallest_size]

    def _take_shipped(self, grammar: GrammarName, need: str) -> None:
        if (grammar, need) not in self._taken:
            self._points.know({(grammar, need, point.size): point for point in shipped_points(grammar, need)})
            self._taken.add((grammar, need))


def solved_point(key: ProblemKey) -> FrontierPoint:
    """The best system of a size, with the budget that every gap has."""
    grammar, need, size = key
    return solve(problem_of(grammar, need, RANGE), size, node_limit=NODE_LIMIT)


@cache
def shipped_points(grammar: GrammarName, need: str) -> tuple[FrontierPoint, ...]:
    """The points of a grammar and a need that the package brings; averages are worked out from the systems."""
    table = _shipped_table()
    found = table[(table["grammar"] == grammar) & (table["need"] == need)].to_dict("records")
    problem = problem_of(grammar, need, RANGE)
    return tuple(point for row in found if (point := _shipped_point(problem, row)))


@cache
def _shipped_table() -> pd.DataFrame:
    return pd.read_csv(SHIPPED, keep_default_na=False, dtype=str)


def _shipped_point(problem: Problem, row: Mapping[Any, str]) -> FrontierPoint | None:
    """A row as a point; none where nothing of that size covers the range."""
    if not row["system"]:
        return None
    system = NumeralSystem.parse(row["system"], problem.grammar)
    average = problem.average(system)
    assert average is not None
    best = Optimum(system, int(row["fewest"]), int(row["most"]))
    lower, nodes = float(row["lower_bound"] or average), int(row["nodes"])
    proved, size = not row["lower_bound"], int(row["size"])
    return FrontierPoint(size, system, average, lower, proved, nodes, 0.0, (best,), row["bound"])


def sizes_upto(size: int) -> list[int]:
    """The sizes to be solved for a plane that reaches so far: far out, where there is little to see, every fifth."""
    return [*SIZES, *(each for each in range(SIZES.stop, min(size, RANGE) + 5, 5) if each <= RANGE)]


def optima_table(grammar: GrammarName, need: str, points: list[FrontierPoint]) -> pd.DataFrame:
    """The points as a table for the plane; a bound that holds for a larger size holds for every smaller one."""
    table = frontier_table(problem_of(grammar, need, RANGE), points)
    if table.empty:
        names = ["size", "average_complexity", "lower_bound", "proved", "digits", "multipliers", "kind"]
        return pd.DataFrame(columns=names)
    bounds = table["lower_bound"][::-1].cummax()[::-1]
    kinds = table["proved"].map({True: "proved optimum", False: "best found, not proved"})
    return table.assign(lower_bound=bounds, kind=kinds)


def bound_table(table: pd.DataFrame) -> pd.DataFrame:
    """How low any system of each size can lie, of a table of optima: x and y of the edge of what is unattainable.

    A size that is not solved yet has the bound of the next larger one that is.
    """
    if table.empty:
        return pd.DataFrame(columns=["x", "y"])
    known = table.set_index("size")["lower_bound"].sort_index()
    sizes = range(int(known.index[0]), int(known.index[-1]) + 1)
    bounds = known.reindex(sizes).bfill()
    return pd.DataFrame({"x": [*sizes, sizes[-1] + 1], "y": [*bounds, bounds.iloc[-1]]})


# The phase diagram of the law as the page shows it: one answer, so that moving over the plane asks nobody.

PLACES = 6
"""Decimals of costs; those of shares are fewer."""


@cache
def phase_diagram() -> dict[str, Any]:
    """Cells, what is said in each, and human languages; made once."""
    plane = Plane.of(LAW, shipped_diagram())
    cells, sayings = _cells_and_sayings()
    return {
        "effort": LAW.effort,
        "error": ERROR_MEASURES[LAW.error].sentence,
        "need": LAW.need,
        "range": LAW.upto,
        "near": NEAR,
        "kinds": list(KINDS),
        "precisions": [law.precision for law in plane.laws],
        "words": plane.words.tolist(),
        "cells": cells,
        "sayings": sayings,
        "languages": _languages(plane),
    }


def _cells_and_sayings() -> tuple[list[dict[str, Any]], list[list[dict[str, Any]]]]:
    """All cells, and the different ways of saying the numbers, which cells name by their place in the list."""
    places: dict[tuple[float, str], int] = {}
    sayings: dict[str, int] = {}
    found: list[list[dict[str, Any]]] = []
    cells: list[dict[str, Any]] = []
    for row in shipped_diagram().to_dict("records"):
        system = f"{row['digits']} | {row['multipliers']}"
        key = (row["precision"], system)
        if key not in places:  # prices of a word change which system is best, not what is said in it
            bands = bands_of(OpenSystem.parse(system, LAW.grammar), replace(LAW, precision=row["precision"]))
            places[key] = sayings.setdefault(repr(bands), len(found))
            if places[key] == len(found):
                found.append(bands)
        cells.append(_cell(row) | {"saying": places[key]})
    return cells, found


def bands_of(system: OpenSystem, law: Law) -> list[dict[str, Any]]:
    """What is said for which numbers, as an expression and as the number that it names.

    >>> bands_of(OpenSystem.parse("1,2,5"), Law(precision=3, upto=10))[-1]
    {'said': 5, 'expression': '5', 'numbers': '4-10'}
    """
    numbers: dict[int, list[int]] = {}
    for number, other in enumerate(said(system, law).tolist(), start=1):
        numbers.setdefault(other, []).append(number)
    texts = _expressions(system, law.upto)
    return [{"said": other, "expression": texts[other], "numbers": format_set(mine)} for other, mine in numbers.items()]


def _expressions(system: OpenSystem, upto: int) -> dict[int, str]:
    if not system.multipliers:
        return {word: str(word) for word in system.digits}
    recursive = NumeralSystem(system.digits, system.multipliers, system.grammar)
    return {line.number: line.expression for line in listing(recursive, upto)}


def _cell(row: dict[Any, Any]) -> dict[str, Any]:
    return {
        "kind": row["kind"],
        "exact_upto": row["exact_upto"],
        "digits": row["digits"],
        "multipliers": row["multipliers"],
        "size": row["size"],
        "words_cost": round(row["word"] * row["size"], PLACES),
        "effort_cost": round(LAW.effort * row["length"], PLACES),
        "error_cost": round(row["precision"] * row["error"], PLACES),
        "cost": round(row["cost"], PLACES),
        "lower": round(row["lower"], PLACES),
        "proved": row["proved"],
    }


def _languages(plane: Plane) -> list[dict[str, Any]]:
    """Human systems with their distance from the best in each cell, in the order of the cells."""
    return [
        {
            "names": [each.name for each in speakers],
            "kind": kind,
            "system": str(system),
            "size": system.size,
            "excess": plane.excess_of(system).round(4).ravel().tolist(),
        }
        for speakers, kind, system in human_systems(LAW, "core")
    ]


# What systems cost, by any two costs of the registry: the plane's axes.
#
# Size and length come from a kernel, at once. Each other cost takes a tenth of a millisecond a system, or two for what
# needs expressions (`unpacked`), and a plane has thousands: they are measured in the background and kept.

SIZE, LENGTH = "size", "length"
MOST_COSTED = 120_000
AT_ONCE = 0.4
"""Seconds that an answer waits for costs: mostly that is all of them, and the page is drawn once."""
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


Measured = tuple[NumeralSystem, str, str]
"""A system, the need and the name of a cost."""


class Costing:
    def __init__(self) -> None:
        self._measured: Background[Measured, float] = Background("costs", _measure, MOST_COSTED)
        self._lengths: dict[tuple[NumeralSystem, str], float] = {}

    def places(
        self, systems: Iterable[NumeralSystem], need: str, axes: Axes, wait: bool = False
    ) -> tuple[dict[NumeralSystem, Place], dict[str, int]]:
        """Where systems lie, and of how many that is known; one that does not cover the range lies nowhere."""
        wanted = list(dict.fromkeys(systems))
        lengths = self._lengths_of(wanted, need)
        covering = [each for each in wanted if np.isfinite(lengths[each, need])]
        others = tuple(name for name in dict.fromkeys((axes.x, axes.y)) if name not in (SIZE, LENGTH))
        keys = [(each, need, name) for each in covering for name in others]
        if wait:
            self._measured.wait(keys)
        self._ask(keys)
        settled = self._measured.settled(keys) if others else len(covering)  # first: meanwhile there may be more
        costs = {(each, SIZE): float(each.size) for each in covering}
        costs |= {(each, LENGTH): lengths[each, need] for each in covering}
        costs |= {(key[0], key[2]): cost for key in keys if (cost := self._measured.get(key)) is not None}
        found = ((each, costs.get((each, axes.x)), costs.get((each, axes.y))) for each in covering)
        places = {each: (x, y) for each, x, y in found if x is not None and y is not None and np.isfinite([x, y]).all()}
        known = len(wanted) - len(covering) + settled // max(1, len(others))
        return places, {"measured": known, "systems": len(wanted)}

    def _ask(self, keys: Sequence[Measured]) -> None:
        """Ask for costs, and wait a moment."""
        for key in keys:
            self._measured.get(key)
        end = time.monotonic() + AT_ONCE
        while time.monotonic() < end and not self._measured.are_settled(keys):
            time.sleep(0.02)

    def _lengths_of(self, systems: Sequence[NumeralSystem], need: str) -> dict[tuple[NumeralSystem, str], float]:
        if len(self._lengths) > MOST_COSTED:
            self._lengths = {}
        missing = [system for system in systems if (system, need) not in self._lengths]
        averages = evaluate_many(missing, need, RANGE).tolist()
        self._lengths |= {(system, need): average for system, average in zip(missing, averages, strict=True)}
        return self._lengths


def _measure(key: Measured) -> float:
    """A cost of a system that covers the range; what most costs need of it is made without expressions."""
    system, need, name = key
    return float(COSTS[name].measure(Said.canonical(system, need, RANGE)))


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
