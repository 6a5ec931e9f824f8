"""Rounds as the tables that figures take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ishango.evolution import MODIFICATIONS
from ishango.explorer.optima import RANGE
from ishango.explorer.rounds import ShownRound
from ishango.numerals import GrammarName, NumeralSystem, evaluate_many, format_set

Rounds = Sequence[ShownRound]

PATH = ["run", "start", "round", "until", "size", "average_complexity", "digits", "multipliers"]
NEVER = 10**9


def path_table(run: str, start: str, rounds: Rounds, grammar: GrammarName, need: str) -> pd.DataFrame:
    """The systems that a run went through, one row for each change, costed under the need that is looked at."""
    changes: list[tuple[int, NumeralSystem]] = []
    for record in rounds:
        if not record.multipliers:  # of another kind than those of the plane
            continue
        system = NumeralSystem(tuple(record.digits), tuple(record.multipliers), grammar)
        if system.words[-1] <= RANGE and (not changes or changes[-1][1] != system):
            changes.append((record.round, system))
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
    for number, words in enumerate([*map(_roles, rounds), set[tuple[int, str]]()]):
        for word, role in [key for key in going_on if key not in words]:
            rows.append({"word": word, "role": role, "first": going_on.pop((word, role)), "last": number - 1})
        for key in words:
            going_on.setdefault(key, number)
    return pd.DataFrame(rows, columns=["word", "role", "first", "last"]).sort_values(["word", "first"])


def _roles(record: ShownRound) -> set[tuple[int, str]]:
    return {(word, "digit") for word in record.digits} | {(word, "multiplier") for word in record.multipliers}


def communication_table(rounds: Rounds) -> pd.DataFrame:
    """Accuracies and Q-values, one row a value."""
    rows: list[dict[str, Any]] = []
    for record in rounds:
        current, alternative = record.q or (None, None)
        values = {
            "games won": record.accuracy,
            "won at their best": record.accuracy_greedy,
            "Q, current system": current,
            "Q, alternative": alternative,
        }
        rows += [
            {"round": record.round, "series": series, "value": value}
            for series, value in values.items()
            if value is not None
        ]
    return pd.DataFrame(rows, columns=["round", "series", "value"])


def kinds_table(rounds: Rounds) -> pd.DataFrame:
    """The kind of each round and its cost under the law, where there are such."""
    rows = [{"round": each.round, "cost": each.cost, "kind": each.kind} for each in rounds if each.kind and each.cost]
    return pd.DataFrame(rows, columns=["round", "cost", "kind"])


def modifications_table(rounds: Rounds, labels: Mapping[str, str]) -> pd.DataFrame:
    """How often each modification, given by its name with its label, was kept and refused."""
    tried = Counter((record.action, bool(record.accepted)) for record in rounds if record.action in labels)
    rows = [
        {"modification": label, "verdict": verdict, "rounds": tried[name, kept]}
        for name, label in labels.items()
        for verdict, kept in (("kept", True), ("refused", False))
    ]
    return pd.DataFrame(rows if tried else [], columns=["modification", "verdict", "rounds"])


def modifications_of(config: Mapping[str, Any], rounds: Rounds = ()) -> dict[str, str]:
    """The modifications that a run may try, with their labels; one that is not known here goes by its name, and so do
    changes of systems of every kind, which have no others."""
    if any(each.kind for each in rounds):
        return {each.action: each.action for each in sorted(rounds, key=lambda each: each.action or "") if each.action}
    names = str(config.get("modifications") or ",".join(MODIFICATIONS)).split(",")
    return {name: MODIFICATIONS[name].label if name in MODIFICATIONS else name for name in map(str.strip, names)}
