"""Claims about the frontier and the systems on it, which are proved or computed: there is no uncertainty in them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ishango.report.claims.verdict import Verdict, listed, rule, share
from ishango.report.data import Tables

NEGLIGIBLE = 0.05
"""A change of averages by less than this share is called negligible."""
CLOSE = 0.01
"""An estimate this near to the proved value, in symbols, has found it."""
MOSTLY = 0.9
"""The share of sizes for which that has to be so."""


def frontier_verdicts(data: Tables) -> list[Verdict]:
    """Numbers of multipliers, Table 4, the genetic algorithm, and numbers beyond 99."""
    return [
        single_multiplier(data),
        spread_of_multipliers(data),
        effect_of_the_cap(data),
        few_multipliers_in_languages(data),
        table_four_is_optimal(data),
        predictable_structure(data),
        genetic_estimate(data),
        beyond_99(data),
    ]


def single_multiplier(data: Tables) -> Verdict:
    """The modified frontier, with and without overlap."""
    disjoint, overlap = _series(data, "modified"), _series(data, "modified, overlap")
    several = int((disjoint["most"] > 1).sum())
    failing = overlap[overlap["fewest"] > 1]["size"]
    return _exact(
        "single-multiplier",
        "The modified grammar results in optimal languages with a single multiplier.",
        f"Proved for every size from {disjoint['size'].min()} to {disjoint['size'].max()} when D and M are disjoint: "
        f"{several} sizes have an optimum with more. When they may overlap it fails for {len(failing)} sizes, the "
        "first "
        f"of them {failing.min()}.",
        "sizes whose optimum may have more than one multiplier, D and M disjoint",
        several,
        _spans(disjoint),
        holds=several == 0,
    )  # fmt: skip


def spread_of_multipliers(data: Tables) -> Verdict:
    """Hurford's frontier with at most five multipliers."""
    capped = _series(data, "Hurford, at most 5")
    needed = capped["fewest"].value_counts().reindex(range(1, 6), fill_value=0)
    full = float((capped["fewest"] == 5).mean())
    counts = ", ".join(f"{count} with {number}" for number, count in needed.items())
    return _exact(
        "spread-of-multipliers",
        "Under Hurford's grammar the optimal languages are spread about uniformly over the permitted numbers of "
        "multipliers.",
        f"Of the {len(capped)} sizes proved under the cap of five, the optimum needs at least: {counts}. The smaller "
        "numbers belong to the smallest sizes.",
        "share of sizes whose optimum needs all five multipliers (0.2 if uniform)",
        full,
        _spans(capped),
        holds=abs(full - 0.2) < 0.1,
    )  # fmt: skip


def effect_of_the_cap(data: Tables) -> Verdict:
    """Hurford's frontier without the cap."""
    free = _series(data, "Hurford")
    more = float((free["fewest"] > 5).mean())
    return _exact(
        "effect-of-the-cap",
        "Without the cap optimal lexicons would mostly have even more multipliers.",
        "Without the cap every word of an optimal lexicon may be a multiplier at no cost, so optima may have as many "
        "as "
        f"they have words; {more:.0%} of the sizes need more than five.",
        "share of sizes whose optimum needs more than five multipliers",
        more,
        _spans(free),
        holds=more > 0.5,
    )  # fmt: skip


def few_multipliers_in_languages(data: Tables) -> Verdict:
    """How many multipliers human languages have."""
    rows = data["languages"][data["languages"]["grammar"] == "hurford"]
    numbers = rows["multiplier_count"]
    few = int((numbers <= 2).sum())
    estimate = share(few, len(numbers))
    return Verdict(
        "few-multipliers-in-languages",
        "Human numeral systems mostly have one or two multipliers.",
        f"{few} of the {len(numbers)} recursive languages in our table have one or two.",
        "share of languages with one or two multipliers",
        *estimate,
        "; ".join(f"{count} languages with {number}" for number, count in numbers.value_counts().sort_index().items()),
        rule(estimate, above=0.5),
    )


