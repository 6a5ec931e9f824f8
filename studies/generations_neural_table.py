"""What agents add to a language that is passed on: tables and figure of docs/studies/generations.md on neural learners.

    ishango sweep generations-neural --out DIR
    python -m studies.generations_neural_table DIR

A cell is a bottleneck and who learns how; a run counts with the means of its last 30 generations. Beside agents, who
hold a contest over every word that is coined, stand three controls of ideal learners from the same starts, played here
in seconds: every word is kept; a coin keeps as large a share of words as agents do in the same cell; and drift, where
words are lost and coined at random. Cells that are not played to their end are left out, and said so.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.analysis.comparable import SHARED, under_start, without_copies
from ishango.analysis.selection import pooled_strength
from ishango.analysis.statistics import contrast
from ishango.figures.look import save_chart
from ishango.generations import GenerationOptions
from ishango.lab import RunView, find_runs, rounds_table
from ishango.languages import likeness
from ishango.numerals import NumeralSystem
from studies.chains import Cell, chains_table
from studies.figures import learners_figure

LAST, SEEDS = 30, range(50)
"""Generations of a run that count, and chains of ideal learners from each start."""
STARTS = tuple("12345678")
HUMAN_SIZES = (10, 15)
PLAIN = "agents judge"
KEPT, COIN, DRIFT = "every word kept", "a coin keeps as many", "drift"
AGENTS = {
    (1000, 0.0, "bandit"): PLAIN,
    (0, 0.0, "bandit"): "agents judge, who imitate nobody",
    (1000, 0.05, "bandit"): "agents judge, symbols cost",
    (1000, 0.0, "none"): "agents, nobody judges",
}
"""Cells of agents by imitation, effort and contest."""
MEASURES = {
    "gap": "gap", "size": "size", "n_multipliers": "multipliers", "accuracy_greedy": "understood",
    "accuracy_learnt": "understood_learnt", "agreement": "agreement", "topographic_similarity": "similarity",
    "regularity": "regularity",
}  # fmt: skip


def read(directory: Path) -> tuple[pd.DataFrame, int]:
    """All rounds of the runs that are done, with their cell, and how many are not."""
    views = [RunView(path) for path in find_runs(directory)]
    done = [view.directory for view in views if view.state == "done"]
    rounds, _ = without_copies(rounds_table(done))
    keys = zip(rounds["imitation"], rounds["game.effort"].fillna(0.0), rounds["contest"], strict=True)
    multipliers = rounds["multipliers"].map(len)
    named = rounds.assign(cell=[AGENTS[key] for key in keys], n_multipliers=multipliers, start=rounds["start"].map(str))
    return named.assign(bottleneck=named["bottleneck"].map(str)), len(views) - len(done)


def runs_table(rounds: pd.DataFrame) -> pd.DataFrame:
    """A row a run of agents: the means of its last generations, and the words kept of those that were coined."""
    keys = ["cell", "bottleneck", "start", "seed"]
    late = rounds[rounds["round"] > rounds.groupby("run")["round"].transform("max") - LAST]
    found = late.groupby(keys, sort=False)[list(MEASURES)].mean().rename(columns=MEASURES)
    judged = rounds.dropna(subset="accepted").groupby(keys)["accepted"]
    last = rounds.sort_values("round").groupby(keys, sort=False).tail(1).set_index(keys)
    distance = [
        likeness(digits, multipliers, "core").distance
        for digits, multipliers in zip(last["digits"], last["multipliers"], strict=True)
    ]
    found = found.join(judged.agg(contests="size", kept=lambda kept: kept.astype(float).mean()))
    told = pd.DataFrame({"distance": distance, "run": last["run"], "streams": last.get("streams", SHARED)}, last.index)
    return found.join(told).reset_index().assign(kind="agents")


def controls_table(bottleneck: str, shares: dict[str, float], streams: str) -> pd.DataFrame:
    """A row a chain of ideal learners: every word kept, a coin for each cell of agents, and drift.

    Their random numbers come as those of the agents' runs do, or units could not be shuffled between the two.
    """
    usual = GenerationOptions(rounds=80, bottleneck=bottleneck, streams=streams)
    cells = [Cell(KEPT, usual), Cell(DRIFT, replace(usual, lose="random", coin="uniform"))]
    cells += [Cell(f"{COIN}: {name}", replace(usual, invent=usual.invent * kept)) for name, kept in shares.items()]
    rows = chains_table(cells, STARTS, SEEDS, last=LAST)
    keys = ["cell", "start", "seed"]
    found = rows.groupby(keys, sort=False)[["gap", "size", "n_multipliers"]].mean()
    systems = rows.groupby(keys, sort=False)["system"].last().map(NumeralSystem.parse)
    distance = systems.map(lambda system: likeness(system.digits, system.multipliers, "core").distance)
    found = found.rename(columns=MEASURES).assign(distance=distance, bottleneck=bottleneck)
    found = found.reset_index().assign(kind="ideal learners", streams=usual.streams)
    return found.assign(run=found["cell"] + " " + found["start"] + " " + found["seed"].astype(str))


def cell_row(cell: str, bottleneck: str, runs: pd.DataFrame, rounds: pd.DataFrame) -> dict[str, Any]:
    """A cell's medians, and its contrasts with the controls of the same bottleneck."""
    here = runs[runs["bottleneck"] == bottleneck]
    mine = here[here["cell"] == cell]
    row: dict[str, Any] = {"cell": cell, "bottleneck": bottleneck, "kind": mine["kind"].iloc[0], "runs": len(mine)}
    for name in ("gap", "size"):
        row |= {f"{name}_low": mine[name].quantile(0.25), name: mine[name].median(),
                f"{name}_high": mine[name].quantile(0.75)}  # fmt: skip
    row |= {name: mine[name].median() for name in [*MEASURES.values(), "distance"] if name not in row}
    row["human_size"] = mine["size"].between(*HUMAN_SIZES).mean()
    if row["kind"] == "agents":
        others = {"drift": DRIFT, "kept": KEPT, "coin": f"{COIN}: {cell}", "plain": PLAIN}
        for against, other in others.items():
            theirs = here[here["cell"] == other]
            for name in ("gap", "size"):
                if len(theirs) and other != cell:
                    found = contrast(*(under_start(runs, runs[name]) for runs in (mine, theirs)))
                    row |= {f"{name}_{against}{key}": value for key, value in zip(
                        ("", "_low", "_high", "_p", "_within"), found, strict=True)}  # fmt: skip
        row |= judged(rounds[(rounds["cell"] == cell) & (rounds["bottleneck"] == bottleneck)])
    return row


