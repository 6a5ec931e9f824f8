"""Comparing runs: where agents end, beside random systems of as many words and beside human ones.

Tables come from `ishango.lab.rounds_table`: a row a round, with the fields of the config beside those of the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.game import RewardName
from ishango.numerals import Expression, Need
from ishango.restricted._best_systems import (
    RestrictedPoint,
    best_rewarded,
    describe_system,
    expected_reward,
    restricted_frontier,
    restricted_gap,
)
from ishango.restricted._term_system import KINDS, NEED, WEBER, StudyLanguage, TermSystem, stretches, study_languages

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


# Tables for figures: frontiers, the study's languages, and where they lie.


def restricted_frontier_table(
    sizes: Iterable[int] | None = None, need: Need | str = NEED, upto: int = 100, weber: float = WEBER
) -> pd.DataFrame:
    """Both frontiers, a row a kind and number of words: complexity, least and greatest cost, and the systems."""
    chosen = None if sizes is None else list(sizes)
    return pd.DataFrame(
        [point_record(point) for kind in KINDS for point in restricted_frontier(kind, chosen, need, upto, weber)]
    )


def point_record(point: RestrictedPoint) -> dict[str, object]:
    """A point of a frontier as JSON and tables have it."""
    return {
        "kind": point.kind,
        "size": point.size,
        "complexity": point.complexity,
        "cost": point.cost,
        "system": str(point.system),
        "worst_cost": point.worst_cost,
        "worst": str(point.worst),
    }


def restricted_language_table(need: Need | str = NEED, upto: int = 100, weber: float = WEBER) -> pd.DataFrame:
    """The study's languages that share a point in one row: kind, complexity, cost, how many, and their names."""
    points: dict[tuple[str, int, float], list[StudyLanguage]] = {}
    for language in study_languages():
        place = language.position(need, upto, weber)
        points.setdefault((language.kind, place.complexity, place.cost), []).append(language)
    rows = [
        {
            "kind": kind,
            "complexity": complexity,
            "cost": cost,
            "languages": len(sharing),
            "label": _label([language.name for language in sharing]),
        }
        for (kind, complexity, cost), sharing in points.items()
    ]
    return pd.DataFrame(rows)


def _label(names: list[str]) -> str:
    """Up to two names in full; of more only the first and how many others."""
    return ", ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} others"


# Numeral systems of all kinds as tables of coloured bands: which words each number is said with.

COLUMNS = ["system", "kind", "number", "part", "parts", "word", "order"]
"""A row for each word of each number's expression: `part` of `parts`, and the word's place in its system."""


def term_bands(name: str, system: TermSystem, last: int | None = None) -> pd.DataFrame:
    """The bands of a system without recursion over 1..last: every number is one word.

    >>> term_bands("Chiquitano", TermSystem.parse("1|2-", kind="approximate"), 3)["word"].tolist()
    ['1', '2 or more', '2 or more']
    """
    labels = [_band_label(word, system) for word in system.words]
    rows = [
        (name, system.kind, number, 0, 1, labels[index], index)
        for number, index in enumerate(system.word_map[:last], start=1)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def expression_bands(name: str, expressions: Mapping[int, Expression], last: int | None = None) -> pd.DataFrame:
    """The bands of a recursive system over 1..last: every number is as many words as its expression has leaves.

    The expressions are what is said (`Language.expressions`) or what would be shortest (`MinimalLanguage`).

    >>> from ishango.languages import find_language
    >>> bands = expression_bands("English", find_language("English").expressions("hurford"), 30)
    >>> bands[bands["number"] == 23]["word"].tolist()
    ['2', '10', '3']
    """
    said = {number: _words(expressions[number]) for number in sorted(expressions) if last is None or number <= last}
    order = {word: index for index, word in enumerate(sorted({word for words in said.values() for word in words}))}
    rows = [
        (name, "recursive", number, part, len(words), str(word), order[word])
        for number, words in said.items()
        for part, word in enumerate(words)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _words(expression: Expression) -> list[int]:
    """The words of an expression as they are said, operators left out."""
    return [int(token) for token in expression.tokens("infix") if token.isdecimal()]


def _band_label(word: tuple[int, ...], system: TermSystem) -> str:
    parts = [
        str(first) if first == last else f"{first} or more" if last == system.upto else f"{first}–{last}"
        for first, last in stretches(word)
    ]
    if system.kind == "exact restricted" and len(word) > 1:
        return "higher"
    return ", ".join(parts)
