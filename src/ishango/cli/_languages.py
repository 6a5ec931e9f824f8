"""`ishango languages`: human numeral systems, those checked by hand, the world's, or of a table of one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro
from rich.table import Table

from ishango.cli._cosinus_languages import costs_table, list_disagreements, list_spoken
from ishango.cli._output import (
    SHOWN,
    console,
    decimals,
    figures_table,
    legend,
    numerals_table,
    plural,
    print_json,
    records,
    shade_legend,
    side_by_side,
    spaced,
    waiting,
)
from ishango.cli._parsing import refuse_given
from ishango.cosinus import UPTO as COSINUS_RANGE
from ishango.costs import COSTS, Said, all_costs
from ishango.errors import RequestError
from ishango.frontiers import frontier_value, measure, problem_of
from ishango.languages import (
    Language,
    disagreements,
    find_language,
    format_terms,
    glosses_arithmetic,
    languages_csv,
    load_languages,
    load_languages_beside,
    read_languages,
    search_languages,
    write_cldf,
)
from ishango.numerals import DEFAULT_GRAMMAR, GRAMMARS, HURFORD, PAPERS, Need, NeedSpec, check_range, format_set
from ishango.registry import UpTo

if TYPE_CHECKING:
    import pandas as pd

# `ishango languages`: human numeral systems and what they cost.

MIDDLING, WIDE = 90, 135
"""Columns of a terminal from which the average of L_min fits, too, and from which both grammars fit."""


@dataclass(frozen=True)
class Languages:
    """List human numeral systems with their size and average complexity, or show one of them, or several side by side.

    Example: ishango languages French Basque Yoruba
    """

    names: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[NAME ...]")] = ()
    """Languages: one is shown in full, several side by side; without any all are listed."""
    file: Path | None = None
    """A CSV table of your own (columns name, digits, multipliers and, if you like, rules) instead of ours."""
    beside: Path | None = None
    """Such a table beside the built-in one; if both have a language, yours counts."""
    source: Literal["table", "world", "cosinus"] = "table"
    """The languages checked by hand, the catalogue of the world's (--family and --area choose among them), or the
    numerals of CoSiNuS as people speak them, read off their glosses."""
    family: str = ""
    """Of the world's languages only those of this family, as Glottolog names it."""
    area: str = ""
    """Of the world's languages only those of this macroarea: Africa, Australia, Eurasia, North America, ..."""
    format: Literal["table", "csv", "cldf"] = "table"
    """How languages are listed: as a table to read, as CSV, or as a CLDF dataset in the directory --out."""
    out: Path | None = None
    """The directory of a CLDF dataset (needs the extra cldf)."""
    imported: Annotated[Path | None, tyro.conf.arg(name="import")] = None
    """A table of what is said for each number (columns name, number, expressions), or a CLDF dataset, a directory such
    as Numeralbank's, to be read and measured (datasets need the extra cldf)."""
    costs: bool = False
    """List what is said by every cost (irregularity, processing, ...) instead; people's words, Hurford's grammar."""
    disagreements: bool = False
    """List where the table and CoSiNuS do not say a number in the same way; with --source world, the table and the
    catalogue."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    upto: UpTo = 99
    """Averages are over the numbers from 1 to this one."""
    json: bool = False
    """Print one JSON document instead of tables."""


def run_languages(command: Languages) -> int:
    need = Need.parse(command.need)
    check_range(command.upto)
    _refuse_ignored(command)
    if command.source == "world" and command.disagreements:
        return _list_world_disagreements(command.json)
    imported = command.imported
    expressions = imported is not None and (imported.is_file() or glosses_arithmetic(imported))
    if command.source == "cosinus" or (command.imported and not expressions) or command.disagreements:
        return _spoken(command, need)
    table = _languages(command)
    own = command.file or command.beside or expressions
    chosen = [find_language(name, table if own else None) for name in command.names]
    if command.format != "table":
        return _export(chosen or table, command)
    if command.costs:
        return _list_costs(chosen or table, need, command)
    if (command.source == "world" or expressions) and not chosen:
        return _list_world(table, command)
    if len(chosen) == 1:
        return _show(chosen[0], need, command)
    if chosen:
        return _compare(chosen, need, command)
    with waiting("measuring the languages"):
        if command.json:
            print_json({"languages": [describe_language(each, need, command.upto) for each in table]})
        else:
            _print_table(language_table(table, need, command.upto, console().width), table, command.upto)
    return 0


def _refuse_ignored(command: Languages) -> None:
    """Refuse options that mean nothing beside the others."""
    if command.source != "world" and not command.imported:
        refuse_given(command, ("family", "area"), "chooses among the world's languages; add --source world.")
    if command.imported and (command.source != "table" or command.disagreements):
        raise RequestError("--import reads a dataset of your own; leave out --source and --disagreements.")
    if (command.file or command.beside) and (command.imported or command.source != "table" or command.disagreements):
        raise RequestError("Other sources, --import and --disagreements go without tables of your own;"
                           " leave out --file and --beside.")  # fmt: skip
    if command.disagreements:
        if command.names:
            raise RequestError("--disagreements lists all that both have; leave out the names.")
        refuse_given(command, ("costs", "need", "upto"), "means nothing to --disagreements, which has no costs.")
        refuse_given(command, ("family", "area"), "means nothing to --disagreements, which lists all that both have.")
    if command.disagreements or command.source == "cosinus":
        refuse_given(command, ("format",), "is for lists of systems; --json prints these as a document.")
    if command.names:
        refuse_given(command, ("family", "area"), "chooses among the languages of a list; leave it out beside names.")
    if command.format != "cldf":
        refuse_given(command, ("out",), "is the directory of --format cldf; leave it out.")
    if command.format != "table":
        if command.json:
            raise RequestError(f"--json and --format {command.format} exclude each other; give one of them.")
        refuse_given(command, ("costs", "need", "upto"), f"means nothing to --format {command.format}; leave it out.")


def _spoken(command: Languages, need: Need) -> int:
    refuse_given(command, ("format",), "is for lists of systems; --json prints what is read off glosses.")
    if command.upto != COSINUS_RANGE:
        raise RequestError(f"CoSiNuS has the numbers from 1 to {COSINUS_RANGE}; leave out --range.")
    if command.disagreements:
        return list_disagreements(command.json)
    return list_spoken(command.names, need, command.costs, command.json, command.imported)


def _list_costs(languages: Sequence[Language], need: Need, command: Languages) -> int:
    """Every cost of what is said; languages of which that is not known are left out."""
    with waiting("measuring the languages"):
        found = {each.name: _all_costs(each, need, command.upto) for each in languages}
    known = {name: costs for name, costs in found.items() if costs}
    if command.json:
        print_json({"grammar": HURFORD.name, "costs": found})
        return 0
    out = console()
    out.print(costs_table(known))
    out.print(f"Costs of what is said, under Hurford's grammar: {COSTS.sentences()}.")
    if left_out := [name for name in found if name not in known]:
        why = f"how they say 1 to {command.upto} is not known or outside the grammar"
        out.print(f"Left out, since {why}: {', '.join(left_out)}.")
    return 0


def _all_costs(language: Language, need: Need, upto: int) -> dict[str, float | None] | None:
    system, said = language.system_under(HURFORD.name), language.expressions(HURFORD.name, upto)
    return all_costs(Said(system, said, need, upto)) if system and said else None


def _languages(command: Languages) -> tuple[Language, ...]:
    if command.file and command.beside:
        raise RequestError("--file and --beside exclude each other; give one of them.")
    if command.source == "world" or command.imported:
        found = read_languages(command.imported) if command.imported else load_languages("world")
        found = search_languages(found, family=command.family, area=command.area)
        if not found:
            raise RequestError("No language is of that family and area; families and areas are named as in Glottolog.")
        return found
    if command.beside is None:
        return read_languages(command.file) if command.file else load_languages()
    return load_languages_beside(read_languages(command.beside))


MOST_LISTED = 60
"""Languages that are listed one by one; of more, the figures over families say more."""


def _list_world(languages: Sequence[Language], command: Languages) -> int:
    """Many languages: the figures over families, the systems that occur most often, and, where they are few, all."""
    from ishango.api import survey

    with waiting("measuring the languages"):
        found = survey(languages, grammar=HURFORD.name, need=command.need, upto=command.upto, every_cost=False)
        measured = found.to_frame()
        rows = found.over_families().to_dict("records") if len(measured) else []
    if command.json:
        print_json({"languages": records(measured), "over_families": records(found.over_families()) if rows else [],
                    "not_measured": _not_measured(languages, measured)})  # fmt: skip
        return 0
    out = console()
    if len(languages) <= MOST_LISTED:
        _print_table(
            language_table(languages, Need.parse(command.need), command.upto, out.width), languages, command.upto
        )
    systems = Counter(str(each.system) if each.system else "words alone" for each in languages)
    listed = figures_table(("D | M",), ("varieties",))
    for system, count in systems.most_common(12):
        listed.add_row(system, f"{count:,}")
    out.print(listed)
    figures = figures_table(("average",), ("languages", "families", "over languages", "over families", "95 % interval"))
    for row in rows:
        interval = f"{decimals(row['low'], 3)} to {decimals(row['high'], 3)}" if row["families"] > 1 else "–"
        figures.add_row(row["figure"], f"{row['languages']:,}", str(row["families"]),
                        decimals(row["over_languages"], 3), decimals(row["over_families"], 3), interval)  # fmt: skip
    if rows:
        out.print(figures)
    if above := _above(languages, command.upto):
        compared = f"{len(measured):,} of {len(languages):,}"
        out.print(f"Compared: {compared}. With words above {command.upto}, so not compared: {len(above):,}.")
    elif len(languages) == 1:
        out.print(f"1 variety, which {'says' if len(measured) else 'does not say'} every number of the range.")
    else:
        out.print(f"{len(languages):,} varieties, {len(measured):,} of which say every number of the range.")
    out.print("Hurford's grammar; over families each family counts once, intervals are from resampling families.")
    if command.source == "world":
        out.print("Source: computed from the glosses of Numeralbank (Bibiko et al. 2025), CC-BY-4.0.")
    return 0


def _not_measured(languages: Sequence[Language], measured: pd.DataFrame) -> list[dict[str, Any]]:
    """Languages that do not say every number of the range, or that Hurford's grammar does not derive."""
    known = set(measured.get("language", ()))
    return [{"language": each.name, "glottocode": each.glottocode, "kind": each.kind, "highest": each.highest,
             "system": str(each.system) if each.system else format_terms(each.terms)}
            for each in languages if each.name not in known]  # fmt: skip


