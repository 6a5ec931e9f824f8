"""Claims about what agents learn, from which rewards, and under which needs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.errors import plural
from ishango.report._data import PAPER_NEED, Tables
from ishango.report._outcomes import BANDS, SMALL
from ishango.report._studies import BY_DISTANCE, EXPONENTIAL
from ishango.report.claims import _claim as claims

_claim = partial(claims.claim, "learning")
PAPER = {"reward": "exact", "hidden": 100, "batch": 32}
"""The paper's setting."""
ALIKE = 0.25
"""Agents are like people if no more than this share of random systems is more similar to a human language."""
RELEVANT = 0.01
"""A difference in games won below this is none to speak of."""


@_claim(
    "near-optimal-without-grammar",
    "Agents without a grammar derive near-optimal approximate and exact restricted systems, like human ones",
    "agents without a grammar find human-like systems",
    studies=("restricted",),
)
def near_optimal_without_grammar(data: Tables) -> claims.Verdict:
    agents = data["restricted_agents"]
    agents = agents[(agents["reward"] != "exact") & agents["gap_rank"].notna()]
    humans = _human_gap(data)
    covered = (agents["gap_random"] - agents["gap"]) / (agents["gap_random"] - humans)
    way, alike = (
        claims.mean_of_blocks(claims.by_run(agents, each, "vocabulary")) for each in (covered, agents["variation_rank"])
    )
    same = int((agents["variation"] == 0).sum())
    steps = int(data["restricted_curves"].groupby("run")["round"].max().max()) * claims.steps_of(
        data, "restricted_steps"
    )
    return claims.Verdict(
        f"{len(agents)} runs with rewards by distance end {agents['gap'].median():.2f} bits (median) above the least"
        f" cost of their complexity, human languages {humans:.2f}, random systems of as many words"
        f" {agents['gap_random'].median():.2f}. Near-optimal means: more than half of the way from random systems to"
        f" human languages. Like human ones means: more similar to a human language than {1 - ALIKE:.0%} of random"
        f" systems are; the share of those that are more similar is {alike.value:.2f} [{alike.low:.2f},"
        f" {alike.high:.2f}]. {plural(same, 'run')} {'ends' if same == 1 else 'end'} with the very words of a"
        " human language.",
        "share of the way from random systems to human languages in bits above the frontier, mean over words offered",
        *way,
        "; ".join(f"{words} words: {claims.listed(rows['gap'], 2)}" for words, rows in agents.groupby("vocabulary")),
        claims.every([claims.rule(way, above=0.5), claims.rule(alike, below=ALIKE)]),
        steps,
    )


def _human_gap(data: Tables) -> float:
    """How many bits human restricted languages cost above the least of their complexity, over the agents' numbers."""
    languages, frontier = (
        data[name][data[name]["range"] == 20] for name in ("restricted_languages", "restricted_frontier")
    )
    languages = languages[languages["kind"] != "recursive"]
    least = [frontier.loc[frontier["complexity"] <= nodes, "cost"].min() for nodes in languages["complexity"]]
    return float(np.median(np.repeat(languages["cost"] - least, languages["languages"])))


LEARNERS = {
    "classes": "a listener with classes",
    "line": "a listener on the line of numbers",
    "pair": "a pair that talks",
}
"""Who learns in the study of learnability, by the names of its table."""
_PAIR_STEPS = 10_000
"""For how long pairs learn there."""


@_claim(
    "easier-to-learn",
    "More efficient languages are easier to learn for the agents",
    "efficient languages are learned faster",
    studies=("learning",),
)
def easier_to_learn(data: Tables) -> claims.Verdict:
    """The optimum of each size beside random systems of the size, for three learners, each of which must show it."""
    table = data.get("learnability")
    if table is None:
        return claims.unjudged("these tables were made before the study of learnability")
    less = {learner: easier(table, learner) for learner in LEARNERS}
    if any(len(values) < 2 for values in less.values()):
        return claims.unjudged("the study of learnability does not have all learners yet")
    found = {learner: claims.mean_of_several(values, len(LEARNERS)) for learner, values in less.items()}
    least = min(found, key=lambda learner: found[learner].value)
    told = claims.enumerated([f"{each.value:+.3f} [{each.low:+.3f}, {each.high:+.3f}] for {LEARNERS[learner]}"
                       for learner, each in found.items()])  # fmt: skip
    return claims.Verdict(
        "Of the shipped study of learnability: the area under the curve of accuracy while the optimum of a size is"
        f" learned less that of random systems of the size, mean over sizes: {told}. The claim holds if it does for"
        f" each of the three; intervals have 98.3 %, since there are three. The number is that of"
        f" {LEARNERS[least]}, for which the difference is least.{_own_runs(data)}",
        "area under the curve of accuracy, optimum minus random systems of its size, mean over sizes",
        *found[least],
        "; ".join(f"{learner}: {claims.listed(values)}" for learner, values in less.items()),
        claims.every(claims.rule(each, above=0, margin=RELEVANT) for each in found.values()),
        _PAIR_STEPS,
    )


