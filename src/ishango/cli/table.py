"""`ishango table`: all rounds of all runs in one file."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import plural
from ishango.cli.outputs import ready_file
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.lab import write_table


@dataclass(frozen=True)
class Table:
    """Collect the rounds of all runs below a directory into one table, a row a round.

    Its columns are the run's directory, the fields of its config and those of its rounds. Runs may be going on.

    Example: ishango table runs -o rounds.parquet
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """The directory of a run, of a sweep, or of several."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """The table's file; its name ends in .csv or .parquet."""


def main(arguments: list[str]) -> int:
    """Parse, collect, write."""
    command = parse(Table, "table", arguments)
    ready_file(command.out)
    with waiting("collecting the rounds"):
        rounds = write_table(command.directory, command.out)
    print(f"{plural(rounds, 'round')} in {command.out}", file=sys.stderr)
    return 0
