"""How often the tests and intervals of `ishango.analysis` are right, on studies whose selection is known.

    python -m studies.selection_power alarms --out DIR      drift that is called selection, of 1,000 studies
    python -m studies.selection_power coverage --out DIR    intervals that leave out the truth, of 1,000 studies
    python -m studies.selection_power power --out DIR       tests that find a selection of some strength

Studies are drawn from runs of drift in the unbiased bed (`add = any`), from eight starts: what alternatives look like
is theirs, so that changes of length and size go together as they do there; only the decisions are simulated. Runs have
streams of their own, or runs of one seed share theirs: then they come together, and so do their random numbers.
Final gaps are compared between two groups of drift, which differ in nothing. Each part writes its table to DIR as it
goes on, and begins again where it was stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ishango.analysis.comparable import under_start
from ishango.analysis.ends import against
from ishango.analysis.selection import pooled_strength, two_axes
from ishango.analysis.statistics import contrast
from ishango.evolution import Evolution, EvolutionOptions
from ishango.lab import play_in_memory

STARTS = [str(number) for number in range(1, 9)]
SEEDS = 40
"""Seeds of the bed."""
ROUNDS = 100
TRUTHS = [(0.0, 0.0), (0.8, 0.6), (10.0, 1.2)]
"""Known selection for length and size: none, some, and as strong as the strongest pressures show."""
STRENGTHS = [(0.25, 0.0), (0.5, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 0.1), (0.0, 0.2), (0.0, 0.4), (0.0, 0.8)]
OF_A_START = {"run": 3, "seed": 6}
"""Runs from each start in a study: as in ours; and, where seeds are shared, as many as intervals need."""
FEW_AND_MANY = [("run", 1), ("run", 6), ("seed", 4), ("seed", 12)]
"""Smaller and larger studies, for the intervals of a coin."""
OTHERS = 20
"""Runs from each start of the drift with which final gaps are compared."""
FIELDS = ["round", "gap", "delta_average", "delta_size", "accepted"]


class Setting(NamedTuple):
    """What is simulated."""

    streams: str
    runs: int
    """From each start."""
    length: float
    size: float


def bed(out: Path, streams: str) -> pd.DataFrame:
    """Runs of drift, and the alternatives that they were offered; played once."""
    file = out / f"bed-{streams}.pkl"
    if not file.exists():
        rows: list[dict[str, Any]] = []
        for start in STARTS:
            for seed in range(SEEDS):
                options = EvolutionOptions(
                    start=start, seed=seed, choose="coin", add="any", rounds=ROUNDS, streams=streams
                )
                told = {"run": f"{start} {seed}", "start": start, "seed": seed, "streams": streams}
                rows += [told | {name: r[name] for name in FIELDS} for r in play_in_memory(Evolution(options))[0]]
        pd.DataFrame(rows).to_pickle(file)
    return pd.read_pickle(file)


def drawn(streams: str, runs: int, rng: np.random.Generator, again: bool) -> list[tuple[str, int, str]]:
    """Which runs of the bed are in a study: their names, and the seeds and runs that they count as."""
    if streams == "seed":
        seeds = rng.choice(SEEDS, runs, replace=again)
        return [(f"{start} {seed}", i, f"{start} {i}") for i, seed in enumerate(seeds) for start in STARTS]
    return [
        (f"{start} {seed}", i, f"{start} {i}")
        for start in STARTS
        for i, seed in enumerate(rng.choice(SEEDS, runs, replace=again))
    ]


def simulated(offers: dict[str, pd.DataFrame], setting: Setting, rng: np.random.Generator) -> pd.DataFrame:
    """Decisions about alternatives of the bed, under a known selection."""
    luck: dict[int | str, np.ndarray] = {}
    parts: list[pd.DataFrame] = []
    for name, seed, run in drawn(setting.streams, setting.runs, rng, again=True):
        rows = offers[name]
        key = seed if setting.streams == "seed" else run
        uniform = luck.setdefault(key, rng.random(ROUNDS + 1))[rows["round"].to_numpy()]
        logit = -setting.length * rows["delta_average"] - setting.size * rows["delta_size"]
        parts.append(rows.assign(run=run, seed=seed, accepted=uniform < 1 / (1 + np.exp(-logit.astype(float)))))
    return pd.concat(parts, ignore_index=True)


def gaps(ends: pd.DataFrame, setting: Setting, rng: np.random.Generator) -> dict[str, bool]:
    """Whether two groups of drift are called different: by the permutation test, and by the interval."""
    names = drawn(setting.streams, setting.runs + OTHERS, rng, again=False)
    rows = ends.loc[[name for name, *_ in names]].reset_index(drop=True)
    rows = rows.assign(seed=[seed for _, seed, _ in names], run=[run for *_, run in names])
    mine = rows["seed"] < setting.runs
    found = contrast(*(under_start(part, part["gap"]) for part in (rows[mine], rows[~mine])))
    compared = against(rows.assign(choose=np.where(mine, "law", "coin"), add="any", size=9), {"choose": "coin"}).iloc[0]
    return {"gap_found": found.p < 0.05, "gap_outside": not compared["low"] <= 0 <= compared["high"]}


def part(file: Path, settings: list[Setting], simulations: int, permutations: int, out: Path) -> None:
    """Simulate each setting, a hundred studies of each in turn, and keep every study."""
    for goal in range(100, simulations + 100, 100):
        for setting in settings:
            some(file, setting, min(goal, simulations), permutations, out)


def some(file: Path, setting: Setting, goal: int, permutations: int, out: Path) -> None:
    """Simulate a setting until there are so many studies of it."""
    done = pd.read_csv(file) if file.exists() else pd.DataFrame(columns=Setting._fields)
    already = int((done[list(Setting._fields)] == pd.Series(setting._asdict())).all(axis=1).sum())
    played = bed(out, setting.streams)
    ends = played[played["round"] == ROUNDS].set_index("run", drop=False)
    offers = {str(name): rows for name, rows in played[played["accepted"].notna()].groupby("run")}
    for number in range(already, goal):
        rng = np.random.default_rng([setting.runs, round(1000 * setting.length), round(1000 * setting.size), number])
        table = simulated(offers, setting, rng)
        fit = vars(two_axes(table, seed=number, permutations=permutations))
        found = study(setting, fit, table) | (gaps(ends, setting, rng) if file.stem == "alarms" else {})
        row = pd.DataFrame([{**setting._asdict(), **found}])
        row.to_csv(file, mode="a", index=False, header=not file.exists())
    print(f"{file.stem}: {setting}: {goal}", file=sys.stderr)


def study(setting: Setting, fit: dict[str, Any], table: pd.DataFrame) -> dict[str, Any]:
    """What a study tells of selection, and whether that is so."""
    found: dict[str, Any] = {}
    for axis in ("length", "size"):
        truth = getattr(setting, axis)
        found |= {f"{axis}_outside": not fit[f"{axis}_low"] <= truth <= fit[f"{axis}_high"],
                  f"{axis}_found": fit[f"{axis}_p"] < 0.05, f"{axis}_mean": fit[axis]}  # fmt: skip
    if (setting.length, setting.size) == TRUTHS[0]:
        strength = pooled_strength(table)
        found["strength_outside"] = not strength.low <= 0 <= strength.high
    return found


def summary(file: Path) -> pd.DataFrame:
    """Of each setting: share of intervals that leave out the truth, share of p-values below 0.05, mean estimates."""
    grouped = pd.read_csv(file).groupby(list(Setting._fields))
    return grouped.mean().assign(studies=grouped.size()).reset_index()


def main() -> int:
    """Run one part, and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=["coverage", "alarms", "power"])
    parser.add_argument("--out", type=Path, default=Path("out/selection-power"))
    parser.add_argument("--simulations", type=int, default=None, help="of each setting (default: 1000, power 200)")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    settings = {
        "coverage": [
            *(Setting(streams, runs, *truth) for truth in TRUTHS for streams, runs in OF_A_START.items()),
            *(Setting(streams, runs, *TRUTHS[0]) for streams, runs in FEW_AND_MANY),
        ],
        "alarms": [Setting(streams, runs, *TRUTHS[0]) for streams, runs in OF_A_START.items()],
        "power": [Setting("run", runs, *strength) for runs in (1, 3, 6, 12) for strength in STRENGTHS],
    }[asked.part]
    file = asked.out / f"{asked.part}.csv"
    permutations = {"coverage": 1, "alarms": 99, "power": 199}[asked.part]
    part(file, settings, asked.simulations or (200 if asked.part == "power" else 1000), permutations, asked.out)
    print(summary(file).to_string(index=False, float_format=lambda value: f"{value:.3f}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
