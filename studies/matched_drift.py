"""Do agents hold a language in place, or move it? Their ends beside drift that changes as often as they do.

    ishango unarchive studies/contest.tar.xz CONTEST
    python -m studies.matched_drift CONTEST

Agents turn down much that a fair coin keeps, so they change less, and a lexicon that changes less stays nearer to where
it began. Two coins take that into account. Both begin where a run of agents began, and propose as it did:

- *as often*: keeps additions, removals and moves each as often as that run did;
- *as new*: keeps alternatives as often as all runs of the setting did, by kind and by how much of the talk changes.

Each run has CHAINS of either. Its place is the share of them that end nearer to the frontier: .5 is chance. The rule,
stated before anything was played: agents end nearer than matched drift where the interval of the mean place, over runs,
lies below .5, and farther where it lies above. `matched-drift.csv` has a row a setting and coin.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ishango.analysis.comparable import units, without_copies
from ishango.analysis.selection import EDGES, decisions, with_novelty
from ishango.analysis.statistics import jackknife
from ishango.evolution import CHOOSERS, EVOLUTION, Chooser, Decision, game_need, share_changed
from ishango.evolution._choosers import Question
from ishango.lab import play_in_memory, rounds_table

OUT = Path(__file__).resolve().parent.parent / "docs" / "figures" / "matched-drift.csv"
SETTING = ["add", "steps", "rounds", "learners", "judge", "word", "game.effort", "game.lost_entropy", "game.vocabulary"]
"""What a row of the table is about: options in which settings differ."""
CHAINS = 40
NAME = "matched"

Rates = dict[tuple[int, int], float]
"""The share of alternatives kept, by how many words are more and by stratum of novelty (-1: all strata)."""


def stratum(share: float) -> int:
    """Which stratum of novelty a share of changed talk lies in."""
    return int(np.searchsorted(EDGES, share))


def rates_of(decided: pd.DataFrame) -> tuple[Rates, Rates]:
    """How often alternatives were kept: by kind, and by kind and novelty."""
    size = np.sign(decided["delta_size"].to_numpy(float)).astype(int)
    table = pd.DataFrame({
        "kind": size, "stratum": [stratum(each) for each in decided["changed"]],
        "kept": decided["accepted"].to_numpy(float),
    })  # fmt: skip
    by_kind: Rates = {(int(kind), -1): float(rows.mean()) for kind, rows in table.groupby("kind")["kept"]}
    both = {
        (int(kind), int(new)): float(rows.mean()) for (kind, new), rows in table.groupby(["kind", "stratum"])["kept"]
    }
    return by_kind, {**by_kind, **both}


def coin(rates: Rates, by_novelty: bool) -> Callable[[Question], Decision]:
    """A coin that keeps each kind of alternative as often as these rates say."""

    def decide(question: Question) -> Decision:
        kind, new = int(np.sign(question.delta_size)), -1
        if by_novelty:
            new = stratum(share_changed(*question.words, game_need(question.options)))
        rate = rates.get((kind, new), rates.get((kind, -1), 0.5))
        return Decision(bool(question.grammar_rng.random() < rate))

    return decide


def chains(config: dict[str, Any], rates: Rates, by_novelty: bool, count: int) -> list[list[dict[str, Any]]]:
    """The rounds of chains of drift from the start of a run, with its modifications."""
    CHOOSERS.add(Chooser(NAME, NAME, "keeps as often as agents did", False, coin(rates, by_novelty)))
    try:
        configs = ({**config, "choose": NAME, "seed": seed, "streams": "run"} for seed in range(count))
        return [play_in_memory(EVOLUTION.from_config(each))[0] for each in configs]
    finally:
        CHOOSERS.remove(NAME)


def config_of(run: pd.DataFrame) -> dict[str, Any]:
    """What drift beside a run has in common with it."""
    first = run.iloc[0]
    config = {name: first[name] for name in ("start", "add", "modifications", "grammar", "need")}
    return {**config, "rounds": int(run["round"].max())}


def compared(run: pd.DataFrame, pooled: Rates, count: int) -> Iterator[dict[str, Any]]:
    """One run of agents beside both coins."""
    first, last, config = run.iloc[0], run.iloc[-1], config_of(run)
    own = rates_of(decisions(run))[0]
    for name, rates, by_novelty in (("as often", own, False), ("as new", pooled, True)):
        ends = np.array([each[-1]["gap"] for each in chains(config, rates, by_novelty, count)])
        yield {
            "run": first["run"], "unit": units(run).iloc[0], "start": first["start"], "coin": name,
            "before": first["gap"], "gap": last["gap"], "drift": float(np.median(ends)),
            "place": float((ends < last["gap"]).mean() + (ends == last["gap"]).mean() / 2),
        }  # fmt: skip


def one_run(task: tuple[pd.DataFrame, Rates], count: int) -> list[dict[str, Any]]:
    return list(compared(*task, count))


def interval(values: pd.Series, of: pd.Series) -> tuple[float, float, float]:
    """The mean over runs, with its 95 % interval over units."""
    sums = values.groupby(of).agg(["sum", "count"]).to_numpy(float)
    total = sums.sum(axis=0)
    rest = total - sums
    mean = total[0] / total[1]
    found = jackknife(mean, rest[:, 0] / rest[:, 1]) if len(sums) > 1 else (np.nan, np.nan)
    return mean, found[0], found[1]


def summarised(rows: pd.DataFrame) -> dict[str, Any]:
    """How a setting's runs lie beside one coin."""
    place, low, high = interval(rows["place"], rows["unit"])
    moved, moved_low, moved_high = interval(rows["gap"] - rows["before"], rows["unit"])
    verdict = "nearer than drift" if high < 0.5 else "farther than drift" if low > 0.5 else "not shown to differ"
    return {
        "runs": len(rows), "before": rows["before"].median(), "gap": rows["gap"].median(),
        "drift": rows["drift"].median(), "place": place, "low": low, "high": high, "verdict": verdict,
        "moved": moved, "moved_low": moved_low, "moved_high": moved_high,
    }  # fmt: skip


