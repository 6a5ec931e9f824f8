"""How often the fit of `ishango.analysis.selection` is right, on simulated decisions whose selection is known.

    python -m benchmarks.selection_power coverage --out DIR    intervals that contain the truth, of 1,000 simulations
    python -m benchmarks.selection_power alarms --out DIR      tests that call a coin selection, of 1,000
    python -m benchmarks.selection_power power --out DIR       tests that find a selection of some strength

What alternatives look like is taken from runs of a coin in the unbiased bed (`add = any`), so that changes of length
and size go together as they do there; only the decisions are simulated. Each part writes its table to DIR as it goes
on, and begins again where it was stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from ishango.analysis.selection import two_axes
from ishango.evolution import Evolution, EvolutionOptions
from ishango.lab import read_rounds, run

TRUTHS = [(0.0, 0.0), (0.8, 0.6), (10.0, 1.2)]
"""Known selection for length and size: none, some, and as strong as the strongest pressures show."""
STRENGTHS = [(0.25, 0.0), (0.5, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 0.1), (0.0, 0.2), (0.0, 0.4), (0.0, 0.8)]
RUNS = [8, 24, 48, 96]
ROUNDS = 100


def bed(out: Path) -> pd.DataFrame:
    """The alternatives that the coin was offered: 8 starts, 12 seeds each."""
    rows = []
    for start in range(1, 9):
        for seed in range(12):
            directory = out / "bed" / f"start={start},seed={seed}"
            options = EvolutionOptions(start=str(start), seed=seed, choose="coin", add="any", rounds=ROUNDS)
            run(Evolution(options), directory)
            rows += [
                {"run": directory.name, "delta_average": r["delta_average"], "delta_size": r["delta_size"]}
                for r in read_rounds(directory)
                if r["accepted"] is not None
            ]
    return pd.DataFrame(rows)


def simulated(offers: pd.DataFrame, runs: int, truth: tuple[float, float], rng: np.random.Generator) -> pd.DataFrame:
    """Decisions of that many runs, drawn from the bed's (again and again if need be), under a known selection."""
    names = offers["run"].unique()
    drawn = [offers[offers["run"] == name].assign(run=str(i)) for i, name in enumerate(rng.choice(names, runs))]
    table = pd.concat(drawn, ignore_index=True)
    logit = -truth[0] * table["delta_average"] - truth[1] * table["delta_size"]
    return table.assign(accepted=rng.random(len(table)) < 1 / (1 + np.exp(-logit)))


def part(file: Path, settings: list[tuple[int, float, float]], simulations: int, resamples: int, out: Path) -> None:
    """Simulate each setting (runs, length, size) and keep every fit."""
    done = pd.read_csv(file) if file.exists() else pd.DataFrame(columns=["runs", "true_length", "true_size"])
    offers = bed(out)
    for runs, length, size in settings:
        already = int(((done["runs"] == runs) & (done["true_length"] == length) & (done["true_size"] == size)).sum())
        for number in range(already, simulations):
            rng = np.random.default_rng([runs, round(1000 * length), round(1000 * size), number])
            fit = two_axes(simulated(offers, runs, (length, size), rng), seed=number, resamples=resamples)
            row = pd.DataFrame([{"runs": runs, "true_length": length, "true_size": size, **vars(fit)}])
            row.to_csv(file, mode="a", index=False, header=not file.exists())
            if sys.stderr.isatty() or (number + 1) % 100 == 0:
                told = f"{file.stem}: {runs} runs, {length}, {size}: {number + 1} of {simulations}"
                print(f"\r{told}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr)
    print(file=sys.stderr)


def summary(file: Path) -> pd.DataFrame:
    """Of each setting: share of intervals that contain the truth, share of p-values below 0.05, mean estimates."""
    fits = pd.read_csv(file)
    for axis in ("length", "size"):
        truth = fits[f"true_{axis}"]
        fits[f"{axis}_covered"] = fits[f"{axis}_low"].le(truth) & truth.le(fits[f"{axis}_high"])
        fits[f"{axis}_found"] = fits[f"{axis}_p"] < 0.05
    wanted = [f"{axis}_{what}" for axis in ("length", "size") for what in ("covered", "found")]
    grouped = fits.groupby(["runs", "true_length", "true_size"])
    table = grouped[[*wanted, "length", "size", "inflation"]].mean()
    return table.assign(simulations=grouped.size()).reset_index()


def main() -> int:
    """Run one part, and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=["coverage", "alarms", "power"])
    parser.add_argument("--out", type=Path, default=Path("out/selection-power"))
    parser.add_argument("--simulations", type=int, default=None, help="of each setting (default: 1000, power 200)")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    settings = {
        "coverage": [(24, *truth) for truth in TRUTHS[1:]],
        "alarms": [(24, *TRUTHS[0])],
        "power": [(runs, *strength) for runs in RUNS for strength in STRENGTHS],
    }[asked.part]
    file = asked.out / f"{asked.part}.csv"
    part(file, settings, asked.simulations or (200 if asked.part == "power" else 1000), 299, asked.out)
    print(summary(file).to_string(index=False, float_format=lambda value: f"{value:.3f}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
