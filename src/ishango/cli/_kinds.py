"""`ishango kinds`: all its commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TextIO

import tyro

from ishango import kinds
from ishango.cli import plain
from ishango.cli._evolve import FromSystem, Preset, play_one, start_in_name
from ishango.cli._live_views import Watch, view
from ishango.cli._output import (
    Lines,
    console,
    data_table,
    decimals,
    figures_table,
    plane,
    plural,
    print_json,
    ready,
    records,
    waiting,
)
from ishango.cli._parsing import SystemWords, refuse_given, system_text
from ishango.errors import RequestError
from ishango.game import PAPER
from ishango.languages import find_language
from ishango.numerals import format_set
from ishango.safe_files import write

if TYPE_CHECKING:
    import pandas as pd


def kinds_view(stream: TextIO) -> AbstractContextManager[Watch]:
    """The system of the last round, its kind and its cost, and where it was in the plane of size and length."""
    return view(stream, _figures, partial(plane, x="size", y="length", y_name="length"))


def _figures(record: Mapping[str, Any]) -> dict[str, str]:
    return {
        "D": format_set(record["digits"]),
        "M": format_set(record["multipliers"]),
        "kind": f"{record['kind']}, exact up to {record['exact_upto']}",
        "cost": f"{decimals(record['cost'], 4)} at precision {record['precision']:.3g}",
    }


# `ishango kinds describe`: one system under the law.


@dataclass(frozen=True)
class KindsDescribe:
    """Describe a system of any kind: what is said for each number, which kind that is, and what it costs.

    A number without an expression, or with one that costs too much, is said as another number near it.

    Example: ishango kinds describe "1-4,7,16" --precision 3
    """

    system: SystemWords
    """Its digits, as in 1-4,7,16, and its multipliers if it has any, as in 1-9,11 10 or "1-9,11 | 10"; or the name of
    a human language."""
    law: Annotated[kinds.Law, tyro.conf.arg(name="")]
    json: bool = False
    """Print one JSON document instead of a table."""


def run_kinds_describe(command: KindsDescribe) -> int:
    with waiting("measuring the system"):
        document = describe(_system(system_text(command.system), command.law), command.law)
    if command.json:
        print_json(document)
    else:
        _print_description(document)
    return 0


def _system(text: str, law: kinds.Law) -> kinds.OpenSystem:
    """A system that is written out, or that of a language, which need not have a word for every number."""
    if not any(letter.isalpha() for letter in text.replace("none", "")):
        return kinds.OpenSystem.parse(text, law.grammar)
    language = find_language(text)
    if language.system is None:  # words for 1, 2, ... and one for the rest, which the law has for nothing
        return kinds.OpenSystem(tuple(term.first for term in language.terms[:-1]), (), law.grammar)
    return kinds.OpenSystem(language.system.digits, language.system.multipliers, law.grammar)


def describe(system: kinds.OpenSystem, law: kinds.Law) -> dict[str, Any]:
    kind, found, best = kinds.kind_of(system, law), kinds.costs(system, law), kinds.optimum(law)
    words: dict[int, list[int]] = {}
    for number, word in enumerate(kinds.said(system, law).tolist(), start=1):
        words.setdefault(int(word), []).append(number)
    return {
        "system": str(system),
        "kind": kind.name,
        "exact_upto": kind.exact_upto,
        **asdict(found),
        "cost": found.total,
        "said": [{"said": word, "numbers": format_set(numbers)} for word, numbers in words.items()],
        "optimum": str(best.system),
        "optimum_kind": best.kind.name,
        "optimum_cost": best.costs.total,
        "optimum_proved": best.proved,
        "law": asdict(law),
    }


def _print_description(document: dict[str, Any]) -> None:
    out = console()
    table = figures_table(("numbers", "said as"), ())
    for each in document["said"]:
        table.add_row(each["numbers"], str(each["said"]))
    out.print(table)
    out.print(f"{document['kind']}, exact up to {document['exact_upto']}, {plural(document['size'], 'word')}")
    out.print(
        f"cost {decimals(document['cost'], 4)}: words {decimals(document['words_cost'], 4)}, effort"
        f" {decimals(document['effort_cost'], 4)} (mean length {decimals(document['length'], 4)}), error"
        f" {decimals(document['error_cost'], 4)} (mean error {decimals(document['error'], 4)})"
    )
    sure = "which nothing undercuts" if document["optimum_proved"] else "the best that was found"
    out.print(
        f"best under this law: {document['optimum']} ({document['optimum_kind']}), cost"
        f" {decimals(document['optimum_cost'], 4)}, {sure}"
    )


# `ishango kinds optimum`: the best system under the law.


@dataclass(frozen=True)
class KindsOptimum:
    """Find the best system of all kinds at one precision and one price of a word, and say what is proved.

    Without multipliers the optimum is exact. With them it is found by search, beside a lower bound that no system
    undercuts; where the two meet it is proved.

    Example: ishango kinds optimum --precision 10 --word 0.03
    """

    law: Annotated[kinds.Law, tyro.conf.arg(name="")]
    out: Path | None = None
    """A directory for optimum.json: the optimum with a certificate of the bound, which ishango kinds check verifies."""
    json: bool = False
    """Print one JSON document instead of text."""


def run_kinds_optimum(command: KindsOptimum) -> int:
    ready(command.out)
    with waiting("searching"):
        best = kinds.optimum(command.law)
        if command.out:
            write(command.out / kinds.CERTIFICATE, json.dumps(kinds.certificate(best)).encode() + b"\n")
    found = kinds.cell(best)
    if command.json:
        print_json({**found, "law": asdict(command.law)})
    else:
        _print_optimum(found)
    return 0


def _print_optimum(found: dict[str, Any]) -> None:
    out = console()
    out.print(f"{found['digits']} | {found['multipliers']}", style="bold")
    out.print(f"{found['kind']}, exact up to {found['exact_upto']}, {plural(found['size'], 'word')}")
    out.print(
        f"cost {decimals(found['cost'], 4)}, mean length {decimals(found['length'], 4)}, mean error"
        f" {decimals(found['error'], 4)}"
    )
    out.print("proved: no system costs less" if found["proved"] else _open(found))


def _open(found: dict[str, Any]) -> str:
    share = (found["cost"] - found["lower"]) / found["cost"]  # what costs nothing is proved
    return f"not proved: a system could cost {decimals(found['lower'], 4)} at least, {100 * share:.1f} % less"


# `ishango kinds check`: verify the certificate of an optimum.


@dataclass(frozen=True)
class KindsCheck:
    """Verify what ishango kinds optimum --out DIR wrote, with code that shares nothing with the search: that the system
    costs what it is said to, and that no system costs less than the lower bound. Exit code 0 when both hold, else 1.

    Example: ishango kinds check out/optimum
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """The directory with optimum.json."""


