"""`ishango results`: what the reproduction at the paper's scale has found, or the page of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import console, plural
from ishango.cli.outputs import ready, ready_file
from ishango.cli.parsing import parse
from ishango.cli.rulings import print_rulings
from ishango.cli.waiting import waiting
from ishango.errors import RequestError


@dataclass(frozen=True)
class Results:
    """Show what the full reproduction has found whose tables come with the package; or write such a page of your own.

    With the directory of a reproduction, whole or not, its tables are written compressed (a few megabytes at most), and
    from them a page in Markdown with the verdicts, the main figures, and how it was made. What is missing is said, and
    a claim is judged only when each start or setting that it is about has a finished run.

    Example: ishango results out/reproduce-quick --out results.md
    """

    directory: Annotated[Path | None, tyro.conf.Positional, tyro.conf.arg(metavar="[DIR]")] = None
    """A directory that ishango reproduce has made; without it, the results that come with the package are shown."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """The page; figures go into the directory figures beside it."""
    tables: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Where the tables go; by default the directory results-tables beside the page."""


def main(arguments: list[str]) -> int:
    """Parse, write or show."""
    command = parse(Results, "results", arguments)
    if (command.directory is None) != (command.out is None) or (command.tables and command.directory is None):
        raise RequestError("To write a page give a reproduction and --out FILE; to see the shipped results, neither.")
    # Judging loads drawing libraries, which takes a second; a wrong request should not wait for them.
    from ishango.report.claims import verdicts
    from ishango.report.data import shipped_results
    from ishango.report.played import still_missing
    from ishango.report.results import reproduced, ship, write_results

    if command.directory is None or command.out is None:
        data = shipped_results()
        with waiting("judging the claims"):
            found = verdicts(data)
        console().print(still_missing(data) or "All runs are finished.", soft_wrap=True)
    else:
        reproduced(command.directory)  # before a directory is made for it
        tables = command.tables or command.out.parent / "results-tables"
        ready_file(command.out)
        ready(command.out.parent / "figures")
        ready(tables)
        with waiting("judging the claims and drawing"):
            ship(command.directory, tables)
            found = write_results(tables, command.out, command.out.parent / "figures")
    print_rulings(found)
    if command.out is not None:
        console().print(f"\n{plural(len(found), 'claim')} in {command.out}", soft_wrap=True)
    return 0
