"""One numeral system as the builder shows it; also what is not a system yet, because it is being built."""

from __future__ import annotations

from typing import Any

from ishango.errors import RequestError
from ishango.explorer.optima import RANGE, Optima
from ishango.explorer.presets import nearest
from ishango.frontiers import FrontierPoint
from ishango.numerals import GrammarName, NumeralSystem, as_grammar, language_average, minimal_language
from ishango.numerals.listing import listing


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
