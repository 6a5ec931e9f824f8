"""Claims about the frontier, the systems on it, and human languages: most are proved or computed, hence certain."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
import pandas as pd
from scipy.sparse import csgraph, csr_array  # pyright: ignore[reportMissingTypeStubs] - SciPy has no types

from ishango.numerals import HURFORD as HURFORD_GRAMMAR
from ishango.numerals import MODIFIED as MODIFIED_GRAMMAR
from ishango.report._data import CAP, CAPPED, HURFORD, MODIFIED, OVERLAP, Tables
from ishango.report.claims import _claim as claims
from ishango.report.claims._evolution_claims import RELEVANT_GAP

_claim = partial(claims.claim, "frontier")
OFF = 1.25
"""A system with this many times the least complexity lies off the frontier."""
CLOSE = 0.01
"""An estimate this near to the proved value, in symbols, has found it."""
RELATED = "Languages of one family are related, so families count once, and their interval is from drawing families."
MOSTLY = 0.9
"""The share of sizes for which that has to be so."""
UNIFORM = 0.1
"""A distribution this near to the uniform one, in total variation, is called uniform."""


@_claim(
    "single-multiplier",
    "The modified grammar results in optimal languages with a single multiplier",
    "optimal systems have one multiplier",
)
def single_multiplier(data: Tables) -> claims.Verdict:
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


@_claim(
    "spread-of-multipliers",
    "Under Hurford's grammar optima are spread about uniformly over the permitted numbers of multipliers",
    "Hurford's optima have all numbers of multipliers alike",
)
def spread_of_multipliers(data: Tables) -> claims.Verdict:
    capped = _series(data, CAPPED)
    distance = _distance_from_uniform(capped["fewest"].to_numpy(), capped["most"].to_numpy())
    counts = capped["fewest"].value_counts().sort_index()
    needed = claims.enumerated([f"{count} with {number}" for number, count in counts.items()])
    return _exact(
        f"The {len(capped)} sizes proved under the cap of {CAP}, by the fewest multipliers that their optimum needs:"
        f" {needed}. Optima with more of them are as good, so the spread depends on which of them one takes.",
        "distance from the uniform distribution (0 to 1), taking the optima that come nearest to it",
        distance,
        _spans(capped),
        holds=distance < UNIFORM,
    )


@_claim(
    "effect-of-the-cap",
    "Without the cap optimal lexicons would mostly have even more multipliers",
    "without the cap optima have more multipliers",
)
def effect_of_the_cap(data: Tables) -> claims.Verdict:
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


@_claim(
    "near-optimal-languages",
    "Human numeral systems lie very close to the Pareto frontier",
    "human systems lie near the frontier",
)
def near_optimal_languages(data: Tables) -> claims.Verdict:
    world = _languages(data, "world")
    said = world[world["said"].notna()]
    spoken = _by_family(said, said["gap"] + said["said"] - said["average_complexity"] < RELEVANT_GAP)
    return _of_people(
        data,
        lambda languages: languages["gap"] < RELEVANT_GAP,
        f"are less than {RELEVANT_GAP} symbols above the frontier by the shortest expressions of their words. Where it"
        f" is known what people say, that is so near in {spoken.value:.0%} [{spoken.low:.0%}, {spoken.high:.0%}], mean"
        " over families.",
        f"share of languages less than {RELEVANT_GAP} symbols above the frontier, mean over families",
        "gap",
    )


@_claim(
    "few-multipliers-in-languages",
    "Human numeral systems mostly have one or two multipliers",
    "human systems have one or two multipliers",
)
def few_multipliers_in_languages(data: Tables) -> claims.Verdict:
    return _of_people(
        data,
        lambda languages: languages["multiplier_count"] <= 2,
        "have one or two multipliers.",
        "share of languages with one or two multipliers, mean over families",
        "multiplier_count",
    )


@_claim(
    "sizes-of-languages",
    "Human languages tend to have a lexicon size of around 10 to 15",
    "human lexicons have 10 to 15 words",
)
def sizes_of_languages(data: Tables) -> claims.Verdict:
    return _of_people(
        data,
        lambda languages: languages["size"].between(10, 15),
        "have 10 to 15 digits and multipliers.",
        "share of languages with 10 to 15 words, mean over families",
        "size",
    )


@_claim(
    "off-the-frontier-of-xu",
    "Recursive systems lie off the frontier of simplicity and informativeness",
    "recursive systems lie off the older frontier",
)
def off_the_frontier_of_xu(data: Tables) -> claims.Verdict:
    languages, frontier = (
        data[name][data[name]["range"] == 100] for name in ("restricted_languages", "restricted_frontier")
    )
    excess = {kind: _nodes_above(rows, languages, frontier) for kind, rows in languages.groupby("kind", sort=False)}
    recursive = excess.pop("recursive")
    restricted = np.concatenate(list(excess.values()))
    ours, others = float(np.median(recursive)), float(np.median(restricted))
    return _exact(
        f"Recursive languages lose nothing, so that only complexity tells them apart: they have {ours:.2f} times"
        " (median) the nodes of the simplest among them, which is a lower bound on how far they lie off, since a"
        f" simpler one may exist. Approximate and exact restricted languages have {others:.2f} times the least"
        f" complexity at their cost, which is proved. Off the frontier means: {OFF} times the least, and the restricted"
        " ones below that.",
        "nodes of recursive languages over the least at their cost, median",
        ours,
        f"recursive {claims.listed(np.sort(recursive), 2)}; restricted {claims.listed(np.sort(restricted), 2)}",
        holds=ours >= OFF > others,
    )


@_claim(
    "table-four",
    "Table 4 shows Pareto-optimal languages with a lexicon size of 12",
    "the systems of Table 4 are optimal",
)
def table_four_is_optimal(data: Tables) -> claims.Verdict:
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


@_claim(
    "predictable-structure",
    "The Hurford row of Table 4 has no predictable recursive structure, the other two rows have",
    "the Hurford row of Table 4 is irregular",
)
def predictable_structure(data: Tables) -> claims.Verdict:
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


@_claim(
    "genetic-estimate",
    "The Pareto frontier can be estimated using a genetic algorithm",
    "a genetic algorithm finds the frontier",
)
def genetic_estimate(data: Tables) -> claims.Verdict:
    searches = {search: _found(data, str(search)) for search in data["genetic"]["search"].unique()}
    shares = {
        search: tuple(float((rows[column] <= CLOSE).mean()) for column in ("above", "high", "low"))
        for search, rows in searches.items()
    }
    worst = min(shares, key=lambda search: shares[search])
    parts = claims.enumerated([f"{share:.0%} ({search})" for search, (share, *_) in shares.items()])
    missed = [
        f"{size} ({search})" for search, rows in searches.items() for size in rows.index[~(rows["above"] <= CLOSE)]
    ]
    median, low, high = shares[worst]
    return claims.Verdict(
        f"Share of sizes at which the median over {int(data['genetic']['seeds'].max())} seeds ends within {CLOSE}"
        f" symbols of the proved value, search by search: {parts}. Sizes missed: {claims.enumerated(missed)}. The claim"
        f" holds if each search finds {MOSTLY:.0%} of its sizes; the number is that of the search that finds fewest"
        f" ({worst}). The paper gives no parameters; ours are those of the published search, from which it differs as"
        " docs/studies/reproduce.md says.",
        f"share of sizes estimated to within {CLOSE} symbols: median seed, and the worst and the best of each size",
        median,
        low,
        high,
        "; ".join(f"{search} {' '.join(f'{size}:{value:.4f}' for size, value in rows['above'].items())}"
                  for search, rows in searches.items()),
        claims.every([_ruled(low, high) for _, low, high in shares.values()]),
    )  # fmt: skip


@_claim(
    "beyond-99",
    "Numbers beyond 99 make a negligible contribution to average complexity",
    "numbers beyond 99 hardly count",
)
def beyond_99(data: Tables) -> claims.Verdict:
    table = data["beyond"].dropna()
    symbols = table["average_999"] - table["average_99"]
    shift = (symbols - (table["optimum_999"] - table["optimum_99"])).abs()
    scale = float(data["languages"].query(f"grammar == '{MODIFIED_GRAMMAR.name}'")["gap"].median())
    kendall = float(table["average_99"].corr(table["average_999"], method="kendall"))
    return _exact(
        f"Evaluating on 1 to 999 adds {symbols.min():.3f} to {symbols.max():.3f} symbols to the averages of starts"
        f" and human systems. Negligible means: less than the median gap of human languages, {scale:.3f} symbols, which"
        " is the scale on which systems are called close to the frontier. Comparisons suffer less: the distance from"
        f" the system that is optimal up to 99 changes by at most {shift.max():.3f} symbols (rank correlation of the"
        f" averages, Kendall's tau, {kendall:.2f}).",
        "greatest contribution of 100 to 999 to an average, over the median gap of human languages",
        float(symbols.max()) / scale if scale else float("inf"),
        claims.listed(np.sort(symbols)),
        holds=float(symbols.max()) < scale,
    )


def _found(data: Tables, search: str) -> pd.DataFrame:
    """What a search found of each proved size; nothing where it found none."""
    return data["genetic"].query("search == @search").set_index("size").reindex(_series(data, search)["size"])


def _ruled(low: float, high: float) -> claims.Ruling:
    return "holds" if low >= MOSTLY else "does not hold" if high < MOSTLY else "too little data here"


def _of_people(
    data: Tables, fits: Callable[[pd.DataFrame], pd.Series], so: str, statistic: str, column: str
) -> claims.Verdict:
    """The share of the catalogue's languages that fit, over families; those checked by hand are judged beside."""
    world, core = (_languages(data, name) for name in ("world", "languages"))
    found, checked = (_by_family(rows, fits(rows)) for rows in (world, core))
    counts = world["languages"].groupby(world[column].round(2)).sum()
    total, fitting = int(counts.sum()), int(world.loc[fits(world), "languages"].sum())
    return claims.Verdict(
        f"{fitting:,} of the {total:,} varieties of the catalogue that say 1 to 99 {so} {RELATED}",
        statistic,
        *found,
        "; ".join(f"{count:,} languages with {value:g}" for value, count in counts.items()),
        claims.rule(found, above=0.5),
        by_hand=claims.hand_checked(checked, claims.rule(checked, above=0.5), core),
    )


