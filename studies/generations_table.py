"""Where chains of ideal learners come to rest: tables and the figure of docs/studies/generations.md.

    python -m studies.generations_table --out DIR

Every cell has 50 seeds from each of four starts: 150 generations, of which the last 50 count. Beside it the curve of
size against the bottleneck with its theory (600 generations, the last 300), how words survive by their use, which
human languages lie inside, one factor at a time, ranges up to 999, and populations.
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
from scipy import stats

from ishango.figures.look import save_chart
from ishango.frontiers import measure
from ishango.game import GameOptions
from ishango.generations import GenerationOptions
from ishango.languages import likeness, load_languages
from ishango.numerals import Need, NumeralSystem, words_of
from studies.chains import Cell, base_of, chains_table, expected_digits, survival_table
from studies.figures import bottleneck_figure

STARTS = ("1", "5", "7", "8")
USUAL = GenerationOptions(rounds=150)
BOTTLENECKS = (20, 50, 100, 200, 400, 1_000, 2_000, 5_000, 20_000)
CELLS = [
    *(Cell(f"{b:,}", replace(USUAL, bottleneck=str(b))) for b in (20, 50, 200, 400, 1_000, 5_000, 20_000)),
    Cell("all", replace(USUAL, bottleneck="all")),
    Cell("200, coined uniformly", replace(USUAL, coin="uniform")),
    Cell("lost at random, coined by need", replace(USUAL, lose="random")),
    Cell("neutral: lost at random, coined uniformly", replace(USUAL, lose="random", coin="uniform")),
    Cell("200, any expression", replace(USUAL, say="any")),
]
NEUTRAL = "neutral: lost at random, coined uniformly"
MECHANISMS = {
    "200": "heard, coined by need",
    "200, coined uniformly": "heard, coined uniformly",
    "lost at random, coined by need": "lost at random, coined by need",
    NEUTRAL: "neutral: both at random",
    "200, any expression": "heard in any expression",
}
"""What the figure compares, and what it calls it."""
LEAST, MOST = 0.025, 0.975
"""Most generations lie between these quantiles."""


def interval(values: pd.Series) -> str:
    """The mean over chains with its 95 % interval."""
    mean, error = values.mean(), stats.sem(values)
    half = error * stats.t.ppf(0.975, len(values) - 1)
    return f"{mean:.2f} ± {half:.2f}" if mean > 1 else f"{mean:.3f} ± {half:.3f}"


def cells_table(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each cell: its measures as means of chains, with their intervals, beside drift at the same sizes."""
    chains = rows.groupby(["cell", "start", "seed"], sort=False)[["size", "n_multipliers", "gap"]].mean().reset_index()
    last = rows.groupby(["cell", "start", "seed"], sort=False).tail(1)
    last = last.assign(distance=[human_distance(system) for system in last["system"]])
    drift = rows[rows["cell"] == NEUTRAL].groupby("size")["gap"].mean()
    table = []
    for cell, mine in chains.groupby("cell", sort=False):
        here = rows[rows["cell"] == cell]
        by_start = mine.groupby("start", sort=False)["size"].mean()
        table.append(
            {
                "bottleneck": cell,
                "sizes by start": " ".join(f"{each:.1f}" for each in by_start),
                "size": interval(mine["size"]),
                "multipliers": interval(mine["n_multipliers"]),
                "gap": interval(mine["gap"]),
                "distance to a human lexicon": interval(last["distance"][last["cell"] == cell]),
                "gaps below 0": f"{(here['gap'] < -1e-12).mean():.1%}",
                "gap of drift at these sizes": f"{here['size'].map(drift).mean():.2f}",
                "a language": here["system"].mode().iloc[0],
            }
        )
    return pd.DataFrame(table)


def human_distance(system: str) -> int:
    """Words to add or to take away to have the nearest human lexicon."""
    parsed = NumeralSystem.parse(system)
    return likeness(parsed.digits, parsed.multipliers, "core").distance


