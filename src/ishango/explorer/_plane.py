"""The plane: what is possible, what people speak, and where runs go, by any two costs."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic_core import to_json

from ishango.explorer._builder import Group, groups_of, languages_table, nearest_run, rows, share, talks
from ishango.explorer._found_runs import Listed, Runs
from ishango.explorer._optima import LENGTH, SIZES, Axes, Costing, Optima, Place, bound_table, optima_table, sizes_upto
from ishango.explorer._paths import (
    PATHS,
    STARTS,
    Drawn,
    fitted,
    packed_tables,
    paths_table,
    starts_table,
    way_of,
    whole,
)
from ishango.figures.look import place_names
from ishango.numerals import GrammarName, NumeralSystem, parse_set

GAP_PLACES = 9
"""Decimals beyond which two gaps are one."""
NEAREST = 5
"""Runs that are named as those which ended nearest the frontier."""
LABELLED = ("English", "Turkish", "Danish", "Guaraní", "Ainu", "Nenets")
"""Languages whose names stand in the plane: known ones, and ones that lie apart."""
WORDS = ["x", "y", "text"]
MOST_KEPT = 8
"""Planes that are kept as they were sent."""
_CHART = (760, 460)
"""Pixels of a chart for which names are placed."""
Summary = dict[str, Any]
Tables = dict[str, pd.DataFrame]
Window = dict[str, list[float]]


class Planes:
    def __init__(self, optima: Optima, runs: Runs) -> None:
        self._optima, self._runs = optima, runs
        self._costing = Costing()
        self._kept: dict[tuple[Any, ...], tuple[Sequence[Listed], bytes]] = {}
        self._making = threading.Lock()
        self.begins = False
        """Whether the first plane with runs is being made: meanwhile others get one without."""
        self.asked = threading.Event()
        """Set when somebody has got a plane."""

    def answer(self, grammar: GrammarName, need: str, axes: Axes, by: str, ahead: bool = False) -> bytes:
        """The plane as JSON; one in which everything is known is kept until something in the list of runs changes.

        While runs are read for the first time it has none of them, and says how far that has come.
        """
        if self.begins and not ahead:
            plane = self.plane(grammar, need, axes, by, listed=[])
            plane |= {"complete": False, "read": 0, "found": self._runs.progress.found}
            self.asked.set()
            return to_json(plane, inf_nan_mode="null")
        self._runs.at_hand()
        with self._making:  # the second page to ask for the same waits for the first one's answer
            progress = self._runs.progress
            listed = self._runs.listed() if progress.ready else []
            asked = (grammar, need, axes, by, self._runs.limit)
            known = self._kept.pop(asked, None)
            if known is None or known[0] is not listed:
                plane = self.plane(grammar, need, axes, by, listed=listed)
                plane |= {"read": progress.read, "found": progress.found}
                plane["complete"] &= progress.ready
                known = (listed, to_json(plane, inf_nan_mode="null"))
                if not plane["complete"]:
                    return known[1]
            self._kept = {**dict(list(self._kept.items())[1 - MOST_KEPT :]), asked: known}
            return known[1]

    def plane(
        self,
        grammar: GrammarName,
        need: str,
        axes: Axes | None = None,
        by: str = "decides",
        wait: bool = False,
        listed: Sequence[Listed] | None = None,
    ) -> dict[str, Any]:
        """The plane with the runs that were played under the grammar, in groups; `wait`: with all that it can show."""
        axes = axes or Axes()
        runs = [each.summary for each in (self._runs.listed() if listed is None else listed)]
        placed = [each for each in runs if each["grammar"] and each["round"] >= 0]
        mine = [each for each in placed if each["grammar"] == grammar]
        groups = groups_of(mine, by, placed)
        drawn = [each for group in groups for each in self._drawn(group, share(groups, group))]
        # Where runs are now comes first: costs that take long are measured in this order.
        ends = [each.way.lexicons[-1][1] for each in drawn if each.way.lexicons]
        systems = [*ends, *(system for each in drawn for _, system in each.way.lexicons)]
        languages = languages_table(grammar, need)
        sizes = sizes_upto(max((*languages["size"], *(system.size for system in systems)), default=0))
        if wait:
            self._optima.wait(grammar, need, sizes)
        solved = self._optima.solved(grammar, need, sizes)  # before they are asked for: meanwhile there may be more
        best = self._frontier(grammar, need, sizes)
        fixed = _systems(best, grammar) + _systems(languages, grammar)
        places, measured = self._costing.places([*fixed, *systems], need, axes, wait)
        paths = paths_table(drawn, places)
        tables = _background(best, languages, grammar, axes, places)
        tables |= {"paths": paths, "starts": starts_table(paths)}
        shown = _groups(groups, drawn)
        talking = [each["name"] for each in shown if each["agents"]] or [each["name"] for each in shown]
        featured = _featured(mine, {each.run for each in drawn})
        windows = _windows(tables, axes, talking, featured)
        return {
            "complete": solved["solved"] == solved["sizes"] and measured["measured"] == measured["systems"],
            **solved,
            **measured,
            "rounds": max((each.way.last for each in drawn), default=0),
            "runs": len(mine),
            "read": len(runs),
            "found": len(runs),
            "limit": self._runs.limit,
            "groups": shown,
            "nearest": _nearest(mine),
            "featured": featured,
            **windows,
            **_about(axes),
            "tables": _sent(_named(tables, windows["fit"], axes), {each["name"]: each["title"] for each in mine}),
            "points": [*_places(languages, "names"), *_places(best, "kind")],
        }

    def small_plane(self, grammar: GrammarName, need: str, size: int = SIZES[-1], wait: bool = False) -> dict[str, Any]:
        """The frontier and human languages, at least up to a size, for a system to be marked on."""
        sizes = sizes_upto(size)
        if wait:
            self._optima.wait(grammar, need, sizes)
        solved = self._optima.solved(grammar, need, sizes)
        best, languages = self._frontier(grammar, need, sizes), languages_table(grammar, need)
        systems = _systems(best, grammar) + _systems(languages, grammar)
        places, _ = self._costing.places(systems, need, Axes())
        no_runs = {"paths": pd.DataFrame(columns=PATHS), "starts": pd.DataFrame(columns=STARTS)}
        tables = no_runs | _background(best, languages, grammar, Axes(), places)
        windows = _windows(tables, Axes())
        named = {**_named(tables, windows["fit"], Axes()), "words": pd.DataFrame(columns=WORDS)}
        return {
            "complete": solved["solved"] == solved["sizes"],
            **solved,
            **windows,
            **_about(Axes()),
            "tables": _sent(named, {}),
        }

    def _frontier(self, grammar: GrammarName, need: str, sizes: Iterable[int]) -> pd.DataFrame:
        return optima_table(grammar, need, self._optima.points(grammar, need, sizes))

    def _drawn(self, group: Group, most: int) -> list[Drawn]:
        return [
            Drawn(run["name"], group.name, group.colour, run["start"], way_of(self._runs, run))
            for run in group.drawn(most)
        ]


def _background(
    best: pd.DataFrame,
    languages: pd.DataFrame,
    grammar: GrammarName,
    axes: Axes,
    places: Mapping[NumeralSystem, Place],
) -> Tables:
    """What does not depend on runs: what is unattainable, where that is proved, the optima, human languages."""
    return {
        "bound": bound_table(best) if axes.are_the_papers else pd.DataFrame(columns=["x", "y"]),
        "frontier": _placed(best, grammar, places),
        "languages": _placed(languages, grammar, places),
    }


def _systems(table: pd.DataFrame, grammar: GrammarName) -> list[NumeralSystem]:
    words = zip(table["digits"], table["multipliers"], strict=True)
    return [NumeralSystem(parse_set(digits), parse_set(multipliers), grammar) for digits, multipliers in words]


def _placed(table: pd.DataFrame, grammar: GrammarName, places: Mapping[NumeralSystem, Place]) -> pd.DataFrame:
    """The rows whose place in the plane is known."""
    found = [places.get(system, (np.nan, np.nan)) for system in _systems(table, grammar)]
    placed = table.assign(x=[x for x, _ in found], y=[y for _, y in found])
    return placed[~placed["x"].isna()]


def _named(tables: Tables, fit: Window, axes: Axes) -> Tables:
    """The same tables with names beside some languages, where these meet nothing, and a word in the grey."""
    languages, (width, height) = tables["languages"], _CHART
    found = languages.assign(
        label=[_label(names) for names in languages["names"]],
        px=width * _share(languages["x"], fit["x"], axes.are_log["log_x"]),
        py=height * (1 - _share(languages["y"], fit["y"], axes.are_log["log_y"])),
    )
    named = place_names(found[found["label"] != ""], width, height)
    placed = found.join(named[["align", "dx", "dy"]]).drop(columns=["px", "py"])
    x, y = fit["x"][0] + 0.01 * (fit["x"][1] - fit["x"][0]), fit["y"][0] + 0.02 * (fit["y"][1] - fit["y"][0])
    grey = tables["bound"][tables["bound"]["x"] <= x]["y"]
    words = [{"x": x, "y": y, "text": "unattainable"}] if len(grey) and grey.iloc[-1] > y else []
    return {
        **tables,
        "languages": placed.assign(label=placed["label"].replace("", None)),
        "words": pd.DataFrame(words, columns=WORDS),
    }


def _sent(tables: Tables, titles: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    """The tables as the page draws them, runs with the names that people read."""
    packed = packed_tables(tables["paths"])
    packed["paths"] = packed["paths"].assign(title=[titles.get(run, run) for run in packed["paths"]["run"]])
    return {name: rows(table) for name, table in {**tables, **packed}.items()}


def _label(names: str) -> str:
    return next((name for name in LABELLED if name in names.split(", ")), "")


def _share(values: pd.Series, ends: Sequence[float], is_log: bool) -> NDArray[np.float64]:
    """How far along an axis values lie."""
    low, high = (math.log(end) if is_log else end for end in ends)
    found = np.asarray(values, dtype=np.float64)
    return ((np.log(found) if is_log else found) - low) / (high - low)


def _windows(tables: Tables, axes: Axes, groups: Sequence[str] = (), featured: str | None = None) -> dict[str, Window]:
    ends = {"fit": fitted(tables, groups, featured), "all": whole(tables)}
    return {name: {"x": _above(x, axes.x), "y": _above(y, axes.y)} for name, (x, y) in ends.items()}


def _about(axes: Axes) -> dict[str, Any]:
    """What the page must know of the axes."""
    return {"proved": axes.are_the_papers, "titles": axes.titles, **axes.are_log}


def _above(ends: tuple[float, float], cost: str) -> list[float]:
    """An axis ends where its cost does: nothing costs less than nothing, and no numeral is shorter than one symbol."""
    return [max(ends[0], 1.0 if cost == LENGTH else 0.0), ends[1]]


def _groups(groups: Sequence[Group], drawn: Sequence[Drawn]) -> list[dict[str, Any]]:
    """What can be switched on and off."""
    return [
        {
            "name": group.name,
            "colour": group.colour,
            "agents": group.has_agents,
            "runs": len(group.runs),
            "drawn": sum(each.group == group.name for each in drawn),
        }
        for group in groups
    ]


def _nearest(runs: Sequence[Summary]) -> list[dict[str, Any]]:
    """The runs whose agents ended nearest the frontier, by the need of the run, and the nearest of each size.

    Each says how many others ended as near, at all and with as many words.
    """
    ended = (run for run in runs if talks(run) and run["gap"] is not None)
    known = sorted(ended, key=lambda run: (_gap(run), run["name"]))
    first: dict[int, Summary] = {}
    for run in known:
        first.setdefault(run["size"], run)
    chosen = {run["name"]: run for run in (*known[:NEAREST], *first.values())}
    gaps = Counter(map(_gap, known))
    sized = Counter((run["size"], _gap(run)) for run in known)
    return [
        {
            **{name: run[name] for name in ("name", "title", "gap", "size", "can_talk")},
            "tied": gaps[_gap(run)] - 1,
            "tied_in_size": sized[run["size"], _gap(run)] - 1,
            "best_of_size": first[run["size"]] is run,
        }
        for run in chosen.values()
    ]


def _gap(run: Summary) -> float:
    return round(run["gap"], GAP_PLACES)


def _featured(runs: Sequence[Summary], drawn: Set[str]) -> str | None:
    """The run whose path is drawn before anybody asks: the nearest, of agents where there are any."""
    known = [run for run in runs if run["name"] in drawn and run["gap"] is not None]
    chosen = [run for run in known if talks(run)] or known
    return nearest_run(chosen)["name"] if chosen else None


def _places(table: pd.DataFrame, name: str) -> list[dict[str, Any]]:
    columns = {name: "name", **{each: each for each in ("digits", "multipliers", "size", "average_complexity")}}
    return cast(list[dict[str, Any]], table[list(columns)].rename(columns=columns).to_dict("records"))