def _list_world_disagreements(json: bool) -> int:
    found, shared = disagreements()
    if json:
        rows = [{"name": each.core.name, "glottocode": each.core.glottocode, "catalogue": each.world.id,
                 "difference": each.sentence} for each in found]  # fmt: skip
        print_json({"shared": shared, "languages": rows})
        return 0
    table = figures_table(("language", "in the catalogue", "difference"), ())
    for each in found:
        table.add_row(each.core.name, each.world.id, each.sentence)
    out = console()
    out.print(table)
    out.print(f"Of {shared} languages that both have, {len(found)} differ.")
    return 0


def _export(languages: Sequence[Language], command: Languages) -> int:
    if command.format == "cldf":
        if command.out is None:
            raise RequestError("Say where the dataset goes: --format cldf --out DIRECTORY.")
        write_cldf(languages, command.out)
        console().print(f"{plural(len(languages), 'language')} in {command.out}, a CLDF StructureDataset.")
        return 0
    print(languages_csv(languages), end="")
    return 0


def explanation() -> str:
    grammars = ", ".join(f"({_letters(name)}) {GRAMMARS[name].label}" for name in PAPERS)
    return (
        "said: average complexity of what is said (–: not known; ×: in part outside the grammar or its rules); L_min:"
        " of the shortest expressions; gap: each above the proved frontier;"
        f" grammars: {grammars} (both in a terminal of {WIDE} columns, or --json)."
    )


