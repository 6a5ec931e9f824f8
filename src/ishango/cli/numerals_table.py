"""Numerals as a table a person enjoys reading: tens down, units across, complexity by colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from ishango.numerals import Expression

COLUMNS = 10
LABEL = 4
"""The width of the numbers at the left."""

SHOWN = 100
"""Larger ranges show this many numbers; the JSON document has them all."""

SHADES = ("bold green", "cyan", "blue", "yellow", "magenta", "red")
"""Colours for 1, 3, 5, ... symbols; the last one for everything longer."""


def numerals_table(expressions: Mapping[int, Expression], numbers: range, width: int) -> Table:
    """The numerals in ten columns; in five, two or one where expressions are long. Missing ones are `?`.

    Of more than fit a screen the first are shown.
    """
    numbers = numbers[:SHOWN]
    cells = {n: cell(expressions.get(n)) for n in numbers}
    longest = max(each.cell_len for each in cells.values())
    columns = next((c for c in (COLUMNS, 5, 2) if c * (longest + 1) + LABEL <= width), 1)
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="dim", justify="right")
    if columns > 1:
        table.add_row("", *(Text(f"+{i}", style="dim") for i in range(columns)))
    for start in range(numbers[0] - numbers[0] % columns, numbers[-1] + 1, columns):
        table.add_row(f"{start}", *(cells.get(n, Text()) for n in range(start, start + columns)))
    return table


def shade_legend(expressions: Iterable[Expression]) -> Text:
    """What the colours mean, for the complexities that occur."""
    pieces: list[str | tuple[str, str]] = ["symbols: "]
    for leaves in sorted({min(each.leaves, len(SHADES)) for each in expressions}):
        more = " or more" if leaves == len(SHADES) else ""
        pieces += [(f"{2 * leaves - 1}{more}", SHADES[leaves - 1]), "  "]
    return Text.assemble(*pieces)


def cell(expression: Expression | None) -> Text:
    """A numeral, coloured by its complexity; `?` where there is none."""
    if expression is None:
        return Text("?", style="reverse")
    text = str(expression).replace(" * ", "·").replace(" + ", "+").replace(" - ", "−")
    return Text(text, style=SHADES[min(expression.leaves, len(SHADES)) - 1])
