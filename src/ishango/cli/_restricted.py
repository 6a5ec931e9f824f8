"""`ishango restricted`: `describe`, `languages`, `frontier` and `bands`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import pandas as pd
import tyro

from ishango import restricted
from ishango.cli._output import console, decimals, figures_table, plural, print_json, ready, say_written, waiting
from ishango.cli._parsing import own_names, parse, parse_sizes
from ishango.errors import RequestError
from ishango.languages import Language, find_language
from ishango.numerals import HURFORD, Need, NeedSpec, check_range, minimal_language
from ishango.registry import UpTo


@dataclass(frozen=True)
class RestrictedDescribe:
    """Describe a system without recursion: its words, how complex its rules are, and what its words leave unsaid.

    Example: ishango restricted describe "1|2-4|5-"
    """

    system: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="WORDS|LANGUAGE")]
    """The extents of its words, as in 1|2-4|5-, or a language of Xu, Liu and Regier's study."""
    kind: restricted.RestrictedKind | None = None
    """What its words mean; by default exact restricted where every word but the last names one number, from 1 on."""
    upto: UpTo = 100
    """The largest number."""
    need: NeedSpec = restricted.NEED
    """How often each number is needed."""
    weber: float = restricted.WEBER
    """The Weber fraction of approximate words."""
    json: bool = False
    """Print one JSON document instead of tables."""


def run_restricted_describe(command: RestrictedDescribe) -> int:
    system, language = _system(command)
    with waiting("measuring the system"):
        document = describe(system, command.need, command.weber, language)
    if command.json:
        print_json(document)
    else:
        _print_description(document)
    return 0


def _system(command: RestrictedDescribe) -> tuple[restricted.TermSystem, restricted.StudyLanguage | None]:
    if "|" in command.system or not any(letter.isalpha() for letter in command.system):
        return restricted.TermSystem.parse(command.system, command.upto, command.kind), None
    try:
        language = restricted.find_study_language(command.system)
    except RequestError:  # not of the study, but perhaps of the tables of human languages
        other = find_language(command.system)
        _refuse_other_kind(other, command.kind)
        return restricted.words_of(other, command.upto), None
    _refuse_other_kind(language, command.kind)
    return language.system(command.upto), language


def _refuse_other_kind(language: Language | restricted.StudyLanguage, kind: str | None) -> None:
    if kind not in (None, language.kind):
        raise RequestError(f"{language.name} is {language.kind}; leave --kind out.")


def describe(
    system: restricted.TermSystem, need: str, weber: float, language: restricted.StudyLanguage | None
) -> dict[str, Any]:
    figures = restricted.describe_system(system, need, weber)
    document = {
        "range": system.upto,
        "need": str(Need.parse(need)),
        "weber": weber if system.kind == "approximate" else None,
        **figures,
        "terms": _terms(system, need, weber),
    }
    if language is not None:
        least = restricted.least_cost(language.complexity, need, system.upto, weber)
        document |= {
            "language": language.name,
            "published_complexity": language.complexity,
            "published_gap": None if least is None else figures["cost"] - least,
            "rules": language.rules,
            "source": language.source,
        }
    return document


def _terms(system: restricted.TermSystem, need: str, weber: float) -> list[dict[str, Any]]:
    weights, words = Need.parse(need).weights(system.upto), system.words
    if system.kind == "exact restricted":
        means, costs = [None] * len(words), [restricted.rest_cost(word, weights) for word in words]
    else:
        means = restricted.means(system, need, weber)
        costs = [float(restricted.word_costs(word, weights, weber).min()) for word in words]
    return [
        {"word": extent, "numbers": list(word), "mean": mean, "cost": cost}
        for extent, word, mean, cost in zip(str(system).split("|"), words, means, costs, strict=True)
    ]


def _print_description(document: dict[str, Any]) -> None:
    out = console()
    table = figures_table(("word",), ("mean", "cost"))
    for term in document["terms"]:
        table.add_row(term["word"], str(term["mean"] or "–"), decimals(term["cost"], 4))
    out.print(table)
    out.print(
        f"{document['kind']}, {plural(document['size'], 'word')} over 1 to {document['range']}, need {document['need']}"
    )
    out.print(f"complexity {plural(document['complexity'], 'node')}, cost {decimals(document['cost'], 4)} bits"
              f" ({decimals(document['gap'], 4)} above the least of its complexity)")  # fmt: skip
    if document["nearest"]:
        out.print(f"most similar human system of as many words: {document['nearest']},"
                  f" variation of information {decimals(document['variation'], 3)} bits")  # fmt: skip
    if "language" in document:
        out.print(f"{document['language']}: published complexity {document['published_complexity']}"
                  f" ({document['rules']}); source: {document['source']}")  # fmt: skip


