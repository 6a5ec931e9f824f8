"""Does learnability predict which words generations keep? The last question of docs/learnability.md.

    ishango unarchive studies/generations-neural.tar.xz RUNS
    python -m studies.learnability_kept RUNS --out DIR

In those runs each word that is coined has to win a contest. Of the words in the plain cells (agents imitate, no symbol
costs) as many that were kept as were refused are drawn, and a listener learns the lexicon with the word and without it,
with the same luck. DIR/kept.csv has a row for each word; words that are there are not played again.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ishango.analysis.statistics import fit, jackknife, without_each
from ishango.lab import RunView, find_runs, play_in_memory, read_rounds
from ishango.learnability import LEARNABILITY
from ishango.numerals import NumeralSystem, average_complexity

EACH, SEEDS, RANGE = 300, 2, 50
"""Words that were kept, and as many that were refused; lessons of each lexicon; the numbers that the agents said."""
LESSON: dict[str, Any] = {
    "learner": "listener",
    "rounds": 20,
    "steps": 200,
    "streams": "seed",
    "game": {"range": RANGE},
}
PREDICTORS = ["easier", "shorter"]


class Word(NamedTuple):
    """A word that was coined: where, the lexicon with it and without it, and whether it was kept."""

    start: str
    run: str
    round: int
    with_it: str
    without: str
    kept: bool


def words(directory: Path) -> Iterator[Word]:
    """The words over which the plain runs of a sweep held a contest."""
    for path in sorted(find_runs(directory)):
        view = RunView(path)
        config = view.config
        if view.state != "done" or config["contest"] == "none" or not config["imitation"] or config["game"]["effort"]:
            continue
        for each in read_rounds(path):
            if each["accepted"] is not None:
                with_it = NumeralSystem.parse(each["alternative"])
                without = NumeralSystem(tuple(each["digits"]), tuple(each["multipliers"]))
                if each["accepted"]:
                    without = lexicon_without(with_it, each["invented"])
                yield Word(str(config["start"]), path.name, each["round"], str(with_it), str(without), each["accepted"])


def lexicon_without(system: NumeralSystem, invented: str) -> NumeralSystem:
    """A lexicon before words were coined; these are written `digits | multipliers`, with `none` for no words.

    >>> str(lexicon_without(NumeralSystem.parse("1-3,17,37 | 4,25"), "17 | none"))
    '1-3,37 | 4,25'
    """
    digits, multipliers = (part.strip().replace("none", "") for part in invented.split("|"))
    coined_digits, coined_multipliers = (
        {int(each) for each in part.split(",") if each} for part in (digits, multipliers)
    )
    return NumeralSystem(
        tuple(each for each in system.digits if each not in coined_digits),
        tuple(each for each in system.multipliers if each not in coined_multipliers),
        system.grammar,
    )


def drawn(found: list[Word]) -> list[Word]:
    """So many of the words that were kept and of those that were refused, in an order that is random."""
    rng = np.random.default_rng(0)
    chosen: list[Word] = []
    for kept in (True, False):
        among = [each for each in found if each.kept == kept]
        chosen += [among[i] for i in rng.permutation(len(among))[:EACH]]
    return [chosen[i] for i in rng.permutation(len(chosen))]


@cache
def area(system: str) -> float:
    """The area under the curve of a listener that learns a lexicon, mean over seeds."""
    lessons = [LEARNABILITY.from_config({**LESSON, "system": system, "seed": seed}) for seed in range(SEEDS)]
    return float(np.mean([play_in_memory(each)[0][-1]["area"] for each in lessons]))


def play(found: list[Word], file: Path) -> None:
    """Append a row for each word that is not there."""
    known = set(read(file)[["run", "round"]].itertuples(index=False, name=None))
    with file.open("a", encoding="utf-8") as out:
        for each in found:
            if (each.run, each.round) in known:
                continue
            length, before = (average_complexity(text, "power:2", RANGE) for text in (each.with_it, each.without))
            row = {**each._asdict(), "area": area(each.with_it), "area_without": area(each.without),
                   "length": length, "length_without": before}  # fmt: skip
            out.write(pd.DataFrame([row]).to_csv(index=False, header=out.tell() == 0))
            out.flush()


def read(file: Path) -> pd.DataFrame:
    """The rows that are there."""
    return pd.read_csv(file, dtype={"start": str}) if file.exists() else pd.DataFrame(columns=[*Word._fields])


def predictions(rows: pd.DataFrame) -> pd.DataFrame:
    """Logistic fits of what is kept on how much easier and how much shorter the word makes the lexicon.

    Both are standardised, alone and together; intervals leave out a start at a time.
    """
    values = pd.DataFrame({
        "easier": rows["area"] - rows["area_without"], "shorter": rows["length_without"] - rows["length"]
    })  # fmt: skip
    z = ((values - values.mean()) / values.std(ddof=0)).to_numpy()
    kept, codes = rows["kept"].to_numpy(float), pd.factorize(rows["start"])[0]
    found: list[dict[str, Any]] = []
    for fitted, columns in (("easier", [0]), ("shorter", [1]), ("together", [0, 1])):
        design = np.column_stack((np.ones(len(z)), z[:, columns]))
        beta, _ = fit(design, kept)
        without = without_each(design, kept, codes, int(codes.max()) + 1, beta)
        for place, column in enumerate(columns, 1):
            low, high, _ = jackknife(float(beta[place]), without[:, place])
            found.append({"fit": fitted, "predictor": PREDICTORS[column], "coefficient": float(beta[place]),
                          "low": low, "high": high, "words": len(rows), "starts": int(codes.max()) + 1})  # fmt: skip
    return pd.DataFrame(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("--out", type=Path, default=Path("out/learnability"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    play(drawn(list(words(asked.runs))), asked.out / "kept.csv")
    print(predictions(read(asked.out / "kept.csv")).to_string(index=False))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
