"""Systems to begin with: human languages, the paper's starts, proved optima; and the languages nearest to a system."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from ishango.errors import RequestError
from ishango.explorer.optima import RANGE, Optima
from ishango.frontiers import FrontierPoint
from ishango.languages import nearest_languages, recursive_languages
from ishango.numerals import (
    STARTS,
    GrammarName,
    NumeralSystem,
    as_grammar,
    evaluate_many,
    format_set,
    language_average,
    minimal_language,
)
from ishango.numerals.minimal import listing

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


# One numeral system as the builder shows it; also what is not a system yet, because it is being built.


def describe(
    digits: list[int], multipliers: list[int], grammar: GrammarName, need: str, optima: Optima
) -> dict[str, Any]:
    """What the builder shows: costs, numerals, the optimum of the same size, the nearest languages."""
    digits, multipliers = sorted(set(digits)), sorted(set(multipliers))
    answer: dict[str, Any] = {
        "digits": digits,
        "multipliers": multipliers,
        "grammar": grammar,
        "need": need,
        "size": as_grammar(grammar).size(len(digits), len(multipliers)),
        "complaint": None,
        "average_complexity": None,
        "gap": None,
        "missing": [],
        "numerals": [],
        "optimum": None,
        "nearest": nearest(digits, multipliers),
    }
    try:
        language = minimal_language(NumeralSystem(tuple(digits), tuple(multipliers), grammar), RANGE)
    except RequestError as complaint:
        return answer | {"complaint": str(complaint)}
    average = language_average(language, need)
    point = optima.point(grammar, need, language.system.size)
    return answer | {
        "average_complexity": average,
        "gap": None if average is None or point is None or not point.proved else average - float(point.average),
        "missing": list(language.missing),
        "numerals": _numerals(language.system),
        "optimum": _optimum(point),
    }


def _numerals(system: NumeralSystem) -> list[dict[str, Any]]:
    return [
        {
            "number": line.number,
            "expression": line.expression,
            "complexity": 2 * line.leaves - 1,
            "ties": line.ties,
        }
        for line in listing(system, RANGE)
    ]


def _optimum(point: FrontierPoint | None) -> dict[str, Any] | None:
    """The best system of a size; None while it is being looked for."""
    if point is None:
        return None
    return {
        "proved": point.proved,
        "average_complexity": float(point.average),
        "lower_bound": point.lower_bound,
        "digits": list(point.system.digits),
        "multipliers": list(point.system.multipliers),
    }