# `ishango restricted languages`: the languages of Xu, Liu and Regier's study and what they cost.

EXPLANATION = (
    "published: the study's complexity, which counts the rules; by words: what the words alone give;"
    " gap: cost above the least of the published complexity."
)
LONGEST_LANGUAGE = 32
"""Characters of words in the table for people; JSON has all of them."""


@dataclass(frozen=True)
class RestrictedLanguages:
    """List the 30 languages of Xu, Liu and Regier (2020) with their words, complexity and communicative cost.

    Example: ishango restricted languages
    """

    upto: UpTo = 100
    """The largest number."""
    need: NeedSpec = restricted.NEED
    """How often each number is needed."""
    weber: float = restricted.WEBER
    """The Weber fraction of approximate words."""
    json: bool = False
    """Print one JSON document instead of a table."""


def run_restricted_languages(command: RestrictedLanguages) -> int:
    check_range(command.upto)
    restricted.check_frontier_range(command.upto)
    with waiting("measuring the languages"):
        rows = [
            describe_language(each, command.need, command.upto, command.weber) for each in restricted.study_languages()
        ]
    if command.json:
        print_json({"languages": rows})
        return 0
    table = figures_table(("language", "kind", "words", "rules"), ("published", "by words", "cost", "gap"))
    for row in rows:
        table.add_row(
            row["name"],
            row["kind"],
            _short(row["words"] or "–", LONGEST_LANGUAGE),
            row["rules"] or "–",
            str(row["published_complexity"]),
            str(row["complexity"] or "–"),
            decimals(row["cost"], 4),
            decimals(row["gap"], 4),
        )
    console().print(table)
    console().print(EXPLANATION)
    return 0


def describe_language(language: restricted.StudyLanguage, need: str, upto: int, weber: float) -> dict[str, Any]:
    """A language as JSON; a recursive one has no words here, costs nothing and has no gap."""
    place = language.position(need, upto, weber)
    least = None if language.recursive else restricted.least_cost(place.complexity, need, upto, weber)
    return {
        "name": language.name,
        "glottocode": language.glottocode,
        "kind": language.kind,
        "words": language.terms or None,
        "rules": language.rules or None,
        "published_complexity": language.complexity,
        "complexity": None if language.recursive else restricted.complexity(language.system(upto)),
        "cost": place.cost,
        "gap": None if least is None else max(0.0, place.cost - least),
        "source": language.source,
    }


# `ishango restricted frontier`: the best and the worst system of each number of words.

LONGEST = 40
"""Characters of a system in a table for people; JSON has all of it."""


@dataclass(frozen=True)
class RestrictedFrontier:
    """Find the least and the greatest communicative cost of each number of words, over all systems of intervals.

    Exact restricted systems are determined by their number of words; for approximate ones dynamic programming over
    all partitions of the range into intervals finds the optimum, so it is exact.

    Example: ishango restricted frontier --sizes 2-10
    """

    kind: Literal["both", "approximate", "exact restricted"] = "both"
    """Which frontier."""
    sizes: str = "2-10"
    """Numbers of words, such as 2-10 or 3,5."""
    need: NeedSpec = restricted.NEED
    """How often each number is needed."""
    upto: UpTo = 100
    """The largest number."""
    weber: float = restricted.WEBER
    """The Weber fraction of approximate words."""
    figures: Path | None = None
    """Also write the plane with both frontiers and human languages into this directory."""
    json: bool = False
    """Print one JSON document instead of tables."""


