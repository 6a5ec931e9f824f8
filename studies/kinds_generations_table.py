"""Which kinds generations come to where words that are not heard are lost: table and figure of docs/kinds.md.

    ishango sweep kinds-generations --out RUNS
    python -m studies.kinds_generations_table RUNS --out DIR

The last 50 generations of each chain count. Their excess is what saying costs above the best system of the same size
that is known at the precision, whatever its kind: a gap for all kinds. Runs that are not done are left out.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ishango.analysis.comparable import without_copies
from ishango.figures.kinds_figures import generations_figure
from ishango.figures.look import save_chart
from ishango.kinds import KINDS, Law
from ishango.kinds._optimum import best_of_sizes
from ishango.lab import RunView, find_runs, rounds_table
from ishango.numerals import format_set
from studies.generations_table import interval, shown

LAST = 50
PIRAHA = "1,2"
PRICES = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3)
"""Of a word, at which the best systems of each size are looked for."""
NEUTRAL = "neutral: lost and coined at random"


def hearing_of(row: pd.Series) -> str:
    """What a chain hears, in words."""
    if row["lose"] == "random":
        return NEUTRAL
    rises = pd.notna(row.get("precision_to"))
    return f"{row['bottleneck']} heard" + (f", precision rises to {row['precision_to']:g}" if rises else "")


def with_excess(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds with what saying costs above the best system of the same size."""
    parts: list[pd.DataFrame] = []
    for precision, mine in rounds.groupby("precision_now"):
        best = best_of_sizes(Law(precision=float(str(precision))), PRICES).found
        saying = mine["cost"] - mine["word"] * mine["size"]
        at = np.minimum(mine["size"], len(best)) - 1
        parts.append(mine.assign(excess=saying - best[at]))
    return pd.concat(parts)


def cells_table(rounds: pd.DataFrame) -> pd.DataFrame:
    """A row for each bottleneck and precision: shares of kinds among the last generations, and means of chains."""
    rows: list[dict[str, Any]] = []
    for (hearing, precision), mine in rounds.groupby(["hearing", "precision"], sort=False):
        chains = mine.groupby("seed")[["size", "excess"]].mean()  # both starts of a seed become one chain
        shares = {kind: f"{(mine['kind'] == kind).mean():.0%}" for kind in reversed(KINDS)}
        rows.append(
            {
                "hearing": hearing,
                "precision": f"{precision:g}",
                **shares,
                "exact up to": f"{mine['exact_upto'].median():g}",
                "size": interval(chains["size"]),
                "excess": interval(chains["excess"]),
                "the commonest": f"`{mine['system'].mode().iloc[0]}`",
            }
        )
    return pd.DataFrame(rows)


def crossings_table(rounds: pd.DataFrame) -> pd.DataFrame:
    """A row for each bottleneck, a column for each precision: chains that begin as `1,2` and are recursive in most of
    their last generations, and the median generation that was the first to be."""
    rows: list[dict[str, str]] = []
    for hearing, mine in rounds[rounds["start"] == PIRAHA].groupby("hearing", sort=False):
        row = {"from `1,2`": str(hearing)}
        for precision, here in mine.groupby("precision"):
            last = here[here["round"] > here["round"].max() - LAST]
            stays = last.groupby("run")["kind"].agg(lambda kinds: (kinds == "recursive").mean() > 0.5)
            first = here[here["kind"] == "recursive"].groupby("run")["round"].min()
            when = f", from {first.median():.0f} on" if len(first) else ""
            row[f"precision {precision:g}"] = f"{int(stays.sum())} of {len(stays)}{when}"
        rows.append(row)
    return pd.DataFrame(rows)


def main() -> int:
    """Read, count, draw, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", type=Path, help="the directory of the sweep")
    parser.add_argument("--out", type=Path, default=Path("out/kinds-generations"))
    asked = parser.parse_args()
    views = [RunView(path) for path in find_runs(asked.runs)]
    done = [view.directory for view in views if view.state == "done"]
    if not done:
        sys.exit(f"No runs are done in {asked.runs}; play them with ishango sweep kinds-generations --out DIR.")
    rounds = prepared(without_copies(rounds_table(done))[0])
    last = with_excess(rounds[rounds["round"] > rounds["round"].max() - LAST])
    cells = cells_table(last.sort_values(["order", "precision"], kind="stable"))
    print(shown(crossings_table(rounds)), shown(cells), sep="\n\n")
    print(f"\n{len(done)} runs; {len(views) - len(done)} that are not done are left out.")
    counts = last.groupby(["order", "hearing", "precision", "kind"]).size()
    shares = (counts / counts.groupby(level=[0, 1, 2]).transform("sum")).rename("share").reset_index()
    asked.out.mkdir(parents=True, exist_ok=True)
    cells.to_csv(asked.out / "kinds-generations.csv", index=False)
    save_chart(generations_figure(shares.drop(columns="order")), asked.out, "kinds-generations")
    return 0


def prepared(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds with what the tables are by: the precision with which a chain begins, and that of the round."""
    sets = zip(rounds["digits"], rounds["multipliers"], strict=True)
    order = rounds["lose"].eq("random") * 10**9 + rounds["precision_to"].notna() * 10**8
    return rounds.assign(
        system=[f"{format_set(digits)} | {format_set(multipliers)}" for digits, multipliers in sets],
        hearing=rounds.apply(hearing_of, axis=1),
        order=order + rounds["bottleneck"].astype(int),
        precision_now=rounds["precision"],
        precision=rounds["config.precision"],
    ).sort_values("order", kind="stable")


if __name__ == "__main__":
    sys.exit(main())
