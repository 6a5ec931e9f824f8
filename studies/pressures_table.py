"""What each pressure does: the tables and the figure of docs/studies/pressures.md, from the runs of the study.

    ishango sweep pressures --out DIR/pressures
    ishango sweep pressures-controls --out DIR/pressures-controls
    python -m studies.pressures_table DIR/pressures DIR/pressures-controls

A cell is what runs have in common but for start and seed. `pressures.csv` has a row a cell, `pressures-runs.csv` a row
a run, from which the medians, quartiles and the permutation test can be computed again. Cells that are not played to
their end are left out, and said so; so are controls of other beds. The study takes many hours and may be played in
parts: cells that the tables have from before, and that are not among the runs given, stay in them as they are. A part
needs the coin's runs beside it (`choose=coin` of the controls), for the contrast.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ishango.analysis.comparable import (
    SHARED,
    group_columns,
    rounds_if_they_vary,
    settled,
    units,
    uses_agents,
    without_copies,
)
from ishango.analysis.ends import against_coin, ends, restoring_forces
from ishango.analysis.selection import selection, selection_on_two_axes
from ishango.analysis.statistics import FEWEST, jackknife
from ishango.evolution import CHOOSERS
from ishango.figures.evolution_figures import pressures_figure
from ishango.figures.look import save_chart
from ishango.lab import RunView, find_runs, rounds_table
from ishango.languages import last_lexicons
from ishango.report._columns import explained_tables

WORDS = {
    "learners": "{} learners",
    "judge": "judge {}",
    "arms": "{} arms",
    "game.effort": "effort {:g}",
    "game.effort_in": "in the {}",
    "word": "word {:g}",
    "game.noise": "noise {:g}",
    "game.lost_entropy": "remedy {:g}",
    "game.vocabulary": "{:g} symbols",
    "judge_noise": "blurred by {:g}",
    "keep": "keeps {:.0%}",
    "steps": "{:,} steps",
    "rounds": "{:,} rounds",
}
"""How a label tells a field of the config."""
SILENT = {"game.effort": 0, "word": 0, "game.noise": 0, "game.lost_entropy": 0, "judge_noise": 0, "arms": "bandit",
          "game.effort_in": "score", "steps": 2000, "rounds": 100}  # fmt: skip
"""What a label does not tell."""
BED, GUESSED = "any", 0.012
"""Controls that are left out: those of other beds, and those that are blurred by what was guessed before A/A runs told
how noisy the judge is."""
OF_SELECTION = ("length", "size", "slope", "returns", "won_symbol", "won_word")
"""Columns whose intervals leave out one unit after the other."""
SHIPPED = Path("src/ishango/report/shipped_files")
RUNS = "pressures-runs"


def label(row: dict[str, Any]) -> str:
    """A cell in words."""
    told = [
        form.format(int(value) if name in ("steps", "rounds") else value)
        for name, form in WORDS.items()
        if (value := row.get(name)) is not None and value == value and value != SILENT.get(name)
    ]
    if row["choose"] != "bandit":
        told = [CHOOSERS[row["choose"]].label, *told]
    reading = [] if row["add"] == "any" else [f"add {row['add']}"]
    return ", ".join([*told, *reading])


def kind(row: dict[str, Any]) -> str:
    """What decided."""
    return {"bandit": "agents", "coin": "drift", "biased": "drift"}.get(row["choose"], "costs alone")


def read(directories: list[Path]) -> tuple[pd.DataFrame, int]:
    """All rounds of the runs that are done, and how many are not."""
    views = [RunView(path) for directory in directories for path in find_runs(directory)]
    done = [view.directory for view in views if view.state == "done"]
    rounds, copies = without_copies(rounds_table(done))
    if copies:
        print(f"{copies} runs are copies of others and count once", file=sys.stderr)
    return settled(rounds), len(views) - len(done)


def heard(rounds: pd.DataFrame) -> dict[str, float]:
    """What makes one of two systems better understood: games won in 100, a symbol less and a word less, by regression.

    Intervals from leaving out one run, or one seed that several share, after the other. Beside it how much the shares
    of games won differ, and how much the costs.
    """
    played = rounds[rounds["delta_average"].notna() & rounds["accuracy_by_arm"].notna()]
    won = np.array(played["accuracy_by_arm"].tolist(), float)
    played = played.assign(difference=100 * (won[:, 1] - won[:, 0])).dropna(subset=["difference", "delta_size"])
    design = np.column_stack([np.ones(len(played)), -played["delta_average"], -played["delta_size"]]).astype(float)
    answer = played["difference"].to_numpy()
    blocks = pd.Series(np.arange(len(played))).groupby(units(played).to_numpy()).indices.values()
    parts = [(design[rows].T @ design[rows], design[rows].T @ answer[rows]) for rows in blocks]
    grams, sides = (np.array(each) for each in zip(*parts, strict=True))
    fit = np.linalg.solve(grams.sum(0), sides.sum(0))
    low, high = np.full((2, 3), np.nan)
    if len(grams) >= FEWEST:
        without = np.linalg.solve(grams.sum(0) - grams, (sides.sum(0) - sides)[..., None])[..., 0]
        low, high, _ = np.array([jackknife(fit[i], without[:, i]) for i in range(3)]).T
    found = {"won_sd": float(answer.std())}
    for i, axis in ((1, "symbol"), (2, "word")):
        found |= {f"won_{axis}": fit[i], f"won_{axis}_low": low[i], f"won_{axis}_high": high[i]}
    return found


def cells_table(rounds: pd.DataFrame, by: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A row a cell, and a row a run."""
    traits = last_lexicons(rounds, by, "core")
    settings = rounds.drop_duplicates("run")[["run", *(name for name in WORDS if name in rounds and name not in by)]]
    finals = (
        ends(rounds, by)
        .merge(settings, on="run")
        .merge(traits[["run", "multipliers", "single", "based", "distance"]], on="run")
    )
    named = finals.assign(cell=[label(row) for row in finals.to_dict("records")],
                          kind=[kind(row) for row in finals.to_dict("records")])  # fmt: skip
    grouped = named.groupby([*by, "cell", "kind"], dropna=False)
    cells = grouped.agg(
        runs=("run", "size"), gap_before=("gap_before", "median"), gap_low=("gap", lambda g: g.quantile(0.25)),
        gap=("gap", "median"), gap_high=("gap", lambda g: g.quantile(0.75)), words=("size", "median"),
        multipliers=("multipliers", "median"), single=("single", "mean"), based=("based", "mean"),
        distance=("distance", "median"),
    ).reset_index()  # fmt: skip
    kept = selection(rounds)[[*by, "shorter_kept", "longer_kept"]]
    axes = selection_on_two_axes(rounds).drop(columns=["runs", "intercept"])
    pull = restoring_forces(rounds).drop(columns=["runs"])
    told = ("difference", "low", "high", "equivalent_within", "permutation_p", "permutation_p_holm")
    coin = against_coin(rounds)[[*by, *told]].rename(columns={name: f"coin_{name}" for name in told})
    talked = rounds[uses_agents(rounds)]
    won = pd.DataFrame(
        [dict(zip(by, key, strict=True)) | heard(runs) for key, runs in talked.groupby(by, dropna=False)]
    )
    for table in (kept, axes, pull, coin, won):
        cells = cells.merge(table, on=by, how="left") if len(table) else cells
    runs = named[["cell", "kind", *by, "start", "seed", "streams", "gap_before", "gap", "size", "average_complexity",
                  "multipliers", "single", "based", "distance"]]  # fmt: skip
    return cells, runs


