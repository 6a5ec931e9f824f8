"""`ishango --print-completion SHELL`: what the tab key completes, made by tyro from the commands' own dataclasses."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable
from dataclasses import make_dataclass
from importlib import import_module
from typing import Annotated, Any, Union

import tyro

from ishango.cli import COMMANDS, parsing
from ishango.errors import RequestError

SHELLS = ("bash", "zsh", "fish")


def completion(shell: str) -> str:
    """The script for a shell."""
    if shell not in SHELLS:
        raise RequestError(f"There is no completion for the shell {shell!r}; give bash, zsh or fish.")
    written = io.StringIO()
    arguments = ["--tyro-write-completion", shell, "-"]
    with contextlib.redirect_stdout(written), contextlib.suppress(SystemExit):
        tyro.cli(
            _all(COMMANDS),
            prog="ishango",
            args=arguments,
            config=parsing.STYLE,
            use_underscores=False,
            registry=parsing.NONE,
        )
    return written.getvalue()


def _all(commands: Iterable[str], before: str = "") -> Any:
    """The commands as a union, each by its name."""
    return Union[tuple(_named(name, before) for name in commands)]  # noqa: UP007


def _named(name: str, before: str) -> Any:
    """A command under its name; a group of commands is a record with one of them."""
    module = import_module(f"ishango.cli.{before}{name}")
    within = getattr(module, "COMMANDS", None)
    made: Any = (
        make_dataclass(name, [("command", _all(within, f"{name}_"))]) if within else parsing.asked_for(module.main)
    )
    return Annotated[made, tyro.conf.subcommand(name, description=" ")]
