"""The description of a numeral system as a person enjoys reading it."""

from __future__ import annotations

import math

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from ishango.cli.output import plural
from ishango.numerals import MinimalLanguage, Need, format_set, language_average

COLUMNS = 10
LABEL = 4
"""The width of the numbers at the left."""

SHOWN = 100
"""Larger ranges show this many numbers; the JSON document has them all."""

SHADES = ("bold green", "cyan", "blue", "yellow", "magenta", "red")
"""Colours for 1, 3, 5, ... symbols; the last one for everything longer."""


def print_description(console: Console, language: MinimalLanguage, need: Need) -> None:
    """Print the numerals in ten columns, then what the system costs."""
    console.print(Group(_numerals(language, console.width), _legend(language), "", _facts(language, need)))


def _numerals(language: MinimalLanguage, width: int) -> Table:
    """Tens down and units across, in ten columns; in five, two or one where expressions are long."""
    shown = min(language.range, SHOWN)
    cells = {n: _cell(language, n) for n in range(1, shown + 1)}
    longest = max(cell.cell_len for cell in cells.values())
    columns = next((c for c in (COLUMNS, 5, 2) if c * (longest + 1) + LABEL <= width), 1)
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="dim", justify="right")
    table.add_row("", *(Text(f"+{i}", style="dim") for i in range(columns)))
    for start in range(0, shown + 1, columns):
        table.add_row(f"{start}", *(cells.get(n, Text()) for n in range(start, start + columns)))
    return table


def _cell(language: MinimalLanguage, number: int) -> Text:
    leaves = int(language.leaves[number - 1])
    if leaves == 0:
        return Text("?", style="reverse")
    expression = str(language.expression(number))
    return Text(expression.replace(" * ", "·").replace(" + ", "+").replace(" - ", "−"), style=_shade(leaves))


def _shade(leaves: int) -> str:
    return SHADES[min(leaves, len(SHADES)) - 1]


def _legend(language: MinimalLanguage) -> Text:
    present = sorted({min(int(leaves), len(SHADES)) for leaves in language.leaves if leaves > 0})
    pieces: list[str | tuple[str, str]] = ["symbols: "]
    for leaves in present:
        more = " or more" if leaves == len(SHADES) else ""
        pieces += [(f"{2 * leaves - 1}{more}", SHADES[leaves - 1]), "  "]
    if language.range > SHOWN:
        pieces.append(f"(the first {SHOWN} of {language.range:,} numbers; --json has all)")
    return Text.assemble(*pieces)


def _facts(language: MinimalLanguage, need: Need) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    for name, value in _fact_rows(language, need):
        table.add_row(name, value)
    return table


def _fact_rows(language: MinimalLanguage, need: Need) -> list[tuple[str, str]]:
    system = language.system
    average = language_average(language, need)
    limit = "no value limit" if language.limit is None else f"values up to {language.limit}"
    rows = [
        ("system", f"D = {format_set(system.digits)}   M = {format_set(system.multipliers)}   ({system.grammar})"),
        ("range", f"1 to {language.range}, {limit}"),
        ("size", str(system.size) + (f" ({format_set(system.overlap)} in both sets)" if system.overlap else "")),
        (
            "average",
            "none: the range is not covered" if average is None else f"{average:.6f} symbols (need {need})",
        ),
        ("ties", _ties(language)),
    ]
    if language.missing:
        rows.append(("missing", _missing(language)))
    if language.unproved:
        rows.append(("not proved", _unproved(language)))
    return rows


def _ties(language: MinimalLanguage) -> str:
    tied = [n for n in language if (language.ties(n) or 1) > 1]
    if not tied:
        return "none: there is one minimal language"
    languages = language.languages
    many = "an unknown number of" if languages is None else _count(languages)
    several = f"{plural(len(tied), 'number')} with several shortest expressions"
    return f"{several}; {many} minimal languages"


def _count(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"about 10^{math.log10(count):.0f}"


def _missing(language: MinimalLanguage) -> str:
    if language.limit is not None:
        return f"{format_set(language.missing)} (no expression with values up to {language.limit})"
    impossible = tuple(language.impossible)
    open_ = tuple(n for n in language.missing if n not in language.impossible)
    parts: list[str] = []
    if impossible:
        moduli = ", ".join(str(m) for m in sorted(set(language.impossible.values())))
        parts.append(f"{format_set(impossible)} impossible (by residues modulo {moduli})")
    if open_:
        parts.append(f"{format_set(open_)} not found up to {language.searched} leaves")
    return "; ".join(parts)


def _unproved(language: MinimalLanguage) -> str:
    return (
        f"{format_set(language.unproved)}: nothing shorter up to {language.searched} leaves,"
        " but the search could not go on to the length shown"
    )