def table_four_is_optimal(data: Tables) -> Verdict:
    """The gaps of the rows of Table 4 that are called optimal."""
    rows = {row["system"]: row for row in data["table4"].to_dict("records")}
    published, proved = rows["Hurford (published)"], rows["Hurford (proved)"]
    ours, mixtec = rows["modified"], rows["Mixtec A"]
    return _exact(
        "table-four",
        "Table 4 shows Pareto-optimal languages with a lexicon size of 12.",
        f"The modified row is optimal (proved). The Hurford row is not: {published['average_hurford']:.4f}, where "
        f"{proved['digits']} | {proved['multipliers']} attains {proved['average_hurford']:.4f} (proved) and even the "
        "human "
        f"system of the table, Mixtec A, {mixtec['average_hurford']:.4f}.",
        "gap of the Hurford row in symbols",
        float(published["gap"]),
        f"Hurford row {published['gap']:.6f}; modified row {ours['gap']:.6f}",
        holds=abs(published["gap"]) < 1e-9 and abs(ours["gap"]) < 1e-9,
    )  # fmt: skip


def predictable_structure(data: Tables) -> Verdict:
    """How often the base changes from a number to the next."""
    table = data["table4"].set_index("system")["changes"]
    published, others = int(table["Hurford (published)"]), table[["modified", "Mixtec A"]]
    return _exact(
        "predictable-structure",
        "The Hurford row of Table 4 has no predictable recursive structure, the other two rows have.",
        f"The multiplier of the outermost phrase changes on {published} of the 98 steps from n to n + 1 in the "
        "Hurford row, "
        f"on {others['modified']} in the modified row and on {others['Mixtec A']} in Mixtec A. Many expressions tie, "
        "and "
        "one rule picks one of them; another rule would give other counts.",
        "changes in the Hurford row minus the most in another row",
        published - int(others.max()),
        "; ".join(f"{system}: {changes}" for system, changes in table.items()),
        holds=published > int(others.max()),
    )  # fmt: skip


def genetic_estimate(data: Tables) -> Verdict:
    """The genetic algorithm against the proof, for every search and size."""
    rows = data["genetic"]
    above = rows["above"].to_numpy()
    missed = [f"{size} ({search})" for search, size in rows.loc[above > CLOSE, ["search", "size"]].to_numpy()]
    close = float(np.mean(above <= CLOSE))
    return _exact(
        "genetic-estimate",
        "The Pareto frontier can be estimated using a genetic algorithm.",
        f"The median over {int(rows['seeds'].max())} seeds lies within {CLOSE} symbols of the proved value for "
        f"{close:.0%} of "
        f"the sizes, at most {above.max():.3f} above it. Farther than that: {', '.join(missed) or 'none'}.",
        f"share of sizes whose estimate is within {CLOSE} symbols of the proved frontier",
        close,
        "; ".join(
            f"{search} "
            f"{' '.join(f'{size}:{value:.4f}' for size, value in zip(group['size'], group['above'], strict=True))}"
            for search, group in rows.groupby("search", sort=False)
        ),
        holds=close >= MOSTLY,
    )


def beyond_99(data: Tables) -> Verdict:
    """Averages over 1..999 beside those over 1..99."""
    table = data["beyond"].dropna()
    change = table["average_999"] / table["average_99"] - 1
    symbols = table["average_999"] - table["average_99"]
    gaps = data["languages"].query("grammar == 'modified'")["gap"]
    kendall = float(table["average_99"].corr(table["average_999"], method="kendall"))
    return _exact(
        "beyond-99",
        "Numbers beyond 99 make a negligible contribution to average complexity.",
        f"Evaluating on 1 to 999 adds {symbols.min():.3f} to {symbols.max():.3f} symbols, at most {change.max():.1%} "
        "of an "
        f"average, and hardly changes the order of systems (Kendall's tau {kendall:.2f}). But the median gap of human "
        f"languages is {gaps.median():.3f}: beside gaps it is not negligible.",
        "greatest relative change of an average",
        float(change.max()),
        listed(np.sort(symbols)),
        holds=bool(change.max() < NEGLIGIBLE),
    )  # fmt: skip


def _series(data: Tables, name: str) -> pd.DataFrame:
    return data["frontier"][data["frontier"]["series"] == name]


def _spans(rows: pd.DataFrame) -> str:
    """The fewest and the most multipliers among the optima of each size."""
    return " ".join(
        f"{size}:{fewest}" if fewest == most else f"{size}:{fewest}-{most}"
        for size, fewest, most in zip(rows["size"], rows["fewest"], rows["most"], strict=True)
    )


def _exact(name: str, claim: str, measured: str, statistic: str, value: float, each: str, *, holds: bool) -> Verdict:
    ruling = "holds" if holds else "does not hold"
    return Verdict(name, claim, measured, statistic, value, value, value, each, ruling)
