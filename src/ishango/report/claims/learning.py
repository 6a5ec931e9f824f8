"""Claims about what agents learn, from which rewards, and how often they talk about what."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats

from ishango.report.claims.verdict import Verdict, exactly, listed, mean, resampled, rule
from ishango.report.data import Tables

EXACT = {"reward": "exact", "hidden": 100, "batch": 32}
"""The paper's setting."""


def learning_verdicts(data: Tables) -> list[Verdict]:
    """Learnability, rewards, and the exponential need."""
    return [
        easier_to_learn(data),
        exact_reward(data),
        _setting(data, "larger-layers", "Larger LSTMs handle the sparser reward.", "hidden", 25),
        _setting(data, "larger-batch", "A larger batch size handles the sparser reward.", "batch", 8),
        large_numbers_are_rare(data),
        large_numbers_are_lost(data),
        exponential_evolution(data),
    ]


def easier_to_learn(data: Tables) -> Verdict:
    """Accuracy from scratch against average complexity, over systems."""
    systems = data["learning"].groupby("system")[["average_complexity", "accuracy"]].mean()
    x, y = systems["average_complexity"].to_numpy(), systems["accuracy"].to_numpy()
    estimate = resampled(len(x), lambda rows: _rank_correlation(x[rows], y[rows]))
    kinds = data["learning"].groupby("kind")["accuracy"].median()
    return Verdict(
        "easier-to-learn",
        "More efficient languages are easier to learn for the agents.",
        f"Agents that begin from scratch win {kinds['optimum']:.1%} of games with optimal systems and "
        f"{kinds['start']:.1%} with the starts (medians over systems and seeds).",
        "rank correlation of games won with average complexity, over systems",
        *estimate,
        "; ".join(f"{name}: {listed(rows['accuracy'])}" for name, rows in data["learning"].groupby("system")),
        rule(estimate, below=0),
    )


def exact_reward(data: Tables) -> Verdict:
    """Games won when rewarded for being right against being near."""
    near = {reward: _paired(data, {"reward": reward}) for reward in ("linear", "inverse", "exponential")}
    estimate = mean(list(pd.DataFrame(near).mean(axis=1)))
    parts = ", ".join(f"{reward} {mean(list(values)).value:+.1%}" for reward, values in near.items())
    return Verdict(
        "exact-reward",
        "A reward by proximity is not suitable for recursive systems.",
        f"Games won with the exact reward minus games won with a reward by distance: {parts} (a game is won if the "
        "guess "
        "is right, whatever the reward).",
        "difference in games won, mean over the three rewards, systems and seeds",
        *estimate,
        "; ".join(f"{reward}: {listed(values)}" for reward, values in near.items()),
        rule(estimate, above=0, margin=0.01),
    )  # fmt: skip


def _setting(data: Tables, name: str, claim: str, field: str, smaller: int) -> Verdict:
    differences = _paired(data, {field: smaller})
    estimate = mean(list(differences))
    exact = data["rewards"].query("reward == 'exact'")
    wins = exact.groupby(["hidden", "batch"], as_index=False)["accuracy"].median()
    table = ", ".join(f"{hidden} and {batch}: {won:.1%}" for hidden, batch, won in wins.itertuples(index=False))
    return Verdict(
        name,
        claim,
        f"Median games won by hidden size and batch: {table}.",
        f"games won with {field} {EXACT[field]} minus with {smaller}, mean over systems and seeds",
        *estimate,
        listed(differences),
        rule(estimate, above=0, margin=0.01),
    )


def large_numbers_are_rare(data: Tables) -> Verdict:
    """How often large numbers are drawn; there is nothing to sample."""
    table = data["shares"]
    shares = {(need, above): float(share) for need, above, share in table.itertuples(index=False)}
    ratio = shares["exp:0.2", 30] / shares["power:2", 30]
    each = "; ".join(f"{need}, above {above}: {share:.2%}" for (need, above), share in shares.items())
    return Verdict(
        "large-numbers-are-rare",
        "With the exponential need larger terms become very rare.",
        "The paper does not give the rate. With a rate of 0.2 numbers up to 20 are drawn more often than with n^-2, "
        "and "
        "those above 30 less often; with a rate of 1 hardly anything above 10 is ever drawn.",
        "how often a number above 30 is drawn under exp(-0.2 n), relative to n^-2",
        ratio,
        ratio,
        ratio,
        each,
        rule(exactly(ratio), below=0.5),
    )


def large_numbers_are_lost(data: Tables) -> Verdict:
    """Large numbers understood after playing under each need."""
    table = data["understood"].query("study == 'exponential'")
    large = table.pivot(index="start", columns="need", values="large")
    differences = large["exp:0.2"] - large["power:2"]
    estimate = mean(list(differences))
    return Verdict(
        "large-numbers-are-lost",
        "Sampling from the exponential need, agents cannot learn the larger terms.",
        f"Of the numbers above 20, agents understand {large['exp:0.2'].mean():.0%} after playing under exp(-0.2 n) and "
        f"{large['power:2'].mean():.0%} after as many steps under n^-2 (each number counts once).",
        "share of numbers above 20 understood, exponential minus n^-2, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {value:+.2f}" for start, value in differences.items()),
        rule(estimate, below=0, margin=0.05),
    )  # fmt: skip


def exponential_evolution(data: Tables) -> Verdict:
    """Playing and evaluating under the exponential need."""
    ends = data["ends"].query("study == 'exponential' and need == 'exp:0.2'")
    changes = (ends["gap"] - ends["gap_before"]).groupby(ends["start"]).mean()
    estimate = mean(list(changes))
    medians = data["evaluations"].groupby("kind")["gap_exp"].median()
    return Verdict(
        "exponential-evolution",
        "The need distribution might also influence the results.",
        "Played and evaluated under exp(-0.2 n), the gap changes as given. Evaluated under it, the median gap is "
        f"{medians['start']:.2f} for the starts, {medians['human']:.2f} for human systems and "
        f"{medians['final']:.2f} for the languages that agents reached under n^-2. The ruling is on whether agents "
        "still "
        "approach the frontier.",
        "gap after minus gap before under the exponential need, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {value:+.2f}" for start, value in changes.items()),
        rule(estimate, below=0),
    )  # fmt: skip


def _paired(data: Tables, change: dict[str, object]) -> pd.Series:
    """Games won in the paper's setting minus in a changed one, for each system and seed."""
    table = data["rewards"]

    def won(setting: Mapping[str, object]) -> pd.Series:
        fits = np.logical_and.reduce([table[name] == value for name, value in setting.items()])
        return table[fits].set_index(["start", "seed"])["accuracy"]

    return won(EXACT) - won({**EXACT, **change})


def _rank_correlation(x: np.ndarray, y: np.ndarray) -> float:
    if len(set(x)) < 2 or len(set(y)) < 2:
        return float("nan")
    return float(np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1])
