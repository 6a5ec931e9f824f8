"""`ishango table`: all rounds of all runs in one table."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import plural, ready_file, waiting
from ishango.cli.parsing import parse
from ishango.errors import RequestError
from ishango.lab import interruptible
from ishango.lab.archives import archive, list_archive, unarchive

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


def run_table(arguments: list[str]) -> int:
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


# `ishango archive`: finished runs in one small file.


@dataclass(frozen=True)
class Archive:
    """Pack all finished runs below directories into one file, to keep them or to send them to a colleague.

    Each run is kept with its config, its rounds and its curve, in a few kilobytes, and the plans of sweeps beside
    them. Unpacked, a run is as good as where it was played: it is done for sweep and reproduce, and tables, figures
    and the explorer read it. Only its agents are not there, nor can it be continued, unless checkpoints are kept too.
    The file is a .tar.xz, the same bytes for the same runs; one of that name is replaced only if nothing is lost.

    Example: ishango archive runs -o runs.tar.xz
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIR ...")]
    """Directories of runs or sweeps; of several, a run's name begins with that of its directory."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """The archive; its name ends in .tar.xz."""
    checkpoints: bool = False
    """Keep the last checkpoint of each run (about a megabyte with agents), and runs that are not done as far as they
    are: they go on where they are unpacked."""


def run_archive(arguments: list[str]) -> int:
    """Parse, pack, say what was left out."""
    command = parse(Archive, "archive", arguments)
    if not command.directories:
        raise RequestError("There is nothing to keep; give directories of runs.")
    ready_file(command.out)
    with interruptible(), waiting("packing the runs"):
        packed = archive(command.directories, command.out, checkpoints=command.checkpoints)
    for reason in dict.fromkeys(packed.left_out.values()):
        names = [name for name, why in packed.left_out.items() if why == reason]
        more = f" (and {len(names) - 1:,} more)" if len(names) > 1 else ""
        print(f"left out: {names[0]}{more} {reason}", file=sys.stderr)
    length = command.out.stat().st_size
    left = f", {len(packed.left_out):,} left out" if packed.left_out else ""
    print(f"{plural(len(packed.runs), 'run')} in {command.out}, {length:,} bytes of {packed.bytes:,}{left}")
    return 0


# `ishango unarchive`: runs out of an archive.


@dataclass(frozen=True)
class Unarchive:
    """Unpack runs that ishango archive has packed; runs that are there already stay as they are.

    The archive is checked to its end before anything is unpacked: names, lengths and checksums. Each run appears
    whole or not at all, and one that is there and is another run than the archive's is refused. Interrupted, the same
    command goes on.

    Example: ishango unarchive runs.tar.xz runs
    """

    file: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
    """The archive."""
    directory: Annotated[Path | None, tyro.conf.Positional, tyro.conf.arg(metavar="[DIR]")] = None
    """Where its runs go; made if it is not there."""
    list: bool = False
    """Unpack nothing: check the archive and list its runs."""


def run_unarchive(arguments: list[str]) -> int:
    """Parse, unpack, say what became of the runs."""
    command = parse(Unarchive, "unarchive", arguments)
    if command.list == (command.directory is not None):
        raise RequestError("Give either a directory to unpack into, or --list.")
    with interruptible(), waiting("unpacking the runs"):
        if command.directory is None:
            print("\n".join(list_archive(command.file)))
            return 0
        found = unarchive(command.file, command.directory)
    there = f", {len(found.kept):,} there already" if found.kept else ""
    completed = f", {len(found.completed):,} completed" if found.completed else ""
    print(f"{plural(len(found.added), 'run')} added to {command.directory}{completed}{there}")
    return 0