def run_kinds_check(command: KindsCheck) -> int:
    directory = command.directory
    if not (directory / kinds.CERTIFICATE).is_file():
        raise RequestError(
            f"There is no {kinds.CERTIFICATE} in {directory}; ishango kinds optimum --out DIR writes it."
        )
    try:
        with waiting("checking the certificate"):
            found = kinds.check_certificate(directory)
    except kinds.CertificateError as error:
        print(f"ishango: the certificate does not hold. {plain(str(error))}", file=sys.stderr)
        return 1
    console().print(
        f"The certificate holds ({plural(found.tables, 'table')}): the system costs {found.cost:.6f}, and none costs"
        f" less than {found.lower:.6f}."
    )
    if found.unknown_need is not None:
        console().print(
            f"The checker does not know the need {found.unknown_need}: this holds for the recorded weights."
        )
    return 0


# `ishango kinds evolve`: Algorithm 1 for systems of every kind.


@dataclass(frozen=True)
class KindsEvolve(FromSystem, kinds.SocietyOptions):
    """Let a system of any kind be changed word by word, and keep what is worth more to agents who use it.

    A guess is worth exp(-precision x error), a further symbol costs game.effort, a word costs word. The run lives in a
    directory: interrupted at any moment, the same command continues where it stopped, and a larger --rounds continues a
    finished run.

    Example: ishango kinds evolve --start 1,2 --precision 0.1 --precision-to 10 --out out/society
    """

    KIND = kinds.SOCIETY
    FIRST: ClassVar = (
        "system", "start", "rounds", "steps", "choose", "precision", "precision_to", "word", "seed", "preset", "out",
        "json",
    )  # fmt: skip

    preset: Preset = PAPER
    """Agents as the paper describes them, most of whom understand few numbers, or the nearest to these who can talk."""


