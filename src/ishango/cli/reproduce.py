"""`ishango reproduce`: the paper in one command."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from ishango.cli.output import console, print_json, records
from ishango.cli.parsing import parse
from ishango.cli.played_on import PlayedOn
from ishango.cli.rulings import print_rulings
from ishango.cli.sweep_view import LineView, LiveView
from ishango.errors import RequestError
from ishango.lab import interruptible

# The room `report` needs what is an extra, and drawing libraries take a second to load: help texts and refusals do
# without it.


@dataclass(frozen=True, kw_only=True)
class Reproduce(PlayedOn):
    """Run the paper's experiments and controls, and write a page with its figures, tables and claims.

    The page is DIR/index.html, one file to read offline or to send to a colleague; DIR/figures has the figures as
    PDF, SVG, PNG and HTML, DIR/data the tables behind them, DIR/runs the runs. Interrupted at any moment, the same
    command goes on where it stopped; finished, it only makes the page again.

    Example: ishango reproduce --quick
    """

    quick: bool = False
    """All eight starts with one seed and short rounds: minutes. This is the default."""
    full: bool = False
    """The paper's own scale, eight starts, two seeds, 100 rounds of 40,000 steps: hours."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """The directory to write; by default out/reproduce-quick or out/reproduce-full."""
    play_nothing: bool = False
    """Play nothing: make the page from the runs that are finished, for a look while the others are played elsewhere.
    It says which runs are missing, and judges a claim only when each start that it is about has a finished run."""
    json: bool = False
    """Print the verdicts as one JSON document instead of a list."""


def main(arguments: list[str]) -> int:
    """Parse, reproduce, print the verdicts."""
    command = parse(Reproduce, "reproduce", arguments)
    if command.quick and command.full:
        raise RequestError("--quick and --full exclude each other; give one of them.")
    from ishango.report.claims import verdicts_table
    from ishango.report.reproduction import PlayedElsewhereError, reproduce
    from ishango.report.studies import FULL, QUICK, weigh

    scale = FULL if command.full else QUICK
    out = command.out or Path("out") / f"reproduce-{scale.name}"
    executor = command.executor(out, f"reproduce-{scale.name}")
    progress = Console(stderr=True, highlight=False)
    view = LiveView(progress, weigh) if sys.stderr.isatty() else LineView(progress, weigh)
    tell = partial(progress.print, markup=False)
    try:
        with interruptible():
            found = reproduce(scale, out, executor, view, tell, play=not command.play_nothing)
    except PlayedElsewhereError as error:
        if not command.detach:
            raise
        progress.print(str(error), markup=False, soft_wrap=True)
        return 0
    if command.json:
        print_json({"page": str(out / "index.html"), "verdicts": records(verdicts_table(found))})
    else:
        print_rulings(found)
        console().print(f"\nOpen {out / 'index.html'} in a browser.", soft_wrap=True)
    return 0
