"""`ishango kinds`: commands about the law under which all kinds of systems compete, one module each."""

from __future__ import annotations

from importlib import import_module

from ishango.cli import help_text
from ishango.errors import RequestError

COMMANDS = {
    "describe": "what a system of any kind says and costs under the law",
    "optimum": "the best system at one precision and one price of a word",
    "check": "verify the certificate of an optimum",
    "evolve": "Algorithm 1 for systems that may become any kind",
    "generations": "systems of every kind that are passed on, and may lose numbers",
    "diagram": "which kind is best where, and how near human languages come",
}
ABOUT = """One law for approximate, exact restricted and recursive systems:
cost = word x size + effort x E[length] + precision x E[error].
Plans with experiment = "kinds" or "kinds-generations" are played by ishango sweep."""


def main(arguments: list[str]) -> int:
    """Choose among the commands."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(help_text("ishango kinds", ABOUT, COMMANDS))
        return 0
    if arguments[0] not in COMMANDS:
        raise RequestError(f"There is no command kinds {arguments[0]!r}; choose one of {', '.join(COMMANDS)}.")
    return import_module(f"ishango.cli.kinds_{arguments[0]}").main(arguments[1:])
