"""The frontier's results as tables, for figures and for whoever wants to go on with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from ishango.frontiers.exact import FrontierPoint
from ishango.frontiers.genetic import GeneticSettings, estimate
from ishango.frontiers.problem import Problem
from ishango.numerals import NumeralSystem, format_set, minimal_language
from ishango.numerals.average import changes, distinct, outer_base

TABLE_4 = {
    "Hurford (published)": NumeralSystem.parse("1-3,5,6,9-11,14 | 4,7,25", "hurford"),
    "modified": NumeralSystem.parse("1-11 | 12"),
    "Mixtec A": NumeralSystem.parse("1-9 | 10,15,20"),
}
"""The paper's size-12 systems, each under the grammar it stands for."""


def frontier_table(problem: Problem, points: Iterable[FrontierPoint]) -> pd.DataFrame:
    """One row a size: the optimum, whether it is proved, and the span of |M| among the optima that are known."""
    return pd.DataFrame(
        {
            "grammar": problem.grammar,
            "size": point.size,
            "average_complexity": float(point.average),
            "lower_bound": point.lower_bound,
            "proved": point.proved,
            "digits": format_set(point.system.digits),
            "multipliers": format_set(point.system.multipliers),
            "fewest": min(optimum.fewest_multipliers for optimum in point.optima),
            "most": max(optimum.most_multipliers for optimum in point.optima),
        }
        for point in points
    )


def genetic_table(
    problem: Problem, points: Iterable[FrontierPoint], seeds: Sequence[int], settings: GeneticSettings
) -> pd.DataFrame:
    """How far the genetic algorithm ends above proved points: median, least and greatest over seeds."""
    proved = {point.size: float(point.average) for point in points if point.proved}
    rows: list[dict[str, float]] = []
    for seed in seeds:
        found = estimate(
            problem, GeneticSettings(settings.population, settings.generations, seed, settings.keep_duplicates)
        )
        rows += [
            {"size": system.size, "above": max(0.0, average - proved[system.size])}
            for system, average in zip(found.systems, found.averages, strict=True)
            if system.size in proved
        ]
    grouped = pd.DataFrame(rows, columns=["size", "above"]).groupby("size")["above"]
    return pd.DataFrame(
        {"above": grouped.median(), "low": grouped.min(), "high": grouped.max(), "seeds": grouped.count()}
    ).reset_index()


def minimal_table(systems: dict[str, NumeralSystem], upto: int = 99) -> pd.DataFrame:
    """The minimal languages of systems in one long table: system, number, expression, leaves, base.

    `base` is the multiplier of the outermost phrase, 0 for a bare digit: where it jumps from number to number, the
    structure is hard to predict.
    """
    rows: list[dict[str, object]] = []
    for name, system in systems.items():
        language = minimal_language(system, upto)
        for number in language:
            expression = language.expression(number)
            rows.append(
                {
                    "system": f"{name}: {system}",
                    "number": number,
                    "expression": str(expression).replace(" ", "").replace("*", "·"),
                    "leaves": expression.leaves,
                    "base": outer_base(expression, system),
                }
            )
    return pd.DataFrame(rows)


def regularity(table: pd.DataFrame) -> pd.DataFrame:
    """For each minimal language: on how many steps from n to n + 1 the base changes, and how many bases there are."""
    grouped = table.groupby("system", sort=False)["base"]
    return pd.DataFrame(
        {
            "changes": grouped.apply(lambda bases: changes(bases.tolist())),
            "bases": grouped.apply(lambda bases: distinct(bases.tolist())),
        }
    ).reset_index()
