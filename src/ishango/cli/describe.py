"""`ishango describe`: one numeral system, number by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from ishango.cli.output import console, print_json
from ishango.cli.parsing import parse, parse_limit
from ishango.cli.waiting import waiting
from ishango.frontier import measure_language
from ishango.numerals import (
    MODIFIED,
    MinimalLanguage,
    Need,
    NumeralSystem,
    minimal_language,
    parse_set,
)
from ishango.numerals.numeral_options import GrammarChoice, NeedSpec
from ishango.options import UpTo


@dataclass(frozen=True)
class Describe:
    """Describe a numeral system: its minimal expressions, size and average complexity.

    Example: ishango describe 1-9,11 10
    """

    digits: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="DIGITS")]
    """The digits D, such as 1-9,11; none for the empty set."""
    multipliers: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="MULTIPLIERS")]
    """The multipliers M, such as 10,20."""
    grammar: GrammarChoice = MODIFIED.name
    """The meta-grammar."""
    upto: UpTo = 99
    """Numbers from 1 to this one are described."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    limit: str = "default"
    """The largest intermediate value: a number, none, or default (twice the range plus two)."""
    json: bool = False
    """Print one JSON document instead of tables."""


def main(arguments: list[str]) -> int:
    """Parse, describe, print."""
    command = parse(Describe, "describe", arguments)
    system = NumeralSystem(parse_set(command.digits), parse_set(command.multipliers), command.grammar)
    need = Need.parse(command.need)
    limit = parse_limit(command.limit)
    with waiting("describing the system"):
        language = minimal_language(system, command.upto, limit)
        if command.json:
            document = description(language, need)
        else:
            from ishango.cli.describe_text import print_description

            print_description(console(), language, need)
            return 0
    print_json(document)
    return 0


def description(language: MinimalLanguage, need: Need) -> dict[str, Any]:
    """The JSON document of the command-line contract."""
    measures = measure_language(language, need)
    document: dict[str, Any] = {
        "digits": list(language.system.digits),
        "multipliers": list(language.system.multipliers),
        "grammar": language.system.grammar,
        "range": language.upto,
        "limit": language.limit,
        "need": str(need),
        "size": language.system.size,
        "average_complexity": measures.average_complexity,
        "gap": measures.gap,
        "covers": language.covers,
        "missing": list(language.missing),
        "expressions": {str(n): str(e) for n, e in language.expressions.items()},
        "ties": {str(n): language.ties(n) for n in language},
    }
    if language.limit is None:
        document |= {
            "searched": language.searched,
            "impossible": {str(n): modulus for n, modulus in language.impossible.items()},
            "unproved": list(language.unproved),
        }
    return document
