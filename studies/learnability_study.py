"""Which numeral systems are easier to learn? The study of docs/learnability.md.

    python -m studies.learnability_study play --out DIR      the runs, a row each, appended to DIR/runs.csv
    python -m studies.learnability_study tables --out DIR    the tables of the page, from the rows that are there

Human systems, their irregular twins, random systems of their size and average length, the optimum of each size, the
paper's starts and random systems of all sizes, 2,000 in all, are learned by a listener from scratch, three seeds each,
under four conditions; 300 of them also by pairs. A study that was stopped goes on where it was: rows that are there
are not played again, and half a row is dropped. It takes about seven core-hours; what matters most is played first.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ishango.lab import play_in_memory
from ishango.languages import recursive_languages
from ishango.learnability import LEARNABILITY, Learnability, matched
from ishango.learnability._experiment import area
from ishango.learnability._systems import random_covering
from ishango.numerals import MODIFIED, STARTS, Need, NumeralSystem, check_words, missing

UPTO, SEEDS, SYSTEMS, PAIRS = 99, 3, 2_000, 300
MATCHED, FIRST, TIED = 4, 2, 3
"""Random systems for each human one, and how many of them come first; of the random systems of all sizes, one in so
many has a tied twin."""
SIZES = (4, 30)
FRONTIER = Path(__file__).resolve().parent.parent / "docs" / "figures" / "frontier.csv"

ALONE = {"learner": "listener", "rounds": 20}
CONDITIONS: dict[str, dict[str, Any]] = {
    "line": {**ALONE, "answers": "line", "held_out": 10, "steps": 200},
    "classes": {**ALONE, "steps": 200},
    "line, uniform": {**ALONE, "answers": "line", "held_out": 10, "steps": 100, "need": "uniform"},
    "classes, uniform": {**ALONE, "steps": 30, "need": "uniform"},
    "line, shuffled": {**ALONE, "answers": "line", "held_out": 10, "steps": 200, "labels": "shuffled"},
    "classes, shuffled": {**ALONE, "steps": 200, "labels": "shuffled"},
    "pair": {"learner": "pair", "preset": "able", "rounds": 5, "steps": 2_000},
    "imitation": {"learner": "imitation", "rounds": 10, "steps": 400},
}
"""What is played, by name; the need of the examples is power:2 where nothing else is said, the test is uniform."""
PAIRED, CONTROLS = ("pair", "imitation"), ("line, shuffled", "classes, shuffled")


TAUGHT = {"human": "shortest", "ties": "ties", "permuted": "permuted"}


class Item(NamedTuple):
    """One system of the study, as it is taught."""

    group: str
    """human, ties or permuted (its twins), matched, optimum, start or random."""
    of: str
    """The human system that it is compared with; empty where there is none."""
    system: str
    numerals: str = "shortest"


def fits(system: NumeralSystem) -> bool:
    """Whether a system says every number, with words of the range."""
    return system.words[-1] <= UPTO and not missing(system, UPTO)


def human_systems() -> list[str]:
    """The different systems of human languages, those of more languages first."""
    systems = [each.system_under(MODIFIED.name) for each in recursive_languages()]
    counts = pd.Series([str(each) for each in systems if each and fits(each)]).value_counts()
    return sorted(counts.index, key=lambda text: (-counts[text], text))


def twins() -> list[Item]:
    """Human systems and their irregular twins."""
    return [Item(how, text, text, numerals) for text in human_systems() for how, numerals in TAUGHT.items()]


def compared() -> list[Item]:
    """Human systems and what each is compared with."""
    found = twins()
    table = pd.read_csv(FRONTIER, dtype=str)
    table = table[(table["grammar"] == MODIFIED.name) & (table["series"] == MODIFIED.name)]
    optima = [NumeralSystem.parse(f"{d} | {m}") for d, m in zip(table["digits"], table["multipliers"], strict=True)]
    found += [Item("optimum", "", str(each)) for each in optima if SIZES[0] <= each.size <= SIZES[1] and fits(each)]
    found += [Item("start", "", str(each)) for each in STARTS if fits(each)]
    for number in range(MATCHED):
        for text in human_systems():
            rng = np.random.default_rng([number, *text.encode()])
            other = matched(NumeralSystem.parse(text), rng, upto=UPTO)
            if other is not None:
                found.append(Item("matched", text, str(other)))
    return found


def population(file: Path) -> list[Item]:
    """All systems of the study, which are drawn once and kept."""
    if file.exists():
        table = pd.read_csv(file, dtype=str, keep_default_na=False)
        return [Item(*row) for row in table.itertuples(index=False)]
    found, rng = compared(), np.random.default_rng(0)
    known = {(each.system, each.numerals) for each in found}
    while len(found) < SYSTEMS:
        system = random_covering(int(rng.integers(SIZES[0], SIZES[1] + 1)), rng, MODIFIED.name, UPTO)
        if system is None or (str(system), "shortest") in known:
            continue
        check_words(system, UPTO)
        known.add((str(system), "shortest"))
        found.append(Item("random", "", str(system)))
        if len(known) % TIED == 0:
            found.append(Item("random", "", str(system), "ties"))
    pd.DataFrame(found).to_csv(file, index=False)
    return found


Key = tuple[str, str, str, int]
"""Condition, system, numerals and seed."""


def wanted(items: list[Item]) -> Iterator[tuple[str, Item, int]]:
    """All runs, what matters most first: human systems and some to compare them with, controls, pairs, the rest."""
    compared_with = [each for each in items if each.group != "random"]
    matched_so_far: dict[str, int] = {}
    core: list[Item] = []
    for each in compared_with:
        matched_so_far[each.of] = matched_so_far.get(each.of, 0) + (each.group == "matched")
        if each.group != "matched" or matched_so_far[each.of] <= FIRST:
            core.append(each)
    human = [each for each in items if each.group == "human"]
    few = list(dict.fromkeys((*core, *compared_with, *items)))[:PAIRS]
    alone = [name for name in CONDITIONS if name not in (*PAIRED, *CONTROLS)]
    for seed in range(SEEDS):
        yield from ((name, each, seed) for name in alone[:2] for each in core)
        yield from ((name, each, seed) for name in CONTROLS for each in human)
    yield from ((name, each, seed) for seed in range(SEEDS) for name in alone[2:] for each in core)
    yield from ((name, each, seed) for seed in range(SEEDS) for name in PAIRED for each in few)
    yield from ((name, each, seed) for seed in range(SEEDS) for each in items for name in alone)


def learn(condition: str, item: Item, seed: int) -> dict[str, Any]:
    """One run as a row."""
    config = {**CONDITIONS[condition], "system": item.system, "numerals": item.numerals, "seed": seed}
    experiment = LEARNABILITY.from_config({**config, "game": {"range": UPTO}})
    assert isinstance(experiment, Learnability)
    records, _ = play_in_memory(experiment)
    last = records[-1]
    own = Need.parse(experiment.options.need).weights(UPTO)
    numbers = np.arange(1, UPTO + 1)
    alike = [float(own[np.array(each["guesses"]) == numbers].sum()) for each in records]
    figures = ("size", "length", "irregularity", "changes", "bases", "homonyms")
    return {
        "condition": condition, "group": item.group, "of": item.of, "system": item.system, "numerals": item.numerals,
        "seed": seed, **{name: last[name] for name in figures}, "area": last["area"], "accuracy": last["accuracy"],
        "generalisation": last["generalisation"], "steps_to_90": last["steps_to_90"],
        "area_by_need": area(np.array(alike)), "accuracy_by_need": alike[-1],
        "accuracies": " ".join(f"{each['accuracy']:.4f}" for each in records),
        "seconds": round(sum(each["seconds"] for each in records), 3),
    }  # fmt: skip


def rows_of(file: Path) -> pd.DataFrame:
    """The rows that are there; half a row at the end, from a study that was killed, is cut off."""
    if not file.exists():
        return pd.DataFrame()
    data = file.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        with file.open("r+b") as out:
            out.truncate(len(whole))
    return pd.read_csv(file, keep_default_na=False, na_values={"generalisation": "", "steps_to_90": ""})


def play(directory: Path, seconds: float) -> None:
    """Play what is missing, for so many seconds at most: human systems and their twins first, then everything."""
    directory.mkdir(parents=True, exist_ok=True)
    until = time.perf_counter() + seconds
    for systems in (twins, lambda: population(directory / "systems.csv")):
        append(directory / "runs.csv", systems(), until)
        if time.perf_counter() > until:
            print("stopped; the same command goes on", flush=True)
            return


def append(file: Path, items: list[Item], until: float) -> None:
    """Append a row for each run of these systems that is missing, until it is time to stop."""
    rows = rows_of(file)
    done: set[Key] = set()
    if len(rows):
        done = set(zip(rows["condition"], rows["system"], rows["numerals"], rows["seed"].astype(int), strict=True))
    asked = {(name, each.system, each.numerals, seed): (name, each, seed) for name, each, seed in wanted(items)}
    left = [run for key, run in asked.items() if key not in done]
    print(f"{len(items)} systems, {len(asked)} runs, {len(left)} to play", flush=True)
    began = time.perf_counter()
    with file.open("a", encoding="utf-8") as out:
        for number, run in enumerate(left, 1):
            out.write(pd.DataFrame([learn(*run)]).to_csv(index=False, header=out.tell() == 0))
            out.flush()
            if number % 50 == 0:
                os.fsync(out.fileno())
                spent = time.perf_counter() - began
                print(f"{number}/{len(left)}, {spent / number:.2f} s a run, now {run[0]}", flush=True)
            if time.perf_counter() > until:
                return


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["play", "tables"])
    parser.add_argument("--out", type=Path, default=Path("out/learnability"))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="play for so long at most")
    asked = parser.parse_args()
    if asked.what == "play":
        play(asked.out, asked.seconds)
    else:
        from studies.learnability_table import write_tables

        write_tables(rows_of(asked.out / "runs.csv"))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
