"""`ishango plans`: the plans that can be played by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.table import Table

from ishango.cli.output import console, plural, print_json
from ishango.cli.parsing import parse
from ishango.lab.experiments import USUAL
from ishango.lab.plan import PLANS, ShippedPlan, count_runs, shipped_plan


@dataclass(frozen=True)
class Plans:
    """List the plans that ship with the package, with what each is for; or print one, to begin a plan of your own.

    ishango sweep NAME --out DIR plays a plan of the list.

    Example: ishango plans calibration > mine.toml
    """

    name: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[NAME]")] = ""
    """A plan to print as its TOML file has it; without it all are listed."""
    json: bool = False
    """Print one JSON document instead of a table."""


def main(arguments: list[str]) -> int:
    """Parse, look up, print."""
    command = parse(Plans, "plans", arguments)
    chosen = [shipped_plan(command.name)] if command.name else list(PLANS.values())
    if command.json:
        print_json({"plans": [_document(each) for each in chosen]})
    elif command.name:
        print(chosen[0].text, end="")
    else:
        console().print(_table(chosen))
        console().print("ishango sweep NAME --out DIR plays one; ishango plans NAME prints it.")
    return 0


def _table(plans: list[ShippedPlan]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("plan", no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("what it is for")
    for each in plans:
        table.add_row(each.name, plural(count_runs(each.plan), "run"), each.sentence)
    return table


def _document(shipped: ShippedPlan) -> dict[str, object]:
    plan = shipped.plan
    return {
        "name": shipped.name,
        "about": shipped.sentence,
        "experiment": plan.experiment or USUAL,
        "runs": count_runs(plan),
        "text": shipped.text,
    }
