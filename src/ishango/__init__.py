"""Ishango: a laboratory for the evolution of numeral systems.

The names below are loaded on first use, so that importing the package (and asking the command line for help) does not
wait for the kernels.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ishango.api import (
        archive,
        costs_of,
        describe,
        evolve,
        frontier,
        load_runs,
        load_table,
        play,
        selection,
        survey,
        sweep,
        typology,
        unarchive,
    )
    from ishango.evolution import EvolutionOptions
    from ishango.frontiers import check, gap, measure
    from ishango.game import Agents, GameOptions
    from ishango.languages import Language, find_language, load_languages, read_languages
    from ishango.numerals import STARTS, Need, NumeralSystem, average_complexity, minimal_language
    from ishango.registry import extend

__version__ = "0.2.0"

_ROOM_OF = {
    # Systems and languages
    "NumeralSystem": "numerals",
    "Need": "numerals",
    "STARTS": "numerals",
    "minimal_language": "numerals",
    "average_complexity": "numerals",
    "describe": "api",
    "costs_of": "api",
    "Language": "languages",
    "find_language": "languages",
    "load_languages": "languages",
    "read_languages": "languages",
    "survey": "api",
    "typology": "api",
    # What is optimal
    "frontier": "api",
    "measure": "frontiers",
    "gap": "frontiers",
    "check": "frontiers",
    # Agents and evolution
    "GameOptions": "game",
    "Agents": "game",
    "EvolutionOptions": "evolution",
    "evolve": "api",
    "play": "api",
    "sweep": "api",
    "load_runs": "api",
    "load_table": "api",
    "archive": "api",
    "unarchive": "api",
    "selection": "api",
    # Choosers, needs, rewards and others of one's own
    "extend": "registry",
}
"""The public names, and where each is defined. Figures: results have `figure()`, tables go into `ishango.figures`."""

__all__ = [
    "STARTS",
    "Agents",
    "EvolutionOptions",
    "GameOptions",
    "Language",
    "Need",
    "NumeralSystem",
    "archive",
    "average_complexity",
    "check",
    "costs_of",
    "describe",
    "evolve",
    "extend",
    "find_language",
    "frontier",
    "gap",
    "load_languages",
    "load_runs",
    "load_table",
    "measure",
    "minimal_language",
    "play",
    "read_languages",
    "selection",
    "survey",
    "sweep",
    "typology",
    "unarchive",
]


_ROOMS = frozenset(
    [
        "analysis",
        "api",
        "cli",
        "cosinus",
        "costs",
        "evolution",
        "explorer",
        "figures",
        "frontiers",
        "game",
        "generations",
        "kinds",
        "lab",
        "languages",
        "learnability",
        "numerals",
        "report",
        "restricted",
    ]
)
"""What else `ishango.NAME` reaches, whether it was imported before or not."""


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"ishango.{name}")
    if name in _ROOM_OF:
        return getattr(import_module(f"ishango.{_ROOM_OF[name]}"), name)
    raise AttributeError(f"module 'ishango' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, "__version__", "__doc__"})
