"""Tables for figures: frontiers, the study's languages, and where they lie."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from ishango.numerals import Need
from ishango.restricted.best_systems import RestrictedPoint, restricted_frontier
from ishango.restricted.measures import NEED, WEBER
from ishango.restricted.study_table import StudyLanguage, study_languages
from ishango.restricted.term_system import KINDS


def restricted_frontier_table(
    sizes: Iterable[int] | None = None, need: Need | str = NEED, upto: int = 100, weber: float = WEBER
) -> pd.DataFrame:
    """Both frontiers, a row a kind and number of words: complexity, least and greatest cost, and the systems."""
    chosen = None if sizes is None else list(sizes)
    return pd.DataFrame(
        [point_record(point) for kind in KINDS for point in restricted_frontier(kind, chosen, need, upto, weber)]
    )


def point_record(point: RestrictedPoint) -> dict[str, object]:
    """A point of a frontier as JSON and tables have it."""
    return {
        "kind": point.kind,
        "size": point.size,
        "complexity": point.complexity,
        "cost": point.cost,
        "system": str(point.system),
        "worst_cost": point.worst_cost,
        "worst": str(point.worst),
    }


def restricted_language_table(need: Need | str = NEED, upto: int = 100, weber: float = WEBER) -> pd.DataFrame:
    """The study's languages that share a point in one row: kind, complexity, cost, how many, and their names."""
    points: dict[tuple[str, int, float], list[StudyLanguage]] = {}
    for language in study_languages():
        place = language.position(need, upto, weber)
        points.setdefault((language.kind, place.complexity, place.cost), []).append(language)
    rows = [
        {
            "kind": kind,
            "complexity": complexity,
            "cost": cost,
            "languages": len(sharing),
            "label": _label([language.name for language in sharing]),
        }
        for (kind, complexity, cost), sharing in points.items()
    ]
    return pd.DataFrame(rows)


def _label(names: list[str]) -> str:
    """Up to two names in full; of more only the first and how many others."""
    return ", ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} others"
