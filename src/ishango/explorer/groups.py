"""Runs in groups, as the plane draws them: by who decides and, where that is asked for, by directory or start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from ishango.evolution import CHOOSERS
from ishango.figures.look import GROUPS as COLOURS
from ishango.figures.save import dark, shown_through, specification

Summary = dict[str, Any]
MOST_DRAWN = 160
"""Runs that are drawn of all groups in which agents talk, and as many of all others."""
LEAST_DRAWN = 16
"""Runs that are drawn of a group at least, if it has them."""


class Grouping(NamedTuple):
    """By what runs are put into groups, beside who decides."""

    name: str
    label: str
    sentence: str
    key: Callable[[Summary], str]


def _nothing(_run: Summary) -> str:
    return ""


def _folder(run: Summary) -> str:
    """The directory that a run lies in: studies have one each."""
    return PurePosixPath(run["name"]).parent.as_posix().removeprefix(".")


def _start(run: Summary) -> str:
    return f"start {run['start']}"[:40]


GROUPINGS = {
    each.name: each
    for each in (
        Grouping("decides", "who decides", "one group for each way to decide what is kept", _nothing),
        Grouping("directory", "who decides, and the directory", "a group for each directory", _folder),
        Grouping("start", "who decides, and the start", "a group for each start", _start),
    )
}


@dataclass(frozen=True)
class Group:
    """Runs of one kind."""

    name: str
    colour: int
    """Its place in the palette of groups; no two groups have one colour."""
    has_agents: bool
    runs: Sequence[Summary]

    def drawn(self, most: int) -> list[Summary]:
        """Some of the runs, evenly from all starts and seeds, and in any case the one nearest the frontier."""
        if len(self.runs) <= most:
            return list(self.runs)
        ordered = sorted(self.runs, key=lambda run: (run["start"], run["seed"], run["name"]))
        chosen = [ordered[i * len(ordered) // most] for i in range(most)]
        best = min(self.runs, key=lambda run: (run["gap"] is None, run["gap"]))
        return chosen if best in chosen else [*chosen[:-1], best]


def groups_of(runs: Sequence[Summary], by: str, among: Sequence[Summary] = ()) -> list[Group]:
    """The groups of these runs: first those in which agents talk, then the larger ones.

    There are no more groups than colours: the smallest are thrown together. A group has the colour of its place among
    the groups of all runs, `among`, so that it keeps it when other runs are looked at; if that is taken, another.
    """
    ordered = _ordered(runs, by)
    if len(ordered) > len(COLOURS):
        first, rest = ordered[: len(COLOURS) - 1], ordered[len(COLOURS) - 1 :]
        together = [run for _, members in rest for run in members]
        ordered = [*first, ((f"{len(rest)} further groups", all(agents for (_, agents), _ in rest)), together)]
    wished = {key: i % len(COLOURS) for i, (key, _) in enumerate(_ordered(among, by))}
    free = list(range(len(COLOURS)))
    groups: list[Group] = []
    for key, members in ordered:
        colour = wished[key] if wished.get(key) in free else free[0]
        free.remove(colour)
        groups.append(Group(key[0], colour, key[1], members))
    return groups


def _ordered(runs: Sequence[Summary], by: str) -> list[tuple[tuple[str, bool], list[Summary]]]:
    found: dict[tuple[str, bool], list[Summary]] = {}
    for run in runs:
        names = (decides(run), GROUPINGS[by].key(run))
        found.setdefault((" · ".join(name for name in names if name), talks(run)), []).append(run)
    return sorted(found.items(), key=lambda each: (not each[0][1], -len(each[1]), each[0][0]))


def share(groups: Sequence[Group], group: Group) -> int:
    """How many runs of a group may be drawn."""
    alike = sum(each.has_agents == group.has_agents for each in groups)
    return max(LEAST_DRAWN, MOST_DRAWN // alike)


def decides(run: Summary) -> str:
    """Who decides in a run, in the words of the page."""
    return CHOOSERS[run["choose"]].label if run["choose"] in CHOOSERS else str(run["choose"])


def talks(run: Summary) -> bool:
    """Whether agents talk in a run: the others are controls. Ideal learners talk to nobody."""
    if run["choose"] in CHOOSERS:
        return CHOOSERS[run["choose"]].uses_agents
    return "neural" in run["choose"]


# Charts as the page takes them: a specification for a light and for a dark page, and the data that both share.
#
# Figures of the explorer name their data instead of holding it. So a specification, which takes Altair a tenth of a
# second, is made once for all runs, systems and exchanges that are drawn by it; only rows differ.

PLACES = 5
"""Decimals of what is drawn: more than a screen has pixels for."""
GREATEST = 1e12
"""What is larger is not drawn."""


def picture(
    figure: Callable[..., alt.TopLevelMixin], tables: Mapping[str, pd.DataFrame], **options: Any
) -> dict[str, Any]:
    """A figure with these tables, by the names that it has for them; options must be hashable."""
    light, night = _specifications(figure, **options)
    return {"light": light, "dark": night, "datasets": {name: rows(table) for name, table in tables.items()}}


def rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as JSON has them: rounded, and null for what is not a number."""
    names = [str(name) for name in table.columns]
    columns = [_values(table[name]) for name in table.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _values(column: pd.Series) -> list[Any]:
    if column.dtype.kind == "f":  # what nobody can have measured would be infinite when it is rounded
        column = column.where(column.abs() < GREATEST).round(PLACES)
    values = column.tolist()
    return [None if each is None or each != each else each for each in values]  # NaN is not even itself


@lru_cache(maxsize=256)
def _specifications(figure: Callable[..., alt.TopLevelMixin], **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    light = shown_through(specification(figure(**options)))
    return light, dark(light)
