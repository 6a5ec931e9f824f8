"""`ishango languages --source cosinus`: languages as people speak them, of CoSiNuS or of a dataset of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from ishango import cosinus
from ishango.cli._output import console, decimals, figures_table, print_json, spaced, waiting
from ishango.costs import COSTS
from ishango.numerals import Need, format_set

EXPLANATION = (
    "size: D and M as read; broad: morphemes that say something of the number; narrow: their forms, allomorphs too;"
    " said: average complexity of what is said (Hurford's grammar); L_min: of the shortest expressions of these words;"
    " gap: said above the proved frontier at as many words, counted in the three ways."
)


def list_spoken(names: Sequence[str], need: Need, costs: bool, json: bool, imported: Path | None) -> int:
    table, source = (
        (cosinus.read_cldf(imported), str(imported)) if imported else (cosinus.spoken_languages(), cosinus.SOURCE)
    )
    chosen = [cosinus.spoken_language(name, table) for name in names]
    with waiting("reading and measuring the languages"):
        languages = chosen or list(table)
        measured = [cosinus.spoken_costs(each, need) for each in languages]
    whole = [each for each in measured if each]
    if json:
        documents = [_document(each, found, bool(chosen)) for each, found in zip(languages, measured, strict=True)]
        print_json(
            {"source": source, "languages": documents, "families": [vars(each) for each in cosinus.by_family(whole)]}
        )
        return 0
    out = console()
    for each in chosen:
        out.print(_numerals(each))
    out.print(costs_table({each.language.name: each.costs for each in whole}) if costs else _table(whole))
    if not chosen:
        out.print()
        out.print(_family_table(whole))
    if not costs:
        out.print(EXPLANATION)
    rest = [each for each in languages if not each.whole]
    read = f"{len(whole)} of {len(languages)} languages are read completely"
    out.print(f"{read}; of the others these numbers are not:" if rest else f"{read}.")
    for each in rest:
        out.print(f"  {each.name}: {_unread(each)}")
    out.print(f"Source: {source}.")
    return 0


def list_disagreements(json: bool) -> int:
    with waiting("comparing the languages"):
        found = cosinus.compare()
    if json:
        print_json({"languages": [_comparison(each) for each in found]})
        return 0
    out = console()
    table = figures_table(("language", "in the table", "numbers that differ"), ())
    for each in found:
        table.add_row(each.language.name, each.ours.name, each.sentence)
    out.print(table)
    return 0


def _comparison(each: cosinus.Comparison) -> dict[str, Any]:
    differing = {str(n): {"cosinus": str(one), "table": str(other)} for n, (one, other) in each.differing.items()}
    return {
        "name": each.language.name,
        "glottocode": each.language.glottocode,
        "table": each.ours.name,
        "shared": each.shared,
        "differing": differing,
    }


def _unread(language: cosinus.SpokenLanguage) -> str:
    first, why = next(iter(language.unread.items()))
    glosses = " ".join(language.numerals[first].glosses) + " " if first in language.numerals else ""
    return f"{format_set(tuple(language.unread))}, such as {first}: {glosses}({why})"


def _table(measured: Sequence[cosinus.SpokenCosts]) -> Table:
    figures = ("size", "broad", "narrow", "said", "L_min", "gap said", "gap L_min", "gap (broad)", "gap (narrow)")
    table = figures_table(("language", "D", "M"), figures)
    for each in measured:
        system = each.language.system
        averages = (each.said, each.shortest, each.gap_said, each.gap_shortest, each.gap_broad, each.gap_narrow)
        words = (each.size, each.broad, each.narrow)
        table.add_row(
            each.language.name,
            spaced(system.digits),
            spaced(system.multipliers),
            *map(str, words),
            *(decimals(value, 4) for value in averages),
        )
    return table


def costs_table(costs: dict[str, dict[str, float | None]]) -> Table:
    """A row a language, a column a cost."""
    table = figures_table(("language",), [COSTS[name].label for name in COSTS])
    for name, values in costs.items():
        shown = (decimals(values[cost], 0 if isinstance(values[cost], int) else 3) for cost in COSTS)
        table.add_row(name, *shown)
    return table


def _family_table(measured: Sequence[cosinus.SpokenCosts]) -> Table:
    figures = ("languages", "size", "broad", "narrow", "said", "gap said", "gap (broad)", "gap (narrow)")
    table = figures_table(("family (averages)",), figures)
    for each in cosinus.by_family(measured):
        words = (each.size, each.broad, each.narrow)
        averages = (each.said, each.gap_said, each.gap_broad, each.gap_narrow)
        shown = [*(decimals(value, 1) for value in words), *(decimals(value, 4) for value in averages)]
        table.add_row(each.family, str(each.languages), *shown)
    return table


def _numerals(language: cosinus.SpokenLanguage) -> Table:
    table = figures_table((language.name, "form", "morphemes", "read as"), ())
    for number, numeral in language.numerals.items():
        expression = language.expressions.get(number)
        said = language.unread[number] if expression is None else str(expression)
        table.add_row(str(number), numeral.form, " ".join(numeral.glosses), said)
    return table


def _document(language: cosinus.SpokenLanguage, found: cosinus.SpokenCosts | None, full: bool) -> dict[str, Any]:
    system = language.system if language.composes else None
    document: dict[str, Any] = {
        "name": language.name,
        "glottocode": language.glottocode,
        "family": language.family or None,
        "digits": list(system.digits) if system else None,
        "multipliers": list(system.multipliers) if system else None,
        "unread": {str(n): why for n, why in language.unread.items()},
        "measures": None if found is None else _measures(found),
        "costs": None if found is None else found.costs,
    }
    if full:
        document["numerals"] = {
            str(n): {
                "form": each.form,
                "morphemes": list(each.glosses),
                "expression": str(language.expressions[n]) if n in language.expressions else None,
            }
            for n, each in language.numerals.items()
        }
    return document


def _measures(found: cosinus.SpokenCosts) -> dict[str, Any]:
    names = ("size", "broad", "narrow", "said", "shortest", "morphemes_said", "gap_said", "gap_shortest",
             "gap_broad", "gap_narrow", "irregularity_broad", "irregularity_narrow")  # fmt: skip
    return {name: getattr(found, name) for name in names}
