"""`ishango kinds describe`: one system under the law."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import tyro

from ishango.cli.output import console, decimals, figures_table, print_json
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.kinds import Law, OpenSystem, costs, kind_of, optimum, said
from ishango.numerals import format_set


@dataclass(frozen=True)
class KindsDescribe:
    """Describe a system of any kind: what is said for each number, which kind that is, and what it costs.

    A number without an expression, or with one that costs too much, is said as another number near it.

    Example: ishango kinds describe "1-4,7,16" --precision 3
    """

    system: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="SYSTEM")]
    """Its digits, as in 1-4,7,16, and its multipliers if it has any, as in "1-9 | 10"."""
    law: Annotated[Law, tyro.conf.arg(name="")]
    json: bool = False
    """Print one JSON document instead of a table."""


def main(arguments: list[str]) -> int:
    """Parse, measure, print."""
    command = parse(KindsDescribe, "kinds describe", arguments)
    with waiting("measuring the system"):
        document = describe(OpenSystem.parse(command.system, command.law.grammar), command.law)
    if command.json:
        print_json(document)
    else:
        _print(document)
    return 0


def describe(system: OpenSystem, law: Law) -> dict[str, Any]:
    """A system under a law as JSON."""
    kind, found, best = kind_of(system, law), costs(system, law), optimum(law)
    words: dict[int, list[int]] = {}
    for number, word in enumerate(said(system, law).tolist(), start=1):
        words.setdefault(int(word), []).append(number)
    return {
        "system": str(system),
        "kind": kind.name,
        "exact_upto": kind.exact_upto,
        **asdict(found),
        "cost": found.total,
        "said": [{"said": word, "numbers": format_set(numbers)} for word, numbers in words.items()],
        "optimum": str(best.system),
        "optimum_kind": best.kind.name,
        "optimum_cost": best.costs.total,
        "optimum_proved": best.proved,
        "law": asdict(law),
    }


def _print(document: dict[str, Any]) -> None:
    out = console()
    table = figures_table(("numbers", "said as"), ())
    for each in document["said"]:
        table.add_row(each["numbers"], str(each["said"]))
    out.print(table)
    out.print(f"{document['kind']}, exact up to {document['exact_upto']}, {document['size']} words")
    out.print(
        f"cost {decimals(document['cost'], 4)}: words {decimals(document['words_cost'], 4)}, effort"
        f" {decimals(document['effort_cost'], 4)} (mean length {decimals(document['length'], 4)}), error"
        f" {decimals(document['error_cost'], 4)} (mean error {decimals(document['error'], 4)})"
    )
    sure = "which nothing undercuts" if document["optimum_proved"] else "the best that was found"
    out.print(
        f"best under this law: {document['optimum']} ({document['optimum_kind']}), cost"
        f" {decimals(document['optimum_cost'], 4)}, {sure}"
    )
