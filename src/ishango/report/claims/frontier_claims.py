"""Claims about the frontier, the systems on it, and human languages: most are proved or computed, hence certain."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pandas as pd
from scipy.sparse import csgraph, csr_array  # pyright: ignore[reportMissingTypeStubs]

from ishango.numerals import grammar as grammars
from ishango.report.claims.claim import claim
from ishango.report.claims.verdict import Verdict, enumerated, listed, rule, share
from ishango.report.data import Tables
from ishango.report.systems import CAP, CAPPED, HURFORD, MODIFIED, OVERLAP

GROUP = "frontier"
NEGLIGIBLE = 0.05
"""A change of averages by less than this share is called negligible."""
CLOSE = 0.01
"""An estimate this near to the proved value, in symbols, has found it."""
MOSTLY = 0.9
"""The share of sizes for which that has to be so."""
UNIFORM = 0.1
"""A distribution this near to the uniform one, in total variation, is called uniform."""


@claim("single-multiplier", GROUP, "The modified grammar results in optimal languages with a single multiplier")
def single_multiplier(data: Tables) -> Verdict:
    """The modified frontier, with and without overlap."""
    disjoint, overlap = _series(data, MODIFIED), _series(data, OVERLAP)
    several = int((disjoint["most"] > 1).sum())
    failing = overlap.loc[overlap["fewest"] > 1, "size"]
    more = f"for {len(failing)} of {len(overlap)} sizes, from {failing.min()} on" if len(failing) else "for no size"
    return _exact(
        f"Of the {len(disjoint)} sizes from {disjoint['size'].min()} to {disjoint['size'].max()},"
        f" {disjoint['proved'].sum()} are proved, and {several} have an optimum with more than one multiplier, if D"
        f" and M are disjoint. If they may overlap, every optimum has more than one {more}.",
        "sizes whose optimum may have more than one multiplier, D and M disjoint",
        several,
        _spans(disjoint),
        holds=several == 0,
    )


@claim(
    "spread-of-multipliers",
    GROUP,
    "Under Hurford's grammar optima are spread about uniformly over the permitted numbers of multipliers",
)
def spread_of_multipliers(data: Tables) -> Verdict:
    """Hurford's frontier with at most five multipliers, ties resolved as favourably as possible."""
    capped = _series(data, CAPPED)
    distance = _distance_from_uniform(capped["fewest"].to_numpy(), capped["most"].to_numpy())
    counts = capped["fewest"].value_counts().sort_index()
    needed = enumerated([f"{count} with {number}" for number, count in counts.items()])
    return _exact(
        f"The {len(capped)} sizes proved under the cap of {CAP}, by the fewest multipliers that their optimum needs:"
        f" {needed}. Optima with more of them are as good, so the spread depends on which of them one takes.",
        "distance from the uniform distribution (0 to 1), taking the optima that come nearest to it",
        distance,
        _spans(capped),
        holds=distance < UNIFORM,
    )


@claim("effect-of-the-cap", GROUP, "Without the cap optimal lexicons would mostly have even more multipliers")
def effect_of_the_cap(data: Tables) -> Verdict:
    """Hurford's frontier without the cap."""
    free = _series(data, HURFORD)
    may, must = float((free["most"] > CAP).mean()), float((free["fewest"] > CAP).mean())
    return _exact(
        f"Without the cap {may:.0%} of the sizes have an optimum with more than {CAP} multipliers, and {must:.0%}"
        " have no other: every word of an optimal lexicon may be a multiplier at no cost.",
        f"share of sizes whose optimum needs more than {CAP} multipliers",
        must,
        _spans(free),
        holds=must > 0.5,
    )


