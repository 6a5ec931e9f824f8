"""One numeral system as the builder shows it; also what is not a system yet, because it is being built."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ishango.errors import RequestError
from ishango.explorer.optima import RANGE, NeedName, Optima
from ishango.explorer.presets import nearest
from ishango.frontier import Point
from ishango.numerals import Grammar, MinimalLanguage, NumeralSystem, language_average, minimal_language

MOST_TIES = 10**12
"""Ties beyond this are given as this many: JavaScript cannot hold larger whole numbers exactly."""


def describe(
    digits: list[int], multipliers: list[int], grammar: Grammar, need: NeedName, optima: Optima
) -> dict[str, Any]:
    """What the builder shows: costs, numerals, the optimum of the same size, the nearest languages."""
    digits, multipliers = sorted(set(digits)), sorted(set(multipliers))
    answer: dict[str, Any] = {
        "digits": digits,
        "multipliers": multipliers,
        "grammar": grammar,
        "need": need,
        "size": len(digits) + len(multipliers),
        "complaint": None,
        "average_complexity": None,
        "gap": None,
        "missing": [],
        "numerals": [],
        "optimum": None,
        "nearest": nearest(digits, multipliers),
    }
    try:
        language = _language(NumeralSystem(tuple(digits), tuple(multipliers), grammar))
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


@lru_cache(maxsize=512)
def _language(system: NumeralSystem) -> MinimalLanguage:
    return minimal_language(system, RANGE)


@lru_cache(maxsize=512)
def _numerals(system: NumeralSystem) -> list[dict[str, Any]]:
    language = _language(system)
    return [
        {
            "number": number,
            "expression": str(language.expression(number)),
            "complexity": 2 * leaves - 1,
            "ties": min(language.ties(number) or 1, MOST_TIES),
        }
        for number, leaves in enumerate(language.leaves.tolist(), 1)
        if leaves
    ]


def _optimum(point: Point | None) -> dict[str, Any] | None:
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
