"""The description of a numeral system as a person enjoys reading it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from rich.console import Console, Group
from rich.table import Table

from ishango.cli.numerals_table import SHOWN, numerals_table, shade_legend
from ishango.cli.output import decimals, plural
from ishango.costs import COSTS, Said, all_costs, tied_languages
from ishango.frontiers import measure_language
from ishango.frontiers.measures import LARGEST_RANGE
from ishango.numerals import MinimalLanguage, Need, NumeralSystem, format_set


def print_description(
    console: Console, language: MinimalLanguage, need: Need, rows: range, operators: bool, tied: int
) -> None:
    """Print the numerals of these numbers, then what the system costs, and what else its minimal language does."""
    shown = rows[:SHOWN]
    table = numerals_table(language.expressions, shown, console.width)
    said = [e for n, e in language.expressions.items() if n in shown]
    console.print(Group(table, shade_legend(said)))
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
            yield cost.label, number if value is None or cost.unit == cost.label else f"{number} {cost.unit}"


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
        rows.append(("missing", _missing(language)))
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
        return "none: there is one minimal language"
    several = f"{plural(len(tied), 'number')} with several shortest expressions"
    return f"{several}; {_count(language.languages)} minimal languages"


def _count(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"about 10^{math.log10(count):.0f}"


def _missing(language: MinimalLanguage) -> str:
    return f"{format_set(language.missing)} (no expression with values up to {language.limit})"
