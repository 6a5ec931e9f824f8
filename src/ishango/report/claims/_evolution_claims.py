"""Claims about languages: what communication does to them beside drift, where they end, and from which starts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from ishango.analysis.comparable import SHARED, under_start, units
from ishango.analysis.selection import preferences
from ishango.analysis.statistics import contrast, jackknife, shared
from ishango.evolution import CHOOSERS, HIGHEST, LOWEST
from ishango.numerals import MODIFIED as MODIFIED_GRAMMAR
from ishango.numerals import parse_set
from ishango.report._data import Tables
from ishango.report._studies import EXPONENTIAL, MATCHED
from ishango.report.claims import _claim as claims
from ishango.report.claims._claim import beside

_claim = partial(claims.claim, "evolution")
RELEVANT_GAP = 0.05
"""A difference in gap below this, in symbols, is none to speak of."""
RELEVANT_DISTANCE = 0.02
"""The same for the distance in both axes."""
RELEVANT_SHARE = 0.05
"""A difference in shares of alternatives kept below this is none to speak of."""


@_claim(
    "toward-the-frontier",
    "Communication leads languages towards the Pareto frontier",
    "communication leads to the frontier",
    studies=("agents", "coin"),
)
def toward_the_frontier(data: Tables) -> claims.Verdict:
    ends, coin = claims.of_study(data, "agents"), claims.of_coin(data)
    said = (
        f"{_nearer(ends)} of {len(ends)} runs of agents end nearer to the proved frontier than they began, and"
        f" {_nearer(coin)} of {len(coin)} of a coin that keeps each alternative with probability 1/2. This is under our"
        " reading of m0 and m1; what the literal one leads to is a claim of its own.",
        "gap after minus gap before in symbols, mean over starts",
        claims.by_start(ends, lambda rows: claims.listed(rows["gap"] - rows["gap_before"])),
    )
    return claims.verdict_beside(
        data, claims.changes(ends, "gap"), claims.changes(coin, "gap"), said, below=0, margin=RELEVANT_GAP
    )


@_claim(
    "more-than-drift",
    "Pressures for efficient communication produce languages that are more efficient",
    "communication makes languages more efficient",
    studies=("agents", "coin"),
)
def more_than_drift(data: Tables) -> claims.Verdict:
    ends, coin = claims.of_study(data, "agents"), claims.of_coin(data)
    said = (
        f"Median distance at the end: agents {ends['distance'].median():.3f}, coin {coin['distance'].median():.3f}"
        f"{_other_controls(data, ends)}. The starts have {ends['distance_before'].median():.3f}. The distance is the"
        " share by which size and average could shrink together; unlike the gap it does not depend on the size.",
        "distance after minus distance before, mean over starts",
        claims.by_start(ends, lambda rows: claims.listed(rows["distance"])),
    )
    return claims.verdict_beside(
        data,
        claims.changes(ends, "distance"),
        claims.changes(coin, "distance"),
        said,
        below=0,
        margin=RELEVANT_DISTANCE,
    )


@_claim(
    "selection",
    "Agents consistently prefer more efficient languages",
    "agents prefer shorter languages",
    studies=("agents", "coin"),
)
def selection(data: Tables) -> claims.Verdict:
    rounds = data["rounds"][data["rounds"]["accepted"].notna() & (data["rounds"]["add"] == LOWEST.name)]
    kept = {study: preferences(rounds[rounds["study"] == study]) for study in ("agents", "coin")}
    nearer = preferences(rounds[rounds["study"] == "agents"], "delta_gap")
    pooled = data["selection"][data["selection"]["add"] == LOWEST.name].to_dict("records")
    said = (
        f"Alternatives kept: {'; '.join(map(_kept, pooled))}. In log odds for each symbol less:"
        f" {'; '.join(map(_strength, pooled))}. If what is more efficient is what lies nearer to the frontier of its"
        f" size, agents keep {nearer.groupby(level=0).mean().mean():+.2f} more of it.",
        "share of shorter alternatives kept minus share of longer ones kept, mean over starts",
        "; ".join(f"start {start}: {claims.listed(rows, 2)}" for start, rows in kept["agents"].groupby(level=0)),
    )
    return claims.verdict_beside(data, kept["agents"], kept["coin"], said, above=0, margin=RELEVANT_SHARE)


@_claim(
    "literal-reading",
    "With modifications that add the highest free numeral, as the table says, agents tend towards the frontier",
    "the modifications as printed lead there, too",
    studies=("literal", "coin", "agents"),
)
def literal_reading(data: Tables) -> claims.Verdict:
    ends, coin = claims.of_study(data, "literal"), claims.of_coin(data, HIGHEST.name)
    medians = coin.groupby("start")["gap"].median()
    said = (
        f"Read literally, m0 and m1 add 50, 49, ...: the mean gap of agents goes from {ends['gap_before'].mean():.2f}"
        f" to {ends['gap'].mean():.2f} (one seed), and the coin's median gaps end between {medians.min():.2f} and"
        f" {medians.max():.2f}. With the lowest free numeral, our default, the mean gap of agents ends at"
        f" {claims.of_study(data, 'agents')['gap'].mean():.2f}.",
        "gap after minus gap before in symbols, mean over starts, literal reading",
        claims.by_start(ends, lambda rows: claims.listed(rows["gap"])),
    )
    changed = claims.changes(ends, "gap"), claims.changes(coin, "gap")
    return claims.verdict_beside(data, *changed, said, "side_steps", below=0, margin=RELEVANT_GAP)


@_claim(
    "exponential-evolution",
    "Our question: do agents approach the frontier under a need that falls exponentially?",
    "the same under an exponential need",
    studies=("exponential", "coin"),
)
def exponential_evolution(data: Tables) -> claims.Verdict:
    ends = claims.of_study(data, "exponential")
    known = data["evaluations"]
    found = known[known["need"] == EXPONENTIAL].dropna(subset="gap")
    before = found[found["kind"] == "start"].set_index("start")["gap"]
    coin = claims.with_streams(found[found["kind"] == "coin"], data, "name")
    drifted = claims.by_run(coin, coin["gap"] - coin["start"].map(before))
    medians = known.groupby(["need", "kind"], sort=False)["gap"].median().unstack()
    gaps = [f"{need}: {', '.join(f'{who} {gap:.2f}' for who, gap in row.items())}" for need, row in medians.iterrows()]
    said = (
        "The paper calls n^-2 exponential; this is a need of ours. Agents play and are evaluated under exp(-0.2 n), one"
        " seed; the coin does not know of needs, so that its runs are only evaluated anew. Median gaps of starts, human"
        f" languages and of what agents and coin reached under n^-2, evaluated under several needs: {'; '.join(gaps)}.",
        "gap after minus gap before under exp(-0.2 n), mean over starts",
        claims.by_start(ends, lambda rows: claims.listed(rows["gap"] - rows["gap_before"])),
    )
    changed = claims.changes(ends, "gap")
    return claims.verdict_beside(data, changed, drifted, said, "side_steps", below=0, margin=RELEVANT_GAP)


def _nearer(ends: pd.DataFrame) -> int:
    return int((ends["gap"] < ends["gap_before"]).sum())


def _other_controls(data: Tables, ends: pd.DataFrame) -> str:
    """Final distances of the controls beside the coin, where they were played; a coin of the agents' rate in full."""
    parts = [
        f", {who} {rows['distance'].median():.3f}"
        for study, who in (("oracle", "oracle"), ("gap-oracle", "oracle on the gap"))
        if len(rows := claims.of_study(data, study))
    ]
    matched = claims.of_study(data, MATCHED)
    if len(matched):
        found = contrast(claims.changes(ends, "distance"), claims.changes(matched, "distance"))
        parts.append(
            f", a coin that keeps as many alternatives as each run of agents {matched['distance'].median():.3f} (agents"
            f" minus that coin {found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}], p = {found.p:.2g})"
        )
    return "".join(parts)


