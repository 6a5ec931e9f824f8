"""`ishango table`: all rounds of all runs in one table."""

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
from ishango.errors import RequestError

STANDARD_OUTPUT = Path("-")


@dataclass(frozen=True)
class Table:
    """Collect the rounds of all runs below directories into one table, a row a round.

    Its columns are the run's directory, the fields of its config and those of its rounds. Runs may be going on; one
    that is found twice counts once. In CSV lists are written as JSON. In Python ishango.load_table(FILE) reads both
    formats back, lists as lists; pandas.read_parquet needs pyarrow, which pip install 'ishango[parquet]' brings.

    Example: ishango table runs -o rounds.parquet
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIR ...")]
    """Directories of runs or sweeps; of several, a run's name begins with that of its directory."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """The table's file; its name ends in .csv or .parquet, or is - for CSV on standard output."""


def main(arguments: list[str]) -> int:
    """Parse, collect, write."""
    command = parse(Table, "table", arguments)
    if not command.directories:
        raise RequestError("There is nothing to collect; give directories of runs.")
    from ishango.lab import print_table, write_table  # not for the help text: what they need is an extra

    if command.out == STANDARD_OUTPUT:
        print_table(command.directories, sys.stdout)
        return 0
    ready_file(command.out)
    with waiting("collecting the rounds"):
        rounds = write_table(command.directories, command.out)
    print(f"{plural(rounds, 'round')} in {command.out}", file=sys.stderr)
    return 0