def with_earlier(table: pd.DataFrame, name: str, directory: Path) -> pd.DataFrame:
    """What a table has now, and the cells that it had from before; its columns in their order."""
    table, file = table.round(4), directory / f"{name}.csv"
    if file.exists():
        before = pd.read_csv(file)
        table = pd.concat([table, before[~before["cell"].isin(table["cell"])]], ignore_index=True)
    return table[[column for column in explained_tables("shipped")[name].columns if column in table]]


def with_known_intervals(cells: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Cells without the intervals that too few units cannot have: those of runs which share few seeds."""
    shared = runs[runs["streams"].fillna(SHARED) == SHARED]
    seeds = shared.groupby("cell")["seed"].nunique()
    few = cells["cell"].isin(seeds.index[seeds < FEWEST])
    bounds = [f"{name}_{end}" for name in OF_SELECTION for end in ("low", "high", "within")]
    known = cells.columns.intersection(bounds)
    cells.loc[few, known] = np.nan
    return cells


def main() -> int:
    """Read, compute, write, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directories", type=Path, nargs="+", help="the study and its controls")
    parser.add_argument("--out", type=Path, default=SHIPPED, help=f"where tables go (default: {SHIPPED})")
    parser.add_argument("--figures", type=Path, default=Path("docs/figures"), help="where the figure goes")
    parser.add_argument("--least", type=int, default=24, help="runs below which a cell is left out (default: 24)")
    asked = parser.parse_args()
    rounds, missing = read(asked.directories)
    rounds = rounds[(rounds["add"] == BED) & ~(rounds["judge_noise"] == GUESSED)]
    if rounds_if_they_vary(rounds):
        parser.error("These runs are of several numbers of rounds; give those of one at a time, with its coin's.")
    by = group_columns(rounds)
    counts = rounds.drop_duplicates("run").groupby(by, dropna=False)["run"].transform("size")
    whole = set(rounds.drop_duplicates("run").loc[counts >= asked.least, "run"])
    left = rounds.loc[~rounds["run"].isin(whole), "run"].nunique()
    cells, runs = cells_table(rounds[rounds["run"].isin(whole)], by)
    cells, runs = (with_earlier(table, name, asked.out) for table, name in ((cells, "pressures"), (runs, RUNS)))
    cells = with_known_intervals(cells, runs)
    order = {"drift": 0, "costs alone": 1, "agents": 2}
    cells = cells.assign(order=cells["kind"].map(order)).sort_values(["order", "gap"], ascending=[True, False])
    asked.out.mkdir(parents=True, exist_ok=True)
    for name, table in (("pressures", cells), (RUNS, runs)):
        table.drop(columns="order", errors="ignore").to_csv(asked.out / f"{name}.csv", index=False, lineterminator="\n")
    save_chart(pressures_figure(cells, runs), asked.figures, "pressures")
    shown = ["cell", "runs", "gap_low", "gap", "gap_high", "words", "multipliers", "length", "size", "coin_difference",
             "coin_permutation_p", "won_sd", "won_symbol", "won_word"]  # fmt: skip
    print(cells[[name for name in shown if name in cells]].round(3).to_string(index=False))
    print(f"{len(whole)} runs in {len(cells)} cells; {left} runs of cells not played to their end and {missing} runs"
          " that are not done are left out.")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
