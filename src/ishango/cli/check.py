"""`ishango check`: verify the proof of a frontier."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import console, plural
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.errors import RequestError
from ishango.frontier.checker import CheckedSize, ProofError, check


@dataclass(frozen=True)
class Check:
    """Verify the proof that ishango frontier --proof --out DIR wrote, with independent code in rational arithmetic.

    Verified are the optimum of each size that is called proved, the costs of all systems that are named, and that
    frontier.csv says what frontier.json says; not the lower bounds of sizes that are not proved. Exit code 0 when
    everything holds and something is proved, else 1.
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """The directory with frontier.json and proof.jsonl.gz."""


def _verdicts(directory: Path) -> Iterator[CheckedSize]:
    """Verdict after verdict, with a word to who waits for the next."""
    verdicts = check(directory)
    while True:
        with waiting("checking the proof"):
            verdict = next(verdicts, None)
        if verdict is None:
            return
        yield verdict


def main(arguments: list[str]) -> int:
    """Parse, check, print."""
    directory = parse(Check, "check", arguments).directory
    for name in ("frontier.json", "proof.jsonl.gz"):
        if not (directory / name).is_file():
            raise RequestError(f"There is no {name} in {directory}; ishango frontier --proof --out DIR writes it.")
    nodes = sizes = optima = 0
    unknown_need = None
    try:
        for verdict in _verdicts(directory):
            console().print(
                f"size {verdict.size}: {float(verdict.average):.6f} holds ({plural(verdict.nodes, 'node')})"
            )
            nodes += verdict.nodes
            sizes += 1
            optima += verdict.optima
            unknown_need = verdict.unknown_need
    except ProofError as error:
        print(f"ishango: the proof does not hold. {error}", file=sys.stderr)
        return 1
    if not sizes:
        print(f"ishango: No size in {directory} is proved, so there is nothing that holds.", file=sys.stderr)
        return 1
    console().print(f"The proof holds: {plural(sizes, 'size')}, {plural(nodes, 'node')}.")
    if optima:
        listed = "the one optimal system" if optima == 1 else f"the {optima} optimal systems"
        console().print(f"So do the costs of {listed} listed; that there are no others was not checked.")
    if unknown_need is not None:
        console().print(f"The checker does not know the need {unknown_need}: this holds for the recorded weights.")
    return 0
