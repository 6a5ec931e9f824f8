"""How far apart cells of the study of pressures end: the differences that docs/studies/pressures.md quotes.

    python -m studies.pressures_contrasts      # writes docs/studies/pressures_contrasts.csv, a row a pair of cells

Final gaps are compared start by start, with a permutation test (of whole seeds, where starts share their random
numbers) and the differences that it does not reject (`ishango.analysis.statistics`), from `pressures-runs.csv`, which
comes with the package. Cells are compared that have played as many rounds. With runs of one's own
`ishango selection DIR --against FIELD=VALUE ...` compares any two.
"""

from __future__ import annotations

import argparse
import sys
from itertools import combinations
from pathlib import Path

import pandas as pd

from ishango.analysis.comparable import under_start
from ishango.analysis.statistics import contrast, holm
from ishango.report._data import shipped_tables
from ishango.safe_files import write

OUT = Path("docs/studies/pressures_contrasts.csv")


def rounds_of(cell: str) -> str:
    """What a cell's name tells of its rounds, if they are not the usual hundred."""
    return next((part for part in cell.split(", ") if part.endswith(" rounds")), "")


def gaps_of(runs: pd.DataFrame) -> pd.Series:
    """The gaps of a cell's runs, each under its start and unit; a run is the one of its start and seed."""
    return under_start(runs.assign(run=runs["start"].astype(str) + " " + runs["seed"].astype(str)), runs["gap"])


def contrasts(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a pair of cells: by how much the first, which ends farther from the frontier, ends farther."""
    gaps = {str(cell): gaps_of(played) for cell, played in runs.groupby("cell")}
    rows: list[dict[str, object]] = []
    for pair in combinations(gaps, 2):
        if rounds_of(pair[0]) == rounds_of(pair[1]):
            farther, nearer = sorted(pair, key=lambda cell: -gaps[cell].groupby(level=0).mean().mean())
            rows.append({"cell": farther, "against": nearer, **contrast(gaps[farther], gaps[nearer])._asdict()})
    table = pd.DataFrame(rows).sort_values(["cell", "against"])
    return table.assign(p_holm=holm(table["p"].to_numpy(float)))


def main() -> int:
    """Read, compare, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, help=f"where the table goes (default: {OUT})")
    asked = parser.parse_args()
    found = contrasts(shipped_tables()["pressures-runs"]).round(4)
    write(asked.out, found.to_csv(index=False, lineterminator="\n").encode(), goes_on=False)
    print(found.to_string(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
