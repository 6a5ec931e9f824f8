"""Irregularity and processing of human languages, random systems and proved optima: docs/costs.md's table and figure.

    python -m studies.costs_table --out DIR

Human languages are those of CoSiNuS that are read completely, as they are said. Beside the languages of each size stand
random systems that cover 1 to 99 and the proved optimum of that size under n^-2; Hurford's grammar throughout. Random
systems and optima are measured by the shipped tie rule, and some of them, with all optima, by the most regular minimal
language that a search finds. Operators are heard or not; human languages are also measured with all that is glossed,
allomorphs, links and cases, beside others of which operators are heard.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ishango.cosinus import SpokenLanguage, spoken_languages
from ishango.cosinus._spoken_costs import NO_FAMILY
from ishango.costs import Automaton, Said, automaton_of, canonical_automaton
from ishango.costs._tradeoffs import most_regular
from ishango.figures.kinds_figures import costs_figure
from ishango.figures.look import save_chart
from ishango.frontiers import problem_of, solve
from ishango.numerals import HURFORD, Need, NumeralSystem, evaluate_many, minimal_language

RANGE = 99
NEED = Need.parse("power:2")
HEARD = (False, True)
MOST_MULTIPLIERS = 5
MEASURES = ("irregularity", "processing")
HEARING = {
    ("said", False): "words",
    ("said", True): "words and operators",
    ("glossed", True): "all that is glossed",
}
"""What is heard of human languages, by rule and operators."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out/costs"))
    parser.add_argument("--random", type=int, default=200, help="random systems of each size")
    parser.add_argument("--searched", type=int, default=4, help="of these, so many by their most regular language")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if not 1 <= asked.searched <= asked.random:
        parser.error("--searched must lie between 1 and --random")
    asked.out.mkdir(parents=True, exist_ok=True)
    rows = table(asked.random, asked.searched, np.random.default_rng(asked.seed))
    rows.to_csv(asked.out / "costs.csv", index=False)
    verdicts = verdict_table(rows)
    verdicts.to_csv(asked.out / "verdicts.csv", index=False)
    print(size_table(rows).to_string(index=False))
    print()
    print(verdicts[verdicts["family"] == "all"].drop(columns="family").set_index("heard").T.to_string())
    print("\nby family, all that is glossed:")
    print(verdicts[verdicts["heard"] == "all that is glossed"].drop(columns="heard").set_index("family").T.to_string())
    save_chart(costs_figure(rows), asked.out, "costs")
    return 0


def table(n_random: int, n_searched: int, rng: np.random.Generator) -> pd.DataFrame:
    """One row a language and a way of hearing it."""
    languages = [each for each in spoken_languages() if each.whole]
    rows = [human_row(each, heard) for each in languages for heard in HEARD] + [gloss_row(each) for each in languages]
    for size in sorted({each.system.size for each in languages}):
        systems = random_systems(size, n_random, rng)
        optimum = solve(problem_of(HURFORD.name, NEED, RANGE), size)
        assert optimum.proved
        for heard in HEARD:
            rows += [system_row("random", each, heard) for each in systems]
            rows += [system_row("random", each, heard, rng) for each in systems[:n_searched]]
            rows += [system_row("optimum", optimum.system, heard), system_row("optimum", optimum.system, heard, rng)]
        print(f"size {size}: {optimum.system} is optimal", file=sys.stderr, flush=True)
    return pd.DataFrame(rows)


def random_systems(size: int, count: int, rng: np.random.Generator) -> list[NumeralSystem]:
    """1 is a digit, |M| is uniform in 1..5, the other words are drawn from 2..99; those that cover are kept."""
    found: list[NumeralSystem] = []
    while len(found) < count:
        drawn = []
        for _ in range(5 * count):
            others = rng.choice(np.arange(2, RANGE + 1), size - 1, replace=False).tolist()
            n = int(rng.integers(1, min(MOST_MULTIPLIERS, size - 1) + 1))
            drawn.append(NumeralSystem((1, *others[n:]), tuple(others[:n]), HURFORD.name))
        averages = evaluate_many(drawn, upto=RANGE)
        found += [each for each, average in zip(drawn, averages, strict=True) if not np.isnan(average)]
    return found[:count]


def human_row(language: SpokenLanguage, heard: bool) -> dict[str, Any]:
    said = Said(language.system, language.expressions, NEED, RANGE, heard)
    return _row("human", language.name, language.family or NO_FAMILY, language.system, "said", heard, said.automaton)


def gloss_row(language: SpokenLanguage) -> dict[str, Any]:
    """All that is glossed, in the order in which it is said."""
    found = automaton_of([each.glosses for each in language.numerals.values()], NEED.weights(RANGE))
    return _row("human", language.name, language.family or NO_FAMILY, language.system, "glossed", True, found)


def system_row(
    group: str, system: NumeralSystem, heard: bool, rng: np.random.Generator | None = None
) -> dict[str, Any]:
    """By the shipped tie rule; with a generator, by the most regular language that is found."""
    if rng is None:
        found = canonical_automaton(system, NEED, RANGE, operators=heard)
        assert found is not None
        return _row(group, str(system), "", system, "shipped", heard, found)
    found = most_regular(minimal_language(system, RANGE), rng, NEED, operators=heard)
    return _row(group, str(system), "", system, "most regular", heard, found)


def _row(
    group: str, name: str, family: str, system: NumeralSystem, rule: str, heard: bool, found: Automaton
) -> dict[str, Any]:
    return {
        "group": group, "name": name, "family": family, "size": system.size, "rule": rule, "operators": heard,
        "irregularity": found.bits, "processing": found.processing, "homonyms": found.homonyms,
    }  # fmt: skip


def size_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Medians by size, group, rule and hearing."""
    keys = ["operators", "size", "group", "rule"]
    medians = rows.groupby(keys, sort=True)[["irregularity", "processing", "homonyms"]].median()
    return medians.assign(n=rows.groupby(keys).size()).round(2).reset_index()


def verdict_table(rows: pd.DataFrame) -> pd.DataFrame:
    """By family: in how many languages each cost is below that of the others of the same size.

    Against random systems the median counts, under either rule; against the optimum its own value.
    """
    others = rows[rows["group"] != "human"].groupby(["operators", "size", "group", "rule"])[[*MEASURES]].median()
    human = rows[rows["group"] == "human"].assign(heard=[HEARING[r, o] for r, o in human_keys(rows)])
    table = []
    for heard in HEARING.values():
        here = human[human["heard"] == heard]
        for family, mine in [("all", here), *here.groupby("family")]:
            verdict: dict[str, Any] = {"heard": heard, "family": family, "languages": len(mine)}
            for measure, group, rule in product(MEASURES, ("random", "optimum"), ("shipped", "most regular")):
                keys = ((row["operators"], row["size"], group, rule) for row in mine.to_dict("records"))
                below = [own < others.loc[key, measure] for own, key in zip(mine[measure], keys, strict=True)]
                verdict[f"{measure} < {group}, {rule}"] = int(sum(below))
            table.append(verdict)
    return pd.DataFrame(table)


def human_keys(rows: pd.DataFrame) -> list[tuple[str, bool]]:
    human = rows[rows["group"] == "human"]
    return list(zip(human["rule"], human["operators"], strict=True))


if __name__ == "__main__":
    sys.exit(main())
