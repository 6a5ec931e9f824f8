"""Claims about what agents learn, from which rewards, and how often they talk about what."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.report.claims.claim import claim
from ishango.report.claims.verdict import Estimate, Verdict, enumerated, listed, mean, rule, steps_of
from ishango.report.data import Tables
from ishango.report.outcomes import SMALL
from ishango.report.studies import BY_DISTANCE, EXPONENTIAL

GROUP = "learning"
PAPER = {"reward": "exact", "hidden": 100, "batch": 32}
"""The paper's setting."""
RELEVANT = 0.01
"""A difference in games won below this is none to speak of."""


@claim(
    "near-optimal-without-grammar",
    GROUP,
    "Agents without a grammar derive near-optimal approximate and exact restricted systems, like human ones",
)
def near_optimal_without_grammar(data: Tables) -> Verdict:
    """Agents that learn restricted systems, beside random systems of as many words."""
    agents = data["restricted_agents"]
    agents = agents[(agents["reward"] != "exact") & agents["gap_rank"].notna()]
    estimate = mean(agents.groupby("vocabulary")["gap_rank"].mean())
    same = int((agents["variation"] == 0).sum())
    steps = int(data["restricted_curves"].groupby("run")["round"].max().max()) * steps_of(data, "restricted_steps")
    return Verdict(
        f"{len(agents)} runs with rewards by distance end {agents['gap'].median():.2f} bits (median) above the least"
        f" cost of their complexity, random systems of as many words {agents['gap_random'].median():.2f}. {same} of"
        " them end with the very words of a human language.",
        "share of random systems that are nearer the optimum, mean over numbers of words offered",
        *estimate,
        "; ".join(f"{words} words: {listed(rows['gap_rank'], 2)}" for words, rows in agents.groupby("vocabulary")),
        rule(estimate, below=0.5),
        steps,
    )


@claim("easier-to-learn", GROUP, "More efficient languages are easier to learn for the agents")
def easier_to_learn(data: Tables) -> Verdict:
    """Games won from scratch with each start and with the optimum of its size."""
    table = data["learning"]
    won = table.groupby(["kind", "size", "system"], as_index=False)[["average_complexity", "accuracy"]].mean()
    optima = won[won["kind"] == "optimum"].set_index("size")["accuracy"]
    starts = won[won["kind"] == "start"]
    differences = optima.reindex(starts["size"]).to_numpy() - starts["accuracy"].to_numpy()
    estimate = mean(differences)
    ranks = won["average_complexity"].rank(), won["accuracy"].rank()
    return Verdict(
        f"Agents that begin from scratch win {starts['accuracy'].mean():.1%} of games with the starts and"
        f" {(starts['accuracy'] + differences).mean():.1%} with the optima of the same sizes. Over all these systems"
        f" the rank correlation of games won with average complexity is {np.corrcoef(*ranks)[0, 1]:+.2f}.",
        "games won with the optimum of the same size minus with the start, mean over starts",
        *estimate,
        "; ".join(f"{name}: {listed(rows['accuracy'])}" for name, rows in table.groupby("system")),
        rule(estimate, above=0, margin=RELEVANT),
        steps_of(data, "learning_steps"),
    )


@claim("exact-reward", GROUP, "A reward by proximity is not suitable for recursive systems")
def exact_reward(data: Tables) -> Verdict:
    """Games won when rewarded for being right against being near."""
    differences = {reward: _paired(data, {"reward": reward}) for reward in BY_DISTANCE}
    estimates = {reward: mean(values) for reward, values in differences.items()}
    weakest = min(estimates, key=lambda reward: estimates[reward].value)
    parts = enumerated([f"{reward} {estimate.value:+.1%}" for reward, estimate in estimates.items()])
    return Verdict(
        f"Games won with the exact reward minus games won with a reward by distance: {parts} (a game is won if the"
        " guess is right, whatever the reward). The claim holds if it does for each of the three; the number is that"
        f" of the {weakest} reward, for which the difference is least.",
        "games won with the exact reward minus with one by distance, mean over systems and seeds",
        *estimates[weakest],
        "; ".join(f"{reward}: {listed(values)}" for reward, values in differences.items()),
        rule(estimates[weakest], above=0, margin=RELEVANT),
        steps_of(data, "learning_steps"),
    )


@claim("exact-is-harder", GROUP, "The exact reward makes the learning problem much harder, as it is sparser")
def exact_is_harder(data: Tables) -> Verdict:
    """The same comparison, with the reward by distance that does best."""
    differences = {reward: _paired(data, {"reward": reward}) for reward in BY_DISTANCE}
    best = min(differences, key=lambda reward: float(differences[reward].mean()))
    estimate = mean(differences[best])
    return Verdict(
        f"Of the rewards by distance, {best} leads to the most games won. Harder would mean that fewer are won with"
        " the exact one.",
        f"games won with the exact reward minus with the {best} one, mean over systems and seeds",
        *estimate,
        listed(differences[best]),
        rule(estimate, below=0, margin=RELEVANT),
        steps_of(data, "learning_steps"),
    )


