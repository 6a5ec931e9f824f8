"""What each grammar makes optimal, and where it puts human languages: tables and figures of docs/studies/grammars.md.

    python -m studies.grammars_table --out DIR [--runs DIR --coin DIR]

For every grammar with a name: the proved frontier of sizes 2 to 25 (n^-2, 1 to 99) with the fewest multipliers that an
optimum needs, and every human language of the table whose words cover the range: its gap, its distance to the frontier
in both axes, and two ranks. `rank` is the share of random systems with as many digits and multipliers that are as short
or shorter, `neighbours` the share of all systems with one word replaced, in the same role, that are shorter. Medians
are over families, since languages of a family are alike. `--runs` and `--coin` are where plans/grammars.toml and
plans/grammars-coin.toml were played: where their runs ended is measured, and drawn beside random systems.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import ishango
from ishango.costs import Said, canonical_automaton
from ishango.figures.look import save_chart
from ishango.frontiers import Problem, distance, frontier, frontier_value, problem_of
from ishango.languages import Language, load_languages
from ishango.numerals import (
    GRAMMARS,
    Need,
    NumeralSystem,
    average_complexity,
    averages,
    evaluate_many,
    leaves_of_many,
    masks,
)
from studies.figures import lengths_figure, regularity_figure

SIZES = range(2, 26)
UPTO = 99
WEIGHTS = Need.parse("power:2").weights(UPTO)
DRAWN, TRIES = 400, 20
"""Random systems that are wanted of each shape, and how many times as many are tried at most."""
ADDED = "rules:bare_number+bare_phrase+plus+multiplier_words=2"
LABELS = {ADDED: "natural+ without subtraction", "natural+": "natural+ (2 words)", "natural+3": "natural+3 (3 words)"}
"""What is written out beside the grammars with a name, and what figures call it and those with long labels."""
NAMES = (*GRAMMARS, ADDED)
DOTS = 2
"""Random systems of the shape of each language that are drawn."""


def sizes_of(name: str) -> list[int]:
    """The sizes at which a grammar has lexicons."""
    return [size for size in SIZES if size >= Problem(name, upto=UPTO).smallest_size]


def frontiers(name: str) -> pd.DataFrame:
    """The frontier of a grammar, with every optimum counted."""
    rows = [
        {"grammar": name, "size": point.size, "average_complexity": float(point.average), "proved": point.proved,
         "optima": len(point.optima), "fewest_multipliers": min(o.fewest_multipliers for o in point.optima),
         "system": str(point.system), "nodes": point.nodes}
        for point in frontier(Problem(name, upto=UPTO), sizes_of(name), every=True)
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


def neighbours(system: NumeralSystem, average: float) -> float:
    """The share of the systems with one word replaced, in the same role, that cover the range and are shorter."""
    digits, multipliers = (each[0] for each in masks([system], UPTO))
    both = np.stack((digits, multipliers))
    free = np.flatnonzero(~(digits | multipliers))
    places = np.argwhere(both)
    rows = np.repeat(both[None], len(places) * len(free), axis=0)
    every = np.arange(len(rows))
    role, word = np.repeat(places, len(free), axis=0).T
    rows[every, role, word] = False
    rows[every, role, np.tile(free, len(places))] = True
    values = averages(leaves_of_many(rows[:, 0], rows[:, 1], system.grammar), WEIGHTS)
    return float((values < average - 1e-12).mean())


def language_row(language: Language, name: str, rng: np.random.Generator) -> dict[str, object] | None:
    """Where a grammar puts a language; None where its words do not cover the range."""
    system = language.system_under(name)
    average = None if system is None else average_complexity(system, upto=UPTO)
    if system is None or average is None or system.size > SIZES[-1]:
        return None
    least = frontier_value(system.size, problem_of(name, "power:2", UPTO))
    assert least is not None
    others = random_averages(system, rng)
    rank = float((others <= average + 1e-12).mean()) if len(others) else np.nan
    return {"grammar": name, "language": language.name, "glottocode": language.glottocode,
            "family": language.family, "size": system.size,
            "multipliers": len(system.multipliers), "average_complexity": average,
            "gap": average - least,
            "distance": distance(system.size, average, Problem(name, upto=UPTO)), "rank": rank, "random": len(others),
            "neighbours": neighbours(system, average),
            "said": language.average_complexity(name)}  # fmt: skip


def summary(points: pd.DataFrame, languages: pd.DataFrame) -> pd.DataFrame:
    """A row a grammar."""
    optima = points.groupby("grammar", sort=False).agg(
        proved=("proved", "sum"), single=("fewest_multipliers", lambda m: int((m == 1).sum())),
        at_most_two=("fewest_multipliers", lambda m: int((m <= 2).sum())), most=("fewest_multipliers", "max"),
    )  # fmt: skip
    families = languages.groupby(["grammar", "family"])[["gap", "distance", "rank", "neighbours"]].median()
    human = families.groupby("grammar").median()
    shared = languages.groupby("language")["grammar"].transform("nunique") == len(NAMES)
    same = languages[shared].groupby(["grammar", "family"])["gap"].median().groupby("grammar").median()
    counts = languages.groupby("grammar").agg(
        languages=("gap", "size"), optimal=("gap", lambda g: int((g < 1e-9).sum()))
    )
    return optima.join(human).join(same.rename("gap_shared")).join(counts).reset_index()


def family_table(languages: pd.DataFrame) -> pd.DataFrame:
    """By family: the median gap and the median share of shorter neighbours under each grammar."""
    table = languages.pivot_table(index="family", columns="grammar", values=["gap", "neighbours"], aggfunc="median")
    table.columns = [f"{measure} ({grammar})" for measure, grammar in table.columns]
    counted = languages[languages["grammar"] == "modified"].groupby("family").size().rename("languages")
    return table.join(counted).sort_values("languages", ascending=False).reset_index()


def nearest_table(languages: pd.DataFrame) -> pd.DataFrame:
    """In how many families languages lie nearer, by their median gap, to the row's frontier than to the column's."""
    gaps = languages.pivot_table(index="family", columns="grammar", values="gap", aggfunc="median")
    return pd.DataFrame(
        {other: {name: int((gaps[name] < gaps[other] - 1e-9).sum()) for name in gaps} for other in gaps}
    )


def point(group: str, name: str, system: NumeralSystem, said: Said | None = None) -> dict[str, Any] | None:
    """A system in both planes, by its minimal language or, if given, by what is said; None if it does not cover."""
    length = average_complexity(system, upto=UPTO)
    found = canonical_automaton(system, upto=UPTO) if said is None else said.automaton
    if length is None or found is None:
        return None
    label = LABELS.get(system.grammar, GRAMMARS[system.grammar].label)
    return {"grammar": system.grammar, "label": label, "group": group, "name": name,
            "size": system.size, "multipliers": len(system.multipliers), "length": length, "irregularity": found.bits,
            "processing": found.processing}  # fmt: skip


def points(name: str, optima: pd.DataFrame, rng: np.random.Generator) -> Iterator[dict[str, Any] | None]:
    """Human languages as they are said, random systems of their shapes, and the optima, under a grammar."""
    for text in optima["system"]:
        yield point("optimum", text, NumeralSystem.parse(text, name))
    for language in load_languages():
        system = language.system_under(name)
        if system is None or not system.digits or system.words[-1] > UPTO:
            continue
        expressions = language.expressions(name, UPTO)
        said = Said(system, expressions, Need.parse("power:2"), UPTO) if expressions else None
        yield point("human language", language.name, system, said)
        for other in random_systems(system, rng):
            yield point("random system", str(other), other)


def random_systems(system: NumeralSystem, rng: np.random.Generator) -> list[NumeralSystem]:
    """A few random systems with 1 among the digits and as many of both kinds as a system has, that cover the range."""
    drawn = []
    for _ in range(60):
        others = (rng.permutation(UPTO - 1) + 2).tolist()
        first = len(system.digits) - 1
        last = first + len(system.multipliers)
        drawn.append(NumeralSystem((1, *others[:first]), tuple(others[first:last]), system.grammar))
    values = evaluate_many(drawn, upto=UPTO)
    return [each for each, value in zip(drawn, values, strict=True) if not np.isnan(value)][:DOTS]


def ends(group: str, directory: Path | None) -> Iterator[dict[str, Any] | None]:
    """Where runs ended, and where they began."""
    if directory is None:
        return
    rounds = ishango.load_runs(directory)
    for run, rows in rounds.groupby("run"):
        rows = rows.sort_values("round")
        if rows["round"].iloc[-1] < rows["rounds"].iloc[-1]:
            continue  # still being played
        for row, when in ((rows.iloc[0], "start"), (rows.iloc[-1], "end")):
            system = NumeralSystem(tuple(row["digits"]), tuple(row["multipliers"]), row["grammar"])
            found = point(group if when == "end" else "start", str(run), system)
            if found is not None:
                yield {**found, "of": group, "gap": row["gap"]}


def ends_table(rows: pd.DataFrame) -> pd.DataFrame:
    """By grammar: what runs ended with, beside what they began with."""
    names = ["size", "multipliers", "length", "gap", "irregularity", "processing"]
    rows = rows.assign(when=np.where(rows["group"] == "start", "start", "end"))
    table = rows.groupby(["grammar", "of", "when"], sort=False)[names].median()
    return table.assign(runs=rows.groupby(["grammar", "of", "when"]).size()).reset_index()


def main() -> int:
    """Prove, place, write, draw, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out/grammars"), help="where the tables go")
    parser.add_argument("--runs", type=Path, help="where plans/grammars.toml was played")
    parser.add_argument("--coin", type=Path, help="where plans/grammars-coin.toml was played")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    proved, rows, placed = [], [], []
    for name in NAMES:
        print(f"{name} ...", file=sys.stderr)
        proved.append(frontiers(name))
        rng = np.random.default_rng(0)
        rows += [row for each in load_languages() if each.system and (row := language_row(each, name, rng))]
        placed += points(name, proved[-1], rng)
    runs = pd.DataFrame([row for row in (*ends("agents", asked.runs), *ends("coin", asked.coin)) if row])
    tables = {"grammars-frontier": pd.concat(proved, ignore_index=True), "grammars-languages": pd.DataFrame(rows)}
    tables["grammars"] = summary(tables["grammars-frontier"], tables["grammars-languages"])
    tables["grammars-families"] = family_table(tables["grammars-languages"])
    if len(runs):
        tables["grammars-runs"] = ends_table(runs)
    ended = runs[runs["group"] != "start"] if len(runs) else runs
    tables["grammars-points"] = pd.concat((pd.DataFrame([each for each in placed if each]), ended), ignore_index=True)
    save_chart(lengths_figure(tables["grammars-points"], tables["grammars-frontier"]), asked.out, "grammars")
    save_chart(regularity_figure(tables["grammars-points"]), asked.out, "grammars-regularity")
    for name, table in tables.items():
        table.round(6).to_csv(asked.out / f"{name}.csv", index=False, lineterminator="\n")
    print(tables["grammars"].round(4).to_string(index=False))
    print(tables["grammars-families"].round(3).to_string(index=False))
    print(nearest_table(tables["grammars-languages"]).to_string())
    if len(runs):
        print(tables["grammars-runs"].round(3).to_string(index=False))
    print(tables["grammars-frontier"].pivot(index="size", columns="grammar", values="fewest_multipliers").to_string())
    nearest = tables["grammars-languages"].sort_values("gap").groupby("grammar").head(5)
    print(
        nearest[["grammar", "language", "size", "gap", "rank"]].sort_values(["grammar", "gap"]).to_string(index=False)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
