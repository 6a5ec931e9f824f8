"""Does anything without a price select for shorter languages? The table of docs/studies/evolution.md.

    ishango sweep unpriced --out DIR
    python -m studies.unpriced_table DIR

`unpriced.csv` has a row for each pressure: how well agents talk, what they prefer among what is equally new, and
where they end beside drift that keeps additions and removals as often as each run did, or what is as new as often. The
rule stands in the plan: a pressure selects for shorter languages if p < .05 for length after Holm's correction and the
interval lies above 0. Pressures that are not played to their end are left out, and said so.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.analysis.selection import decisions
from studies.matched_drift import compared, rates_of, summarised
from studies.novelty_table import axes_table, finished

OUT = Path(__file__).resolve().parent.parent / "docs" / "figures" / "unpriced.csv"
CHAINS = 40


def pressure(config: dict[str, Any]) -> str:
    """What a run has beside agents who can talk."""
    if config["learners"] == "new":
        return "new learners"
    if config["game.noise"]:
        return f"{config['game.noise']:.0%} noise"
    return "nothing" if config["game.hidden"] == 100 else f"{config['game.hidden']:.0f} units"


def beside_drift(runs: pd.DataFrame, chains: int) -> dict[str, Any]:
    """Where runs end beside drift that changes as often as they did, and beside drift that keeps what is as new."""
    pooled = rates_of(decisions(runs))[1]
    found = [row for _, run in runs.groupby("run") for row in compared(run.sort_values("round"), pooled, chains)]
    rows = pd.DataFrame(found)
    often, new = (summarised(rows[rows["coin"] == coin]) for coin in ("as often", "as new"))
    told = {name: often[name] for name in ("before", "gap")}
    for after, of in (("", often), ("_as_new", new)):
        names = {"drift": "drift", "place": "place", "low": "place_low", "high": "place_high", "verdict": "ends"}
        told |= {f"{name}{after}": of[each] for each, name in names.items()}
    return told


def selects(row: pd.Series) -> bool:
    """The rule of the plan."""
    return bool(row["length_p_holm"] < 0.05 and row["length_low"] > 0)


def table_of(rounds: pd.DataFrame, chains: int = CHAINS) -> pd.DataFrame:
    """A row for each pressure."""
    axes = axes_table(rounds).rename(columns={"contest": "pressure"})
    ends = pd.DataFrame([
        {"pressure": name, **beside_drift(runs, chains)}
        for name, runs in rounds.groupby("contest_label")
    ])  # fmt: skip
    table = axes.merge(ends, on="pressure")
    return table.assign(selects=[selects(row) for _, row in table.iterrows()])


def main(directories: list[Path]) -> None:
    """Write the table."""
    table = table_of(finished(directories, pressure))
    table.round(4).to_csv(OUT, index=False)
    print(table.T.to_string())


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]])
