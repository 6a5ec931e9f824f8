"""`ishango restricted`: commands about systems without recursion, one module each."""

from __future__ import annotations

from importlib import import_module

from ishango.cli import help_text
from ishango.errors import RequestError

COMMANDS = {
    "describe": "what a system's words mean and cost",
    "languages": "the 30 languages of Xu, Liu and Regier's study",
    "frontier": "the best and the worst system of each number of words",
    "bands": "systems of all kinds side by side, as a figure",
    "train": "let agents learn a system",
    "compare": "where runs end, beside random systems and human ones",
}
ABOUT = """Numeral systems without recursion: approximate and exact restricted ones.
Plans with experiment = "restricted" are played by ishango sweep."""


def main(arguments: list[str]) -> int:
    """Choose among the commands."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(help_text("ishango restricted", ABOUT, COMMANDS))
        return 0
    if arguments[0] not in COMMANDS:
        raise RequestError(f"There is no command restricted {arguments[0]!r}; choose one of {', '.join(COMMANDS)}.")
    return import_module(f"ishango.cli.restricted_{arguments[0]}").main(arguments[1:])