def _kept(row: dict[Hashable, Any]) -> str:
    who = CHOOSERS[str(row["choose"])].label
    return f"{who} {row['shorter_kept']:.0%} of shorter and {row['longer_kept']:.0%} of longer ones"


def _strength(row: dict[Hashable, Any]) -> str:
    who = CHOOSERS[str(row["choose"])].label
    if row["separated"]:
        return f"{who} separated (all shorter and no longer ones kept)"
    return f"{who} {row['strength']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


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
def close_as_human_ones(data: Tables) -> claims.Verdict:
    finals, coin = claims.of_study(data, "agents"), claims.of_coin(data)
    world, core = (_languages(data, name) for name in ("world", "languages"))
    gaps, away = (np.concatenate(claims.by_family(world, column)) for column in ("gap", "distance"))
    found = contrast(claims.by_run(finals, finals["gap"]), claims.by_run(coin, coin["gap"]))

    def judged_by(humans: Sequence[np.ndarray]) -> tuple[claims.Estimate, claims.Estimate, claims.Ruling]:
        own, drift = (_beyond_humans(rows, humans, "gap", _median) for rows in (finals, coin))
        more = claims.rule(claims.Estimate(*found[:3]), below=0)
        close, as_close = claims.rule(own, below=RELEVANT_GAP), claims.rule(drift, below=RELEVANT_GAP)
        return own, drift, claims.beside_coin(close, as_close, more)

    own, drift, ruling = judged_by(claims.by_family(world, "gap"))
    checked, _, ruled = judged_by(claims.grouped(core, "family", "gap"))
    return claims.Verdict(
        f"Median gap of final languages {finals['gap'].median():.3f}, of {world['languages'].sum():,} human varieties"
        f" {_median(gaps):.3f} (greatest {world['gap'].max():.3f}), of the coin's final languages"
        f" {coin['gap'].median():.3f}. As close means: no more than {RELEVANT_GAP} symbols farther. The contrast is of"
        " mean final gaps. In both axes (median distance): agents"
        f" {finals['distance'].median():.3f}, humans {_median(away):.3f}, coin {coin['distance'].median():.3f}."
        " Families count once.",
        "median gap of final languages minus that of human ones, in symbols",
        *own,
        claims.by_start(finals, lambda rows: claims.listed(rows["gap"])),
        ruling,
        claims.steps_of(data, "steps"),
        by_hand=claims.hand_checked(checked, ruled, core),
        **beside(drift.value, found),
    )


