"""Which numeral systems are easier to learn? The study of docs/learnability.md.

    python -m studies.learnability_study play --out DIR      the runs, a row each, appended to DIR/runs.csv
    python -m studies.learnability_study tables --out DIR    the tables of the page, from the rows that are there

The systems of the catalogue of human languages, their irregular twins, random systems of their size and average length,
the optimum of each size, the paper's starts and random systems of all sizes, 2,000 in all, are learned from scratch
by a listener under four conditions, and 300 of them by pairs; three seeds each. A study that was stopped goes on where
it was: rows that are there are not played again, and half a row is dropped. It takes about three core-hours; what
matters most is played first. `--share 0/2` and `--share 1/2` let two processes play it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ishango import safe_files
from ishango.lab import play_in_memory
from ishango.languages import load_languages
from ishango.learnability import LEARNABILITY, Learnability, matched
from ishango.learnability._experiment import area
from ishango.learnability._options import random_covering
from ishango.numerals import MODIFIED, STARTS, NumeralSystem, check_words, missing

UPTO, SEEDS, SYSTEMS = 99, 3, 2_000
MATCHED, TIED = 2, 3
"""Random systems for each human one; of the random systems of all sizes, one in so many has a tied twin."""
HEAVY, TIMES = 0.01, 4
"""A human system that weighs so much or more has so many times as many matched systems, and its lessons as many
seeds: else its luck would be that of the study."""
SIZES = (2, 30)
PAIR_HUMANS, PAIRS = 50, 300
"""Pairs learn the human systems of most weight, and so many systems in all."""
CONTROLLED = 8
"""One human system in so many is taught with shuffled labels."""
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

TAUGHT = {"human": "shortest", "ties": "ties", "permuted": "permuted"}


class Item(NamedTuple):
    """One system of the study, as it is taught; one system may be several items."""

    group: str
    """human, ties or permuted (its twins), matched, optimum, start or random."""
    of: str
    """The human system that it is compared with; empty where there is none."""
    system: str
    numerals: str = "shortest"


class Run(NamedTuple):
    """One lesson: what makes it another one."""

    condition: str
    system: str
    numerals: str
    seed: int


def fits(system: NumeralSystem) -> bool:
    """Whether a system says every number, with words of the range."""
    return system.words[-1] <= UPTO and not missing(system, UPTO)


@cache
def spoken() -> pd.DataFrame:
    """The varieties of the catalogue whose system is taught: the family and the system of each."""
    found = ((each.family or each.name, each.system_under(MODIFIED.name)) for each in load_languages("world"))
    rows = [(family, str(system)) for family, system in found if system and fits(system)]
    return pd.DataFrame(rows, columns=["family", "system"])


@cache
def _counts() -> pd.DataFrame:
    return pd.crosstab(spoken()["family"], spoken()["system"])


def shares(systems: Iterable[str]) -> pd.DataFrame:
    """For each family (a row) the share of its varieties that has each of some systems, among those that have one."""
    counts = _counts()[[*systems]]
    known = counts[counts.sum(axis=1) > 0]
    return known.div(known.sum(axis=1), axis=0)


@cache
def human_systems() -> dict[str, float]:
    """The different systems of human languages and their weights: a family counts once, and its varieties alike."""
    weights = shares(spoken()["system"].unique()).mean()
    return {text: float(weights[text]) for text in sorted(weights.index, key=lambda text: (-weights[text], text))}


def heavy(text: str) -> bool:
    """Whether much depends on what is measured of a human system."""
    return human_systems().get(text, 0.0) >= HEAVY


def optima() -> list[NumeralSystem]:
    """The optimum of each size."""
    table = pd.read_csv(FRONTIER, dtype=str)
    table = table[(table["grammar"] == MODIFIED.name) & (table["series"] == MODIFIED.name)]
    found = [NumeralSystem.parse(f"{d} | {m}") for d, m in zip(table["digits"], table["multipliers"], strict=True)]
    return [each for each in found if SIZES[0] <= each.size <= SIZES[1] and fits(each)]


def compared() -> list[Item]:
    """Human systems and what each is compared with."""
    found = [Item(how, text, text, numerals) for text in human_systems() for how, numerals in TAUGHT.items()]
    found += [Item("optimum", "", str(each)) for each in optima()]
    found += [Item("start", "", str(each)) for each in STARTS if fits(each)]
    for text in human_systems():
        for number in range(MATCHED * (TIMES if heavy(text) else 1)):
            rng = np.random.default_rng([number, *text.encode()])
            other = matched(NumeralSystem.parse(text), rng, upto=UPTO)
            if other is not None:
                found.append(Item("matched", text, str(other)))
    return found


def population(file: Path) -> list[Item]:
    """All systems of the study, which are drawn once and kept."""
    if not file.exists():
        found = compared()
        found += random_items({each.system for each in found}, SYSTEMS - len({each[2:] for each in found}))
        safe_files.write(file, pd.DataFrame(found).to_csv(index=False).encode())
    table = pd.read_csv(file, dtype=str, keep_default_na=False)
    return [Item(*row) for row in table.itertuples(index=False)]


def random_items(known: set[str], count: int) -> list[Item]:
    """Random systems that are not known, of each size in turn, some of them with a tied twin."""
    found, rng, sizes = list[Item](), np.random.default_rng(0), range(4, SIZES[1] + 1)
    while len(found) < count:
        for size in sizes:
            system = random_covering(size, rng, MODIFIED.name, UPTO)
            if system is None or str(system) in known:
                continue
            check_words(system, UPTO)
            known.add(str(system))
            found.append(Item("random", "", str(system)))
            if len(known) % TIED == 0:
                found.append(Item("random", "", str(system), "ties"))
    return found


def paired(items: list[Item]) -> list[Item]:
    """What pairs learn: human systems of most weight with a system of each kind beside them, and others."""
    top = set(list(human_systems())[:PAIR_HUMANS])
    beside = [each for each in items if each.of in top]
    first = {(each.group, each.of): each for each in reversed(beside)}
    chosen = [*first.values(), *(each for each in items if each.group in ("optimum", "start"))]
    others = [each for each in items if each.group == "random" and each.numerals == "shortest"]
    taught = {each[2:]: each for each in reversed((*chosen, *others))}
    return [*reversed(taught.values())][:PAIRS]


def wanted(items: list[Item]) -> Iterator[Run]:
    """All runs, what matters most first: a seed of everything, then other seeds."""
    by_group: defaultdict[str, list[Item]] = defaultdict(list)
    for each in items:
        by_group[each.group].append(each)
    core = [each for each in items if each.group not in ("matched", "random")]
    core += {each.of: each for each in reversed(by_group["matched"])}.values()
    rank = {text: number for number, text in enumerate(human_systems())}
    core.sort(key=lambda each: rank.get(each.of, -1))
    few = sorted(paired(items), key=lambda each: rank.get(each.of, -1))
    sized = [each for each in few if each.group in ("optimum", "random")]
    controlled = by_group["human"][::CONTROLLED]
    power = (("line", items, TIMES), ("classes", items, TIMES))
    control = (("line, shuffled", controlled, 1), ("classes, shuffled", controlled, 1))
    uniform = ("classes, uniform", "line, uniform")
    some = (*((name, few, TIMES) for name in uniform), ("imitation", few, 1), ("pair", few, 1))
    other = (("imitation", few, TIMES), *((name, core, TIMES) for name in uniform))
    first, again = range(1), range(1, SEEDS)
    phases = (
        (first, (*power, *control, ("pair", sized, 1), *some, *other)),
        (again, power),
        (again, (*other, ("pair", few, 1))),
    )
    for seeds, parts in phases:
        yield from (
            run for seed in seeds for name, learned, times in parts for run in seeded(name, learned, seed, times)
        )


def seeded(condition: str, items: Iterable[Item], seed: int, times: int) -> Iterator[Run]:
    """A run of each item, and of human systems of much weight and their twins several."""
    for each in items:
        again = times if each.group in TAUGHT and heavy(each.of) else 1
        yield from (Run(condition, each.system, each.numerals, seed + i * SEEDS) for i in range(again))


def learn(run: Run) -> dict[str, Any]:
    """One run as a row."""
    config = {**CONDITIONS[run.condition], "system": run.system, "numerals": run.numerals, "seed": run.seed}
    experiment = LEARNABILITY.from_config({**config, "game": {"range": UPTO}})
    assert isinstance(experiment, Learnability)
    records, _ = play_in_memory(experiment)
    last, numbers = records[-1], np.arange(1, UPTO + 1)
    alike = [float(experiment.weights[np.array(each["guesses"]) == numbers].sum()) for each in records]
    figures = ("size", "length", "irregularity", "changes", "bases", "homonyms")
    return {
        **run._asdict(), **{name: last[name] for name in figures}, "area": last["area"], "accuracy": last["accuracy"],
        "generalisation": last["generalisation"], "steps_to_90": last["steps_to_90"],
        "area_by_need": area(np.array(alike)), "accuracy_by_need": alike[-1],
        "accuracies": " ".join(f"{each['accuracy']:.4f}" for each in records),
        "seconds": round(sum(each["seconds"] for each in records), 3),
    }  # fmt: skip


def rows_of(directory: Path) -> pd.DataFrame:
    """The rows that are there; half a row at the end, from a study that was killed, is cut off."""
    found: list[pd.DataFrame] = []
    for file in sorted(directory.glob("runs*.csv")):
        data = file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole:
            found.append(pd.read_csv(file, nrows=whole.count(b"\n") - 1))
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=[*Run._fields])


def play(directory: Path, share: tuple[int, int], seconds: float) -> None:
    """Play what is missing of a share of the runs, for so many seconds at most."""
    directory.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    items = population(directory / "systems.csv")
    asked = list(dict.fromkeys(wanted(items)))[share[0] :: share[1]]
    done = {Run(*each) for each in rows_of(directory)[[*Run._fields]].itertuples(index=False)}
    left = [each for each in asked if each not in done]
    print(f"{len(items)} systems, {len(asked)} runs, {len(left)} to play", flush=True)
    file = directory / f"runs-{share[0]}-of-{share[1]}.csv"
    cut_half_a_row(file)
    with file.open("a", encoding="utf-8") as out:
        for number, run in enumerate(left, 1):
            out.write(pd.DataFrame([learn(run)]).to_csv(index=False, header=out.tell() == 0))
            out.flush()
            spent = time.perf_counter() - began
            if number % 50 == 0:
                os.fsync(out.fileno())
                print(f"{number}/{len(left)}, {spent / number:.2f} s a run, now {run.condition}", flush=True)
            if spent > seconds:
                print("stopped; the same command goes on", flush=True)
                return


def cut_half_a_row(file: Path) -> None:
    """Drop what a killed study left of a row."""
    if file.exists():
        data = file.read_bytes()
        with file.open("r+b") as out:
            out.truncate(data.rfind(b"\n") + 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["play", "tables"])
    parser.add_argument("--out", type=Path, default=Path("out/learnability"))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="play for so long at most")
    parser.add_argument("--share", default="0/1", help="play only this part of the runs, such as 0/2 or 1/2")
    asked = parser.parse_args()
    if asked.what == "play":
        first, parts = (int(each) for each in asked.share.split("/"))
        play(asked.out, (first, parts), asked.seconds)
    else:
        from studies.learnability_kept import read
        from studies.learnability_table import write_tables

        write_tables(population(asked.out / "systems.csv"), rows_of(asked.out), read(asked.out / "kept.csv"))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
