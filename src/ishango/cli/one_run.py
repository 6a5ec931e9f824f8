"""What the commands that play one run share: play it where everybody can see, then say where it is or how it ended."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from ishango.cli.output import print_json
from ishango.lab import interruptible, read_rounds, run
from ishango.lab.protocol import Experiment, Reporter


def play_one(experiment: Experiment[Any], directory: Path, shown: AbstractContextManager[Reporter], json: bool) -> int:
    """Play a run or go on with it; its last record is printed as JSON, or else its directory."""
    with interruptible(), shown as reporter:
        run(experiment, directory, reporter)
    if json:
        print_json(read_rounds(directory)[-1])
    else:
        print(directory)
    return 0


def start_in_name(start: str) -> str:
    """A starting system as the name of a directory has it.

    >>> start_in_name("1-9,11 | 10")
    '1-9+11_10'
    """
    return start.replace(" ", "").replace("|", "_").replace(":", "-").replace(",", "+")
