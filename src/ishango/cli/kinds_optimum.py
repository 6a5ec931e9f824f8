"""`ishango kinds optimum`: the best system under the law."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from ishango.cli.output import console, decimals, print_json
from ishango.cli.outputs import ready
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.kinds import Law, optimum
from ishango.kinds.certificate_check import NAME
from ishango.kinds.diagram import cell
from ishango.kinds.optimum import certificate
from ishango.safe_files import write


@dataclass(frozen=True)
class KindsOptimum:
    """Find the best system of all kinds at one precision and one price of a word, and say what is proved.

    Without multipliers the optimum is exact. With them it is found by search, beside a lower bound that no system
    undercuts; where the two meet it is proved.

    Example: ishango kinds optimum --precision 10 --word 0.03
    """

    law: Annotated[Law, tyro.conf.arg(name="")]
    out: Path | None = None
    """A directory for optimum.json: the optimum with a certificate of the bound, which ishango kinds check verifies."""
    json: bool = False
    """Print one JSON document instead of text."""


def main(arguments: list[str]) -> int:
    """Parse, search, print."""
    command = parse(KindsOptimum, "kinds optimum", arguments)
    ready(command.out)
    with waiting("searching"):
        best = optimum(command.law)
        if command.out:
            write(command.out / NAME, json.dumps(certificate(best)).encode() + b"\n")
    found = cell(best)
    if command.json:
        print_json({**found, "law": asdict(command.law)})
    else:
        _print(found)
    return 0


def _print(found: dict[str, Any]) -> None:
    out = console()
    out.print(f"{found['digits']} | {found['multipliers']}", style="bold")
    out.print(f"{found['kind']}, exact up to {found['exact_upto']}, {found['size']} words")
    out.print(
        f"cost {decimals(found['cost'], 4)}, mean length {decimals(found['length'], 4)}, mean error"
        f" {decimals(found['error'], 4)}"
    )
    out.print("proved: no system costs less" if found["proved"] else _open(found))


def _open(found: dict[str, Any]) -> str:
    share = (found["cost"] - found["lower"]) / found["cost"]  # what costs nothing is proved
    return f"not proved: a system could cost {decimals(found['lower'], 4)} at least, {100 * share:.1f} % less"
