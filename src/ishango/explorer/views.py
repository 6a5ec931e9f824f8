"""What the plane and the page of a run show."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import pandas as pd

from ishango.explorer.drawing import picture
from ishango.explorer.optima import NEED, Optima, optima_table
from ishango.explorer.presets import languages_table
from ishango.explorer.run_tables import (
    PATH,
    communication_table,
    kinds_table,
    lexicon_table,
    modifications_of,
    modifications_table,
    path_table,
)
from ishango.explorer.runs import Runs
from ishango.figures.kinds_figures import kind_rounds_figure
from ishango.figures.plane_figures import plane_figure
from ishango.figures.run_figures import communication_figure, lexicon_figure, modifications_figure
from ishango.lab.records import record_json
from ishango.numerals import GrammarName

MOST_PATHS = 200
"""Runs that the plane draws; the last changed ones."""
LISTED_ROUNDS = 200
"""Rounds in the list of a run's last rounds."""


def plane(grammar: GrammarName, need: str, optima: Optima, runs: Runs) -> dict[str, Any]:
    """The plane with the runs that were played under the grammar."""
    points, complete = optima.points(grammar, need)
    mine = [each for each in runs.summaries() if each["grammar"] == grammar and each["round"] >= 0]
    paths = [_path(runs, each, need) for each in mine[:MOST_PATHS]]
    table = pd.concat([path for path in paths if len(path)] or [pd.DataFrame(columns=PATH)])
    best, languages = optima_table(grammar, need, points), languages_table(grammar, need)
    return {
        "complete": complete,
        "rounds": max((each["round"] for each in mine[:MOST_PATHS]), default=0),
        "shown": len(paths),
        "runs": len(mine),
        "figure": picture(plane_figure, best, languages, table),
        "points": [*_places(languages, "names"), *_places(best, "kind")],
    }


def small_plane(grammar: GrammarName, need: str, optima: Optima) -> dict[str, Any]:
    """The frontier and human languages, for a system to be marked on."""
    points, complete = optima.points(grammar, need)
    best, languages = optima_table(grammar, need, points), languages_table(grammar, need)
    figure = picture(plane_figure, best, languages, pd.DataFrame(columns=PATH), height=250)
    return {"complete": complete, "figure": figure}


def _places(table: pd.DataFrame, name: str) -> list[dict[str, Any]]:
    columns = {name: "name", **{each: each for each in ("digits", "multipliers", "size", "average_complexity")}}
    return cast(list[dict[str, Any]], table[list(columns)].rename(columns=columns).to_dict("records"))


def run_details(summary: dict[str, Any], optima: Optima, runs: Runs) -> dict[str, Any]:
    """One run: the way it went, its words, how the agents did, what was tried."""
    rounds = runs.rounds(summary["name"]) if summary["round"] >= 0 else []
    pictures = ("path", "kinds", "lexicon", "communication", "mutations")
    details: dict[str, Any] = {"run": summary, **dict.fromkeys(pictures)}
    if rounds:
        path = _path(runs, summary, NEED)
        points = optima_table(summary["grammar"], NEED, optima.points(summary["grammar"], NEED)[0])
        nobody = languages_table(summary["grammar"], NEED).iloc[:0]
        details["path"] = picture(plane_figure, points, nobody, path, height=400) if len(path) else None
        details["lexicon"] = picture(lexicon_figure, lexicon_table(rounds))
        labels = modifications_of(runs.view(summary["name"]).config, rounds)
        kinds = kinds_table(rounds)
        details["kinds"] = picture(kind_rounds_figure, kinds) if len(kinds) else None
        talked, tried = communication_table(rounds), modifications_table(rounds, labels)
        details["communication"] = picture(communication_figure, talked) if len(talked) else None
        details["mutations"] = picture(modifications_figure, tried) if len(tried) else None
    details["rounds"] = [record_json(each) for each in rounds[-LISTED_ROUNDS:]]
    return details


def _path(runs: Runs, summary: dict[str, Any], need: str) -> pd.DataFrame:
    key = (summary["name"], summary["start"], summary["grammar"], need, summary["updated"], summary["round"])
    return _cached_path(runs, *key)


@lru_cache(maxsize=4 * MOST_PATHS)
def _cached_path(
    runs: Runs, name: str, start: str, grammar: GrammarName, need: str, _updated: float, _round: int
) -> pd.DataFrame:
    return path_table(name, start, runs.rounds(name), grammar, need)