def judged(rounds: pd.DataFrame) -> dict[str, float]:
    """Whether agents keep coined words that shorten more rather than others."""
    if rounds["accepted"].isna().all():
        return {}
    found = pooled_strength(rounds)
    kept = rounds["accepted"].dropna().astype(float)
    return {"contests": len(kept), "kept": kept.mean(), "shorter": found.strength, "shorter_low": found.low,
            "shorter_high": found.high}  # fmt: skip


def told(cells: pd.DataFrame) -> str:
    """The table of the docs."""
    lines = ["| heard | who | gap (quartiles) | words | multipliers | coined words kept | shorter preferred |"]
    lines.append("|---|---|---|---|---|---|---|")
    for row in cells.itertuples():
        gap = f"{row.gap:.3f} ({row.gap_low:.3f} to {row.gap_high:.3f})"
        kept = "" if row.kept != row.kept else f"{row.kept:.0%}".replace("%", " %")
        strength = "" if row.shorter != row.shorter else f"{row.shorter:.1f}"
        if row.shorter_low == row.shorter_low:
            strength += f" ({row.shorter_low:.1f} to {row.shorter_high:.1f})"
        heard = row.bottleneck if row.bottleneck == "all" else f"{int(row.bottleneck):,}"
        lines.append(f"| {heard} | {row.cell} | {gap} | {row.size:.1f} | {row.multipliers:.1f} | {kept} | {strength} |")
    return "\n".join(lines)


def main() -> int:
    """Read, play the controls, compute, write, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directory", type=Path, help="the study's runs")
    parser.add_argument("--out", type=Path, default=Path("docs/figures"), help="where tables and figure go")
    parser.add_argument("--least", type=int, default=24, help="runs below which a cell is left out (default: 24)")
    asked = parser.parse_args()
    rounds, missing = read(asked.directory)
    runs = runs_table(rounds)
    enough = runs.groupby(["cell", "bottleneck"])["seed"].transform("size") >= asked.least
    left, runs = int((~enough).sum()), runs[enough]
    tables = [runs]
    for bottleneck, here in runs.groupby("bottleneck", sort=False):
        shares = here.groupby("cell")["kept"].mean().dropna().to_dict()
        tables.append(controls_table(str(bottleneck), shares, here["streams"].fillna(SHARED).iloc[0]))
    runs = pd.concat(tables, ignore_index=True)
    pairs = runs[["cell", "bottleneck"]].drop_duplicates()
    cells = pd.DataFrame([cell_row(cell, str(b), runs, rounds) for cell, b in pairs.itertuples(index=False)])
    cells = cells.replace([float("inf"), float("-inf")], float("nan"))  # where too few units leave no interval
    order = ["50", "200", "1000", "all"]
    cells = cells.sort_values("bottleneck", key=lambda b: b.map(order.index), kind="stable")
    asked.out.mkdir(parents=True, exist_ok=True)
    cells.round(4).to_csv(asked.out / "generations-neural.csv", index=False, lineterminator="\n")
    agents = runs[runs["kind"] == "agents"]
    agents.round(4).to_csv(asked.out / "generations-neural-runs.csv", index=False, lineterminator="\n")
    save_chart(learners_figure(cells, agents), asked.out, "generations-neural")
    print(told(cells))
    contrasts = [name for name in cells if any(f"_{each}" in name for each in ("drift", "kept", "coin", "plain"))]
    print(cells.loc[cells["kind"] == "agents", ["cell", "bottleneck", *contrasts]].round(3).T.to_string())
    print(f"{len(agents)} runs of agents; {left} runs of cells not played to their end and {missing} runs that are not"
          " done are left out.")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
