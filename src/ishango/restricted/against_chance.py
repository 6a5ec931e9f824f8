"""Comparing runs: where agents end, beside random systems of as many words and beside human ones.

Tables come from `ishango.lab.rounds_table`: a row a round, with the fields of the config beside those of the record.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.game.rewards import RewardName
from ishango.restricted.best_systems import restricted_gap
from ishango.restricted.description import describe_system
from ishango.restricted.rewarded import best_rewarded, expected_reward
from ishango.restricted.term_system import TermSystem

DRAWS = 1000
"""Random systems for each number of words."""

MEASURES = ("gap", "ideal_gap", "variation")
"""What agents are compared by: bits above the frontier, for Gaussian and for ideal listeners, and bits from the most
similar human system."""


def random_terms(upto: int, size: int, rng: np.random.Generator) -> TermSystem:
    """A system of so many intervals, every choice of where they end being equally likely.

    >>> random_terms(20, 3, np.random.default_rng(0)).size
    3
    """
    cuts = np.sort(rng.permutation(upto - 1)[: size - 1] + 1)
    return TermSystem.from_word_map(np.searchsorted(cuts, np.arange(upto), side="right").tolist())


def restricted_ends(rounds: pd.DataFrame) -> pd.DataFrame:
    """One row a run, after its last round, beside random systems and beside what its reward asks for.

    For each measure `_random` is the median over random systems of as many intervals as the run has words, and
    `_rank` the share of them that are better, ties counting half. `regret` is the reward that is lost against the
    best use of the words offered, `gap_rewarded` how far that best use lies above the frontier.
    """
    last = rounds.sort_values(["run", "round"]).groupby("run", sort=False).tail(1).reset_index(drop=True)
    beside = [
        {f"{measure}_{name}": value for measure in MEASURES for name, value in _against_random(run, measure).items()}
        | _against_rewarded(run)
        for run in last.to_dict("records")
    ]
    return pd.concat([last, pd.DataFrame(beside)], axis=1)


def summary(finals: pd.DataFrame, by: tuple[str, ...] = ("range", "reward", "vocabulary")) -> pd.DataFrame:
    """Groups of runs: how many words they use, shares, and medians (of ranks: means) of what they are compared by.

    The shares are of runs whose words are all intervals, that are exact restricted, that lie nearer the frontier than
    the median random system, and that end with the very words of a human language.
    Runs that use a single word say nothing and are counted (`silent`), but left out of the medians.
    """
    rows: list[dict[str, Any]] = []
    for key, runs in finals.groupby(list(by), sort=True):
        talking = runs[runs["size"] > 1]
        shares = {
            "intervals": talking["contiguous"],
            "exact": talking["kind"] == "exact restricted",
            "nearer": talking["gap"] < talking["gap_random"],
            "human": talking["variation"] == 0,
        }
        rows.append(
            dict(zip(by, key, strict=True))
            | {"runs": len(runs), "silent": len(runs) - len(talking), "words": _median(talking["size"])}
            | {name: _mean(share) for name, share in shares.items()}
            | {name: (_mean if name.endswith("rank") else _median)(talking[name]) for name in COMPARED}
        )
    return pd.DataFrame(rows)


COMPARED = ("regret", "gap", "gap_rewarded", "gap_random", "gap_rank", "ideal_gap", "ideal_gap_random",
            "ideal_gap_rank", "variation", "variation_random", "variation_rank")  # fmt: skip
"""The columns of a summary that compare."""


def _against_rewarded(run: dict[Any, Any]) -> dict[str, float]:
    setting = (run["reward"], str(run["need"]), int(run["range"]))
    best, system = _best_rewarded(int(run["vocabulary"]), *setting)
    earned = expected_reward(TermSystem.parse(str(run["words"]), int(run["range"])), run["reward"], str(run["need"]))
    return {
        "regret": max(0.0, best - earned),
        "gap_rewarded": restricted_gap(system, str(run["need"]), float(run["weber"])),
    }


@cache
def _best_rewarded(size: int, reward: RewardName, need: str, upto: int) -> tuple[float, TermSystem]:
    return best_rewarded(size, reward, need, upto)


def _against_random(run: dict[Any, Any], measure: str) -> dict[str, float]:
    values = _random_values(int(run["range"]), int(run["size"]), str(run["need"]), float(run["weber"]))[measure]
    own = run[measure]
    if own is None or np.isnan(own) or not values.size:
        return {"random": np.nan, "rank": np.nan}
    # Costs of equal systems, computed in another order, may differ in their last bits.
    better, equal = values < own - 1e-9, np.abs(values - own) <= 1e-9
    return {"random": float(np.median(values)), "rank": float(better.mean() + 0.5 * equal.mean())}


@cache
def _random_values(upto: int, size: int, need: str, weber: float) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng([upto, size])
    described = cache(describe_system)  # few words can be cut in few ways, so many draws are the same
    drawn = [described(random_terms(upto, size, rng), need, weber) for _ in range(DRAWS)]
    return {name: np.array([each[name] for each in drawn if each[name] is not None], float) for name in MEASURES}


def _median(values: pd.Series) -> float:
    return float(values.median()) if values.notna().any() else float("nan")


def _mean(values: pd.Series) -> float:
    return float(values.mean()) if values.notna().any() else float("nan")
