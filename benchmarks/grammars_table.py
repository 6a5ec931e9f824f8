"""What each grammar makes optimal, and where it puts human languages: the tables of docs/grammars.md.

    python -m benchmarks.grammars_table --out DIR

For every grammar with a name: the proved frontier of sizes 2 to 25 (n^-2, 1 to 99) with the fewest multipliers that an
optimum needs, and every human language of the table whose words cover the range: its gap, its distance to the frontier
in both axes, and its rank, the share of random systems with as many digits and multipliers that are as short or
shorter. Medians are over families, since languages of a family are alike.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from ishango.frontier import Problem, frontier
from ishango.frontier.distance import distance
from ishango.languages import Language, load_languages
from ishango.numerals import GRAMMARS, Need, NumeralSystem, average_complexity, averages, leaves_of_many

SIZES = range(2, 26)
UPTO = 99
WEIGHTS = Need.parse("power:2").weights(UPTO)
DRAWN, TRIES = 1_000, 40
"""Random systems that are wanted of each shape, and how many times as many are tried at most."""


def frontiers(name: str) -> pd.DataFrame:
    """The frontier of a grammar, with every optimum counted."""
    rows = [
        {"grammar": name, "size": point.size, "average_complexity": float(point.average), "proved": point.proved,
         "optima": len(point.optima), "fewest_multipliers": min(o.fewest_multipliers for o in point.optima),
         "system": str(point.system), "nodes": point.nodes}
        for point in frontier(Problem(name, upto=UPTO), SIZES, every=True)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def random_averages(system: NumeralSystem, rng: np.random.Generator) -> np.ndarray:
    """Averages of random systems with 1 among the digits and as many of both kinds, of those that cover the range."""
    digits, multipliers = len(system.digits), len(system.multipliers)
    found: list[float] = []
    for _ in range(TRIES):
        order = np.argsort(rng.random((DRAWN, UPTO - 1)), axis=1) + 2
        masks = np.zeros((2, DRAWN, UPTO), bool)
        masks[0, :, 0] = digits > 0
        rows = np.arange(DRAWN)[:, None]
        first = max(digits - 1, 0)
        masks[0, rows, order[:, :first] - 1] = True
        masks[1, rows, order[:, first : first + multipliers] - 1] = True
        values = averages(leaves_of_many(masks[0], masks[1], system.grammar), WEIGHTS)
        found += values[np.isfinite(values)].tolist()
        if len(found) >= DRAWN:
            break
    return np.array(found[:DRAWN])


def language_row(language: Language, name: str, rng: np.random.Generator) -> dict[str, object] | None:
    """Where a grammar puts a language; None where its words do not cover the range."""
    system = language.system_under(name)
    average = None if system is None else average_complexity(system, upto=UPTO)
    if system is None or average is None or system.size > SIZES[-1]:
        return None
    least = next(iter(frontier(Problem(name, upto=UPTO), [system.size])))
    others = random_averages(system, rng)
    rank = float((others <= average + 1e-12).mean()) if len(others) else np.nan
    return {"grammar": name, "language": language.name, "family": language.family, "size": system.size,
            "multipliers": len(system.multipliers), "average_complexity": average,
            "gap": average - float(least.average),
            "distance": distance(system.size, average, Problem(name, upto=UPTO)), "rank": rank, "random": len(others),
            "said": language.average_complexity(name)}  # fmt: skip


def summary(points: pd.DataFrame, languages: pd.DataFrame) -> pd.DataFrame:
    """A row a grammar."""
    optima = points.groupby("grammar", sort=False).agg(
        proved=("proved", "sum"), single=("fewest_multipliers", lambda m: int((m == 1).sum())),
        at_most_two=("fewest_multipliers", lambda m: int((m <= 2).sum())), most=("fewest_multipliers", "max"),
    )  # fmt: skip
    families = languages.groupby(["grammar", "family"])[["gap", "distance", "rank"]].median()
    human = families.groupby("grammar").median()
    return optima.join(human).join(languages.groupby("grammar").size().rename("languages")).reset_index()


def main() -> int:
    """Prove, place, write, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out/grammars"), help="where the tables go")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    points, rows = [], []
    for name in GRAMMARS:
        print(f"{name} ...", file=sys.stderr)
        points.append(frontiers(name))
        rng = np.random.default_rng(0)
        rows += [row for each in load_languages() if each.system and (row := language_row(each, name, rng))]
    tables = {"grammars-frontier": pd.concat(points, ignore_index=True), "grammars-languages": pd.DataFrame(rows)}
    tables["grammars"] = summary(tables["grammars-frontier"], tables["grammars-languages"])
    for name, table in tables.items():
        table.round(6).to_csv(asked.out / f"{name}.csv", index=False, lineterminator="\n")
    print(tables["grammars"].round(3).to_string(index=False))
    print(tables["grammars-frontier"].pivot(index="size", columns="grammar", values="fewest_multipliers").to_string())
    nearest = tables["grammars-languages"].sort_values("gap").groupby("grammar").head(5)
    print(
        nearest[["grammar", "language", "size", "gap", "rank"]].sort_values(["grammar", "gap"]).to_string(index=False)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
