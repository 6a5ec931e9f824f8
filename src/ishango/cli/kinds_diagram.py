"""`ishango kinds diagram`: the phase diagram of the law, and human languages on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import pandas as pd
import tyro

from ishango.cli.output import console, data_table, print_json, records
from ishango.cli.outputs import ready
from ishango.cli.parsing import parse, refuse_given
from ishango.cli.waiting import Lines, waiting
from ishango.kinds import Law
from ishango.kinds.diagram import Grid, diagram
from ishango.kinds.human import NEAR, human_table


@dataclass(frozen=True)
class KindsDiagram:
    """Find the best system of all kinds over a plane of precisions and prices of a word, and place human languages.

    Writes kinds.csv (a row a cell), languages.csv (where each human language is nearly the best) and the figure into
    a directory. Stopped at any moment, the same command goes on.

    Example: ishango kinds diagram --out out/kinds
    """

    out: Path
    """The directory."""
    law: Annotated[Law, tyro.conf.arg(name="")] = field(default_factory=Law)
    precisions: tuple[float, float] = (0.3, 300.0)
    """The least and the greatest precision."""
    words: tuple[float, float] = (0.001, 1.0)
    """The least and the greatest price of a word."""
    cells: int = 40
    """Cells a side."""
    json: bool = False
    """Print one JSON document instead of text."""


def main(arguments: list[str]) -> int:
    """Parse, compute, write."""
    command = parse(KindsDiagram, "kinds diagram", arguments)
    refuse_given(command.law, ("precision", "word"), "means nothing to a plane; give --precisions and --words.")
    grid = Grid.spread(command.precisions, command.words, command.cells)
    ready(command.out)
    with waiting("computing the diagram"):  # a row of a long range takes its time
        cells = diagram(command.law, grid, command.out, Lines("precisions").say)
        languages = human_table(command.law, cells, progress=Lines("languages").say)
        # Drawing libraries take a second to load.
        from ishango.figures.kinds_figures import diagram_figure
        from ishango.figures.save import save, save_table

        save(diagram_figure(cells), command.out, "kinds", cells)
        save_table(languages, command.out, "languages")
    if command.json:
        print_json({"cells": records(cells), "languages": records(languages)})
    else:
        _print(cells, languages, command.out)
    return 0


def _print(cells: pd.DataFrame, languages: pd.DataFrame, out: Path) -> None:
    shares = cells["kind"].value_counts(normalize=True).rename("share").reset_index()
    console().print(data_table(shares))
    console().print(f"{100 * cells['proved'].mean():.0f} % of {len(cells):,} cells are proved; {out / 'kinds.html'}")
    near = int((languages["excess"] <= NEAR).sum())
    console().print(f"{near} of {len(languages)} human systems come within {100 * NEAR:.0f} % of the best somewhere")
