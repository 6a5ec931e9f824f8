"""Does the border between the kinds move with the range and with the need? For docs/studies/kinds.md.

    python -m studies.kinds_factors --out DIR

For each need, range and price of a word: the least precision of a grid (eight a decade) from which on the best system
found has multipliers in use (`partly`), from which on it says every number exactly with them (`recursive`), and from
which on one of the plain systems 1..b-1 | b and 1..b-1 | b, b^2, ... costs less than every system without multipliers
(`plain`). The last is proved, since systems without multipliers are solved exactly. Each precision is kept in DIR, so
that the same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ishango.figures.look import save_chart
from ishango.kinds import Law, OpenSystem, costs, kind_of
from ishango.kinds._law import lexicons, saying_costs
from ishango.kinds._optimum import best_of_sizes, plain_systems
from ishango.safe_files import write
from studies.figures import borders_figure

NEEDS = ("power:2", "power:1")
RANGES = (20, 50, 99, 999)
WORDS = (0.03, 0.1, 0.3)
PRECISIONS = np.geomspace(1, 10_000, 33).tolist()


def borders(need: str, upto: int, parts: Path) -> pd.DataFrame:
    """A row a price of a word."""
    parts.mkdir(parents=True, exist_ok=True)
    seen: list[dict[str, Any]] = []
    for number, precision in enumerate(PRECISIONS):
        file = parts / f"{number:02}.json"
        if not file.exists():
            before = [OpenSystem.parse(row["system"]) for row in seen[-len(WORDS) :]]
            write(file, json.dumps(_cells(Law(precision, need=need, upto=upto), before)).encode())
            print(f"{need}, 1 to {upto}: {number + 1} of {len(PRECISIONS)} precisions", file=sys.stderr, flush=True)
        seen += json.loads(file.read_bytes())
    cells = pd.DataFrame(seen)
    rows = [_row(mine, word) for word, mine in cells.groupby("word")]
    seconds = round(cells["seconds"].sum())
    return pd.DataFrame([{"need": need, "range": upto, **row, "seconds": seconds} for row in rows])


def _cells(law: Law, before: list[OpenSystem]) -> list[dict[str, Any]]:
    """The best system at one precision and each price of a word; the search begins from the last precision's, too."""
    began = time.process_time()
    best, plain = best_of_sizes(law, WORDS, before), plain_systems(law)
    saying, sizes = saying_costs(lexicons(plain, law.upto), law), np.array([system.size for system in plain])
    few = np.arange(1, len(best.best.exact) + 1)
    found: list[dict[str, Any]] = []
    for word in WORDS:
        system, here = best.system(word), replace(law, word=word)
        found.append(
            {
                "word": word,
                "precision": law.precision,
                "kind": kind_of(system, here).name,
                "system": str(system),
                "cost": costs(system, here).total,
                "undercut": bool((saying + word * sizes).min() < (best.best.exact + word * few).min() - 1e-9),
            }
        )
    seconds = (time.process_time() - began) / len(WORDS)
    return [{**each, "seconds": seconds} for each in found]


def _row(cells: pd.DataFrame, word: float) -> dict[str, Any]:
    """The borders at one price of a word; null where there is none in the grid."""
    used = cells["kind"].isin(["partly recursive", "recursive"])
    last = cells.iloc[-1]
    return {
        "word": word,
        "partly": _from_here_on(cells, used),
        "recursive": _from_here_on(cells, cells["kind"] == "recursive"),
        "plain": _from_here_on(cells, cells["undercut"]),
        "best_at_the_end": last["system"],
    }


def _from_here_on(cells: pd.DataFrame, holds: pd.Series) -> float | None:
    """The least precision from which on it holds to the end of the grid."""
    without = np.flatnonzero(~holds.to_numpy(bool))
    first = int(without[-1]) + 1 if len(without) else 0
    return float(cells["precision"].iloc[first]) if first < len(cells) else None


def main() -> int:
    """Compute what is not there yet, write, draw, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out/kinds-factors"))
    parser.add_argument("--ranges", type=int, nargs="+", default=RANGES, help=f"ranges (default: {RANGES})")
    parser.add_argument("--needs", nargs="+", default=NEEDS, help=f"needs (default: {NEEDS})")
    asked = parser.parse_args()
    parts = asked.out / "parts"
    tables: list[pd.DataFrame] = []
    for upto in asked.ranges:
        for need in asked.needs:
            tables.append(borders(need, upto, parts / f"{need.replace(':', '-')}-{upto}"))
    table = pd.concat(tables, ignore_index=True)
    table.to_csv(asked.out / "kinds-factors.csv", index=False, lineterminator="\n")
    save_chart(borders_figure(table), asked.out, "kinds-factors")
    print(table.round({"partly": 1, "recursive": 1, "plain": 1}).to_string(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
