"""Compute the claims and draw the figures of `frontier.md`: python -m benchmarks.frontier_claims DIRECTORY."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from ishango.figures.frontier import frontier_figure, genetic_figure, minimal_languages_figure, multipliers_figure
from ishango.figures.save import save
from ishango.frontier import Point, Problem, Settings, frontier
from ishango.frontier.tables import TABLE_4, frontier_table, genetic_table, minimal_table, regularity
from ishango.languages import load_languages
from ishango.numerals import GRAMMARS, average_complexity, format_set

SIZES = range(2, 26)
CAPPED = range(2, 17)
"""With at most 5 multipliers the sizes from 17 to 24 take minutes to hours each."""
NAMED = ("English", "French", "Kunama", "Mixtec")
SEEDS = range(10)


def main(directory: Path) -> None:
    modified, hurford = (list(frontier(Problem(grammar), SIZES, every=True)) for grammar in GRAMMARS)
    overlap = list(frontier(Problem(overlap=True), SIZES, every=True))
    capped = list(frontier(Problem("hurford", max_multipliers=5), CAPPED, every=True))
    print_claims(modified, hurford, overlap, capped)
    draw_frontier(directory, modified, hurford)
    draw_multipliers(directory, modified, overlap, hurford, capped)
    draw_genetic(directory, modified, hurford, capped)
    draw_table_4(directory, hurford)


def print_claims(modified: list[Point], hurford: list[Point], overlap: list[Point], capped: list[Point]) -> None:
    several = [p.size for p in modified if any(o.most_multipliers > 1 for o in p.optima)]
    print(f"modified, disjoint, sizes 2-25: optima with more than one multiplier at sizes {several or 'none'}")
    for point in modified:
        if len(point.optima) > 1 or point.size in several:
            print(f"    size {point.size}: {' ; '.join(str(o.system) for o in point.optima)}")
    one = [p.size for p in overlap if any(len(o.system.multipliers) == 1 for o in p.optima)]
    print(f"modified, overlap, sizes 2-25: optima with one multiplier at sizes {format_set(one)}")
    for name, points in (("Hurford", hurford), ("Hurford, at most 5", capped)):
        spans = [(p.size, min(o.fewest_multipliers for o in p.optima), p.optima[0].most_multipliers) for p in points]
        print(f"{name}: size fewest-most |M| " + " ".join(f"{s}:{low}-{high}" for s, low, high in spans))


def language_points() -> pd.DataFrame:
    rows = []
    for grammar in GRAMMARS:
        for language in load_languages():
            system = language.system_under(grammar)
            average = None if system is None else average_complexity(system)
            if system is not None and average is not None:
                rows.append((grammar, system.size, average, language.name, len(system.multipliers)))
    table = pd.DataFrame(rows, columns=["grammar", "size", "average_complexity", "name", "multipliers"])
    grouped = table.groupby(["grammar", "size", "average_complexity"], as_index=False)
    counted = grouped.agg(languages=("name", "count"), names=("name", ", ".join), multipliers=("multipliers", "first"))
    counted["label"] = counted["names"].map(
        lambda names: next((n for n in NAMED if any(each.startswith(n) for each in names.split(", "))), "")
    )
    return counted


def draw_frontier(directory: Path, modified: list[Point], hurford: list[Point]) -> None:
    table = pd.concat(frontier_table(Problem(g), p) for g, p in zip(GRAMMARS, (modified, hurford), strict=True))
    languages = language_points()
    data = pd.concat([table.assign(kind="frontier"), languages.assign(kind="languages")])
    save(frontier_figure(table, languages), directory, "frontier", data)


def draw_multipliers(
    directory: Path, modified: list[Point], overlap: list[Point], hurford: list[Point], capped: list[Point]
) -> None:
    series = {"modified": modified, "modified, overlap": overlap, "Hurford": hurford, "Hurford, at most 5": capped}
    problem = Problem()
    table = pd.concat(frontier_table(problem, points).assign(series=name) for name, points in series.items())
    languages = (
        language_points().query("grammar == 'hurford'").groupby("multipliers", as_index=False)["languages"].sum()
    )
    data = pd.concat([table.drop(columns="grammar"), languages.assign(series="human languages")])
    save(multipliers_figure(table, languages), directory, "multipliers", data)


def draw_genetic(directory: Path, modified: list[Point], hurford: list[Point], capped: list[Point]) -> None:
    searches = {
        "modified": (Problem(), modified),
        "Hurford": (Problem("hurford"), hurford),
        "Hurford, at most 5 multipliers": (Problem("hurford", max_multipliers=5), capped),
    }
    table = pd.concat(
        genetic_table(problem, points, SEEDS, Settings()).assign(search=name)
        for name, (problem, points) in searches.items()
    )
    for name, rows in table.groupby("search", sort=False):
        print(
            f"genetic, {name}: median above "
            + " ".join(f"{r.size_}:{r.above:.4f}" for r in rows.rename(columns={"size": "size_"}).itertuples())
        )
    save(genetic_figure(table), directory, "genetic", table)


def draw_table_4(directory: Path, hurford: list[Point]) -> None:
    best = next(point.system for point in hurford if point.size == 12)
    systems = {**TABLE_4, "Hurford (proved)": best}
    table = minimal_table(systems)
    for name, system in systems.items():
        averages = "  ".join(f"{g} {average_complexity(system.with_grammar(g)):.6f}" for g in GRAMMARS)
        print(f"{name:20} {system!s:32} {averages}")
    print(regularity(table).to_string(index=False))
    save(minimal_languages_figure(table), directory, "size-twelve", table)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