def curve_table() -> pd.DataFrame:
    """Size against the bottleneck, from a large and a small start, with what theory expects."""
    usual = replace(USUAL, rounds=600)
    cells = [Cell(str(b), replace(usual, bottleneck=str(b))) for b in BOTTLENECKS]
    rows = chains_table(cells, ("5", "7"), range(25), last=300)
    need, table = Need.parse(usual.need).weights(usual.game.upto), []
    for b in BOTTLENECKS:
        mine = rows[rows["cell"] == str(b)]
        digits = float(expected_digits(need, b, usual.invent * (1 - usual.multiplier_share)).sum())
        table.append(
            {
                "bottleneck": b,
                "digits": mine["n_digits"].mean(),
                "expected_digits": digits,
                "multipliers": mine["n_multipliers"].mean(),
                "size": mine["size"].mean(),
                "size_from_5": mine[mine["start"] == "5"]["size"].mean(),
                "size_from_7": mine[mine["start"] == "7"]["size"].mean(),
                "low": mine["size"].quantile(LEAST),
                "high": mine["size"].quantile(MOST),
                "expected": digits + 1,
                "gap": mine["gap"].mean(),
            }
        )
    return pd.DataFrame(table)


def human_table() -> pd.DataFrame:
    """Recursive human languages as the chains are measured: size, multipliers, base, gap."""
    options = replace(USUAL, game=GameOptions(upto=99))
    table = []
    for language in load_languages():
        system = language.system_under(USUAL.grammar)
        if system is not None and system.words[-1] <= USUAL.upto:
            here = measure(system)
            base = base_of(words_of(system, USUAL.upto), options) if here.gap is not None else None
            table.append(
                {
                    "language": language.name,
                    "size": system.size,
                    "n_multipliers": len(system.multipliers),
                    "base": base,
                    "gap": here.gap,
                }
            )
    return pd.DataFrame(table).dropna()


def inside_table(rows: pd.DataFrame, humans: pd.DataFrame) -> pd.DataFrame:
    """For each cell: how many human languages lie where most generations do, on each measure and on all of them."""
    table = []
    for cell, mine in rows.groupby("cell", sort=False):
        within = {
            name: humans[name].between(mine[name].quantile(LEAST), mine[name].quantile(MOST))
            for name in ("size", "n_multipliers", "base", "gap")
        }
        every = np.logical_and.reduce(list(within.values()))
        pairs = mine.groupby(["size", "n_multipliers"]).size() / len(mine)
        likely = [pairs.get((size, m), 0.0) for size, m in zip(humans["size"], humans["n_multipliers"], strict=True)]
        table.append(
            {
                "cell": cell,
                **{name: int(each.sum()) for name, each in within.items()},
                "on all four": int(every.sum()),
                "share of generations of base 10": float((mine["base"] == 10).mean()),
                "share of generations of a language's size and multipliers, mean": float(np.mean(likely)),
                "languages": ", ".join(humans["language"][every]),
            }
        )
    return pd.DataFrame(table)


def survival_by_use() -> pd.DataFrame:
    """How words survive at a bottleneck of 200, by their use, beside 1 - (1 - use)^200."""
    bins = (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 1.01)
    return survival_table(replace(USUAL, rounds=20_000), bins)


FACTORS = {
    "as it is": {},
    "0.1 words coined": {"invent": 0.1},
    "2 words coined": {"invent": 2.0},
    "no multipliers coined": {"multiplier_share": 0.0},
    "half multipliers": {"multiplier_share": 0.5},
    "need 1/n": {"need": "power:1"},
    "need 1/n^3": {"need": "power:3"},
    "numbers to 20": {"game": GameOptions(upto=20)},
    "numbers to 99": {"game": GameOptions(upto=99)},
    "Hurford's grammar": {"grammar": "hurford"},
}


RANGES = {f"1 to {n}": {"game": GameOptions(upto=n), "upto": max(n, 99)} for n in (20, 50, 99, 200, 500, 999)}
"""Numbers that are said, and have words; gaps are those of the same range, and never of one below 99."""
PAIRS = (1, 2, 4, 8)


