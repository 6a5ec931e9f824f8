"""Claims about what communication does to languages, each beside what a coin does from the same starts."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any

import pandas as pd

from ishango.analysis.selection import preferences
from ishango.analysis.statistics import contrast
from ishango.evolution import CHOOSERS, HIGHEST, LOWEST
from ishango.report._data import Tables
from ishango.report._studies import EXPONENTIAL, MATCHED
from ishango.report.claims._claim import (
    Verdict,
    by_run,
    by_start,
    change_beside,
    changes,
    claim,
    judged,
    listed,
    of_coin,
    of_study,
    steps_of,
    with_streams,
)

_claim = partial(claim, "evolution")
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
def toward_the_frontier(data: Tables) -> Verdict:
    ends, coin = of_study(data, "agents"), of_coin(data)
    said = (
        f"{_nearer(ends)} of {len(ends)} runs of agents end nearer to the proved frontier than they began, and"
        f" {_nearer(coin)} of {len(coin)} of a coin that keeps each alternative with probability 1/2. This is under our"
        " reading of m0 and m1; what the literal one leads to is a claim of its own.",
        "gap after minus gap before in symbols, mean over starts",
        by_start(ends, lambda rows: listed(rows["gap"] - rows["gap_before"])),
    )
    return change_beside(data, (ends, coin), "gap", said, below=0, margin=RELEVANT_GAP)


@_claim(
    "more-than-drift",
    "Pressures for efficient communication produce languages that are more efficient",
    "communication makes languages more efficient",
    studies=("agents", "coin"),
)
def more_than_drift(data: Tables) -> Verdict:
    ends, coin = of_study(data, "agents"), of_coin(data)
    said = (
        f"Median distance at the end: agents {ends['distance'].median():.3f}, coin {coin['distance'].median():.3f}"
        f"{_other_controls(data, ends)}. The starts have {ends['distance_before'].median():.3f}. The distance is the"
        " share by which size and average could shrink together; unlike the gap it does not depend on the size.",
        "distance after minus distance before, mean over starts",
        by_start(ends, lambda rows: listed(rows["distance"])),
    )
    return change_beside(data, (ends, coin), "distance", said, below=0, margin=RELEVANT_DISTANCE)


@_claim(
    "selection",
    "Agents consistently prefer more efficient languages",
    "agents prefer shorter languages",
    studies=("agents", "coin"),
)
def selection(data: Tables) -> Verdict:
    rounds = data["rounds"][data["rounds"]["accepted"].notna() & (data["rounds"]["add"] == LOWEST.name)]
    kept = {study: preferences(rounds[rounds["study"] == study]) for study in ("agents", "coin")}
    estimate, ruling, beside = judged(kept["agents"], kept["coin"], above=0, margin=RELEVANT_SHARE)
    nearer = preferences(rounds[rounds["study"] == "agents"], "delta_gap")
    pooled = data["selection"][data["selection"]["add"] == LOWEST.name].to_dict("records")
    return Verdict(
        f"Alternatives kept: {'; '.join(map(_kept, pooled))}. In log odds for each symbol less:"
        f" {'; '.join(map(_strength, pooled))}. If what is more"
        " efficient is what lies nearer to the frontier of its size, agents keep"
        f" {nearer.groupby(level=0).mean().mean():+.2f} more of it.",
        "share of shorter alternatives kept minus share of longer ones kept, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {listed(rows, 2)}" for start, rows in kept["agents"].groupby(level=0)),
        ruling,
        steps_of(data, "steps"),
        **beside,
    )


@_claim(
    "literal-reading",
    "With modifications that add the highest free numeral, as the table says, agents tend towards the frontier",
    "the modifications as printed lead there, too",
    studies=("literal", "coin", "agents"),
)
def literal_reading(data: Tables) -> Verdict:
    ends, coin = of_study(data, "literal"), of_coin(data, HIGHEST.name)
    estimate, ruling, beside = judged(changes(ends, "gap"), changes(coin, "gap"), below=0, margin=RELEVANT_GAP)
    medians = coin.groupby("start")["gap"].median()
    return Verdict(
        f"Read literally, m0 and m1 add 50, 49, ...: the mean gap of agents goes from {ends['gap_before'].mean():.2f}"
        f" to {ends['gap'].mean():.2f} (one seed), and the coin's median gaps end between {medians.min():.2f} and"
        f" {medians.max():.2f}. With the lowest free numeral, our default, the mean gap of agents ends at"
        f" {of_study(data, 'agents')['gap'].mean():.2f}.",
        "gap after minus gap before in symbols, mean over starts, literal reading",
        *estimate,
        by_start(ends, lambda rows: listed(rows["gap"])),
        ruling,
        steps_of(data, "side_steps"),
        **beside,
    )


@_claim(
    "exponential-evolution",
    "Our question: do agents approach the frontier under a need that falls exponentially?",
    "the same under an exponential need",
    studies=("exponential", "coin"),
)
def exponential_evolution(data: Tables) -> Verdict:
    ends = of_study(data, "exponential")
    known = data["evaluations"]
    found = known[known["need"] == EXPONENTIAL].dropna(subset="gap")
    before = found[found["kind"] == "start"].set_index("start")["gap"]
    coin = with_streams(found[found["kind"] == "coin"], data, "name")
    drifted = by_run(coin, coin["gap"] - coin["start"].map(before))
    estimate, ruling, beside = judged(changes(ends, "gap"), drifted, below=0, margin=RELEVANT_GAP)
    medians = known.groupby(["need", "kind"], sort=False)["gap"].median().unstack()
    gaps = [f"{need}: {', '.join(f'{who} {gap:.2f}' for who, gap in row.items())}" for need, row in medians.iterrows()]
    return Verdict(
        "The paper calls n^-2 exponential; this is a need of ours. Agents play and are evaluated under exp(-0.2 n), one"
        " seed; the coin does not know of needs, so that its runs are only evaluated anew. Median gaps of starts, human"
        f" languages and of what agents and coin reached under n^-2, evaluated under several needs: {'; '.join(gaps)}.",
        "gap after minus gap before under exp(-0.2 n), mean over starts",
        *estimate,
        by_start(ends, lambda rows: listed(rows["gap"] - rows["gap_before"])),
        ruling,
        steps_of(data, "side_steps"),
        **beside,
    )


def _nearer(ends: pd.DataFrame) -> int:
    return int((ends["gap"] < ends["gap_before"]).sum())


def _other_controls(data: Tables, ends: pd.DataFrame) -> str:
    """Final distances of the controls beside the coin, where they were played; a coin of the agents' rate in full."""
    parts = [
        f", {who} {rows['distance'].median():.3f}"
        for study, who in (("oracle", "oracle"), ("gap-oracle", "oracle on the gap"))
        if len(rows := of_study(data, study))
    ]
    matched = of_study(data, MATCHED)
    if len(matched):
        found = contrast(changes(ends, "distance"), changes(matched, "distance"))
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
