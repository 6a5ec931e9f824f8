"""`ishango describe`: one numeral system, number by number."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import tyro

from ishango.cli.output import console, print_json
from ishango.cli.parsing import parse, parse_window, refuse_given
from ishango.cli.waiting import waiting
from ishango.costs import Said, TiedLanguages, all_costs, tied_languages
from ishango.errors import RequestError, require
from ishango.frontiers import measure_language
from ishango.numerals import (
    MODIFIED,
    MinimalLanguage,
    Need,
    NumeralSystem,
    format_set,
    minimal_language,
    parse_set,
)
from ishango.numerals.need import GrammarChoice, NeedSpec
from ishango.options import UpTo

LARGEST_TIED = 1_000
"""The largest range for which tied expressions are listed."""


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
    operators: bool = False
    """Whether operators are heard, and so are letters of the automaton behind irregularity and processing."""
    tied: int = 0
    """Also measure so many minimal languages drawn at random, and search for the most regular one (takes seconds)."""
    rows: str = ""
    """Show the numbers of this window, such as 1-20; costs are always those of the whole range. All if not given."""
    format: Literal["text", "json", "csv", "latex", "markdown"] = "text"
    """How to print: for people, as one JSON document, or as a table of numbers, expressions, complexities and ties."""
    json: bool = False
    """Short for --format json."""


def main(arguments: list[str]) -> int:
    """Parse, describe, print."""
    command = parse(Describe, "describe", arguments)
    system = NumeralSystem(parse_set(command.digits), parse_set(command.multipliers), command.grammar)
    need = Need.parse(command.need)
    rows = parse_window(command.rows, command.upto)
    format = _format(command)
    if format not in ("text", "json"):
        refuse_given(command, ("need", "operators", "tied"), f"means nothing to --format {format}, which has no costs.")
    _check_tied(command)
    with waiting("describing the system"):
        language = minimal_language(system, command.upto)
        if format == "text":
            from ishango.cli.describe_text import print_description

            print_description(console(), language, need, rows, command.operators, command.tied)
            return 0
        document = description(language, need, rows, command.operators, command.tied) if format == "json" else None
    if document is not None:
        print_json(document)
    else:
        _print_table(language, need, rows, format)
    return 0


def _format(command: Describe) -> str:
    if command.json and command.format not in ("text", "json"):
        raise RequestError(f"--json and --format {command.format} exclude each other; give one of them.")
    return "json" if command.json else command.format


def _check_tied(command: Describe) -> None:
    require(command.tied >= 0, "--tied", command.tied, "0 or a number of languages")
    if command.tied and command.upto > LARGEST_TIED:
        raise RequestError(f"--tied lists tied expressions for ranges up to {LARGEST_TIED}; give a smaller --range.")


def _print_table(language: MinimalLanguage, need: Need, rows: range, format: str) -> None:
    """The table alone on standard output; numbers that it lacks are told beside it."""
    from ishango.api import Description
    from ishango.cli.table_formats import FORMATS

    table = Description(language, need, measure_language(language, need)).to_frame()
    sys.stdout.write(FORMATS[format](table[table["number"].isin(rows)]))
    if missing := tuple(n for n in language.missing if n in rows):
        print(f"Left out, without expression: {format_set(missing)}", file=sys.stderr)


def description(
    language: MinimalLanguage, need: Need, rows: range, operators: bool = False, tied: int = 0
) -> dict[str, Any]:
    """The JSON document of the command-line contract; expressions and ties of the rows, all else of the range."""
    measures = measure_language(language, need)
    document: dict[str, Any] = {
        "digits": list(language.system.digits),
        "multipliers": list(language.system.multipliers),
        "grammar": language.system.grammar,
        "rules": language.system.rules.record,
        "range": language.upto,
        "limit": language.limit,
        "need": str(need),
        "size": language.system.size,
        "average_complexity": measures.average_complexity,
        "gap": measures.gap,
        "covers": language.covers,
        "missing": list(language.missing),
        "expressions": {str(n): str(e) for n, e in language.expressions.items() if n in rows},
        "ties": {str(n): language.ties(n) for n in language if n in rows},
    }
    document["costs"] = all_costs(Said.shortest(language, need, operators=operators))
    if tied:
        document["tied"] = _tied(
            tied_languages(language.system, need, language.upto, samples=tied, operators=operators)
        )
    return document


def _tied(found: TiedLanguages | None) -> dict[str, Any] | None:
    """Irregularity over the minimal languages, as JSON; null where the range is not covered."""
    if found is None:
        return None
    bits = {"shipped": found.shipped.bits, "sampled": found.average, "best": found.best.bits, "bound": found.bound.bits}
    return {"samples": len(found.sampled), **bits, "proved": found.proved, "best_homonyms": found.best.homonyms}