@claim("few-multipliers-in-languages", GROUP, "Human numeral systems mostly have one or two multipliers")
def few_multipliers_in_languages(data: Tables) -> Verdict:
    """How many multipliers human languages have."""
    numbers = _languages(data)["multiplier_count"]
    few = int((numbers <= 2).sum())
    estimate = share(few, len(numbers))
    return Verdict(
        f"{few} of the {len(numbers)} recursive languages in our table have one or two.",
        "share of languages with one or two multipliers",
        *estimate,
        "; ".join(f"{count} languages with {number}" for number, count in numbers.value_counts().sort_index().items()),
        rule(estimate, above=0.5),
    )


@claim("sizes-of-languages", GROUP, "Human languages tend to have a lexicon size of around 10 to 15")
def sizes_of_languages(data: Tables) -> Verdict:
    """How many words human languages have."""
    sizes = _languages(data)["size"]
    within = int(sizes.between(10, 15).sum())
    estimate = share(within, len(sizes))
    return Verdict(
        f"{within} of the {len(sizes)} recursive languages in our table have 10 to 15 digits and multipliers,"
        f" {int((sizes < 10).sum())} have fewer and {int((sizes > 15).sum())} more.",
        "share of languages with 10 to 15 words",
        *estimate,
        "; ".join(f"{count} languages with {size}" for size, count in sizes.value_counts().sort_index().items()),
        rule(estimate, above=0.5),
    )


@claim("table-four", GROUP, "Table 4 shows Pareto-optimal languages with a lexicon size of 12")
def table_four_is_optimal(data: Tables) -> Verdict:
    """The gaps of the rows of Table 4 that are called optimal."""
    rows = {row["system"]: row for row in data["table4"].to_dict("records")}
    published, proved, mixtec = rows["Hurford (published)"], rows["Hurford (proved)"], rows["Mixtec A"]
    gaps = {name: float(rows[name]["gap"]) for name in ("Hurford (published)", "modified")}
    capped = _series(data, CAPPED).query("size == 12")
    with_cap = "".join(
        f" with at most {CAP} multipliers {row['digits']} | {row['multipliers']} attains"
        f" {row['average_complexity']:.4f},"
        for row in capped.to_dict("records")
    )
    return _exact(
        f"Above the proved optimum, the modified row is {gaps['modified']:.4f} symbols and the Hurford row"
        f" {gaps['Hurford (published)']:.4f}. The latter has {published['average_hurford']:.4f};{with_cap} without a"
        f" cap {proved['digits']} | {proved['multipliers']} attains {proved['average_hurford']:.4f}. Mixtec A, the"
        f" human system of the table, has {mixtec['average_hurford']:.4f} under Hurford's grammar.",
        "gap of the Hurford row in symbols",
        gaps["Hurford (published)"],
        "; ".join(f"{name} {gap:.6f}" for name, gap in gaps.items()),
        holds=all(abs(gap) < 1e-9 for gap in gaps.values()),
    )


@claim(
    "predictable-structure",
    GROUP,
    "The Hurford row of Table 4 has no predictable recursive structure, the other two rows have",
)
def predictable_structure(data: Tables) -> Verdict:
    """How often the base changes from a number to the next."""
    changes = {row["system"]: int(row["changes"]) for row in data["table4"].to_dict("records")}
    published, others = changes["Hurford (published)"], (changes["modified"], changes["Mixtec A"])
    return _exact(
        f"From n to n + 1 the multiplier of the outermost phrase changes on {published} of 98 steps in the Hurford"
        f" row, on {others[0]} in the modified row and on {others[1]} in Mixtec A. Many expressions are equally short"
        " and one rule picks one of them; another rule would give other counts.",
        "changes in the Hurford row minus the most in another row",
        published - max(others),
        "; ".join(f"{system}: {count}" for system, count in changes.items()),
        holds=published > max(others),
    )


