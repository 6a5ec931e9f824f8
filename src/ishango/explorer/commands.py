"""The command that plays a run, from its config: the one that a person would type."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ishango.explorer.shown import shown
from ishango.explorer.studies import SEED
from ishango.lab import EXPERIMENTS
from ishango.lab.config import chosen, flatten

FIRST = ("start", "grammar", "rounds", "steps")
"""Options that stand first, and always, where there are such."""


def words_of(experiment: str, config: Mapping[str, Any], out: Path | str) -> list[str] | None:
    """`evolve --start=1 ...`: what was chosen, the seed, and the directory; None where no command plays such a run.

    A value stands in one word with its option, so that no value can be an option.
    """
    command = shown(experiment).command
    kind = next((each for each in EXPERIMENTS.values() if each.name == experiment), None)
    if command is None or kind is None:
        return None
    usual, flat = flatten(kind.defaults()), flatten(config)
    names = [name for name in FIRST if name in flat]
    names += [name for name in chosen(flat, usual) if name not in (*FIRST, SEED)] + [SEED]
    return [*command.split(), *(_option(name, flat[name]) for name in names), f"--out={out}"]


def line_of(experiment: str, config: Mapping[str, Any], out: Path | str) -> str | None:
    """The same as one line to be copied into a terminal."""
    words = words_of(experiment, config, out)
    return None if words is None else shlex.join(["ishango", *words])


def _option(name: str, value: object) -> str:
    """As the command line spells it: `--judge-noise=0.1`, `--reset-optimiser`."""
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{flag}" if value else f"--no-{flag}"
    return f"--{flag}={'none' if value is None else value}"
