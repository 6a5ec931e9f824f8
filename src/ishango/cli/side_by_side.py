"""Languages beside each other: the numbers down, a language a column."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from ishango.cli.numerals_table import SHOWN, cell, shade_legend
from ishango.languages import Language
from ishango.numerals import HURFORD, Expression


def side_by_side(languages: Sequence[Language], upto: int) -> Table:
    """What is said for each number, as far as that is known; of other kinds of languages, what the word means."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("", style="dim", justify="right")
    said = [known_expressions(each, upto) for each in languages]
    for each in languages:
        table.add_column(Text(each.name), overflow="fold")
    for number in range(1, min(upto, SHOWN) + 1):
        table.add_row(str(number), *(_cell(each, of, number) for each, of in zip(languages, said, strict=True)))
    return table


def legend(languages: Sequence[Language], upto: int) -> Text:
    """What the colours mean."""
    return shade_legend([e for each in languages for e in known_expressions(each, upto).values()])


def known_expressions(language: Language, upto: int) -> dict[int, Expression]:
    """What is said under Hurford's grammar, where multipliers stand alone as people say them; as far as rules reach."""
    reach = min(upto, language.rules.reach) if language.rules else 0
    return language.expressions(HURFORD.name, reach) or {} if reach else {}


def _cell(language: Language, said: dict[int, Expression], number: int) -> Text:
    if number in said:
        return cell(said[number])
    meaning = next((str(t) for t in language.terms if t.first <= number and (t.last is None or number <= t.last)), "–")
    return Text(meaning, style="dim")
