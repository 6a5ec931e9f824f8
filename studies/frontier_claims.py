"""Compute the claims and draw the figures of `frontier.md`: python -m studies.frontier_claims DIRECTORY."""

from __future__ import annotations

import sys
from pathlib import Path

from ishango.figures.look import save_chart
from ishango.frontiers import FrontierPoint
from ishango.numerals import format_set
from ishango.report import FULL
from ishango.report import _data as systems
from ishango.report._data import Tables, write_tables
from ishango.report._sections import FIGURES

DRAWN = ("frontier", "multipliers", "genetic", "size-twelve")


def main(directory: Path) -> None:
    proved = systems.frontiers(FULL.capped)
    tables = {
        "frontier": systems.frontiers_table(proved),
        "languages": systems.languages_table(),
        "genetic": systems.estimates_table(proved, FULL),
        **systems.size_twelve(proved),
    }
    print_multipliers(*(points for _, points in proved.values()))
    print_others(tables)
    write_tables(tables, directory)
    for name in DRAWN:
        save_chart(FIGURES[name].chart(tables), directory, name)


def print_multipliers(
    modified: list[FrontierPoint],
    overlap: list[FrontierPoint],
    hurford: list[FrontierPoint],
    capped: list[FrontierPoint],
) -> None:
    several = [p.size for p in modified if any(o.most_multipliers > 1 for o in p.optima)]
    print(f"modified, disjoint: optima with more than one multiplier at sizes {several or 'none'}")
    for point in modified:
        if len(point.optima) > 1 or point.size in several:
            print(f"    size {point.size}: {' ; '.join(str(o.system) for o in point.optima)}")
    one = [p.size for p in overlap if any(len(o.system.multipliers) == 1 for o in p.optima)]
    print(f"modified, overlap: optima with one multiplier at sizes {format_set(one)}")
    for name, points in (("Hurford", hurford), ("Hurford, at most 5", capped)):
        spans = [(p.size, min(o.fewest_multipliers for o in p.optima), p.optima[0].most_multipliers) for p in points]
        print(f"{name}: size fewest-most |M| " + " ".join(f"{s}:{low}-{high}" for s, low, high in spans))


def print_others(tables: Tables) -> None:
    for name, rows in tables["genetic"].groupby("search", sort=False):
        medians = (f"{size}:{above:.4f}" for size, above in zip(rows["size"], rows["above"], strict=True))
        print(f"genetic, {name}: median above {' '.join(medians)}")
    print(tables["table4"].drop(columns=["grammar", "size", "average_complexity"]).to_string(index=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
