"""Systems to begin with: human languages, the paper's starts, proved optima; and the languages nearest to a system."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from ishango.explorer.optima import RANGE
from ishango.frontiers import FrontierPoint
from ishango.languages import nearest_languages, recursive_languages
from ishango.numerals import STARTS, GrammarName, NumeralSystem, evaluate_many, format_set

NEAREST = 5


def presets(grammar: GrammarName, points: Iterable[FrontierPoint]) -> dict[str, list[dict[str, Any]]]:
    """Named systems under a grammar, in groups."""
    languages = [(each.name, each.system_under(grammar)) for each in recursive_languages()]
    starts = [(f"Start {i}", start.with_grammar(grammar)) for i, start in enumerate(STARTS, 1)]
    optima = [(f"Size {point.size}", point.system) for point in points if point.proved]
    return {
        "languages": [entry(name, system) for name, system in languages if system],
        "starts": [entry(name, system) for name, system in starts],
        "optima": [entry(name, system) for name, system in optima],
    }


def entry(name: str, system: NumeralSystem) -> dict[str, Any]:
    """A named system as JSON."""
    return {"name": name, "digits": list(system.digits), "multipliers": list(system.multipliers)}


def nearest(digits: Iterable[int], multipliers: Iterable[int]) -> list[dict[str, Any]]:
    """The languages whose lexicon differs least: words to add or to take away, a change of role counting twice."""
    found = nearest_languages(digits, multipliers, NEAREST)
    return [{"distance": distance, **entry(each.name, each.system)} for distance, each in found if each.system]


@cache
def languages_table(grammar: GrammarName, need: str) -> pd.DataFrame:
    """One row a lexicon that human languages have: their names, how many there are, size and average complexity."""
    names: dict[NumeralSystem, list[str]] = {}
    for language in recursive_languages():
        system = language.system_under(grammar)
        if system:
            names.setdefault(system, []).append(language.name)
    averages = evaluate_many(list(names), need, RANGE)
    rows = [
        {
            "names": _joined(speakers),
            "languages": len(speakers),
            "size": system.size,
            "average_complexity": float(average),
            "digits": format_set(system.digits),
            "multipliers": format_set(system.multipliers),
        }
        for (system, speakers), average in zip(names.items(), averages, strict=True)
        if not np.isnan(average)
    ]
    return pd.DataFrame(rows)


def _joined(names: list[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