@_claim(
    "different-ends",
    "Different end languages can be obtained from the same starting point",
    "one start leads to different ends",
    studies=("agents", "coin"),
)
def different_ends(data: Tables) -> claims.Verdict:
    finals = claims.of_study(data, "agents")
    pairs, drifted = (_differences(rows) for rows in (finals, claims.of_coin(data)))
    apart = [count > ONE_MODIFICATION for count in pairs]
    estimate = claims.share(sum(apart) / len(apart) if apart else float("nan"), _independent_pairs(finals))
    measured = "One seed from each start: there is nothing to compare."
    if pairs:
        measured = (
            f"{sum(apart)} of {len(apart)} pairs of runs of agents from one start end with lexicons that differ by more"
            f" than one modification can change ({ONE_MODIFICATION} words); the median difference is"
            f" {np.median(pairs):.0f} words, the coin's {np.median(drifted):.0f}. Mostly means: more than half of the"
            " pairs."
        )
    return claims.Verdict(
        measured,
        "share of pairs of seeds that end with different lexicons",
        *estimate,
        claims.by_start(finals, lambda rows: " or ".join(rows["digits"] + " | " + rows["multipliers"])),
        claims.rule(estimate, above=0.5),
        claims.steps_of(data, "steps"),
    )


@_claim(
    "wider-span",
    "Final languages cover a wider span along the frontier than human languages",
    "sizes span more than human ones",
    studies=("agents", "coin"),
)
def wider_span(data: Tables) -> claims.Verdict:
    finals, world, core = claims.of_study(data, "agents"), _languages(data, "world"), _languages(data, "languages")
    families = claims.by_family(world, "size")
    estimate, checked = (
        _beyond_humans(finals, humans, "size", _span) for humans in (families, claims.grouped(core, "family", "size"))
    )
    low, high = np.quantile(np.concatenate(families), [0.1, 0.9])

    def ruled(found: claims.Estimate) -> claims.Ruling:
        return claims.rule(found, above=0) if len(finals) > ENOUGH_RUNS else "too little data here"

    return claims.Verdict(
        f"Sizes of final languages run from {finals['size'].min()} to {finals['size'].max()}, those of human"
        f" languages from {world['size'].min()} to {world['size'].max()} (middle 80 %, where families count once:"
        f" {low:.0f} to {high:.0f}). The coin's span is {_span(claims.of_coin(data)['size'].to_numpy()):.0f} words,"
        f" that of the starts {_span(finals['size_before'].to_numpy()):.0f}.",
        "width of the middle 80 % of final sizes minus that of human ones, in words",
        *estimate,
        claims.by_start(finals, lambda rows: " ".join(map(str, rows["size"]))),
        ruled(estimate),
        claims.steps_of(data, "steps"),
        by_hand=claims.hand_checked(checked, ruled(checked), core),
    )


