"""`ishango restricted describe`: one system and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from ishango.cli.output import console, decimals, figures_table, print_json
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.errors import RequestError
from ishango.numerals import Need
from ishango.numerals.need import NeedSpec
from ishango.options import UpTo
from ishango.restricted import (
    NEED,
    WEBER,
    RestrictedKind,
    StudyLanguage,
    TermSystem,
    find_study_language,
    least_cost,
    means,
)
from ishango.restricted.best_systems import describe_system
from ishango.restricted.measures import rest_cost, word_costs


@dataclass(frozen=True)
class RestrictedDescribe:
    """Describe a system without recursion: its words, how complex its rules are, and what its words leave unsaid.

    Example: ishango restricted describe "1|2-4|5-"
    """

    system: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="WORDS|LANGUAGE")]
    """The extents of its words, as in 1|2-4|5-, or a language of Xu, Liu and Regier's study."""
    kind: RestrictedKind | None = None
    """What its words mean; by default exact restricted where every word but the last names one number, from 1 on."""
    upto: UpTo = 100
    """The largest number."""
    need: NeedSpec = NEED
    """How often each number is needed."""
    weber: float = WEBER
    """The Weber fraction of approximate words."""
    json: bool = False
    """Print one JSON document instead of tables."""


def main(arguments: list[str]) -> int:
    """Parse, measure, print."""
    command = parse(RestrictedDescribe, "restricted describe", arguments)
    system, language = _system(command)
    with waiting("measuring the system"):
        document = describe(system, command.need, command.weber, language)
    if command.json:
        print_json(document)
    else:
        _print(document)
    return 0


def _system(command: RestrictedDescribe) -> tuple[TermSystem, StudyLanguage | None]:
    if "|" in command.system or not any(letter.isalpha() for letter in command.system):
        return TermSystem.parse(command.system, command.upto, command.kind), None
    language = find_study_language(command.system)
    if command.kind not in (None, language.kind):
        raise RequestError(f"{language.name} is {language.kind}; leave --kind out.")
    return language.system(command.upto), language


def describe(system: TermSystem, need: str, weber: float, language: StudyLanguage | None) -> dict[str, Any]:
    """A system, and where it comes from, as JSON."""
    figures = describe_system(system, need, weber)
    document = {
        "range": system.upto,
        "need": str(Need.parse(need)),
        "weber": weber if system.kind == "approximate" else None,
        **figures,
        "terms": _terms(system, need, weber),
    }
    if language is not None:
        least = least_cost(language.complexity, need, system.upto, weber)
        document |= {
            "language": language.name,
            "published_complexity": language.complexity,
            "published_gap": None if least is None else figures["cost"] - least,
            "rules": language.rules,
            "source": language.source,
        }
    return document


def _terms(system: TermSystem, need: str, weber: float) -> list[dict[str, Any]]:
    weights = Need.parse(need).weights(system.upto)
    extents = str(system).split("|")
    if system.kind == "exact restricted":
        return [
            {"word": extent, "numbers": list(word), "mean": None, "cost": rest_cost(word, weights)}
            for extent, word in zip(extents, system.words, strict=True)
        ]
    return [
        {"word": extent, "numbers": list(word), "mean": mean, "cost": float(word_costs(word, weights, weber).min())}
        for extent, word, mean in zip(extents, system.words, means(system, need, weber), strict=True)
    ]


def _print(document: dict[str, Any]) -> None:
    out = console()
    table = figures_table(("word",), ("mean", "cost"))
    for term in document["terms"]:
        table.add_row(term["word"], str(term["mean"] or "–"), decimals(term["cost"], 4))
    out.print(table)
    out.print(f"{document['kind']}, {document['size']} words over 1 to {document['range']}, need {document['need']}")
    out.print(f"complexity {document['complexity']} nodes, cost {decimals(document['cost'], 4)} bits"
              f" ({decimals(document['gap'], 4)} above the least of its complexity)")  # fmt: skip
    if document["nearest"]:
        out.print(f"most similar human system of as many words: {document['nearest']},"
                  f" variation of information {decimals(document['variation'], 3)} bits")  # fmt: skip
    if "language" in document:
        out.print(f"{document['language']}: published complexity {document['published_complexity']}"
                  f" ({document['rules']}); source: {document['source']}")  # fmt: skip
