"""Agents who can talk: how much each setting lets them understand. python -m benchmarks.able OUT.csv [--steps N ...]

The preset `able` is the setting nearest to the paper's words with which, from every start, agents win 95 % of games and
understand 40 of 50 numbers after 10,000 and after 40,000 steps. Nearness counts, in this order: what the paper says and
the setting changes, terms that it does not have, and what it leaves open. No setting is looked at for its lexicons.
Seeds are 900 and above, which no study uses. A setting that fails after 10,000 steps is not played further.
"""

from __future__ import annotations

import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from ishango.game import Agents, GameOptions, play
from ishango.game.ask import best
from ishango.numerals import STARTS, Need, minimal_language

SEEDS = (900, 901)
STEPS = (10_000, 40_000)
GAMES, NUMBERS = 0.95, 40
SAID = ("learning_rate", "batch", "hidden", "embedding")
"""What the paper tells."""
TERMS = ("lost_entropy", "speaker_entropy", "baseline")
"""Terms of the loss that it does not have."""
CHOICES: dict[str, tuple[Any, ...]] = {
    "listener_entropy": (0.1, 0.03, 0.01),
    "vocabulary": (None, 20, 106),
    "baseline": ("none", "mean"),
    "lost_entropy": (0.0, 0.003, 0.01, 0.03),
    "speaker_entropy": (0.0, 0.003, 0.01),
    "learning_rate": (0.002, 0.001, 0.005),
    "batch": (32, 128, 512),
    "hidden": (100, 200),
}
"""The first of each is the default."""


def settings(most: int) -> list[dict[str, Any]]:
    """Every combination in which at most so many options differ from their defaults, nearest to the paper first."""
    names = list(CHOICES)
    changed = [
        {name: value for name, value in zip(names, values, strict=True) if value != CHOICES[name][0]}
        for values in product(*CHOICES.values())
    ]
    return sorted((each for each in changed if len(each) <= most), key=farness)


def farness(setting: dict[str, Any]) -> tuple[int, int, int]:
    """How far a setting is from the paper's words; the lesser, the nearer."""
    said, terms = (sum(name in setting for name in names) for names in (SAID, TERMS))
    return said, terms, len(setting) - said - terms


def trained(setting: dict[str, Any], start: int, seed: int) -> list[dict[str, Any]]:
    """What agents of a setting understand of one start, after each number of steps."""
    options, rng = GameOptions(**setting), np.random.default_rng([seed, start])
    words = minimal_language(STARTS[start - 1], options.upto).tokens("infix")
    need, agents = Need.parse("power:2").weights(options.upto), Agents.random(options, rng)
    rows, so_far = [], None
    for steps in STEPS:
        so_far = play(agents, [words], need, options, steps - (so_far.steps if so_far else 0), rng, so_far=so_far)
        rows.append({"start": start, "seed": seed, "steps": steps, "games": so_far.accuracy(), **told(agents, words)})
        if not passes(rows[-1]):
            break
    return rows


def told(agents: Agents, words: Any) -> dict[str, int]:
    """Numbers understood, and different messages, if both agents take their likeliest symbols."""
    found = best(agents, words)
    numbers = int((found.heard.argmax(-1) == np.arange(len(found.lengths))).sum())
    return {"numbers": numbers, "messages": len({tuple(m[:n]) for m, n in zip(found.messages, found.lengths)})}


def passes(row: dict[str, Any]) -> bool:
    """Whether a pair can talk."""
    return row["games"] >= GAMES and row["numbers"] >= NUMBERS


def tried(setting: dict[str, Any]) -> list[dict[str, Any]]:
    """All starts and seeds of a setting, up to the first that fails after the first steps."""
    name = ", ".join(f"{key}={value}" for key, value in setting.items()) or "defaults"
    rows: list[dict[str, Any]] = []
    for seed, start in product(SEEDS, (7, 8, 1, 2, 3, 4, 5, 6)):
        rows += [{"setting": name, "farness": farness(setting), **row} for row in trained(setting, start, seed)]
        if seed == SEEDS[0] and sum(not passes(row) for row in rows) > 2:
            break
    return rows


def main(out: Path, most: int) -> None:
    """Try all settings on two cores, and write what each run understood."""
    with ProcessPoolExecutor(2) as pool, out.open("w", newline="") as file:
        writer = None
        for rows in pool.map(tried, settings(most)):
            writer = writer or csv.DictWriter(file, rows[0])
            if not file.tell():
                writer.writeheader()
            writer.writerows(rows)
            file.flush()
            print(rows[0]["setting"], "|", len(rows), "looks,", sum(map(passes, rows)), "pass", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