def easier(table: pd.DataFrame, learner: str) -> pd.Series:
    """How much easier the optimum of each size is than random systems of the size."""
    rows = table[table["learner"] == learner].set_index("size")
    return (rows["area_optimum"] - rows["area_random"]).dropna()


def _own_runs(data: Tables) -> str:
    """What the reproduction's own runs, of pairs that learn starts and optima, say beside that."""
    table = data.get("learning")
    if table is None or table.empty:
        return ""
    own = claims.mean_of_blocks(_faster(table))
    return (
        " In this reproduction pairs that learn from scratch win"
        f" {own.value:+.1%} [{own.low:+.1%}, {own.high:+.1%}] more games with the optima than with the starts of the"
        " same sizes, over all their learning."
    )


def _faster(table: pd.DataFrame) -> pd.Series:
    """Games won with the optimum of each size minus with its starts, seed by seed, under the size and the unit."""
    told = ["size", "seed", *(["streams"] if "streams" in table else [])]
    won = table.groupby([*told, "kind"])["won"].mean().unstack("kind").dropna().reset_index()
    return claims.by_run(won, won["optimum"] - won["start"], "size")


@_claim(
    "exact-reward",
    "A reward by proximity is not suitable for recursive systems; the exact one is, although it is sparser",
    "only the exact reward suits",
    studies=("rewards",),
)
def exact_reward(data: Tables) -> claims.Verdict:
    differences = {reward: _paired(data, {"reward": reward}) for reward in BY_DISTANCE}
    estimates = {reward: claims.mean_of_starts(values) for reward, values in differences.items()}
    weakest = min(estimates, key=lambda reward: estimates[reward].value)
    parts = claims.enumerated([f"{reward} {estimate.value:+.1%}" for reward, estimate in estimates.items()])
    return claims.Verdict(
        f"Games won with the exact reward minus games won with a reward by distance: {parts} (a game is won if the"
        " guess is right, whatever the reward). The claim holds if it does for each of the three; the number is that"
        f" of the {weakest} reward, for which the difference is least. Below 0 it would mean that the sparser reward"
        " makes learning harder, as the paper also says.",
        "games won with the exact reward minus with one by distance, mean over systems and seeds",
        *estimates[weakest],
        "; ".join(f"{reward}: {claims.listed(values)}" for reward, values in differences.items()),
        claims.every(claims.rule(estimate, above=0, margin=RELEVANT) for estimate in estimates.values()),
        claims.steps_of(data, "learning_steps"),
    )


@_claim(
    "larger-layers",
    "Larger LSTMs handle the sparser reward",
    "larger layers help",
    studies=("rewards",),
)
def larger_layers(data: Tables) -> claims.Verdict:
    return _setting(data, "hidden", 25, "layers of {} units")


@_claim(
    "larger-batch",
    "A larger batch size handles the sparser reward",
    "larger batches help",
    studies=("rewards",),
)
def larger_batch(data: Tables) -> claims.Verdict:
    return _setting(data, "batch", 8, "batches of {} games")


def _setting(data: Tables, field: str, smaller: int, words: str) -> claims.Verdict:
    differences = _paired(data, {field: smaller})
    estimate = claims.mean_of_starts(differences)
    exact = data["rewards"][data["rewards"]["reward"] == "exact"]
    wins = exact.groupby(["hidden", "batch"], as_index=False)["accuracy"].median()
    table = claims.enumerated(
        [f"{won:.1%} with {hidden} and {batch}" for hidden, batch, won in wins.itertuples(index=False)]
    )
    return claims.Verdict(
        f"Median share of games won by units and batch: {table}. All learn for equally many steps, so larger batches"
        " also see more games.",
        f"games won with {words.format(PAPER[field])} minus with {words.format(smaller)}, mean over systems and seeds",
        *estimate,
        claims.listed(differences),
        claims.rule(estimate, above=0, margin=RELEVANT),
        claims.steps_of(data, "learning_steps"),
    )


def _paired(data: Tables, change: Mapping[str, object]) -> pd.Series:
    """Games won in the paper's setting minus in a changed one, for each system and seed.

    Seeds are the units, for these systems: their runs may share random numbers.
    """
    table = data["rewards"]

    def won(setting: Mapping[str, object]) -> pd.Series:
        fits: NDArray[np.bool_] = np.logical_and.reduce([table[name] == value for name, value in setting.items()])
        return table.loc[fits].set_index(["start", "seed"])["accuracy"]

    return (won(PAPER) - won({**PAPER, **change})).dropna()  # a run may be missing on one side


