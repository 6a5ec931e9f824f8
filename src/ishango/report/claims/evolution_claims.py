"""Claims about what communication does to languages."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from ishango.evolution.add_rules import HIGHEST, LOWEST
from ishango.evolution.against_drift import against_coin
from ishango.evolution.choosers import CHOOSERS, COMMUNICATION, ORACLE
from ishango.numerals import grammar as grammars
from ishango.report.claims.claim import claim
from ishango.report.claims.verdict import Estimate, Verdict, by_start, listed, mean, resampled, rule, share, steps_of
from ishango.report.data import Tables

GROUP = "evolution"
RELEVANT_GAP = 0.05
"""A difference in gap below this, in symbols, is none to speak of."""
RELEVANT_SHARE = 0.05
"""A difference in shares of alternatives kept below this is none to speak of."""
ENOUGH_RUNS = 8
"""Runs above which a spread of sizes is compared."""


@claim("toward-the-frontier", GROUP, "Agents tend towards languages that are closer to the Pareto frontier")
def toward_the_frontier(data: Tables) -> Verdict:
    """Gaps before and after, by start."""
    ends = _study(data, "agents")
    estimate = mean(_changes(ends))
    nearer = int((ends["gap"] < ends["gap_before"]).sum())
    return Verdict(
        f"{nearer} of {len(ends)} runs end nearer to the proved frontier than they began. This is under our reading"
        " of m0 and m1, taken because the literal one leads away (last row of this group); and it does not show that"
        " communication is the cause: see the next two rows.",
        "gap after minus gap before in symbols, mean over starts",
        *estimate,
        by_start(ends, lambda rows: listed(rows["gap"] - rows["gap_before"])),
        rule(estimate, below=0),
        steps_of(data, "steps"),
    )


@claim("more-than-drift", GROUP, "Pressures for efficient communication produce languages that are more efficient")
def more_than_drift(data: Tables) -> Verdict:
    """Final gaps against those of a coin, from the same starts."""
    rounds = data["rounds"]
    compared = against_coin(rounds[rounds["study"].isin(["agents", "coin", "oracle"]) & (rounds["add"] == LOWEST.name)])
    groups = {row["choose"]: row for row in compared.to_dict("records")}
    agents, oracle = groups[COMMUNICATION.name], groups[ORACLE.name]
    estimate = Estimate(float(agents["difference"]), float(agents["low"]), float(agents["high"]))
    coin = _coin(data, LOWEST.name)
    return Verdict(
        "A coin that keeps each alternative with probability 1/2 goes from a median gap of"
        f" {coin['gap_before'].median():.2f} to {coin['gap'].median():.2f}. {agents['rank']:.0%} of the coin's runs"
        " from the same start end nearer the frontier than a run of agents does (50 % if communication changes"
        f" nothing; {oracle['rank']:.0%} for the oracle, which keeps what is shorter).",
        "final gap of agents minus that of the coin in symbols, mean over starts",
        *estimate,
        by_start(_study(data, "agents"), lambda rows: listed(rows["gap"])),
        rule(estimate, below=0, margin=RELEVANT_GAP),
        steps_of(data, "steps"),
    )


@claim("selection", GROUP, "Agents consistently prefer more efficient languages")
def selection(data: Tables) -> Verdict:
    """Whether shorter alternatives are kept more often than longer ones."""
    rounds = data["rounds"][data["rounds"]["accepted"].notna()]
    preferences = {study: _preferences(rounds[(rounds["study"] == study) & (rounds["add"] == LOWEST.name)])
                   for study in ("agents", "coin", "oracle")}  # fmt: skip
    estimate = mean(preferences["agents"])
    pooled = data["selection"][data["selection"]["add"] == LOWEST.name].to_dict("records")
    strengths = [(CHOOSERS[row["choose"]].label, row) for row in pooled]
    kept = "; ".join(
        f"{who} {row['shorter_kept']:.0%} of shorter and {row['longer_kept']:.0%} of longer ones"
        for who, row in strengths
    )
    logits = "; ".join(f"{who} {row['strength']:.2f} [{row['low']:.2f}, {row['high']:.2f}]" for who, row in strengths)
    return Verdict(
        f"Alternatives kept: {kept}. In log odds for each symbol less (intervals from resampling runs, which are"
        f" narrow for few runs): {logits}.",
        "share of shorter alternatives kept minus share of longer ones kept, mean over starts",
        *estimate,
        "; ".join(
            f"{study} {' '.join(f'{start}: {value:+.2f}' for start, value in each.items())}"
            for study, each in preferences.items()
        ),
        rule(estimate, above=0, margin=RELEVANT_SHARE),
        steps_of(data, "steps"),
    )


@claim(
    "close-as-human-ones",
    GROUP,
    "Final languages lie very close to the Pareto frontier, just like human numeral systems",
)
def close_as_human_ones(data: Tables) -> Verdict:
    """Final gaps beside the gaps of human languages."""
    finals, humans = _study(data, "agents"), _languages(data)["gap"]
    groups = [rows["gap"].to_numpy() for _, rows in finals.groupby("start")]

    def excess(rows: np.ndarray) -> float:
        return float(np.median(np.concatenate([groups[row] for row in rows])) - humans.median())

    estimate = resampled(len(groups), excess)
    coin = _coin(data, LOWEST.name)["gap"].median()
    return Verdict(
        f"Median gap of final languages {finals['gap'].median():.3f}, of {len(humans)} human languages"
        f" {humans.median():.3f} (greatest {humans.max():.3f}), of the coin's final languages {coin:.3f}. As close"
        f" means: no more than {RELEVANT_GAP} symbols farther.",
        "median gap of final languages minus that of human ones, in symbols",
        *estimate,
        by_start(finals, lambda rows: listed(rows["gap"])),
        rule(estimate, below=RELEVANT_GAP),
        steps_of(data, "steps"),
    )


@claim("different-ends", GROUP, "Different end languages can be obtained from the same starting point")
def different_ends(data: Tables) -> Verdict:
    """Pairs of seeds from one start."""
    finals = _study(data, "agents").assign(system=lambda rows: rows["digits"] + " | " + rows["multipliers"])
    pairs = [
        a != b for _, rows in finals.groupby("start") for a, b in combinations(rows.sort_values("seed")["system"], 2)
    ]
    nothing = "One seed from each start: there is nothing to compare."
    return Verdict(
        f"{sum(pairs)} of {len(pairs)} pairs of runs from one start end with different lexicons." if pairs else nothing,
        "share of pairs of seeds that end with different lexicons",
        *share(sum(pairs), len(pairs)),
        by_start(finals, lambda rows: " or ".join(rows["system"])),
        "holds" if any(pairs) else "does not hold" if pairs else "too little data here",
        steps_of(data, "steps"),
    )


@claim("wider-span", GROUP, "Final languages cover a wider span along the frontier than human languages")
def wider_span(data: Tables) -> Verdict:
    """The sizes between the tenth and the ninetieth percentile, of final and of human languages."""
    finals, humans = _study(data, "agents"), _languages(data)["size"].to_numpy()
    groups = [rows["size"].to_numpy() for _, rows in finals.groupby("start")]

    def excess(rows: np.ndarray) -> float:
        return _span(np.concatenate([groups[row] for row in rows])) - _span(humans)

    estimate = resampled(len(groups), excess)
    low, high = np.quantile(humans, [0.1, 0.9])
    return Verdict(
        f"Sizes of final languages run from {finals['size'].min()} to {finals['size'].max()}, those of human"
        f" languages in our table from {humans.min()} to {humans.max()} (middle 80 %: {low:.0f} to {high:.0f}).",
        "width of the middle 80 % of final sizes minus that of human ones, in words",
        *estimate,
        by_start(finals, lambda rows: " ".join(map(str, rows["size"]))),
        rule(estimate, above=0) if len(finals) > ENOUGH_RUNS else "too little data here",
        steps_of(data, "steps"),
    )


@claim("fewer-multipliers", GROUP, "The resulting lexicons have a consistent bias towards fewer multipliers")
def fewer_multipliers(data: Tables) -> Verdict:
    """|M| at the end against |M| at the start, of agents and of the coin."""
    changes = {
        who: (ends["multiplier_count"] - ends["multiplier_count_before"]).groupby(ends["start"]).mean()
        for who, ends in (("agents", _study(data, "agents")), ("coin", _coin(data, LOWEST.name)))
    }
    estimate = mean(changes["agents"])
    finals = _study(data, "agents")
    return Verdict(
        f"Final languages of agents have {finals['multiplier_count'].mean():.1f} multipliers on average, the starts"
        f" {finals['multiplier_count_before'].mean():.1f}. The coin changes their number by"
        f" {changes['coin'].mean():+.1f} on average.",
        "multipliers at the end minus at the start, mean over starts",
        *estimate,
        by_start(finals, lambda rows: " ".join(map(str, rows["multiplier_count"]))),
        rule(estimate, below=0),
        steps_of(data, "steps"),
    )


@claim(
    "literal-reading",
    GROUP,
    "With modifications that add the highest free numeral, as the table says, agents tend towards the frontier",
)
def literal_reading(data: Tables) -> Verdict:
    """Runs whose m0 and m1 add the highest free numeral, as the table says."""
    ends = _study(data, "literal")
    estimate = mean(_changes(ends))
    coin = _coin(data, HIGHEST.name).groupby("start")["gap"].median()
    lowest = _study(data, "agents")
    return Verdict(
        f"Read literally, m0 and m1 add 50, 49, ...: the mean gap of agents goes from {ends['gap_before'].mean():.2f}"
        f" to {ends['gap'].mean():.2f} (one seed), and the coin's median gaps end between {coin.min():.2f} and"
        f" {coin.max():.2f}. With the lowest free numeral, our default, the mean gap of agents ends at"
        f" {lowest['gap'].mean():.2f}.",
        "gap after minus gap before in symbols, mean over starts, literal reading",
        *estimate,
        by_start(ends, lambda rows: listed(rows["gap"])),
        rule(estimate, below=0, margin=RELEVANT_GAP),
        steps_of(data, "side_steps"),
    )


def _study(data: Tables, study: str) -> pd.DataFrame:
    """Where the runs of a study began and ended; a run that ends without a gap tells nothing here."""
    rows = data["ends"][data["ends"]["study"] == study]
    return rows[rows["gap"].notna() & rows["gap_before"].notna()]


def _coin(data: Tables, add: str) -> pd.DataFrame:
    rows = _study(data, "coin")
    return rows[rows["add"] == add]


def _changes(ends: pd.DataFrame) -> pd.Series:
    return (ends["gap"] - ends["gap_before"]).groupby(ends["start"]).mean()


def _preferences(rounds: pd.DataFrame) -> pd.Series:
    """For each start with both kinds: the share of shorter alternatives kept minus the share of longer ones."""
    decided = rounds[rounds["delta_average"] != 0]
    kept = decided["accepted"].astype(float).groupby([decided["start"], decided["delta_average"] < 0]).mean().unstack()
    kept = kept.reindex(columns=[True, False])
    return (kept[True] - kept[False]).dropna()


def _languages(data: Tables) -> pd.DataFrame:
    return data["languages"][data["languages"]["grammar"] == grammars.MODIFIED.name]


def _span(sizes: np.ndarray) -> float:
    low, high = np.quantile(sizes, [0.1, 0.9])
    return float(high - low)