@claim("larger-layers", GROUP, "Larger LSTMs handle the sparser reward")
def larger_layers(data: Tables) -> Verdict:
    """100 units against 25."""
    return _setting(data, "hidden", 25, "layers of {} units")


@claim("larger-batch", GROUP, "A larger batch size handles the sparser reward")
def larger_batch(data: Tables) -> Verdict:
    """32 games a step against 8, for equally many steps."""
    return _setting(data, "batch", 8, "batches of {} games")


def _setting(data: Tables, field: str, smaller: int, words: str) -> Verdict:
    differences = _paired(data, {field: smaller})
    estimate = mean(differences)
    exact = data["rewards"][data["rewards"]["reward"] == "exact"]
    wins = exact.groupby(["hidden", "batch"], as_index=False)["accuracy"].median()
    table = enumerated([f"{won:.1%} with {hidden} and {batch}" for hidden, batch, won in wins.itertuples(index=False)])
    return Verdict(
        f"Median share of games won by units and batch: {table}. All learn for equally many steps, so larger batches"
        " also see more games.",
        f"games won with {words.format(PAPER[field])} minus with {words.format(smaller)}, mean over systems and seeds",
        *estimate,
        listed(differences),
        rule(estimate, above=0, margin=RELEVANT),
        steps_of(data, "learning_steps"),
    )


@claim("large-numbers-are-rare", GROUP, "With the exponential need larger terms become very rare")
def large_numbers_are_rare(data: Tables) -> Verdict:
    """How often large numbers are drawn; there is nothing to sample."""
    shares = data["shares"].pivot(index="number", columns="need", values="share")
    often = shares.index[shares[EXPONENTIAL] > shares["power:2"]]
    above = {limit: shares[shares.index > limit].sum() for limit in (10, 20, 30, 40)}
    ratio = float(above[SMALL][EXPONENTIAL] / above[SMALL]["power:2"])
    listing = "; ".join(
        f"above {limit}: " + ", ".join(f"{need} {share:.2%}" for need, share in row.items())
        for limit, row in above.items()
    )
    return Verdict(
        f"The paper does not give the rate; with 0.2, the numbers {often.min()} to {often.max()} are drawn more often"
        f" than with n^-2 and the others less often. One above {SMALL} comes up in {above[SMALL][EXPONENTIAL]:.2%} of"
        f" games, where n^-2 has it in {above[SMALL]['power:2']:.2%}; above 20 the two are at"
        f" {above[20][EXPONENTIAL]:.2%} and {above[20]['power:2']:.2%}.",
        f"how often a number above {SMALL} is drawn under exp(-0.2 n), relative to n^-2",
        *Estimate(ratio, ratio, ratio),
        listing,
        rule(Estimate(ratio, ratio, ratio), below=0.5),
        exact=True,
    )


@claim(
    "large-numbers-are-lost",
    GROUP,
    "Our question: does the exponential need keep agents from learning the larger terms?",
)
def large_numbers_are_lost(data: Tables) -> Verdict:
    """Large numbers understood after learning the same systems from scratch under each need."""
    large = data["understood"].pivot(index="start", columns="need", values="large")
    differences = large[EXPONENTIAL] - large["power:2"]
    estimate = mean(differences)
    return Verdict(
        f"Of the numbers above {SMALL}, agents that learn the starts from scratch understand"
        f" {large[EXPONENTIAL].mean():.0%} under exp(-0.2 n) and {large['power:2'].mean():.0%} under n^-2 after"
        " equally many steps (each number counts once).",
        f"share of numbers above {SMALL} understood, exponential minus n^-2, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {value:+.2f}" for start, value in differences.items()),
        rule(estimate, below=0, margin=0.05),
        steps_of(data, "learning_steps"),
    )


@claim("exponential-evolution", GROUP, "Our question: do agents approach the frontier under the exponential need too?")
def exponential_evolution(data: Tables) -> Verdict:
    """Playing and evaluating under the exponential need."""
    ends = data["ends"][data["ends"]["study"] == "exponential"]
    changes = (ends["gap"] - ends["gap_before"]).groupby(ends["start"]).mean()
    estimate = mean(changes.dropna())
    medians = data["evaluations"].groupby("kind")["gap_exp"].median()
    return Verdict(
        "Played and evaluated under exp(-0.2 n), one seed. Evaluated under that need, the median gap is"
        f" {medians['start']:.2f} for the starts, {medians['human']:.2f} for human systems and {medians['final']:.2f}"
        " for the languages that agents reached under n^-2.",
        "gap after minus gap before under the exponential need, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {value:+.2f}" for start, value in changes.items()),
        rule(estimate, below=0),
        steps_of(data, "side_steps"),
    )


def _paired(data: Tables, change: Mapping[str, object]) -> pd.Series:
    """Games won in the paper's setting minus in a changed one, for each system and seed."""
    table = data["rewards"]

    def won(setting: Mapping[str, object]) -> pd.Series:
        fits: NDArray[np.bool_] = np.logical_and.reduce([table[name] == value for name, value in setting.items()])
        return table.loc[fits].set_index(["start", "seed"])["accuracy"]

    return won(PAPER) - won({**PAPER, **change})