def _letters(name: str) -> str:
    """As many letters of a grammar's name as tell it from the others."""
    others = [other for other in PAPERS if other != name]
    lengths = range(1, len(name))
    return next((name[:k] for k in lengths if not any(other.startswith(name[:k]) for other in others)), name)


def describe_language(language: Language, need: Need, upto: int) -> dict[str, Any]:
    """A language as JSON; numbers are given for every grammar."""
    system = language.system
    return {
        "name": language.name,
        "glottocode": language.glottocode,
        "family": language.family,
        "kind": language.kind,
        "base": language.base,
        "digits": list(system.digits) if system else None,
        "multipliers": list(system.multipliers) if system else None,
        "size": system.size if system else None,
        "outside": list(language.outside_numbers(upto)),
        "terms": format_terms(language.terms) if language.terms else None,
        "other_words": list(language.other_words),
        **{grammar: _costs(language, grammar, need, upto) for grammar in GRAMMARS},
        "source": language.source,
    }


def language_table(languages: Sequence[Language], need: Need, upto: int, width: int) -> Table:
    """One row a language; those without a recursive system show their words. A narrow table has one grammar."""
    wide = width >= WIDE
    grammars = PAPERS if wide else (DEFAULT_GRAMMAR.name,)
    shown = {"said": "said", "minimal": "L_min", "gap_said": "gap\nsaid", "gap_shortest": "gap\nL_min"}
    if width < MIDDLING:
        del shown["minimal"]
    figures = [f"{each} ({_letters(grammar)})" for grammar in grammars for each in shown.values()]
    table = figures_table(("language", "base", "D", "M") if wide else ("language", "D", "M"), ("size", *figures))
    for language in languages:
        base = (language.base if language.system else language.kind,) if wide else ()
        if language.system is None:
            table.add_row(language.name, *base, format_terms(language.terms))
            continue
        costs = [_costs(language, grammar, need, upto) for grammar in grammars]
        table.add_row(
            language.name,
            *base,
            spaced(language.system.digits),
            spaced(language.system.multipliers),
            str(language.system.size),
            *(_cost(language, cost[each], each, upto) for cost in costs for each in shown),
        )
    return table


