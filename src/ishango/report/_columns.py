"""What the columns of all tables of the report mean; the words are in `page_files/columns.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from ishango.evolution import CHOOSERS, RoundRecord
from ishango.lab import columns
from ishango.numerals import PAPERS
from ishango.registry import alternatives
from ishango.report._data import CAP, FRONTIERS, Tables
from ishango.report._outcomes import EARLY, ROUND_FIELDS

FILE = Path(__file__).parent / "page_files" / "columns.toml"
GROUPS = ("systems", "outcomes", "shipped", "judged")
"""The groups of tables in that file."""


class Explained(NamedTuple):
    """A table in words."""

    about: str
    columns: dict[str, str]


def explained_tables(*groups: str) -> dict[str, Explained]:
    """Every table of a reproduction, or those of some groups, by its name."""
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    fields = {each.name: each.description for each in columns(RoundRecord)}
    words = fields | _computed()
    words |= {name: text.format_map(words) for name, text in document["shared"].items()}
    found = {
        name: {column: text.format_map(words) for column, text in table.items()}
        for group in groups or GROUPS
        for name, table in document[group].items()
    }
    if "rounds" in found:
        found["rounds"] |= {name: fields[name] for name in ROUND_FIELDS}
    return {name: Explained(table.pop("about"), table) for name, table in found.items()}


def _computed() -> dict[str, object]:
    names = ((each.name, each.label) for each in CHOOSERS.values())
    return {
        "choosers": alternatives(tuple(name if name == label else f"{name} ({label})" for name, label in names)),
        "grammar_names": alternatives(PAPERS),
        "frontiers": "; ".join(FRONTIERS),
        "cap": CAP,
        "early": EARLY,
    }


def columns_text(data: Tables) -> str:
    """The README of the data directory; a column without an explanation is an error."""
    lines = [
        "# The tables behind the page",
        "",
        "Comma-separated, UTF-8, an empty field where there is no value. Unless said otherwise, systems are evaluated"
        " over 1 to 99 under the need n^-2.",
    ]
    for name, (about, meanings) in explained_tables().items():
        lines += ["", f"## {name}.csv", "", about, "", "| column | meaning |", "|---|---|"]
        lines += [f"| `{column}` | {meanings[column].replace('|', chr(92) + '|')} |" for column in data[name].columns]
    return "\n".join(lines) + "\n"