def rounds_of(directories: list[Path]) -> pd.DataFrame:
    """The rounds of all runs, with the novelty of each alternative."""
    table, _ = without_copies(rounds_table(directories))
    if "changed" not in table or table.loc[table["accepted"].notna(), "changed"].isna().any():
        table = with_novelty(table)  # of runs from before it was recorded
    return table


def write_groups(
    runs: pd.DataFrame, by: list[str], summarised: Callable[[pd.DataFrame], dict[str, Any]], file: Path
) -> None:
    """Write and print a row a group."""
    groups = runs.groupby(by, dropna=False)
    table = pd.DataFrame([{**dict(zip(by, key, strict=True)), **summarised(rows)} for key, rows in groups])
    table.round(4).to_csv(file, index=False)
    print(table.T.to_string())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directories", nargs="+", type=Path)
    parser.add_argument("--chains", type=int, default=CHAINS, help="drift runs beside each run and coin")
    parser.add_argument("--costs", action="store_true", help="settings in which something costs, too")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    table = rounds_of(asked.directories)
    if not asked.costs:
        table = table[(table["word"] == 0) & (table["game.effort"] == 0)]
    setting = [name for name in SETTING if name in table]
    tasks, places = [], []
    for key, rows in table.groupby(setting, dropna=False):
        pooled = rates_of(decisions(rows))[1]
        for _, run in rows.groupby("run"):
            tasks.append((run.sort_values("round"), pooled))
            places.append(dict(zip(setting, key, strict=True)))
    with ProcessPoolExecutor(asked.workers) as pool:
        found = list(pool.map(partial(one_run, count=asked.chains), tasks))
    runs = pd.DataFrame([{**place, **row} for place, rows in zip(places, found, strict=True) for row in rows])
    write_groups(runs, [*setting, "coin"], summarised, OUT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