def _by_family(languages: pd.DataFrame, fits: pd.Series) -> claims.Estimate:
    """The mean over families of a share of their languages (a row may stand for several); families are drawn anew."""
    number = languages.get("languages", pd.Series(1, languages.index))
    shares = (fits * number).groupby(languages["family"]).sum() / number.groupby(languages["family"]).sum()
    return claims.regrouped(np.mean, [np.array([share]) for share in shares])


def _nodes_above(rows: pd.DataFrame, languages: pd.DataFrame, frontier: pd.DataFrame) -> np.ndarray:
    """The complexity of each language over the least known of a system that costs no more bits."""
    known = pd.concat([frontier[["complexity", "cost"]], languages[["complexity", "cost"]]])
    least = [known.loc[known["cost"] <= cost + 1e-9, "complexity"].min() for cost in rows["cost"]]
    return np.repeat((rows["complexity"] / least).to_numpy(float), rows["languages"])


def _series(data: Tables, name: str) -> pd.DataFrame:
    return data["frontier"][data["frontier"]["series"] == name]


def _languages(data: Tables, table: str) -> pd.DataFrame:
    return data[table][data[table]["grammar"] == HURFORD_GRAMMAR.name]


def _spans(rows: pd.DataFrame) -> str:
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


def _exact(measured: str, statistic: str, value: float, each: str, *, holds: bool) -> claims.Verdict:
    ruling = "holds" if holds else "does not hold"
    return claims.Verdict(measured, statistic, value, value, value, each, ruling, exact=True)
