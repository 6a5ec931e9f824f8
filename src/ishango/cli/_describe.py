"""`ishango describe`: one numeral system, number by number, for people and for other programs."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console, Group
from rich.table import Table

from ishango.cli._output import SHOWN, console, decimals, numerals_table, plural, print_json, shade_legend, waiting
from ishango.cli._parsing import SystemWords, parse_window, refuse_given, system_text
from ishango.costs import COSTS, Said, TiedLanguages, all_costs, tied_languages
from ishango.errors import RequestError, require
from ishango.frontiers import LARGEST_RANGE, measure_language
from ishango.languages import find_language
from ishango.numerals import (
    DEFAULT_GRAMMAR,
    GrammarChoice,
    MinimalLanguage,
    Need,
    NeedSpec,
    NumeralSystem,
    format_set,
    minimal_language,
)
from ishango.registry import UpTo

if TYPE_CHECKING:
    import pandas as pd


def as_csv(table: pd.DataFrame) -> str:
    return table.to_csv(index=False, lineterminator="\n")


def as_markdown(table: pd.DataFrame) -> str:
    """The table as pages have it; numbers to the right.

    >>> import pandas as pd
    >>> print(as_markdown(pd.DataFrame({"number": [6], "expression": ["2 * 3"]})), end="")
    | number | expression |
    | ---: | :--- |
    | 6 | 2 · 3 |
    """
    rules = ["---:" if _is_number(table, name) else ":---" for name in table.columns]
    rows = [list(map(str, table.columns)), rules, *_cells(table, "·")]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


def as_latex(table: pd.DataFrame) -> str:
    """The table as a `tabular`, which needs no package; text is set as mathematics.

    >>> import pandas as pd
    >>> print(as_latex(pd.DataFrame({"number": [6], "expression": ["2 * 3"]})), end="")
    \\begin{tabular}{rl}
    \\hline
    number & expression \\\\
    \\hline
    6 & $2 \\cdot 3$ \\\\
    \\hline
    \\end{tabular}
    """
    numeric = [_is_number(table, name) for name in table.columns]
    rows = [
        [cell if plain or not cell else f"${cell}$" for cell, plain in zip(row, numeric, strict=True)]
        for row in _cells(table, r"\cdot")
    ]
    head = [re.sub(r"([_%&#$])", r"\\\1", str(name)) for name in table.columns]
    lines = [
        f"\\begin{{tabular}}{{{''.join('r' if plain else 'l' for plain in numeric)}}}",
        "\\hline",
        _latex_row(head),
        "\\hline",
        *map(_latex_row, rows),
        "\\hline",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


FORMATS = {"csv": as_csv, "latex": as_latex, "markdown": as_markdown}


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _is_number(table: pd.DataFrame, name: str) -> bool:
    return all(isinstance(value, (int, float)) for value in table[name].dropna().tolist())


def _cells(table: pd.DataFrame, times: str) -> list[list[str]]:
    """All cells as text, empty where there is nothing, with a sign of multiplication that is not an asterisk."""
    rows = table.astype(object).where(table.notna(), "").to_numpy().tolist()
    return [[str(cell).replace("*", times) for cell in row] for row in rows]


# The description of a numeral system as a person enjoys reading it.


def print_description(
    console: Console, language: MinimalLanguage, need: Need, rows: range, operators: bool, tied: int
) -> None:
    """Print the numerals of these numbers, then what the system costs, and what else its minimal language does."""
    shown = rows[:SHOWN]
    table = numerals_table(language.expressions, shown, console.width)
    said = [e for n, e in language.expressions.items() if n in shown]
    console.print(Group(table, shade_legend(console, said)))
    if len(rows) > SHOWN:
        console.print(f"(the first {SHOWN} of {len(rows):,} numbers; --rows shows others, --json has all)")
    console.print()
    console.print(_facts(_fact_rows(language, need)))
    if language.covers:
        console.print()
        console.print(_facts(cost_rows(all_costs(Said.shortest(language, need, operators=operators)))))
    if tied and language.covers:
        console.print()
        console.print(_facts(_tied_rows(language, need, operators, tied)))


def _facts(rows: Iterable[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    for name, value in rows:
        table.add_row(name, value)
    return table


def cost_rows(costs: Mapping[str, float | None]) -> Iterator[tuple[str, str]]:
    """Costs with their units, those aside that stand above already."""
    for name, value in costs.items():
        if name not in ("size", "length"):
            cost = COSTS[name]
            number = decimals(value, 0 if isinstance(value, int) else 2)
            yield cost.label, number if value is None or cost.unit == cost.label else f"{number} {cost.units(value)}"


def _tied_rows(language: MinimalLanguage, need: Need, operators: bool, samples: int) -> list[tuple[str, str]]:
    found = tied_languages(language.system, need, language.upto, samples=samples, operators=operators)
    assert found is not None
    least = f"at least {decimals(found.bound.bits, 2)} bits are needed"
    if found.proved:
        least = "proved: none is more regular"
    return [
        ("irregularity of minimal languages", f"{decimals(found.shipped.bits, 2)} bits by the shipped tie rule"),
        ("", f"{decimals(found.average, 2)} bits on average over {plural(samples, 'language')} drawn at random"),
        ("", f"{decimals(found.best.bits, 2)} bits in the most regular language found ({least})"),
    ]


def _fact_rows(language: MinimalLanguage, need: Need) -> list[tuple[str, str]]:
    system = language.system
    measures = measure_language(language, need)
    average = measures.average_complexity
    rows = [
        ("system", f"D = {format_set(system.digits)}   M = {format_set(system.multipliers)}   ({system.grammar})"),
        ("range", f"1 to {language.upto}, values up to {language.limit}"),
        ("size", _size(system)),
        (
            "average",
            "none: the range is not covered" if average is None else f"{average:.6f} symbols (need {need})",
        ),
        ("gap", _gap(language, measures.gap)),
        ("ties", _ties(language)),
    ]
    if language.clashes:
        groups = "; ".join(format_set(group) for group in language.clashes)
        rows.append(("clashes", f"{groups} share a string when brackets are left out, as for agents"))
    if language.missing:
        missing = f"{format_set(language.missing)} (no expression with values up to {language.limit})"
        rows.append(("missing", missing))
    return rows


def _size(system: NumeralSystem) -> str:
    words = system.rules.multiplier_words
    notes = [f"{format_set(system.overlap)} in both sets"] * bool(system.overlap)
    notes += [f"a multiplier counts for {words}"] * (words > 1)
    return f"{system.size} ({'; '.join(notes)})" if notes else str(system.size)


def _gap(language: MinimalLanguage, above: float | None) -> str:
    if not language.covers:
        return "none: the range is not covered"
    if above is None and language.upto > LARGEST_RANGE:
        return f"none: the frontier is proved for ranges up to {LARGEST_RANGE:,}"
    if above is None:
        return f"none: the least average of size {language.system.size} is not proved here"
    if above < 0:
        return f"{decimals(-above, 6)} below the proved least average of size {language.system.size} without overlap"
    return f"{decimals(above, 6)} above the proved least average of size {language.system.size}"


def _ties(language: MinimalLanguage) -> str:
    tied = [n for n in language if language.ties(n) > 1]
    if not tied:
        return "none: " + ("there is one minimal language" if language.covers else "what is said has one shortest way")
    several = f"{plural(len(tied), 'number')} with several shortest expressions"
    return f"{several}; {_count(language.languages)} minimal languages"


def _count(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"about 10^{math.log10(count):.0f}"


# `ishango describe`: one numeral system, number by number.

LARGEST_TIED = 1_000
"""The largest range for which tied expressions are listed."""


@dataclass(frozen=True)
class Describe:
    """Describe a numeral system: its minimal expressions, size and average complexity.

    Example: ishango describe 1-9,11 10
    """

    system: SystemWords = ()
    """Its digits (D) and multipliers (M), as in 1-9,11 10 or "1-9,11 | 10"; none is the empty set."""
    language: str = ""
    """A human language instead, by name or glottocode."""
    grammar: GrammarChoice = DEFAULT_GRAMMAR.name
    """The meta-grammar."""
    upto: UpTo = 99
    """Numbers from 1 to this one are described."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    operators: bool = False
    """Operators are spoken, so that they are letters of the automaton behind irregularity and processing."""
    tied: int = 0
    """Also measure so many minimal languages drawn at random, and search for the most regular one (takes seconds)."""
    rows: str = ""
    """Show the numbers of this window, such as 1-20; costs are always those of the whole range. All if not given."""
    format: Literal["text", "json", "csv", "latex", "markdown"] = "text"
    """How to print: for people, as one JSON document, or as a table of numbers, expressions, complexities and ties."""
    json: bool = False
    """Short for --format json."""