@_claim(
    "span-of-the-starts",
    "The span of final sizes might depend on the random starting points",
    "the starts decide how large languages end",
    studies=("random-starts", "random-coin", "agents"),
)
def span_of_the_starts(data: Tables) -> claims.Verdict:
    ends, coin = claims.of_study(data, "random-starts"), claims.of_study(data, "random-coin")
    estimate, drift = (_correlation(rows, "size_before", "size") for rows in (ends, coin))
    return claims.Verdict(
        f"From {ends['start'].nunique()} starts drawn anew, of {_between(ends['size_before'])} words, agents end with"
        f" {_between(ends['size'])} (from the paper's starts: {_between(claims.of_study(data, 'agents')['size'])})."
        f" For the coin the same correlation is {drift.value:+.2f}. One seed.",
        "rank correlation of the size at the end with the size at the start, over starts drawn anew",
        *estimate,
        claims.by_start(
            ends, lambda rows: " ".join(f"{a} to {b}" for a, b in rows[["size_before", "size"]].to_numpy())
        ),
        claims.rule(estimate, above=0),
        claims.steps_of(data, "side_steps"),
    )


@_claim(
    "farther-starts",
    "Starts farther away from the frontier may require more iterations to reach it",
    "farther starts take longer",
    studies=("agents", "coin"),
)
def farther_starts(data: Tables) -> claims.Verdict:
    agents, coin = (_arrivals(data["rounds"], study) for study in ("agents", "coin"))
    estimate, drift = (_correlation(rows, "gap_before", "rounds") for rows in (agents, coin))
    return claims.Verdict(
        f"{int(agents['arrived'].sum())} of {len(agents)} runs of agents come to a gap below {NEAR} symbols, after"
        f" {agents['rounds'].median():.0f} rounds (median; a run that never does counts as one round more than were"
        f" played). For the coin the same correlation is {drift.value:+.2f}.",
        "rank correlation of the rounds until then with the gap of the start, over starts",
        *estimate,
        claims.by_start(agents, lambda rows: " ".join(map(str, rows["rounds"]))),
        claims.rule(estimate, above=0),
        claims.steps_of(data, "steps"),
    )


@_claim(
    "fewer-multipliers",
    "The resulting lexicons have a consistent bias towards fewer multipliers",
    "multipliers become fewer",
    studies=("agents", "coin"),
)
def fewer_multipliers(data: Tables) -> claims.Verdict:
    finals, coin = claims.of_study(data, "agents"), claims.of_coin(data)
    said = (
        f"Final languages of agents have {finals['multiplier_count'].mean():.1f} multipliers on average, those of the"
        f" coin {coin['multiplier_count'].mean():.1f}, the starts {finals['multiplier_count_before'].mean():.1f}.",
        "multipliers at the end minus at the start, mean over starts",
        claims.by_start(finals, lambda rows: " ".join(map(str, rows["multiplier_count"]))),
    )
    return claims.verdict_beside(
        data,
        claims.changes(finals, "multiplier_count"),
        claims.changes(coin, "multiplier_count"),
        said,
        below=0,
        margin=RELEVANT_MULTIPLIERS,
    )


@_claim(
    "hurford-multipliers",
    "With Hurford's grammar the bias towards fewer multipliers is absent",
    "no such bias under Hurford's grammar",
    studies=("hurford", "hurford-coin", "agents"),
)
def hurford_multipliers(data: Tables) -> claims.Verdict:
    ends, coin = (data["ends"][data["ends"]["study"] == study] for study in ("hurford", "hurford-coin"))
    change, drift = (claims.changes(rows, "multiplier_count") for rows in (ends, coin))
    estimate, found = claims.mean_of_starts(change), contrast(change, drift)
    return claims.Verdict(
        f"Under Hurford's grammar agents go from {ends['multiplier_count_before'].mean():.1f} to"
        f" {ends['multiplier_count'].mean():.1f} multipliers on average (one seed), the coin to"
        f" {coin['multiplier_count'].mean():.1f}; under the modified grammar agents end with"
        f" {claims.of_study(data, 'agents')['multiplier_count'].mean():.1f}. Absent means: no more than"
        f" {RELEVANT_MULTIPLIERS} fewer.",
        "multipliers at the end minus at the start under Hurford's grammar, mean over starts",
        *estimate,
        claims.by_start(ends, lambda rows: " ".join(map(str, rows["multiplier_count"]))),
        claims.rule(estimate, above=-RELEVANT_MULTIPLIERS),
        claims.steps_of(data, "side_steps"),
        **beside(float(drift.groupby(level=0).mean().mean()), found),
    )


