"""`ishango check`: verify the proof of a frontier."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import console, plural
from ishango.cli.parsing import parse, parse_sizes
from ishango.cli.waiting import waiting
from ishango.errors import RequestError
from ishango.frontiers.checker import CheckedSize, ProofError, check


@dataclass(frozen=True)
class Check:
    """Verify the proof that ishango frontier --proof --out DIR wrote, with independent code in rational arithmetic.

    Verified are the optimum of each size that is called proved, the costs of all systems that are named, and that
    frontier.csv says what frontier.json says; not the lower bounds of sizes that are not proved. Exit code 0 when
    everything holds and something is proved, else 1.

    Example: ishango check out/frontier --sizes 2-20
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """The directory with frontier.json and proof.jsonl.gz."""
    sizes: str | None = None
    """Verify only these lexicon sizes, such as 2-20 or 5,8,12; all that are proved if not given."""


def _sizes(directory: Path, text: str) -> tuple[int, ...]:
    """The sizes that are asked for; each must be one that the directory calls proved."""
    sizes = parse_sizes(text)
    try:
        points = json.loads((directory / "frontier.json").read_text(encoding="utf-8"))["points"]
        proved = {point["size"] for point in points if point["proved"]}
    except (KeyError, TypeError, ValueError, RecursionError):
        return sizes  # not a frontier: what is wrong with it, the checker says
    missing = [size for size in sizes if size not in proved]
    if missing:
        raise RequestError(f"Size {missing[0]} is not among the {plural(len(proved), 'size')} proved in {directory}.")
    return sizes


def _verdicts(directory: Path, sizes: tuple[int, ...] | None) -> Iterator[CheckedSize]:
    """Verdict after verdict, with a word to who waits for the next."""
    verdicts = check(directory, sizes)
    while True:
        with waiting("checking the proof"):
            verdict = next(verdicts, None)
        if verdict is None:
            return
        yield verdict


def main(arguments: list[str]) -> int:
    """Parse, check, print."""
    command = parse(Check, "check", arguments)
    directory = command.directory
    for name in ("frontier.json", "proof.jsonl.gz"):
        if not (directory / name).is_file():
            raise RequestError(f"There is no {name} in {directory}; ishango frontier --proof --out DIR writes it.")
    asked = None if command.sizes is None else _sizes(directory, command.sizes)
    nodes = sizes = optima = 0
    unknown_need = None
    try:
        for verdict in _verdicts(directory, asked):
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
    others = "" if asked is None else " No other size was looked at."
    console().print(f"The proof holds: {plural(sizes, 'size')}, {plural(nodes, 'node')}.{others}")
    if optima:
        listed = "the one optimal system" if optima == 1 else f"the {optima} optimal systems"
        console().print(f"So do the costs of {listed} listed; that there are no others was not checked.")
    if unknown_need is not None:
        console().print(f"The checker does not know the need {unknown_need}: this holds for the recorded weights.")
    return 0
