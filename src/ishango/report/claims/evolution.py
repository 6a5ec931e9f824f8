"""Claims about what communication does to languages."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from ishango.evolution.study import against_coin
from ishango.report.claims.verdict import Estimate, Verdict, listed, mean, resampled, rule, share
from ishango.report.data import Tables
from ishango.report.outcomes import WHO

RELEVANT_GAP = 0.05
"""A difference in gap below this, in symbols, is none to speak of."""
RELEVANT_STRENGTH = 1.0
"""A strength of selection below this is none to speak of: a symbol less changes the odds by less than a factor e."""


def evolution_verdicts(data: Tables) -> list[Verdict]:
    """Agents, drift and oracle; where runs end; the literal reading; another need."""
    return [
        toward_the_frontier(data),
        more_than_drift(data),
        selection(data),
        close_as_human_ones(data),
        different_ends(data),
        wider_span(data),
        literal_reading(data),
    ]


def toward_the_frontier(data: Tables) -> Verdict:
    """Gaps before and after, by start."""
    ends = _study(data, "agents")
    changes = _changes(ends)
    estimate = mean(list(changes))
    nearer = int((ends["gap"] < ends["gap_before"]).sum())
    return Verdict(
        "toward-the-frontier",
        "Agents tend towards languages that are closer to the Pareto frontier.",
        f"{nearer} of {len(ends)} runs end nearer to the proved frontier than they began. That alone does not show "
        "that "
        "communication is the cause: see the next two rows.",
        "gap after minus gap before in symbols, mean over starts",
        *estimate,
        _by_start(ends, lambda rows: listed(rows["gap"] - rows["gap_before"])),
        rule(estimate, below=0),
    )  # fmt: skip


def more_than_drift(data: Tables) -> Verdict:
    """Final gaps against those of a coin, from the same starts."""
    rounds = data["rounds"]
    compared = against_coin(rounds[rounds["study"].isin(["agents", "coin", "oracle"]) & (rounds["add"] == "lowest")])
    agents, oracle = (compared[compared["choose"] == name].iloc[0] for name in ("bandit", "shorter"))
    estimate = Estimate(agents["difference"], agents["low"], agents["high"])
    return Verdict(
        "more-than-drift",
        "Pressures for efficient communication produce languages that are more efficient.",
        "A coin that keeps every other alternative drifts to the frontier too. "
        f"{agents['rank']:.0%} of the coin's runs from the same start end nearer the frontier than a run of agents "
        "does "
        f"(50 % if communication changes nothing; for the oracle, which keeps what is shorter, {oracle['rank']:.0%}).",
        "final gap of agents minus that of the coin in symbols, mean over starts",
        *estimate,
        _by_start(_study(data, "agents"), lambda rows: listed(rows["gap"])),
        rule(estimate, below=0, margin=RELEVANT_GAP),
    )  # fmt: skip


def selection(data: Tables) -> Verdict:
    """How the odds of being kept depend on how much shorter an alternative is."""
    rows = data["selection"][data["selection"]["add"] == "lowest"].to_dict("records")
    strengths = {row["choose"]: row for row in rows}
    agents = strengths["bandit"]
    estimate = Estimate(agents["strength"], agents["low"], agents["high"])
    kept = "; ".join(
        f"{name} {row['shorter_kept']:.0%} of shorter and {row['longer_kept']:.0%} of longer alternatives"
        for name, row in ((WHO[choose], row) for choose, row in strengths.items())
    )
    return Verdict(
        "selection",
        "Agents consistently prefer more efficient languages.",
        f"What is kept: {kept}.",
        "strength of selection: log odds of being kept, for each symbol of average length less",
        *estimate,
        "; ".join(
            f"{WHO[choose]} {row['strength']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
            for choose, row in strengths.items()
        ),
        rule(estimate, above=0, margin=RELEVANT_STRENGTH),
    )


def close_as_human_ones(data: Tables) -> Verdict:
    """Final gaps beside the gaps of human languages."""
    finals, languages = _study(data, "agents"), _languages(data)
    limit = float(languages["gap"].max())
    near = int((finals["gap"] <= limit).sum())
    estimate = share(near, len(finals))
    return Verdict(
        "close-as-human-ones",
        "Final languages lie very close to the Pareto frontier, just like human numeral systems.",
        f"The gaps of {len(languages)} human languages are at most {limit:.3f} (median "
        f"{languages['gap'].median():.3f}); "
        f"{near} of {len(finals)} final languages have a gap as small. Median final gap: {finals['gap'].median():.3f}.",
        "share of final languages whose gap is no larger than that of some human language",
        *estimate,
        _by_start(finals, lambda rows: listed(rows["gap"])),
        rule(estimate, above=0.5),
    )  # fmt: skip


def different_ends(data: Tables) -> Verdict:
    """Pairs of seeds from one start."""
    finals = _study(data, "agents").assign(system=lambda rows: rows["digits"] + " | " + rows["multipliers"])
    pairs = [
        a != b for _, rows in finals.groupby("start") for a, b in combinations(rows.sort_values("seed")["system"], 2)
    ]
    estimate = share(sum(pairs), len(pairs))
    return Verdict(
        "different-ends",
        "Different end languages can be obtained from the same starting point.",
        f"{sum(pairs)} of {len(pairs)} pairs of runs from one start end with different lexicons."
        if pairs
        else "One seed from each start: there is nothing to compare.",
        "share of pairs of seeds that end with different lexicons",
        *estimate,
        _by_start(finals, lambda rows: " or ".join(rows["system"])),
        "holds" if any(pairs) else "too little data here" if len(pairs) < 8 else "does not hold",
    )


def wider_span(data: Tables) -> Verdict:
    """The sizes between the tenth and the ninetieth percentile, of final and of human languages."""
    finals, humans = _study(data, "agents")["size"].to_numpy(), _languages(data)["size"].to_numpy()
    span = _span(humans)
    estimate = resampled(len(finals), lambda rows: _span(finals[rows]) - span)
    return Verdict(
        "wider-span",
        "Final languages cover a wider span along the frontier than human languages, which have 10 to 15 words.",
        f"Sizes of final languages run from {finals.min()} to {finals.max()}, of human languages in our table from "
        f"{humans.min()} to {humans.max()} (middle 80 %: {np.quantile(humans, 0.1):.0f} to "
        f"{np.quantile(humans, 0.9):.0f}).",
        "width of the middle 80 % of final sizes minus that of human ones, in words",
        *estimate,
        _by_start(_study(data, "agents"), lambda rows: " ".join(map(str, rows["size"]))),
        rule(estimate, above=0) if len(finals) > 8 else "too little data here",
    )  # fmt: skip


def literal_reading(data: Tables) -> Verdict:
    """Runs whose m0 and m1 add the highest free numeral, as the table says."""
    ends = _study(data, "literal")
    estimate = mean(list(_changes(ends)))
    coin = _study(data, "coin")
    drift = coin[coin["add"] == "highest"].groupby("start")["gap"].median()
    return Verdict(
        "literal-reading",
        "With modifications that add the highest free numeral, agents tend towards the frontier.",
        "Read literally they add 50, 49, ...: the gap of agents changes from "
        f"{ends['gap_before'].mean():.2f} to {ends['gap'].mean():.2f} on average, and a coin under the same reading "
        "ends "
        f"with medians from {drift.min():.2f} to {drift.max():.2f}. With the lowest free numeral instead, our default, "
        "both come near the frontier.",
        "gap after minus gap before in symbols, mean over starts, literal reading",
        *estimate,
        _by_start(ends, lambda rows: listed(rows["gap"])),
        rule(estimate, below=0, margin=RELEVANT_GAP),
    )  # fmt: skip


def _study(data: Tables, study: str) -> pd.DataFrame:
    return data["ends"][data["ends"]["study"] == study]


def _changes(ends: pd.DataFrame) -> pd.Series:
    return (ends["gap"] - ends["gap_before"]).groupby(ends["start"]).mean()


def _languages(data: Tables) -> pd.DataFrame:
    return data["languages"][data["languages"]["grammar"] == "modified"]


def _by_start(rows: pd.DataFrame, describe: object) -> str:
    """What there is to say about each start, its seeds in order."""
    grouped = rows.sort_values("seed").groupby("start")
    return "; ".join(f"start {start}: {describe(group)}" for start, group in grouped)  # type: ignore[operator]


def _span(sizes: np.ndarray) -> float:
    low, high = np.quantile(sizes, [0.1, 0.9])
    return float(high - low)
