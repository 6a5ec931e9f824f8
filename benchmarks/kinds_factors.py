"""Does the border between the kinds move with the range and with the need? The table and the figure of docs/kinds.md.

    python -m benchmarks.kinds_factors --out DIR

For each need, range and price of a word: the least precision of a grid (eight a decade) from which on the best system
found has multipliers in use (`partly`), from which on it says every number exactly with them (`recursive`), and from
which on one of the plain systems 1..b-1 | b and 1..b-1 | b, b^2, ... costs less than every system without multipliers
(`plain`). The last is proved, since systems without multipliers are solved exactly, and it is no search: where that
takes too long it stands alone. Each need and range is kept in DIR, so that the same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ishango.figures.kinds_figures import borders_figure
from ishango.figures.save import save_chart
from ishango.kinds import Law, OpenSystem, best_of_sizes
from ishango.kinds.few_words import best_words
from ishango.kinds.law import saying_costs
from ishango.kinds.open_system import lexicons
from ishango.lab.safe_files import write

NEEDS = ("power:2", "power:1")
RANGES = (20, 50, 99)
WORDS = (0.03, 0.1, 0.3)
PRECISIONS = np.geomspace(1, 1000, 25).tolist()
SEARCHED = 99
"""Ranges up to which the search is done."""
BASES = range(2, 41)


def borders(need: str, upto: int) -> pd.DataFrame:
    """A row a price of a word."""
    law, began = Law(need=need, upto=upto), time.process_time()
    plain = _plain(law)
    masks = lexicons(plain, upto)
    sizes = np.array([system.size for system in plain])
    seen: list[dict[str, Any]] = []
    for number, precision in enumerate(PRECISIONS, start=1):
        here = replace(law, precision=precision)
        saying = saying_costs(masks, here)
        best = best_of_sizes(here, min(WORDS)) if upto <= SEARCHED else None
        for word in WORDS:
            found = best.at(word) if best else None
            seen.append(
                {
                    "word": word,
                    "precision": precision,
                    "kind": found.kind.name if found else None,
                    "system": str(found.system) if found else None,
                    "plain": float((saying + word * sizes).min()),
                }
            )
        _undercut(here, seen[-len(WORDS) :])
        print(f"{need}, 1 to {upto}: {number} of {len(PRECISIONS)} precisions", file=sys.stderr, flush=True)
    cells = pd.DataFrame(seen)
    rows = [_row(mine, word) for word, mine in cells.groupby("word")]
    seconds = round(time.process_time() - began)
    return pd.DataFrame([{"need": need, "range": upto, **row, "seconds": seconds} for row in rows])


def _undercut(law: Law, rows: list[dict[str, Any]]) -> None:
    """Whether a plain system costs less than every system without multipliers.

    One of more than k words costs the one symbol and k words at least, so that few sizes need to be looked at.
    """
    most = max(int((row["plain"] - law.effort) / row["word"]) + 1 for row in rows)
    few, _ = best_words(law, min(most, law.upto))
    for row in rows:
        row["undercut"] = row["plain"] < float((few + row["word"] * np.arange(1, len(few) + 1)).min()) - 1e-9


def _plain(law: Law) -> list[OpenSystem]:
    """1..b-1 | b, and the same with all powers of b that lie in the range."""
    found: dict[OpenSystem, None] = {}
    for base in BASES:
        powers = [base**k for k in range(1, 11) if base**k <= law.upto]
        for multipliers in (powers[:1], powers):
            if multipliers:
                found[OpenSystem(tuple(range(1, base)), tuple(multipliers), law.grammar)] = None
    return list(found)


def _row(cells: pd.DataFrame, word: float) -> dict[str, Any]:
    """The borders at one price of a word; null where there is none in the grid."""
    searched = cells["kind"].notna().all()
    used = cells["kind"].isin(["partly recursive", "recursive"])
    last = cells.iloc[-1]
    return {
        "word": word,
        "partly": _from_here_on(cells, used) if searched else None,
        "recursive": _from_here_on(cells, cells["kind"] == "recursive") if searched else None,
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
    parts.mkdir(parents=True, exist_ok=True)
    tables: list[pd.DataFrame] = []
    for upto in asked.ranges:
        for need in asked.needs:
            file = parts / f"{need.replace(':', '-')}-{upto}.csv"
            if not file.exists():
                write(file, borders(need, upto).to_csv(index=False, lineterminator="\n").encode())
            tables.append(pd.read_csv(file))
    table = pd.concat(tables, ignore_index=True)
    table.to_csv(asked.out / "kinds-factors.csv", index=False, lineterminator="\n")
    save_chart(borders_figure(table), asked.out, "kinds-factors")
    print(table.round({"partly": 1, "recursive": 1, "plain": 1}).to_string(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
