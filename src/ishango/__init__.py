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

_NAMES = {
    "numerals": ("NumeralSystem", "Need", "STARTS", "minimal_language", "average_complexity"),
    "languages": ("Language", "find_language", "load_languages", "read_languages"),
    "frontiers": ("measure", "gap", "check"),
    "game": ("GameOptions", "Agents"),
    "evolution": ("EvolutionOptions",),
    "registry": ("extend",),
}
"""Where the public names are defined that are not of `api`. Results have `figure()`; tables go to `ishango.figures`."""

__all__ = [
    "STARTS", "Agents", "EvolutionOptions", "GameOptions", "Language", "Need", "NumeralSystem", "archive",
    "average_complexity", "check", "costs_of", "describe", "evolve", "extend", "find_language", "frontier", "gap",
    "load_languages", "load_runs", "load_table", "measure", "minimal_language", "play", "read_languages", "selection",
    "survey", "sweep", "typology", "unarchive",
]  # fmt: skip


def _rooms() -> set[str]:
    """What else `ishango.NAME` reaches, whether it was imported before or not."""
    from pkgutil import iter_modules

    return {each.name for each in iter_modules(__path__) if each.ispkg}


def __getattr__(name: str) -> Any:
    if name in __all__:
        room = next((room for room, names in _NAMES.items() if name in names), "api")
        return getattr(import_module(f"ishango.{room}"), name)
    if name in _rooms():
        return import_module(f"ishango.{name}")
    raise AttributeError(f"module 'ishango' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_rooms(), "__version__", "__doc__"})