# Claims about how often numbers are needed. What the paper calls the exponential need is n^-2.
#
# It says so of the need "used in Denić and Szymanik", whose code has `number ** (-2)`, and gives n^-2 itself elsewhere.

RARE = 0.01
"""What comes up in fewer games than this is very rare."""
RELEVANT_NEED = 0.05
"""A difference in shares of numbers understood below this is none to speak of."""
GAMES = 32 * claims.PAPER_STEPS
"""Games in a round of the paper."""
SILENT = "the runs were kept without their agents, who cannot be asked"
LARGE = f"{BANDS[-1][0]} to {BANDS[-1][1]}"


@_claim(
    "large-numbers-are-rare",
    "Larger terms become very rare when the need is used to sample what is said",
    "large numbers are rare",
)
def large_numbers_are_rare(data: Tables) -> claims.Verdict:
    shares = data["shares"].pivot(index="number", columns="need", values="share")
    above = {limit: shares[shares.index > limit].sum() for limit in (10, 20, SMALL)}
    often = float(above[SMALL][PAPER_NEED])
    estimate = claims.Estimate(often, often, often)
    each = round(GAMES * often / (len(shares) - SMALL))
    parts = ", ".join(f"above {limit} in {row[PAPER_NEED]:.2%} of games" for limit, row in above.items())
    return claims.Verdict(
        f"We read the paper's exponential need as its n^-2. A number comes up {parts}. Very rare means: in fewer than"
        f" {RARE:.0%} of games. In a round of the paper, of {GAMES:,} games, each number above {SMALL} still comes up"
        f" {each:,} times on average.",
        f"share of games about a number above {SMALL}, under n^-2",
        *estimate,
        "; ".join(f"above {limit}: " + ", ".join(f"{need} {part:.2%}" for need, part in row.items())
                  for limit, row in above.items()),
        claims.rule(estimate, below=RARE),
        exact=True,
    )  # fmt: skip


@_claim(
    "large-numbers-are-lost",
    "Our question: are the larger terms, which are rare, understood less?",
    "large numbers are understood less",
    studies=("learning",),
)
def large_numbers_are_lost(data: Tables) -> claims.Verdict:
    known = _understood(data, PAPER_NEED)
    if known.empty:
        return claims.unjudged(SILENT)
    estimate = claims.mean_of_starts(known[LARGE] - known.drop(columns=LARGE).mean(axis=1))
    means = ", ".join(f"{share:.0%} of {numbers}" for numbers, share in known.mean().items())
    return claims.Verdict(
        f"Agents that learn the starts from scratch under n^-2 understand {means} (each number counts once).",
        f"share of numbers above {SMALL} understood minus that of smaller ones, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {claims.listed(row, 2)}" for start, row in known.droplevel(1).iterrows()),
        claims.rule(estimate, below=0, margin=RELEVANT_NEED),
        claims.steps_of(data, "learning_steps"),
    )


@_claim(
    "exponential-is-worse",
    "Our question: are still fewer large numbers learned if the need falls exponentially?",
    "an exponential need makes that worse",
    studies=("learning", "needs"),
)
def exponential_is_worse(data: Tables) -> claims.Verdict:
    ours, theirs = (_understood(data, need)[LARGE] for need in (EXPONENTIAL, PAPER_NEED))
    differences = (ours - theirs).dropna()
    if differences.empty:
        return claims.unjudged(SILENT)
    estimate = claims.mean_of_starts(differences)
    room = theirs.mean() > RELEVANT_NEED  # where hardly any are understood anyway, nothing can be lost
    return claims.Verdict(
        f"Of the numbers above {SMALL}, agents that learn the starts from scratch understand {ours.mean():.0%} under"
        f" exp(-0.2 n) and {theirs.mean():.0%} under n^-2 after equally many steps (each number counts once).",
        f"share of numbers above {SMALL} understood, exp(-0.2 n) minus n^-2, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {value:+.2f}" for start, value in differences.droplevel(1).items()),
        claims.rule(estimate, below=0, margin=RELEVANT_NEED) if room else "too little data here",
        claims.steps_of(data, "learning_steps"),
    )


def _understood(data: Tables, need: str) -> pd.DataFrame:
    """The shares understood, a row a run under its start and unit, and a column for each band of numbers."""
    rows = data["understood"][data["understood"]["need"] == need]
    named = rows.assign(run=rows["start"])
    bands = {numbers: claims.by_run(each, each["understood"]) for numbers, each in named.groupby("numbers")}
    return pd.DataFrame(bands).reindex(columns=[f"{first} to {last}" for first, last in BANDS])
