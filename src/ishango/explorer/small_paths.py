"""The ways of studies in a few strokes, as the list of runs has them beside each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ishango.explorer.rounds import read_lines
from ishango.explorer.run_problems import problem_of_run
from ishango.explorer.runs import Listed, NoRunError, Runs
from ishango.explorer.site import Site
from ishango.explorer.summaries import shown
from ishango.explorer.trails import places_of

MOST_PATHS, MOST_POINTS = 6, 40
"""Runs whose ways stand for a study, and the steps that are drawn of each."""
MOST_KEPT = 4000
Point = list[float]


def small_paths(site: Site, studies: Sequence[str]) -> dict[str, Any]:
    """The ways of these studies, by study; a page asks for all that it shows at once."""
    mine: dict[str, list[Listed]] = {study: [] for study in studies}
    for each in site.listed():
        if each.study and each.study["id"] in mine and each.summary["round"] >= 0:
            mine[each.study["id"]].append(each)
    return {study: _small(site, listed) for study, listed in mine.items()}


def _small(site: Site, listed: Sequence[Listed]) -> dict[str, Any]:
    """The run in the middle of a study first, then others, and the edge of the unattainable."""
    if not listed:
        return {"paths": [], "edge": []}
    by_gap = sorted(listed, key=lambda each: (each.summary["gap"] is None, each.summary["gap"], each.summary["name"]))
    middle = by_gap[(len(by_gap) - 1) // 2]
    others = [each for each in by_gap[:: max(1, len(by_gap) // MOST_PATHS)] if each is not middle]
    problem = problem_of_run(middle)  # of all of them: the runs of a study differ in nothing but their seed
    paths = [_way(site.runs, each) for each in [middle, *others][:MOST_PATHS]]
    points = site.optima.points(problem.grammar, problem.need)[0] if problem and problem.is_known else []
    return {"paths": [path for path in paths if path], "edge": [[each.size, each.lower_bound] for each in points]}


def _way(runs: Runs, listed: Listed) -> list[Point]:
    """The way of a run; read anew only when it has gone on."""
    return _thinned(runs, *(listed.summary[name] for name in ("name", "experiment", "updated", "round")))


@lru_cache(maxsize=MOST_KEPT)
def _thinned(runs: Runs, name: str, experiment: str, _updated: float, _last: int) -> list[Point]:
    try:
        moves = places_of(read_lines(runs.view(name)).records, shown(experiment))
    except NoRunError:  # removed a moment ago
        return []
    step = -(-len(moves) // MOST_POINTS) if moves else 1
    kept = [*moves[:-1:step], moves[-1]] if moves else []
    return [[x, round(y, 4)] for _, x, y, _ in kept]
