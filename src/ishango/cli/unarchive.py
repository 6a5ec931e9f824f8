"""`ishango unarchive`: runs out of an archive."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import plural
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.errors import RequestError
from ishango.lab import interruptible
from ishango.lab.archives import list_archive, unarchive


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


def main(arguments: list[str]) -> int:
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