def run_kinds_evolve(command: KindsEvolve) -> int:
    return play_one(command, _evolve_directory, kinds_view(sys.stderr))


def _evolve_directory(options: kinds.SocietyOptions) -> str:
    return f"kinds/start-{start_in_name(options.start)},{options.choose},seed-{options.seed}"


# `ishango kinds generations`: systems of every kind that are passed on.


@dataclass(frozen=True)
class KindsGenerations(FromSystem, kinds.OpenGenerationOptions):
    """Let a system of any kind be passed on: a generation knows the words that it heard, whether they suffice or not.

    Parents say the number that costs least under the law, so that a number without an expression is said as another
    near it. A generation is a round of the lab; --generations is another name of --rounds. The run lives in a
    directory: interrupted at any moment, the same command continues where it stopped, and more generations continue a
    finished run.

    Example: ishango kinds generations --start 1,2 --precision 100 --bottleneck 200 --out out/heirs
    """

    KIND = kinds.OPEN_GENERATIONS
    FIRST: ClassVar = (
        "system", "start", "rounds", "bottleneck", "lose", "invent", "precision", "effort", "seed", "out", "json",
    )  # fmt: skip


def run_kinds_generations(command: KindsGenerations) -> int:
    return play_one(command, _generations_directory, kinds_view(sys.stderr))


def _generations_directory(options: kinds.OpenGenerationOptions) -> str:
    controls = [each for each in (options.lose, options.coin) if each in ("random", "uniform")]
    parts = [
        f"generations,start-{start_in_name(options.start)}", f"precision-{options.precision:g}",
        f"bottleneck-{options.bottleneck}", *controls, f"seed-{options.seed}",
    ]  # fmt: skip
    return "kinds/" + ",".join(parts)


# `ishango kinds diagram`: the phase diagram of the law, and human languages on it.


@dataclass(frozen=True)
class KindsDiagram:
    """Find the best system of all kinds over a plane of precisions and prices of a word, and place human languages.

    Writes kinds.csv (a row a cell), languages.csv (where each human system is nearly the best) and the figure into
    a directory. Stopped at any moment, the same command goes on.

    Example: ishango kinds diagram --out out/kinds
    """

    out: Path
    """The directory."""
    law: Annotated[kinds.Law, tyro.conf.arg(name="")] = field(default_factory=kinds.Law)
    precisions: tuple[float, float] = (0.3, 300.0)
    """The least and the greatest precision."""
    words: tuple[float, float] = (0.001, 1.0)
    """The least and the greatest price of a word."""
    cells: int = 40
    """Cells a side."""
    json: bool = False
    """Print one JSON document instead of text."""


def run_kinds_diagram(command: KindsDiagram) -> int:
    refuse_given(command.law, ("precision", "word"), "means nothing to a plane; give --precisions and --words.")
    grid = kinds.Grid.spread(command.precisions, command.words, command.cells)
    ready(command.out)
    with waiting("computing the diagram"):  # a row of a long range takes its time
        cells = kinds.diagram(command.law, grid, command.out, Lines("precisions").say)
        languages = kinds.human_table(command.law, cells, progress=Lines("languages").say)
        # Drawing libraries take a second to load.
        from ishango.figures.kinds_figures import diagram_figure
        from ishango.figures.look import save, save_table

        save(diagram_figure(cells), command.out, "kinds", cells)
        save_table(languages, command.out, "languages")
    if command.json:
        print_json({"cells": records(cells), "languages": records(languages)})
    else:
        _print_diagram(cells, languages, command.out)
    return 0


def _print_diagram(cells: pd.DataFrame, languages: pd.DataFrame, out: Path) -> None:
    shares = cells["kind"].value_counts(normalize=True).rename("share").reset_index()
    console().print(data_table(shares))
    console().print(f"{100 * cells['proved'].mean():.0f} % of {len(cells):,} cells are proved; {out / 'kinds.html'}")
    near = languages["excess"] <= kinds.NEAR
    checked = languages["checked"] > 0
    console().print(
        f"{near.sum()} of {len(languages)} human systems come within {100 * kinds.NEAR:.0f} % of the best somewhere,"
        f" with {languages.loc[near, 'languages'].sum():,} of {languages['languages'].sum():,} languages; of systems of"
        f" languages checked by hand {(near & checked).sum()} of {checked.sum()}."
    )
