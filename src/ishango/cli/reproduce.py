"""`ishango reproduce`: the paper's tables of systems, with computed columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.table import Table

from ishango.cli.languages import EXPLANATION, describe_language, language_table
from ishango.cli.output import console, decimals, figures_table, print_json, spaced
from ishango.cli.parsing import parse
from ishango.frontier import gap
from ishango.languages import find_language
from ishango.numerals import GRAMMARS, STARTS, Need, average_complexity

TABLE_1 = ("English", "French", "Kunama")


@dataclass(frozen=True)
class Reproduce:
    """Print the paper's tables of human systems and of starting systems, with what we compute for them."""

    json: bool = False
    """Print one JSON document instead of tables."""


def main(arguments: list[str]) -> int:
    """Parse, compute, print."""
    command = parse(Reproduce, "reproduce", arguments)
    need = Need.parse("power:2")
    languages = tuple(find_language(name) for name in TABLE_1)
    if command.json:
        humans = [describe_language(each, need, 99) for each in languages]
        print_json({"human_systems": humans, "starts": _starts(need)})
        return 0
    out = console()
    out.print("Human numeral systems (the paper's Table 1)\n", style="bold")
    out.print(language_table(languages, need, 99, out.width))
    out.print(EXPLANATION)
    out.print("\nStarting systems of the paper's experiments\n", style="bold")
    out.print(_starts_table(need))
    return 0


def _starts(need: Need) -> list[dict[str, Any]]:
    return [
        {
            "start": number,
            "digits": list(start.digits),
            "multipliers": list(start.multipliers),
            "size": start.size,
            **{
                grammar: {
                    "minimal": average_complexity(start.with_grammar(grammar), need),
                    "gap": gap(start.with_grammar(grammar), need),
                }
                for grammar in GRAMMARS
            },
        }
        for number, start in enumerate(STARTS, start=1)
    ]


def _starts_table(need: Need) -> Table:
    table = figures_table(("start", "D", "M"), ("size", "L_min (m)", "gap (m)", "L_min (h)", "gap (h)"))
    for row in _starts(need):
        table.add_row(
            str(row["start"]),
            spaced(row["digits"]),
            spaced(row["multipliers"]),
            str(row["size"]),
            *(decimals(row[grammar][each], 4) for grammar in GRAMMARS for each in ("minimal", "gap")),
        )
    return table