@_claim(
    "small-changes",
    "Small changes let the listener use what it has learned from previous interactions",
    "small changes keep what was learned",
    studies=("agents", "learning"),
)
def small_changes(data: Tables) -> claims.Verdict:
    table = data["changes"].dropna().assign(drop=lambda rows: rows["before"] - rows["early"])
    runs = table.groupby(["start", "run"])
    ranks = pd.Series({key: claims.correlated(*rows[["changed", "drop"]].to_numpy().T) for key, rows in runs})
    told = ranks.rename_axis(["start", "run"]).rename("rank").reset_index() if len(ranks) else None
    estimate = claims.mean_of_starts(
        ranks if told is None else claims.by_run(claims.with_streams(told, data), told["rank"])
    )
    small = table["changed"] <= table["changed"].median()
    drops = table.groupby(small)["drop"].mean()
    scratch = data["learning"]["won"].mean()
    return claims.Verdict(
        f"In the first 100 steps after an alternative came up, agents win {table['early'].mean():.0%} of games, where"
        f" the round before ended with {table['before'].mean():.0%}. They lose {drops.get(True, np.nan):.1%} where the"
        f" alternative changes little (up to {table['changed'].median():.0%} of what is said) and"
        f" {drops.get(False, np.nan):.1%} where it changes more. (From scratch, agents win {scratch:.0%} over all their"
        " learning.)",
        "rank correlation of the loss with how much of the language changes, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {claims.listed(rows, 2)}" for start, rows in ranks.groupby(level=0)),
        claims.rule(estimate, above=0),
        claims.steps_of(data, "steps"),
    )


def _languages(data: Tables, table: str) -> pd.DataFrame:
    return data[table][data[table]["grammar"] == MODIFIED_GRAMMAR.name]


def _beyond_humans(
    finals: pd.DataFrame, humans: Sequence[np.ndarray], column: str, of: Callable[[np.ndarray], float]
) -> claims.Estimate:
    """A statistic of final languages minus that of human families; starts (or seeds) and families are drawn anew."""

    def excess(ours: np.ndarray, theirs: np.ndarray) -> float:
        return of(ours) - of(theirs)

    return claims.regrouped(excess, claims.blocks(finals, column), humans)


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
    rows: list[tuple[object, ...]] = []
    played = rounds[(rounds["study"] == study) & (rounds["add"] == LOWEST.name)]
    for (start, seed, name), run in played.groupby(["start", "seed", "run"]):
        near = run.loc[run["gap"] < NEAR, "round"]
        after = int(near.min() if len(near) else run["round"].max() + 1)
        first = float(run.sort_values("round")["gap"].iloc[0])
        streams = run["streams"].iloc[0] if "streams" in run else SHARED
        rows.append((name, start, seed, streams, first, after, len(near) > 0))
    return pd.DataFrame(rows, columns=["run", "start", "seed", "streams", "gap_before", "rounds", "arrived"])


def _correlation(rows: pd.DataFrame, one: str, other: str) -> claims.Estimate:
    """The rank correlation of two columns over starts, whose runs are averaged.

    Where starts share the luck of their seeds, seeds are left out in turn; one seed says nothing of others.
    """
    seeds = units(rows)
    if not shared(under_start(rows, rows[one])):
        return claims.rank_correlation(*_means(rows, one, other))
    value = claims.correlated(*_means(rows, one, other))
    kept: list[pd.DataFrame] = [rows[seeds != seed] for seed in dict.fromkeys(seeds)]
    without = [claims.correlated(*_means(each, one, other)) for each in kept]
    low, high, _ = jackknife(value, np.array(without), fewest=2)
    if not np.isfinite(low):
        return claims.Estimate(value, float("-inf"), float("inf"))
    return claims.Estimate(value, max(low, -1.0), min(high, 1.0))


def _means(rows: pd.DataFrame, one: str, other: str) -> np.ndarray:
    return rows.groupby("start")[[one, other]].mean().to_numpy(float).T
