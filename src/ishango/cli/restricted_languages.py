"""`ishango restricted languages`: the languages of Xu, Liu and Regier's study and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ishango.cli.output import console, decimals, figures_table, print_json
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.numerals.need import NeedSpec
from ishango.numerals.system import check_range
from ishango.options import UpTo
from ishango.restricted import NEED, WEBER, StudyLanguage, complexity, least_cost, study_languages
from ishango.restricted.best_systems import check_frontier_range

EXPLANATION = (
    "published: the study's complexity, which counts the rules; by words: what the words alone give;"
    " gap: cost above the least of the published complexity."
)
LONGEST = 32
"""Characters of words in the table for people; JSON has all of them."""


@dataclass(frozen=True)
class RestrictedLanguages:
    """List the 30 languages of Xu, Liu and Regier (2020) with their words, complexity and communicative cost.

    Example: ishango restricted languages
    """

    upto: UpTo = 100
    """The largest number."""
    need: NeedSpec = NEED
    """How often each number is needed."""
    weber: float = WEBER
    """The Weber fraction of approximate words."""
    json: bool = False
    """Print one JSON document instead of a table."""


def main(arguments: list[str]) -> int:
    """Parse, measure, print."""
    command = parse(RestrictedLanguages, "restricted languages", arguments)
    check_range(command.upto)
    check_frontier_range(command.upto)
    with waiting("measuring the languages"):
        rows = [describe_language(each, command.need, command.upto, command.weber) for each in study_languages()]
    if command.json:
        print_json({"languages": rows})
        return 0
    table = figures_table(("language", "kind", "words", "rules"), ("published", "by words", "cost", "gap"))
    for row in rows:
        words = row["words"] or "–"
        table.add_row(
            row["name"],
            row["kind"],
            words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…",
            row["rules"] or "–",
            str(row["published_complexity"]),
            str(row["complexity"] or "–"),
            decimals(row["cost"], 4),
            decimals(row["gap"], 4),
        )
    console().print(table)
    console().print(EXPLANATION)
    return 0


def describe_language(language: StudyLanguage, need: str, upto: int, weber: float) -> dict[str, Any]:
    """A language as JSON; a recursive one has no words here, costs nothing and has no gap."""
    place = language.position(need, upto, weber)
    least = None if language.recursive else least_cost(place.complexity, need, upto, weber)
    return {
        "name": language.name,
        "kind": language.kind,
        "words": language.terms or None,
        "rules": language.rules or None,
        "published_complexity": language.complexity,
        "complexity": None if language.recursive else complexity(language.system(upto)),
        "cost": place.cost,
        "gap": None if least is None else max(0.0, place.cost - least),
        "source": language.source,
    }