def populations_table(seeds: int) -> pd.DataFrame:
    """Populations of ideal learners at a bottleneck of 200; each pair is replaced as often as that of a chain."""
    table = []
    for pairs in PAIRS:
        options = replace(USUAL, population=pairs, rounds=USUAL.rounds * pairs)
        rows = chains_table([Cell(str(pairs), options)], ("5", "7"), range(seeds), last=50 * pairs)
        means = rows.groupby(["start", "seed"])[["size", "n_multipliers", "gap"]].mean()
        found = {"pairs": str(pairs), "size": interval(means["size"]), "multipliers": interval(means["n_multipliers"])}
        table.append({**found, "gap": interval(means["gap"])})
    return pd.DataFrame(table)


def factors_table(factors: dict[str, dict[str, Any]], seeds: int) -> pd.DataFrame:
    """One factor at a time, at a bottleneck of 200, from two starts that every range has, beside drift."""
    starts, table = ("1-9 | 10", "1-3 | 4,12"), []
    for name, factor in factors.items():
        options = replace(USUAL, **factor)
        cells = [Cell("heard", options), Cell("drift", replace(options, lose="random", coin="uniform"))]
        rows = chains_table(cells, starts, range(seeds), last=50)
        means = rows.groupby(["cell", "start", "seed"])[["size", "n_multipliers", "gap"]].mean()
        heard, drift = means.loc["heard"], means.loc["drift"]
        found = {"factor": name, "size": interval(heard["size"]), "multipliers": interval(heard["n_multipliers"])}
        table.append({**found, "gap": interval(heard["gap"]), "gap of drift": interval(drift["gap"])})
    return pd.DataFrame(table)


def shown(table: pd.DataFrame, digits: int = 3) -> str:
    """A table as docs have it."""
    texts = table.map(lambda each: f"{each:.{digits}f}" if isinstance(each, float) else str(each).replace("|", r"\|"))
    lines = [list(table.columns), ["---"] * len(table.columns), *texts.to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> int:
    """Play, measure, print; tables and the figure are written to DIR."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out/generations-table"))
    parser.add_argument("--seeds", type=int, default=50)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    chains_table(CELLS[:1], STARTS[:1], [0], last=1)  # compiles, where it has to
    began = time.perf_counter()
    rows = chains_table(CELLS, STARTS, range(asked.seeds), last=50)
    cells = cells_table(rows)
    print(f"{len(CELLS)} cells in {time.perf_counter() - began:.1f} seconds", file=sys.stderr)
    curve, humans, survived = curve_table(), human_table(), survival_by_use()
    inside = inside_table(rows, humans)
    tables = {"cells": cells, "curve": curve, "humans": humans, "survival": survived, "inside": inside}
    tables["factors"] = factors_table(FACTORS, max(2, asked.seeds // 2))
    tables["ranges"] = factors_table(RANGES, max(2, asked.seeds // 5))
    tables["populations"] = populations_table(max(2, asked.seeds // 2))
    for name, table in tables.items():
        table.to_csv(asked.out / f"{name}.csv", index=False)
        if name != "humans":
            print(f"\n{name}\n\n{shown(table)}")
    gaps = rows[rows["cell"].isin(MECHANISMS)].assign(mechanism=rows["cell"].map(MECHANISMS))
    gaps = gaps.groupby(["mechanism", "start", "seed"], sort=False)["gap"].mean().reset_index()
    between = pd.DataFrame({"low": [humans["size"].quantile(LEAST)], "high": [humans["size"].quantile(MOST)]})
    means = humans[["size", "n_multipliers", "gap"]].mean()
    print(f"\n{len(humans)} human languages, most with {between['low'][0]:.0f} to {between['high'][0]:.0f} words")
    print(f"means: {means.round(3).to_dict()}; base 10: {(humans['base'] == 10).mean():.0%}")
    order = list(MECHANISMS.values())
    gaps = gaps.sort_values("mechanism", key=lambda names: names.map(order.index), kind="stable")
    save_chart(bottleneck_figure(curve, between, gaps[["mechanism", "gap"]]), asked.out, "generations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
