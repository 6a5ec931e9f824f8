"""The phase diagram of the law as the page shows it: one answer, so that moving over the plane asks nobody."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from ishango.kinds import ERROR_MEASURES, KINDS, Law, OpenSystem, said
from ishango.kinds.diagram import LAW, shipped_diagram
from ishango.kinds.human import NEAR, Plane, human_systems
from ishango.numerals import NumeralSystem, format_set
from ishango.numerals.minimal import listing

PLACES = 6
"""Decimals of costs; those of shares are fewer."""


@cache
def phase_diagram() -> dict[str, Any]:
    """Cells, what is said in each, and human languages; made once."""
    plane = Plane.of(LAW, shipped_diagram())
    cells, sayings = _cells_and_sayings()
    return {
        "effort": LAW.effort,
        "error": ERROR_MEASURES[LAW.error].sentence,
        "need": LAW.need,
        "range": LAW.upto,
        "near": NEAR,
        "kinds": list(KINDS),
        "precisions": [law.precision for law in plane.laws],
        "words": plane.words.tolist(),
        "cells": cells,
        "sayings": sayings,
        "languages": _languages(plane),
    }


def _cells_and_sayings() -> tuple[list[dict[str, Any]], list[list[dict[str, Any]]]]:
    """All cells, and the different ways of saying the numbers, which cells name by their place in the list."""
    places: dict[tuple[float, str], int] = {}
    sayings: dict[str, int] = {}
    found: list[list[dict[str, Any]]] = []
    cells: list[dict[str, Any]] = []
    for row in shipped_diagram().to_dict("records"):
        system = f"{row['digits']} | {row['multipliers']}"
        key = (row["precision"], system)
        if key not in places:  # prices of a word change which system is best, not what is said in it
            bands = bands_of(OpenSystem.parse(system, LAW.grammar), replace(LAW, precision=row["precision"]))
            places[key] = sayings.setdefault(repr(bands), len(found))
            if places[key] == len(found):
                found.append(bands)
        cells.append(_cell(row) | {"saying": places[key]})
    return cells, found


def bands_of(system: OpenSystem, law: Law) -> list[dict[str, Any]]:
    """What is said for which numbers, as an expression and as the number that it names.

    >>> bands_of(OpenSystem.parse("1,2,5"), Law(precision=3, upto=10))[-1]
    {'said': 5, 'expression': '5', 'numbers': '4-10'}
    """
    numbers: dict[int, list[int]] = {}
    for number, other in enumerate(said(system, law).tolist(), start=1):
        numbers.setdefault(other, []).append(number)
    texts = _expressions(system, law.upto)
    return [{"said": other, "expression": texts[other], "numbers": format_set(mine)} for other, mine in numbers.items()]


def _expressions(system: OpenSystem, upto: int) -> dict[int, str]:
    if not system.multipliers:
        return {word: str(word) for word in system.digits}
    recursive = NumeralSystem(system.digits, system.multipliers, system.grammar)
    return {line.number: line.expression for line in listing(recursive, upto)}


def _cell(row: dict[Any, Any]) -> dict[str, Any]:
    return {
        "kind": row["kind"],
        "exact_upto": row["exact_upto"],
        "digits": row["digits"],
        "multipliers": row["multipliers"],
        "size": row["size"],
        "words_cost": round(row["word"] * row["size"], PLACES),
        "effort_cost": round(LAW.effort * row["length"], PLACES),
        "error_cost": round(row["precision"] * row["error"], PLACES),
        "cost": round(row["cost"], PLACES),
        "lower": round(row["lower"], PLACES),
        "proved": row["proved"],
    }


def _languages(plane: Plane) -> list[dict[str, Any]]:
    """Human systems with their distance from the best in each cell, in the order of the cells."""
    return [
        {
            "names": names.split(", "),
            "kind": kind,
            "system": str(system),
            "size": system.size,
            "excess": plane.excess_of(system).round(4).ravel().tolist(),
        }
        for names, kind, system in human_systems(LAW)
    ]