def _above(languages: Sequence[Language], upto: int) -> list[str]:
    """Languages with words above the range, which no system of the frontier has: there is nothing to compare."""
    return [each.name for each in languages if each.system and each.system.words[-1] > upto]


def _print_table(table: Table, languages: Sequence[Language], upto: int, explained: bool = True) -> None:
    """The languages' table, what its columns mean, and why some have no figures."""
    console().print(table)
    if explained:
        console().print(explanation())
    if above := _above(languages, upto):
        console().print(f"Not compared, since they have words above {upto}: {', '.join(above)}.")


def _cost(language: Language, cost: float | None, of: str, upto: int) -> str:
    """A cost; what is said has none where it is not known, or outside the grammar."""
    is_outside = cost is None and "said" in of and language.outside_numbers(upto)
    return "×" if is_outside else decimals(cost, 4)


def _costs(language: Language, grammar: str, need: Need, upto: int) -> dict[str, float | None]:
    system = language.system_under(grammar)
    if system is None or system.words[-1] > upto:  # a word above the range: there is nothing to compare
        return dict.fromkeys(("size", "said", "minimal", "gap_said", "gap_shortest"))
    size, minimal, gap = measure(system, need, upto)
    said = language.average_complexity(grammar, need, upto)
    least = frontier_value(size, problem_of(grammar, need, upto))
    above = None if said is None or least is None else said - least
    return {"size": size, "said": said, "minimal": minimal, "gap_said": above, "gap_shortest": gap}


def _in_full(language: Language, need: Need, upto: int) -> dict[str, Any]:
    """A language as JSON, with what is said."""
    document = describe_language(language, need, upto)
    for grammar in GRAMMARS:
        said = language.expressions(grammar, upto)
        document[grammar]["expressions"] = {str(n): str(each) for n, each in said.items()} if said else None
    return document


def _compare(languages: Sequence[Language], need: Need, command: Languages) -> int:
    if command.json:
        print_json({"languages": [_in_full(each, need, command.upto) for each in languages]})
        return 0
    out = console()
    out.print(
        "What is said (Hurford's grammar); –: not known; ×: outside the grammar or its rules; 2-4: what a word means:"
    )
    out.print(side_by_side(languages, command.upto))
    out.print(legend(out, languages, command.upto))
    if command.upto > SHOWN:
        out.print(f"(the first {SHOWN} of {command.upto:,} numbers; --json has all)")
    _print_table(language_table(languages, need, command.upto, out.width), languages, command.upto)
    return 0


def _lacking(language: Language, reach: int, upto: int) -> Iterator[str]:
    """Which numbers are outside the grammar, and why, and which are not known."""
    outside, reasons = language.outside_numbers(upto), dict(language.outside)
    for reason in dict.fromkeys(reasons.get(number, "") for number in outside):
        numbers = tuple(number for number in outside if reasons.get(number, "") == reason)
        why = f": {format_set(numbers)}, as it {reason}" if reason else f" or its rules: {format_set(numbers)}"
        yield f"Outside the grammar{why}."
    unknown = tuple(number for number in range(reach + 1, upto + 1) if number not in outside)
    if language.system and unknown:
        yield f"How {format_set(unknown)} {'is' if len(unknown) == 1 else 'are'} said is not known."


def _show(language: Language, need: Need, command: Languages) -> int:
    if command.json:
        print_json(_in_full(language, need, command.upto))
        return 0
    out = console()
    # Under Hurford's grammar multipliers stand alone, as people say them.
    reach = min(command.upto, language.rules.reach) if language.rules else 0
    if expressions := language.expressions(HURFORD.name, reach):
        out.print("What is said (Hurford's grammar):")
        out.print(numerals_table(expressions, range(1, reach + 1), out.width))
        out.print(shade_legend(out, expressions.values()))
    for sentence in _lacking(language, reach, command.upto):
        out.print(sentence)
    _print_table(language_table((language,), need, command.upto, out.width), (language,), command.upto, explained=False)
    for heading, text in (
        ("family", language.family),
        ("glottocode", language.glottocode),
        ("words outside the grammar", ", ".join(language.other_words)),
        ("source", language.source),
    ):
        if text:
            out.print(f"{heading}: {text}")
    return 0