def run_describe(command: Describe) -> int:
    system = _described(command)
    need = Need.parse(command.need)
    rows = parse_window(command.rows, command.upto)
    format = _format(command)
    if format not in ("text", "json"):
        refuse_given(command, ("need", "operators", "tied"), f"means nothing to --format {format}, which has no costs.")
    _check_tied(command)
    with waiting("describing the system"):
        language = minimal_language(system, command.upto)
        if format == "text":
            print_description(console(), language, need, rows, command.operators, command.tied)
        elif format == "json":
            print_json(description(language, need, rows, command.operators, command.tied))
        else:
            _print_table(language, need, rows, format)
    return 0


def _described(command: Describe) -> NumeralSystem:
    if not command.language:
        if not command.system:
            raise RequestError("Missing: DIGITS, MULTIPLIERS; write them as in 1-9,11 10, or name a --language.")
        text = system_text(command.system)
        if not any(map(str.isdigit, text)) and "none" not in text:
            raise RequestError(
                f"{text!r} is not a numeral system, such as 1-9 10; for a human language give --language."
            )
        return NumeralSystem.parse(text, command.grammar)
    if command.system:
        raise RequestError("--language and DIGITS exclude each other; give one of them.")
    language = find_language(command.language)
    system = language.system_under(command.grammar)
    if system is None:
        raise RequestError(f"{language.name} has no digits and multipliers under the grammar {command.grammar}.")
    return system


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
