"""Claims about where languages end: how near, how large, with how many multipliers, and from which starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from ishango.analysis.comparable import SHARED, under_start, units
from ishango.analysis.statistics import contrast, jackknife, shared
from ishango.evolution import LOWEST
from ishango.numerals import MODIFIED as MODIFIED_GRAMMAR
from ishango.numerals import parse_set
from ishango.report._data import Tables
from ishango.report.claims._claim import (
    Estimate,
    Ruling,
    Verdict,
    beside,
    beside_coin,
    blocks,
    by_family,
    by_run,
    by_start,
    change_beside,
    changes,
    claim,
    correlated,
    grouped,
    hand_checked,
    listed,
    mean_of_starts,
    of_coin,
    of_study,
    rank_correlation,
    regrouped,
    rule,
    share,
    steps_of,
    with_streams,
)
from ishango.report.claims._evolution_claims import RELEVANT_GAP

_claim = partial(claim, "evolution")
ONE_MODIFICATION = 2
"""Words, each in its set, that one modification can change: moving one takes it from D and gives it to M."""
RELEVANT_MULTIPLIERS = 0.5
"""A change of the number of multipliers below this is none to speak of."""
NEAR = 0.1
"""A run has come near the frontier once its gap is below this, in symbols."""
ENOUGH_RUNS = 8
"""Runs above which a spread of sizes is compared."""


@_claim(
    "close-as-human-ones",
    "Communication results in languages that lie very close to the Pareto frontier, just like human numeral systems",
    "languages end as close as human ones",
    studies=("agents", "coin"),
)
def close_as_human_ones(data: Tables) -> Verdict:
    finals, coin = of_study(data, "agents"), of_coin(data)
    world, core = (_languages(data, name) for name in ("world", "languages"))
    gaps, away = (np.concatenate(by_family(world, column)) for column in ("gap", "distance"))
    found = contrast(by_run(finals, finals["gap"]), by_run(coin, coin["gap"]))

    def judged_by(humans: Sequence[np.ndarray]) -> tuple[Estimate, Estimate, Ruling]:
        own, drift = (_beyond_humans(rows, humans, "gap", _median) for rows in (finals, coin))
        bound = {"below": RELEVANT_GAP}
        more = rule(Estimate(*found[:3]), below=0)
        return own, drift, beside_coin(rule(own, **bound), rule(drift, **bound), more)

    own, drift, ruling = judged_by(by_family(world, "gap"))
    checked, _, ruled = judged_by(grouped(core, "family", "gap"))
    return Verdict(
        f"Median gap of final languages {finals['gap'].median():.3f}, of {world['languages'].sum():,} human varieties"
        f" {_median(gaps):.3f} (greatest {world['gap'].max():.3f}), of the coin's final languages"
        f" {coin['gap'].median():.3f}. As close means: no more than {RELEVANT_GAP} symbols farther. The contrast is of"
        " mean final gaps. In both axes (median distance): agents"
        f" {finals['distance'].median():.3f}, humans {_median(away):.3f}, coin {coin['distance'].median():.3f}."
        " Families count once.",
        "median gap of final languages minus that of human ones, in symbols",
        *own,
        by_start(finals, lambda rows: listed(rows["gap"])),
        ruling,
        steps_of(data, "steps"),
        by_hand=hand_checked(checked, ruled, core),
        **beside(drift.value, found),
    )


@_claim(
    "different-ends",
    "Different end languages can be obtained from the same starting point",
    "one start leads to different ends",
    studies=("agents", "coin"),
)
def different_ends(data: Tables) -> Verdict:
    finals = of_study(data, "agents")
    pairs, drifted = (_differences(rows) for rows in (finals, of_coin(data)))
    apart = [count > ONE_MODIFICATION for count in pairs]
    estimate = share(sum(apart) / len(apart) if apart else float("nan"), _independent_pairs(finals))
    nothing = "One seed from each start: there is nothing to compare."
    return Verdict(
        f"{sum(apart)} of {len(apart)} pairs of runs of agents from one start end with lexicons that differ by"
        " more than"
        f" one modification can change ({ONE_MODIFICATION} words); the median difference is"
        f" {np.median(pairs):.0f} words,"
        f" the coin's {np.median(drifted):.0f}. Mostly means: more than half of the pairs."
        if apart
        else nothing,
        "share of pairs of seeds that end with different lexicons",
        *estimate,
        by_start(finals, lambda rows: " or ".join(rows["digits"] + " | " + rows["multipliers"])),
        rule(estimate, above=0.5),
        steps_of(data, "steps"),
    )


@_claim(
    "wider-span",
    "Final languages cover a wider span along the frontier than human languages",
    "sizes span more than human ones",
    studies=("agents", "coin"),
)
def wider_span(data: Tables) -> Verdict:
    finals, world, core = of_study(data, "agents"), _languages(data, "world"), _languages(data, "languages")
    families = by_family(world, "size")
    estimate, checked = (
        _beyond_humans(finals, humans, "size", _span) for humans in (families, grouped(core, "family", "size"))
    )
    low, high = np.quantile(np.concatenate(families), [0.1, 0.9])

    def ruled(found: Estimate) -> Ruling:
        return rule(found, above=0) if len(finals) > ENOUGH_RUNS else "too little data here"

    return Verdict(
        f"Sizes of final languages run from {finals['size'].min()} to {finals['size'].max()}, those of human"
        f" languages from {world['size'].min()} to {world['size'].max()} (middle 80 %, where families count once:"
        f" {low:.0f} to {high:.0f}). The coin's span is {_span(of_coin(data)['size'].to_numpy()):.0f} words, that of"
        f" the starts {_span(finals['size_before'].to_numpy()):.0f}.",
        "width of the middle 80 % of final sizes minus that of human ones, in words",
        *estimate,
        by_start(finals, lambda rows: " ".join(map(str, rows["size"]))),
        ruled(estimate),
        steps_of(data, "steps"),
        by_hand=hand_checked(checked, ruled(checked), core),
    )


@_claim(
    "span-of-the-starts",
    "The span of final sizes might depend on the random starting points",
    "the starts decide how large languages end",
    studies=("random-starts", "random-coin", "agents"),
)
def span_of_the_starts(data: Tables) -> Verdict:
    ends, coin = of_study(data, "random-starts"), of_study(data, "random-coin")
    estimate, drift = (_correlation(rows, "size_before", "size") for rows in (ends, coin))
    return Verdict(
        f"From {ends['start'].nunique()} starts drawn anew, of {_between(ends['size_before'])} words, agents end with"
        f" {_between(ends['size'])} (from the paper's starts: {_between(of_study(data, 'agents')['size'])})."
        " For the coin"
        f" the same correlation is {drift.value:+.2f}. One seed.",
        "rank correlation of the size at the end with the size at the start, over starts drawn anew",
        *estimate,
        by_start(ends, lambda rows: " ".join(f"{a} to {b}" for a, b in rows[["size_before", "size"]].to_numpy())),
        rule(estimate, above=0),
        steps_of(data, "side_steps"),
    )


@_claim(
    "farther-starts",
    "Starts farther away from the frontier may require more iterations to reach it",
    "farther starts take longer",
    studies=("agents", "coin"),
)
def farther_starts(data: Tables) -> Verdict:
    agents, coin = (_arrivals(data["rounds"], study) for study in ("agents", "coin"))
    estimate, drift = (_correlation(rows, "gap_before", "rounds") for rows in (agents, coin))
    return Verdict(
        f"{int(agents['arrived'].sum())} of {len(agents)} runs of agents come to a gap below {NEAR} symbols, after"
        f" {agents['rounds'].median():.0f} rounds (median; a run that never does counts as one round more than were"
        f" played). For the coin the same correlation is {drift.value:+.2f}.",
        "rank correlation of the rounds until then with the gap of the start, over starts",
        *estimate,
        by_start(agents, lambda rows: " ".join(map(str, rows["rounds"]))),
        rule(estimate, above=0),
        steps_of(data, "steps"),
    )


@_claim(
    "fewer-multipliers",
    "The resulting lexicons have a consistent bias towards fewer multipliers",
    "multipliers become fewer",
    studies=("agents", "coin"),
)
def fewer_multipliers(data: Tables) -> Verdict:
    finals, coin = of_study(data, "agents"), of_coin(data)
    said = (
        f"Final languages of agents have {finals['multiplier_count'].mean():.1f} multipliers on average, those"
        " of the coin"
        f" {coin['multiplier_count'].mean():.1f}, the starts {finals['multiplier_count_before'].mean():.1f}.",
        "multipliers at the end minus at the start, mean over starts",
        by_start(finals, lambda rows: " ".join(map(str, rows["multiplier_count"]))),
    )
    return change_beside(data, (finals, coin), "multiplier_count", said, below=0, margin=RELEVANT_MULTIPLIERS)


@_claim(
    "hurford-multipliers",
    "With Hurford's grammar the bias towards fewer multipliers is absent",
    "no such bias under Hurford's grammar",
    studies=("hurford", "hurford-coin", "agents"),
)
def hurford_multipliers(data: Tables) -> Verdict:
    ends, coin = (data["ends"][data["ends"]["study"] == study] for study in ("hurford", "hurford-coin"))
    change, drift = (changes(rows, "multiplier_count") for rows in (ends, coin))
    estimate, found = mean_of_starts(change), contrast(change, drift)
    return Verdict(
        f"Under Hurford's grammar agents go from {ends['multiplier_count_before'].mean():.1f} to"
        f" {ends['multiplier_count'].mean():.1f} multipliers on average (one seed), the coin to"
        f" {coin['multiplier_count'].mean():.1f}; under the modified grammar agents end with"
        f" {of_study(data, 'agents')['multiplier_count'].mean():.1f}. Absent means: no more than"
        f" {RELEVANT_MULTIPLIERS} fewer.",
        "multipliers at the end minus at the start under Hurford's grammar, mean over starts",
        *estimate,
        by_start(ends, lambda rows: " ".join(map(str, rows["multiplier_count"]))),
        rule(estimate, above=-RELEVANT_MULTIPLIERS),
        steps_of(data, "side_steps"),
        **beside(float(drift.groupby(level=0).mean().mean()), found),
    )


@_claim(
    "small-changes",
    "Small changes let the listener use what it has learned from previous interactions",
    "small changes keep what was learned",
    studies=("agents", "learning"),
)
def small_changes(data: Tables) -> Verdict:
    table = data["changes"].dropna().assign(drop=lambda rows: rows["before"] - rows["early"])
    runs = table.groupby(["start", "run"])
    ranks = pd.Series({key: correlated(*rows[["changed", "drop"]].to_numpy().T) for key, rows in runs})
    told = ranks.rename_axis(["start", "run"]).rename("rank").reset_index() if len(ranks) else None
    estimate = mean_of_starts(ranks if told is None else by_run(with_streams(told, data), told["rank"]))
    small = table["changed"] <= table["changed"].median()
    drops = table.groupby(small)["drop"].mean()
    scratch = data["learning"]["won"].mean()
    return Verdict(
        f"In the first 100 steps after an alternative came up, agents win {table['early'].mean():.0%} of games, where"
        f" the round before ended with {table['before'].mean():.0%}. They lose {drops.get(True, np.nan):.1%} where the"
        f" alternative changes little (up to {table['changed'].median():.0%} of what is said) and"
        f" {drops.get(False, np.nan):.1%} where it changes more. (From scratch, agents win {scratch:.0%} over all their"
        " learning.)",
        "rank correlation of the loss with how much of the language changes, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {listed(rows, 2)}" for start, rows in ranks.groupby(level=0)),
        rule(estimate, above=0),
        steps_of(data, "steps"),
    )


def _languages(data: Tables, table: str) -> pd.DataFrame:
    return data[table][data[table]["grammar"] == MODIFIED_GRAMMAR.name]


def _beyond_humans(
    finals: pd.DataFrame, humans: Sequence[np.ndarray], column: str, of: Callable[[np.ndarray], float]
) -> Estimate:
    """A statistic of final languages minus that of human families; starts (or seeds) and families are drawn anew."""

    def excess(ours: np.ndarray, theirs: np.ndarray) -> float:
        return of(ours) - of(theirs)

    return regrouped(excess, blocks(finals, column), humans)


def _median(values: np.ndarray) -> float:
    return float(np.median(values))


def _span(sizes: np.ndarray) -> float:
    low, high = np.quantile(sizes, [0.1, 0.9])
    return float(high - low)


def _between(sizes: pd.Series) -> str:
    return f"{sizes.min()} to {sizes.max()}"


def _differences(finals: pd.DataFrame) -> list[int]:
    """For each pair of runs from one start, how many words one has in a set and the other has not."""
    lexicons = [
        {*(("D", word) for word in parse_set(digits)), *(("M", word) for word in parse_set(multipliers))}
        for digits, multipliers in zip(finals["digits"], finals["multipliers"], strict=True)
    ]
    known = pd.Series(lexicons, index=finals["start"], dtype=object)
    return [len(a ^ b) for _, each in known.groupby(level=0) for a, b in combinations(each, 2)]


def _independent_pairs(finals: pd.DataFrame) -> int:
    """Pairs of runs from one start that have no run in common; of shared seeds each pair counts once for all starts."""
    pairs = finals.assign(unit=units(finals)).groupby("start")["unit"].nunique() // 2
    return int(pairs.max() if shared(under_start(finals, finals["gap"])) else pairs.sum())


def _arrivals(rounds: pd.DataFrame, study: str) -> pd.DataFrame:
    """For each run: the first round in which its gap is below the bound, or one more than were played."""
    rows: list[dict[str, object]] = []
    played = rounds[(rounds["study"] == study) & (rounds["add"] == LOWEST.name)]
    for (start, seed, name), run in played.groupby(["start", "seed", "run"]):
        near = run.loc[run["gap"] < NEAR, "round"]
        after = int(near.min() if len(near) else run["round"].max() + 1)
        first = float(run.sort_values("round")["gap"].iloc[0])
        streams = run["streams"].iloc[0] if "streams" in run else SHARED
        rows.append(
            {
                "run": name,
                "start": start,
                "seed": seed,
                "streams": streams,
                "gap_before": first,
                "rounds": after,
                "arrived": len(near) > 0,
            }
        )
    return pd.DataFrame(rows, columns=["run", "start", "seed", "streams", "gap_before", "rounds", "arrived"])


def _correlation(rows: pd.DataFrame, one: str, other: str) -> Estimate:
    """The rank correlation of two columns over starts, whose runs are averaged.

    Where starts share the luck of their seeds, seeds are left out in turn; one seed says nothing of others.
    """
    seeds = units(rows)
    if not shared(under_start(rows, rows[one])):
        return rank_correlation(*_means(rows, one, other))
    value = correlated(*_means(rows, one, other))
    kept: list[pd.DataFrame] = [rows[seeds != seed] for seed in dict.fromkeys(seeds)]
    without = [correlated(*_means(each, one, other)) for each in kept]
    low, high, _ = jackknife(value, np.array(without), fewest=2)
    if not np.isfinite(low):
        return Estimate(value, float("-inf"), float("inf"))
    return Estimate(value, max(low, -1.0), min(high, 1.0))


def _means(rows: pd.DataFrame, one: str, other: str) -> np.ndarray:
    return rows.groupby("start")[[one, other]].mean().to_numpy(float).T
