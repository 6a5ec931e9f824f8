"""How fast is what is said for a number replaced? Frequent numbers and rare ones, beside drift and beside history.

    ishango unarchive studies/contest.tar.xz CONTEST
    python -m studies.replacement CONTEST

Words for the lowest numbers are among the most lasting of all (Pagel and Meade 2018), and words of any kind last longer
the more they are used (Pagel, Atkinson and Meade 2007). Do agents who play the game bring this about? What is said for
a number is *replaced* when its expression is another one than in the round before. Beside each run stand CHAINS of
drift that keep additions, removals and moves as often as the run did (see `studies.matched_drift`): they know nothing
of use.

The rule, stated before anything was computed. *Sparing* is the log of the ratio of two ratios: replacements of the
numbers 1 to 10, agents over drift, by those of 11 to 50, agents over drift. Agents spare what is used most where the
interval of its mean over runs lies below 0, and wear it out where it lies above. `replacement.csv` has a row a setting.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.analysis.comparable import units
from ishango.analysis.selection import decisions
from ishango.numerals import NumeralSystem, minimal_language
from studies.matched_drift import SETTING, chains, config_of, interval, rates_of, rounds_of, write_groups

OUT = Path(__file__).resolve().parent.parent / "docs" / "figures" / "replacement.csv"
UPTO = 50
GROUPS = {"1 to 5": slice(0, 5), "6 to 10": slice(5, 10), "1 to 10": slice(0, 10), "11 to 50": slice(10, 50)}
"""Places of numbers in an array that begins with 1."""
CHAINS = 8
HALF = 0.5
"""Added to each count of a ratio, so that one of nothing has a log."""


def replaced(systems: Sequence[NumeralSystem]) -> NDArray[np.int64]:
    """How often what is said for each number is another expression than in the system before."""
    count = np.zeros(UPTO, np.int64)
    expressions = {each: minimal_language(each, UPTO).expressions for each in set(systems)}
    said = [[expressions[each][number] for number in range(1, UPTO + 1)] for each in systems]
    for before, after in pairwise(said):
        count += [one != other for one, other in zip(before, after, strict=True)]
    return count


def systems_of(rounds: Sequence[dict[str, Any]], grammar: str) -> list[NumeralSystem]:
    return [NumeralSystem(each["digits"], each["multipliers"], grammar) for each in rounds]


def beside_drift(run: pd.DataFrame, count: int) -> dict[str, Any]:
    """Replacements a hundred rounds in one run, and in drift that changes as often as it did."""
    config = config_of(run)
    rounds = run.sort_values("round").to_dict("records")
    own = replaced(systems_of(rounds, config["grammar"]))
    rates = rates_of(decisions(run))[0]
    drift = [replaced(systems_of(each, config["grammar"])) for each in chains(config, rates, False, count)]
    mean, per = np.mean(drift, axis=0), 100 / config["rounds"]
    row = {"run": run["run"].iloc[0], "unit": units(run).iloc[0], "sparing": sparing(own, mean)}
    for name, where in GROUPS.items():
        row |= {name: per * own[where].mean(), f"drift, {name}": per * mean[where].mean()}
    return row


def sparing(agents: NDArray[Any], drift: NDArray[Any]) -> float:
    """The log of how much rarer agents replace what is used most than drift does, beside all else; below 0: rarer."""
    often, seldom = GROUPS["1 to 10"], GROUPS["11 to 50"]
    ratios = [(agents[each].sum() + HALF) / (drift[each].sum() + HALF) for each in (often, seldom)]
    return float(np.log(ratios[0] / ratios[1]))


def summarised(rows: pd.DataFrame) -> dict[str, Any]:
    """A setting's runs in one row."""
    mean, low, high = interval(rows["sparing"], rows["unit"])
    verdict = "spared" if high < 0 else "worn out" if low > 0 else "not shown to differ"
    names = [name for group in GROUPS for name in (group, f"drift, {group}")]
    return {"runs": len(rows), **rows[names].mean(), "sparing": mean, "low": low, "high": high, "verdict": verdict}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directories", nargs="+", type=Path)
    parser.add_argument("--chains", type=int, default=CHAINS, help="drift runs beside each run")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    table = rounds_of(asked.directories)
    setting = [name for name in SETTING if name in table]
    groups = [(key, run) for key, rows in table.groupby(setting, dropna=False) for _, run in rows.groupby("run")]
    with ProcessPoolExecutor(asked.workers) as pool:
        found = list(pool.map(partial(beside_drift, count=asked.chains), [run for _, run in groups]))
    runs = pd.DataFrame(
        [{**dict(zip(setting, key, strict=True)), **row} for (key, _), row in zip(groups, found, strict=True)]
    )
    write_groups(runs, setting, summarised, OUT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
