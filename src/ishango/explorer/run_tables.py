"""Rounds as the tables that figures take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ishango.explorer.optima import RANGE, NeedName
from ishango.numerals import GrammarName, NumeralSystem, evaluate_many, format_set

Rounds = Sequence[Mapping[str, Any]]

PATH = ["run", "start", "round", "until", "size", "average_complexity", "digits", "multipliers"]
NEVER = 10**9
MODIFICATIONS = {
    "m0": "add a digit",
    "m1": "add a multiplier",
    "m2": "multiplier becomes digit",
    "m3": "digit becomes multiplier",
    "m4": "drop the highest digit",
    "m5": "drop the highest multiplier",
}
"""The paper's modifications in words."""


def path_table(run: str, start: str, rounds: Rounds, grammar: GrammarName, need: NeedName) -> pd.DataFrame:
    """The systems that a run went through, one row for each change, costed under the need that is looked at."""
    changes: list[tuple[int, NumeralSystem]] = []
    for record in rounds:
        system = NumeralSystem(tuple(record["digits"]), tuple(record["multipliers"]), grammar)
        if system.words[-1] <= RANGE and (not changes or changes[-1][1] != system):
            changes.append((record["round"], system))
    if not changes:
        return pd.DataFrame(columns=PATH)
    numbers, systems = zip(*changes, strict=True)
    table = pd.DataFrame(
        {
            "run": run,
            "start": start,
            "round": numbers,
            "until": [*numbers[1:], NEVER],
            "size": [system.size for system in systems],
            "average_complexity": evaluate_many(systems, need, RANGE),
            "digits": [format_set(system.digits) for system in systems],
            "multipliers": [format_set(system.multipliers) for system in systems],
        }
    )
    return table[~table["average_complexity"].isna()]


def lexicon_table(rounds: Rounds) -> pd.DataFrame:
    """Stretches of rounds in which a word was a digit or a multiplier."""
    rows: list[dict[str, Any]] = []
    going_on: dict[tuple[int, str], int] = {}
    for record in [*rounds, {"round": len(rounds), "digits": [], "multipliers": []}]:
        number = record["round"]
        words = {(word, "digit") for word in record["digits"]}
        words |= {(word, "multiplier") for word in record["multipliers"]}
        for key in [key for key in going_on if key not in words]:
            rows.append({"word": key[0], "role": key[1], "first": going_on.pop(key), "last": number - 1})
        for key in words:
            going_on.setdefault(key, number)
    return pd.DataFrame(rows, columns=["word", "role", "first", "last"]).sort_values(["word", "first"])


def communication_table(rounds: Rounds) -> pd.DataFrame:
    """Accuracies and Q-values, one row a value."""
    rows: list[dict[str, Any]] = []
    for record in rounds:
        q = record.get("q") or [None, None]
        values = {
            "games won": record.get("accuracy"),
            "won at their best": record.get("accuracy_greedy"),
            "Q, current system": q[0],
            "Q, alternative": q[1],
        }
        rows += [
            {"round": record["round"], "series": series, "value": value}
            for series, value in values.items()
            if value is not None
        ]
    return pd.DataFrame(rows, columns=["round", "series", "value"])


def mutations_table(rounds: Rounds) -> pd.DataFrame:
    """How often each modification was kept and refused."""
    tried = [record for record in rounds if record.get("action") in MODIFICATIONS]
    rows = [
        {"modification": words, "verdict": verdict, "rounds": int(np.sum([
            record["action"] == name and bool(record["accepted"]) is kept for record in tried
        ]))}
        for name, words in MODIFICATIONS.items()
        for verdict, kept in (("kept", True), ("refused", False))
    ]  # fmt: skip
    return pd.DataFrame(rows) if tried else pd.DataFrame(columns=["modification", "verdict", "rounds"])
