"""What the commands that play one run share: play it where everybody can see, then say where it is or how it ended."""

from __future__ import annotations

from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import tyro

from ishango.cli.output import print_json
from ishango.cli.parsing import own_names, parse
from ishango.lab import ExperimentKind, interruptible, read_rounds, run
from ishango.lab.protocol import Experiment, Reporter

Command = TypeVar("Command")

Preset = Annotated[Literal["paper", "able"], tyro.conf.arg(help_behavior_hint="(default: paper)")]
"""Agents by name; options that are given beside it count more."""


def parse_run(command: type[Command], kind: ExperimentKind, name: str, arguments: list[str]) -> Command:
    """Read the arguments of a command whose fields are a kind's options, beside `preset` and its own."""
    words = own_names(arguments, kind.other_names)
    preset = given(words, "--preset")
    if preset is None or preset not in kind.presets:  # the command itself refuses what is no preset
        return parse(command, name, words)
    options = kind.options_from({"preset": preset})
    values = {each: getattr(options, each) for each in kind.options.__dataclass_fields__}
    return parse(command, name, words, command(**values))


def given(arguments: list[str], option: str) -> str | None:
    """The value that the arguments give an option, the last one if there are several.

    >>> given(["--preset=able", "--seed", "3"], "--preset"), given(["--seed", "3"], "--preset")
    ('able', None)
    """
    values = [word.partition("=")[2] for word in arguments if word.startswith(f"{option}=")]
    values += [after for word, after in pairwise(arguments) if word == option]
    return values[-1] if values else None


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
