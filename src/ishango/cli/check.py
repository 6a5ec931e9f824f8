"""`ishango check`: verify the proof of a frontier."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import console, plural
from ishango.cli.parsing import parse
from ishango.errors import RequestError
from ishango.frontier.checker import ProofError, check


@dataclass(frozen=True)
class Check:
    """Verify the proof that ishango frontier --proof --out DIR wrote, with independent code in rational arithmetic.

    Exit code 0 when everything holds, 1 when something does not.
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """The directory with frontier.json and proof.jsonl.gz."""


def main(arguments: list[str]) -> int:
    """Parse, check, print."""
    directory = parse(Check, "check", arguments).directory
    for name in ("frontier.json", "proof.jsonl.gz"):
        if not (directory / name).is_file():
            raise RequestError(f"There is no {name} in {directory}; ishango frontier --proof --out DIR writes it.")
    nodes = sizes = 0
    unknown_need = None
    try:
        for verdict in check(directory):
            console().print(
                f"size {verdict.size}: {float(verdict.average):.6f} holds ({plural(verdict.nodes, 'node')})"
            )
            nodes += verdict.nodes
            sizes += 1
            unknown_need = verdict.unknown_need
    except ProofError as error:
        print(f"ishango: the proof does not hold. {error}", file=sys.stderr)
        return 1
    console().print(f"The proof holds: {plural(sizes, 'size')}, {plural(nodes, 'node')}.")
    if unknown_need is not None:
        console().print(f"The checker does not know the need {unknown_need}: this holds for the recorded weights.")
    return 0
