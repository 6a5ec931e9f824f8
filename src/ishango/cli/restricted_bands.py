"""`ishango restricted bands`: systems of all kinds side by side, as a figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pandas as pd
import tyro

from ishango.cli.outputs import ready
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.errors import RequestError
from ishango.languages import find_language
from ishango.numerals import minimal_language
from ishango.numerals.grammar import HURFORD
from ishango.numerals.system import check_range
from ishango.restricted import TermSystem, expression_bands, find_study_language, term_bands


@dataclass(frozen=True)
class RestrictedBands:
    """Draw numeral systems as coloured bands over the numbers: which words each number is said with.

    Example: ishango restricted bands Chiquitano "Awa Pit" English --out out/figures
    """

    systems: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="WORDS|LANGUAGE ...")]
    """Languages, or extents of words as in 1|2-4|5-."""
    out: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """The directory for the figure and the table behind it."""
    last: int = 25
    """The largest number to draw."""


def main(arguments: list[str]) -> int:
    """Parse, collect, draw."""
    command = parse(RestrictedBands, "restricted bands", arguments)
    check_range(command.last)
    if not command.systems:
        raise RequestError("There is nothing to draw; name languages or give extents of words as in 1|2-4|5-.")
    bands = [_bands(name, command.last) for name in command.systems]
    _check_once([str(each["system"].iloc[0]) for each in bands])
    table = pd.concat(bands, ignore_index=True)
    ready(command.out)
    with waiting("drawing"):
        # Drawing libraries take a second to load, and a wrong request should be told at once.
        from ishango.figures.kinds_figures import bands_figure
        from ishango.figures.save import save

        paths = save(bands_figure(table), command.out, "bands", table)
    for path in paths:
        print(path)
    return 0


def _check_once(names: list[str]) -> None:
    """Refuse a system that is there twice, under one spelling or two: its bands would lie on one another."""
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise RequestError(f"{twice[0]} is given twice; name each system once.")


def _bands(name: str, last: int) -> pd.DataFrame:
    if "|" in name or not any(letter.isalpha() for letter in name):
        return term_bands(name, TermSystem.parse(name, max(last, 100)), last)
    try:
        language = find_study_language(name)
        if not language.recursive:
            return term_bands(language.name, language.system(max(last, 100)), last)
        name = language.name
    except RequestError:
        pass  # not of the study, but perhaps of the larger table of recursive languages
    return _recursive_bands(name, last)


def _recursive_bands(name: str, last: int) -> pd.DataFrame:
    """What is said, or what would be shortest where that is not known."""
    language = find_language(name)
    system = language.system_under(HURFORD.name)
    if system is None:
        raise RequestError(f"{language.name} has no digits and multipliers; choose a recursive language.")
    said = language.expressions(HURFORD.name, last)
    if said is None:
        said = minimal_language(system, max(last, system.words[-1])).expressions
    return expression_bands(language.name, said, last)
