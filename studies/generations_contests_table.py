"""Does the length of a contest make agents refuse new words? The table of docs/studies/generations.md on contests.

    ishango sweep generations-contests --out DIR
    python -m studies.generations_contests_table DIR

A row is a contest: how well agents talk, which invented words they keep, and where chains end beside those in which a
coin keeps as large a share of the words. The rule stands in the plan: agents hold languages back if they end farther
from the frontier than that coin, with p < .05 after Holm's correction for all rows. Contests that are not played to
their end are left out, and said so.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.analysis.comparable import under_start
from ishango.analysis.selection import decisions, pooled_strength, with_holm
from ishango.analysis.statistics import contrast
from ishango.generations import GenerationOptions
from studies.chains import Cell, chains_table
from studies.generations_neural_table import LAST, SEEDS, STARTS
from studies.novelty_table import contest, finished

OUT = Path(__file__).resolve().parent.parent / "docs" / "figures" / "generations-contests.csv"
KEYS = ["start", "seed"]
SHORTER = {"": "strength", "_low": "low", "_high": "high"}
"""How the log odds of being kept change with each symbol by which a word makes numerals shorter, on average."""


def label(config: dict[str, Any]) -> str:
    """A contest, for which numbers words are invented, and who talks."""
    anywhere = ", words invented anywhere" if config["coin"] == "uniform" else ""
    able = ", agents who can talk" if config["game.lost_entropy"] else ""
    return contest(config) + anywhere + able


def ends(rounds: pd.DataFrame) -> pd.DataFrame:
    """A row a run of agents: the means of its last generations."""
    late = rounds[rounds["round"] > rounds["round"].max() - LAST]
    found = late.groupby([*KEYS, "run", "streams"])[["gap", "size"]].mean()
    return found.reset_index()


def coin(rounds: pd.DataFrame, kept: float) -> pd.DataFrame:
    """Chains of ideal learners, a row each, in which a coin keeps as large a share of the words that are invented."""
    one = rounds.iloc[0]
    usual = GenerationOptions(rounds=int(one["rounds"]), bottleneck=str(one["bottleneck"]), coin=one["coin"])
    cell = Cell("coin", replace(usual, invent=usual.invent * kept))
    found = chains_table([cell], STARTS, SEEDS, last=LAST).groupby(KEYS)[["gap", "size"]].mean().reset_index()
    return found.assign(run=found["start"] + " " + found["seed"].astype(str), streams=usual.streams)


def row_of(name: str, rounds: pd.DataFrame) -> dict[str, Any]:
    """One contest."""
    judged = decisions(rounds)
    kept = float(judged["accepted"].astype(float).mean())
    mine, theirs, strength = ends(rounds), coin(rounds, kept), pooled_strength(rounds)
    farther = contrast(*(under_start(runs, runs["gap"]) for runs in (mine, theirs)))
    return {
        "contest": name,
        "runs": len(mine),
        "games_won": rounds["accuracy"].median(),
        "numbers_understood": rounds["numbers_understood"].median(),
        "contests": len(judged),
        "kept": kept,
        **{f"gap_{q:g}": mine["gap"].quantile(q) for q in (0.25, 0.5, 0.75)},
        "size": mine["size"].median(),
        "gap_coin": theirs["gap"].median(),
        **dict(zip(("farther", "farther_low", "farther_high", "farther_p"), farther, strict=False)),
        **{f"shorter{end}": getattr(strength, name) for end, name in SHORTER.items()},
    }


def table_of(rounds: pd.DataFrame) -> pd.DataFrame:
    """A row a contest, and whether agents hold languages back there."""
    rows = [row_of(str(name), runs) for name, runs in rounds.groupby("contest_label", sort=False)]
    table = with_holm(pd.DataFrame(rows), ["farther_p"])
    return table.assign(hold_back=(table["farther_p_holm"] < 0.05) & (table["farther"] > 0))


def main(directories: list[Path]) -> None:
    """Write the table."""
    table = table_of(finished(directories, label))
    table.round(4).to_csv(OUT, index=False)
    print(table.T.to_string())


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]])
