"""How results show themselves in a terminal and in a notebook, and `ishango.frontier`."""

from __future__ import annotations

import math
import operator
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from numbers import Real
from typing import Any, Literal, cast

import pandas as pd
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from ishango.errors import RequestError, require
from ishango.frontiers import FrontierPoint, Problem, frontier_table
from ishango.frontiers import frontier as solve_sizes
from ishango.lab import Event, Reporter, Result, Silent, SilentSweep, SweepReporter, Task
from ishango.languages import Language, load_languages, recursive_languages
from ishango.numerals import DEFAULT_GRAMMAR, Need, NumeralSystem, evaluate_many, format_set, parse_set

SHOWN_ROWS = 12
"""Rows of a table that a notebook shows before it leaves some out."""


class Shown:
    """A result with facts and a table: a readable `repr`, the same as HTML for notebooks, and `to_frame()`."""

    def facts(self) -> dict[str, str]:
        """What there is to say, name by name; the first is the title."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """The result as a pandas table."""
        raise NotImplementedError

    def __repr__(self) -> str:
        facts = self.facts()
        width = max(map(len, facts))
        return "\n".join(f"{name:<{width}}  {value}" for name, value in facts.items())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
            for name, value in self.facts().items()
        )
        table = self.to_frame().to_html(max_rows=SHOWN_ROWS, index=False, border=0)
        return f"<table>{rows}</table>{table}"


def decimal(value: float | None) -> str:
    return "none" if value is None else f"{value:.6f}"


# Progress bars for scripts and notebooks: one for a run, one for a sweep; none where there is no terminal.


def run_reporter(wanted: bool | None) -> Reporter:
    """A bar where it is wanted, or by default where a person can see it."""
    return RunBar() if _visible(wanted) else Silent()


def sweep_reporter(wanted: bool | None) -> SweepReporter:
    return SweepBar() if _visible(wanted) else SilentSweep()


def _visible(wanted: bool | None) -> bool:
    return (sys.stderr.isatty() or "ipykernel" in sys.modules) if wanted is None else wanted


def _bar() -> Progress:
    # In a notebook the bar does without ipywidgets, and nobody needs to be told so at every run.
    warnings.filterwarnings("ignore", message='install "ipywidgets"')
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True))


class RunBar:
    """Rounds of a run, steps within a round included."""

    def __init__(self) -> None:
        self._bar = _bar()

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        self._bar.start()
        self._task = self._bar.add_task("rounds", total=config["rounds"] + 1, completed=rounds_done)

    def steps(self, round: int, done: int, of: int) -> None:
        self._bar.update(self._task, completed=round + done / max(of, 1))

    def round(self, record: Mapping[str, Any]) -> None:
        self._bar.update(self._task, completed=record["round"] + 1)

    def end(self) -> None:
        self._bar.stop()


class SweepBar:
    def __init__(self) -> None:
        self._bar = _bar()

    def begin(self, title: str, tasks: Sequence[Task], done: int) -> None:
        self._bar.start()
        self._task = self._bar.add_task(title, total=len(tasks) + done, completed=done)

    def hear(self, event: Event) -> None:
        if event.warning:
            self._bar.console.print(f"Warning: {event.warning}", style="yellow", markup=False)

    def finish(self, result: Result) -> None:  # noqa: ARG002 - reporters are told it
        self._bar.advance(self._task)

    def end(self) -> None:
        self._bar.stop()


# `ishango.frontier(...)`: the least average complexity of each size, proved.


@dataclass(frozen=True, repr=False)
class Frontier(Shown):
    """Points of the Pareto frontier of lexicon size against average complexity, by size."""

    problem: Problem
    points: tuple[FrontierPoint, ...]

    def __iter__(self) -> Iterator[FrontierPoint]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, size: int) -> FrontierPoint:
        """The point of a size."""
        for point in self.points:
            if point.size == size:
                return point
        sizes = format_set(sorted(point.size for point in self.points))
        raise RequestError(f"There is no size {size!r} among those that were asked for, {sizes}.")

    @property
    def proved(self) -> bool:
        """Whether every point is proved optimal."""
        return all(point.proved for point in self.points)

    def facts(self) -> dict[str, str]:
        """The problem, and how many of its points are proved."""
        proved = sum(point.proved for point in self.points)
        sizes = [point.size for point in self.points]
        return {
            "frontier": f"{self.problem.grammar} grammar, need {self.problem.need}, numbers 1 to {self.problem.upto}",
            "sizes": f"{min(sizes)} to {max(sizes)}" if sizes else "none",
            "proved": f"{proved} of {len(self.points)}",
        }

    def to_frame(self) -> pd.DataFrame:
        """A row a size: the optimum, its average complexity, whether it is proved, and its span of |M|."""
        return frontier_table(self.problem, self.points)

    def figure(
        self,
        languages: bool | Literal["world", "core"] = True,
        *,
        beside: Iterable[Language | NumeralSystem | str] = (),
    ) -> Any:
        """The frontier above what cannot be had, as an Altair chart.

        Args:
            languages: whether human languages are drawn: those of the `world` as circles, the larger the more
                languages there are, with the names of some well-known ones; or the `core` that was checked by hand.
            beside: languages or systems of one's own (also as text, `1-11 | 12`), which are drawn in colour, with their
                names.
        """
        from ishango.figures.plane_figures import frontier_figure

        require(languages in (True, False, "world", "core"), "languages", languages, "True, False, world or core")
        if not self.points:
            raise RequestError("The frontier has no sizes here, so there is nothing to draw; ask for some.")
        table, own = self.to_frame(), self._own(_given(beside))
        people = [self.languages("core" if languages == "core" else "world")] if languages else []
        placed = pd.concat([own, *people]) if len(own) or not people else people[0]
        humans = _circles(placed, set(own["language"]), {each.name for each in load_languages()})
        largest = max([3, *(point.size for point in self.points), *(own["size"] + 1)])
        averages = [*table["average_complexity"], *humans["average_complexity"]]
        top = max(
            [_top(averages), *(math.ceil(average + 0.1) for average in own["average_complexity"] if average > 1.9)]
        )
        top = max(top, math.ceil(10 * table["average_complexity"].max() + 0.5) / 10)  # all that is proved is seen
        return frontier_figure(_bounds(table), humans, largest, top)

    def _own(self, given: Sequence[NumeralSystem | Language]) -> pd.DataFrame:
        placed = _placed(self.problem, given)
        for name in map(_name, given):
            if name not in set(placed["language"]):
                raise RequestError(
                    f"{name} cannot say every number from 1 to {self.problem.upto} under the grammar"
                    f" {self.problem.grammar}, so it has no place on the plane."
                )
        return placed

    def languages(
        self, which: Literal["world", "core"] = "world", *, beside: Iterable[Language | NumeralSystem | str] = ()
    ) -> pd.DataFrame:
        """A row a human language that the grammar derives and that says every number of the range: `language`,
        `glottocode`, `grammar`, `size`, `average_complexity`.

        Args:
            which: those of the `world`, or the `core` that was checked by hand, which comes first in both.
            beside: languages or systems of one's own, which come before all; of a name that both have, yours is taken.
        """
        own = _given(beside)
        names = set(map(_name, own))
        shipped = (each for each in recursive_languages(which) if each.says_all(self.problem.upto))
        return _placed(self.problem, [*own, *(each for each in shipped if each.name not in names)])


def listed(given: Any) -> list[Any]:
    """What is given as a list; one language, system or text alone is taken, too."""
    alone = isinstance(given, (str, Language, NumeralSystem)) or not isinstance(given, Iterable)
    return [given] if alone else list(cast(Iterable[Any], given))


def _given(beside: Any) -> list[Language | NumeralSystem]:
    found = [NumeralSystem.parse(each) if isinstance(each, str) else each for each in listed(beside)]
    for each in found:
        if not isinstance(each, (Language, NumeralSystem)):
            raise RequestError(f"Languages, systems and texts such as '1-11 | 12' are drawn beside, not {each!r}.")
    return found


def _name(system: Language | NumeralSystem) -> str:
    return system.name if isinstance(system, Language) else str(system)


def _placed(problem: Problem, given: Sequence[NumeralSystem | Language]) -> pd.DataFrame:
    """Where languages lie; what the grammar does not derive, or the range does not hold, is left out."""
    placed: list[tuple[NumeralSystem | Language, NumeralSystem]] = []
    for each in given:
        under = each.system_under if isinstance(each, Language) else each.with_grammar
        system = under(problem.grammar)
        if system and system.words[-1] <= problem.upto:
            placed.append((each, system))
    if not placed:
        return pd.DataFrame(columns=["language", "glottocode", "grammar", "size", "average_complexity"])
    systems = list(dict.fromkeys(system for _, system in placed))  # thousands of languages share hundreds of systems
    averages = dict(zip(systems, evaluate_many(systems, problem.need, problem.upto), strict=True))
    return pd.DataFrame(
        {
            "language": [_name(each) for each, _ in placed],
            "glottocode": [each.glottocode if isinstance(each, Language) else "" for each, _ in placed],
            "grammar": problem.grammar,
            "size": [system.size for _, system in placed],
            "average_complexity": [averages[system] for _, system in placed],
        }
    ).dropna()


def _circles(languages: pd.DataFrame, own: Collection[str] = (), known: Collection[str] | None = None) -> pd.DataFrame:
    """Languages that share a point together; of each size the point with most of them has a name, the first of them.

    Where some languages are `known`, only points that have one of these are named; where there are some of one's own,
    which come first, those alone are."""
    is_known = True if known is None else languages["language"].isin(list(known))
    grouped = languages.assign(known=is_known).groupby(["grammar", "size", "average_complexity"], as_index=False)
    points = pd.DataFrame(
        grouped.agg(languages=("language", "count"), label=("language", "first"), known=("known", "sum"))
    )
    points["own"] = points["label"].isin(list(own))
    most = points[points["known"] > 0].sort_values("known", ascending=False, kind="stable")
    most = most.drop_duplicates(["grammar", "size"])
    named = points["own"] if points["own"].any() else points.index.isin(most.index)
    return points.assign(label=points["label"].where(named, "")).drop(columns="known")


def placed_figure(line: pd.DataFrame, points: pd.DataFrame) -> Any:
    """Named points above a line of proved values, as an Altair chart."""
    from ishango.figures.plane_figures import frontier_figure

    averages = [*line["average_complexity"], *points["average_complexity"]]
    return frontier_figure(line, _circles(points), int(points["size"].max()), _top(averages))


def _bounds(table: pd.DataFrame) -> pd.DataFrame:
    """What no system of any size is below: the optimum, the lower bound where none is proved, or, for a size that was
    not asked for, the value of the next one, since a word more never costs anything."""
    known = table["average_complexity"].where(table["proved"], table["lower_bound"])
    sizes = range(int(table["size"].min()), int(table["size"].max()) + 1)
    line = table.assign(average_complexity=known).set_index("size").reindex(sizes)
    line["average_complexity"] = line["average_complexity"].bfill()
    line["grammar"] = line["grammar"].bfill()
    return line.assign(proved=line["proved"].eq(True)).reset_index()


def _top(averages: list[float]) -> float:
    """Where the axis ends: at 2, unless hardly anything lies below it."""
    return 2.0 if min(averages) < 1.5 else math.ceil(max(averages) + 0.1)


def frontier(
    sizes: Iterable[int] | int | str = range(2, 13),
    *,
    grammar: str = DEFAULT_GRAMMAR.name,
    need: Need | str = "power:2",
    upto: int = 99,
    overlap: bool = False,
    max_multipliers: int | None = None,
    every: bool = False,
    time_limit: float | None = None,
) -> Frontier:
    """Prove the least average complexity of each lexicon size.

    Args:
        sizes: lexicon sizes, |D| + |M|: numbers, one number, or text such as `2-12`.
        grammar: the meta-grammar.
        need: how often each number is needed.
        upto: numbers from 1 to this one are evaluated, and words lie among them.
        overlap: whether a word may be digit and multiplier at once.
        max_multipliers: at most so many multipliers.
        every: find every optimum of a size instead of one.
        time_limit: seconds for each size; one that is not proved by then has a lower bound.

    Returns:
        The points, which print, show in a notebook, give a table with `to_frame()` and a chart with `figure()`.

    >>> found = frontier([2, 3, 4])
    >>> str(found[4].system), found.proved
    ('1-3 | 4', True)
    """
    problem = Problem(grammar, need, upto, overlap, max_multipliers)
    if time_limit is not None and not (isinstance(time_limit, Real) and time_limit > 0):
        raise RequestError(f"The time limit is {time_limit}; give a number of seconds above 0.")
    return Frontier(problem, tuple(solve_sizes(problem, _sizes(sizes), every=every, time_limit=time_limit)))


def _sizes(given: Iterable[int] | int | str) -> list[int]:
    sizes = parse_set(given, "size") if isinstance(given, str) else [given] if isinstance(given, int) else given
    try:
        return list(dict.fromkeys(operator.index(each) for each in sizes))
    except TypeError:
        raise RequestError(f"Sizes are whole numbers, one number or text such as 2-12; {given!r} is none.") from None