@claim("genetic-estimate", GROUP, "The Pareto frontier can be estimated using a genetic algorithm")
def genetic_estimate(data: Tables) -> Verdict:
    """The genetic algorithm against the proof, for every search and size."""
    found = data["genetic"].set_index(["search", "size"])
    proved = data["frontier"].loc[data["frontier"]["series"].isin(data["genetic"]["search"]), ["series", "size"]]
    found = found.reindex(pd.MultiIndex.from_frame(proved, names=["search", "size"]))  # not found: not close
    close, worst, best = (float((found[column] <= CLOSE).mean()) for column in ("above", "high", "low"))
    missed = [f"{size} ({search})" for search, size in found.index[~(found["above"] <= CLOSE)]]
    ruling = "holds" if worst >= MOSTLY else "does not hold" if best < MOSTLY else "too little data here"
    return Verdict(
        f"The median over {int(found['seeds'].max())} seeds is at most {found['above'].max():.3f} symbols above the"
        f" proved value. Sizes at which it is more than {CLOSE} above, or not found: {enumerated(missed)}.",
        f"share of sizes estimated to within {CLOSE} symbols: median seed, and the worst and the best of each size",
        close,
        worst,
        best,
        "; ".join(
            f"{search}"
            f" {' '.join(f'{size}:{value:.4f}' for size, value in zip(rows['size'], rows['above'], strict=True))}"
            for search, rows in data["genetic"].groupby("search", sort=False)
        ),
        ruling,
    )


@claim("beyond-99", GROUP, "Numbers beyond 99 make a negligible contribution to average complexity")
def beyond_99(data: Tables) -> Verdict:
    """Averages over 1..999 beside those over 1..99."""
    table = data["beyond"].dropna()
    symbols = table["average_999"] - table["average_99"]
    largest = float((symbols / table["average_99"]).max())
    shift = symbols - (table["optimum_999"] - table["optimum_99"])
    kendall = float(table["average_99"].corr(table["average_999"], method="kendall"))
    return _exact(
        f"Evaluating on 1 to 999 adds {symbols.min():.3f} to {symbols.max():.3f} symbols to the averages of starts"
        f" and human systems, at most {largest:.1%}. The distance from the system that is optimal up to 99 changes by"
        f" {shift.min():+.3f} to {shift.max():+.3f} symbols; rank correlation of the averages (Kendall's tau)"
        f" {kendall:.2f}.",
        "greatest relative change of an average",
        largest,
        listed(np.sort(symbols)),
        holds=largest < NEGLIGIBLE,
    )


def _series(data: Tables, name: str) -> pd.DataFrame:
    return data["frontier"][data["frontier"]["series"] == name]


def _languages(data: Tables) -> pd.DataFrame:
    return data["languages"][data["languages"]["grammar"] == grammars.HURFORD.name]


def _spans(rows: pd.DataFrame) -> str:
    """The fewest and the most multipliers among the optima of each size."""
    return " ".join(
        f"{size}:{fewest}" if fewest == most else f"{size}:{fewest}-{most}"
        for size, fewest, most in zip(rows["size"], rows["fewest"], rows["most"], strict=True)
    )


def _distance_from_uniform(fewest: np.ndarray, most: np.ndarray) -> float:
    """The least total variation between uniform over 1..CAP and what sizes with `fewest` to `most` multipliers can be.

    What the two distributions can share is a flow from sizes, each worth CAP, to numbers, each taking as much as there
    are sizes.
    """
    sizes, sink = len(fewest), len(fewest) + CAP + 1
    capacity = np.zeros((sink + 1, sink + 1), np.int32)
    capacity[0, 1 : sizes + 1] = CAP
    capacity[sizes + 1 : sink, sink] = sizes
    for row, (low, high) in enumerate(zip(fewest, most, strict=True), start=1):
        capacity[row, sizes + low : sizes + min(high, CAP) + 1] = CAP
    shared = int(cast(Any, csgraph).maximum_flow(csr_array(capacity), 0, sink).flow_value)
    return 1 - shared / (CAP * sizes)


def _exact(measured: str, statistic: str, value: float, each: str, *, holds: bool) -> Verdict:
    ruling = "holds" if holds else "does not hold"
    return Verdict(measured, statistic, value, value, value, each, ruling, exact=True)