def run_restricted_frontier(command: RestrictedFrontier) -> int:
    check_range(command.upto)
    sizes = parse_sizes(command.sizes)
    ready(command.figures)
    kinds = restricted.KINDS if command.kind == "both" else (command.kind,)
    with waiting("searching the frontiers"):
        points = [
            restricted.point_record(point)
            for kind in kinds
            for point in restricted.restricted_frontier(kind, sizes, command.need, command.upto, command.weber)
        ]
        if command.figures:
            write_plane(command)
            say_written(command.figures)
    if command.json:
        problem = {"range": command.upto, "need": str(Need.parse(command.need)), "weber": command.weber}
        print_json({"problem": problem, "points": points})
    else:
        _print_frontier(points)
    return 0


def write_plane(command: RestrictedFrontier) -> None:
    """Both frontiers whole, whatever sizes are listed: they are one picture."""
    # Drawing libraries take a second to load, and most calls draw nothing.
    from ishango.figures.kinds_figures import restricted_plane_figure
    from ishango.figures.look import save
    from ishango.restricted import restricted_frontier_table, restricted_language_table

    assert command.figures is not None
    table = restricted_frontier_table(need=command.need, upto=command.upto, weber=command.weber)
    languages = restricted_language_table(need=command.need, upto=command.upto, weber=command.weber)
    save(restricted_plane_figure(table, languages), command.figures, "restricted-plane", table)


def _print_frontier(points: list[dict[str, Any]]) -> None:
    table = figures_table(("kind", "best", "worst"), ("words", "complexity", "least cost", "greatest cost"))
    for point in points:
        table.add_row(
            point["kind"],
            _short(point["system"], LONGEST),
            _short(point["worst"], LONGEST),
            str(point["size"]),
            str(point["complexity"]),
            decimals(point["cost"], 4),
            decimals(point["worst_cost"], 4),
        )
    console().print(table)


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


# `ishango restricted bands`: systems of all kinds side by side, as a figure.


@dataclass(frozen=True)
class RestrictedBands:
    """Draw numeral systems as coloured bands over the numbers: which words each number is said with.

    Example: ishango restricted bands Chiquitano "Awa Pit" English --out out/figures
    """

    systems: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="WORDS|LANGUAGE ...")]
    """Languages, or extents of words as in 1|2-4|5-."""
    out: Annotated[Path, tyro.conf.arg(metavar="DIR")]
    """The directory for the figure and the table behind it."""
    upto: UpTo = 25
    """The largest number to draw."""

    @classmethod
    def read(cls, name: str, arguments: list[str]) -> Self:
        return parse(cls, name, own_names(arguments, {"last": "range"}))


def run_restricted_bands(command: RestrictedBands) -> int:
    check_range(command.upto)
    if not command.systems:
        raise RequestError("There is nothing to draw; name languages or give extents of words as in 1|2-4|5-.")
    bands = [_bands(name, command.upto) for name in command.systems]
    _check_once([str(each["system"].iloc[0]) for each in bands])
    table = pd.concat(bands, ignore_index=True)
    ready(command.out)
    with waiting("drawing"):
        # Drawing libraries take a second to load, and a wrong request should be told at once.
        from ishango.figures.kinds_figures import bands_figure
        from ishango.figures.look import save

        paths = save(bands_figure(table), command.out, "bands", table)
    for path in paths:
        print(path)
    return 0


def _check_once(names: list[str]) -> None:
    """Refuse a system that is there twice, under one spelling or two: its bands would lie on one another."""
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise RequestError(f"{twice[0]} is given twice; name each system once.")


def _bands(name: str, last: int) -> pd.DataFrame:
    if "|" in name or not any(letter.isalpha() for letter in name):
        return restricted.term_bands(name, restricted.TermSystem.parse(name, max(last, 100)), last)
    try:
        language = restricted.find_study_language(name)
        if not language.recursive:
            return restricted.term_bands(language.name, language.system(max(last, 100)), last)
        name = language.name
    except RequestError:
        pass  # not of the study, but perhaps of the larger table of recursive languages
    return _recursive_bands(name, last)


def _recursive_bands(name: str, last: int) -> pd.DataFrame:
    """What is said, or what would be shortest where that is not known."""
    language = find_language(name)
    system = language.system_under(HURFORD.name)
    if system is None:
        return restricted.term_bands(language.name, restricted.words_of(language, max(last, 100)), last)
    said = language.expressions(HURFORD.name, last)
    if said is None:
        said = minimal_language(system, max(last, system.words[-1])).expressions
    return restricted.expression_bands(language.name, said, last)
