"""`ishango archive`: finished runs in one small file."""

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
from ishango.lab import interruptible
from ishango.lab.archives import archive


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


def main(arguments: list[str]) -> int:
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
