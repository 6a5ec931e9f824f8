"""Rounds as the tables that figures take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ishango.evolution import MODIFICATIONS
from ishango.evolution.record import RoundRecord
from ishango.explorer.rounds import number

Rounds = Sequence[RoundRecord]


def lexicon_table(rounds: Rounds) -> pd.DataFrame:
    """Stretches of rounds in which a word was a digit or a multiplier; of some rounds only, as far as these tell."""
    rows: list[dict[str, Any]] = []
    going_on: dict[tuple[int, str], int] = {}
    before = 0
    for record in [*rounds, None]:
        words = _roles(record) if record else set[tuple[int, str]]()
        for word, role in [key for key in going_on if key not in words]:
            rows.append({"word": word, "role": role, "first": going_on.pop((word, role)), "last": before})
        if record:
            before = record.round
            going_on = {key: going_on.get(key, before) for key in words}
    return pd.DataFrame(rows, columns=["word", "role", "first", "last"]).sort_values(["word", "first"])


def last_in_a_row(rounds: Rounds) -> Rounds:
    """The last rounds between which none is missing: of a very long file, those before are some from all over it."""
    gaps = [at for at in range(1, len(rounds)) if rounds[at].round != rounds[at - 1].round + 1]
    return rounds[gaps[-1] :] if gaps else rounds


def _roles(record: RoundRecord) -> set[tuple[int, str]]:
    return {(word, "digit") for word in record.digits} | {(word, "multiplier") for word in record.multipliers}


def communication_table(rounds: Rounds, upto: float) -> pd.DataFrame:
    """Accuracies, numbers understood as a share of the game range, and Q-values, one row a value."""
    rows: list[dict[str, Any]] = []
    for record in rounds:
        current, alternative = record.q or (None, None)
        values = {
            "games won": record.accuracy,
            "won at their best": record.accuracy_greedy,
            "numbers understood": None if record.numbers_understood is None else record.numbers_understood / upto,
            "Q, current system": current,
            "Q, alternative": alternative,
        }
        rows += [
            {"round": record.round, "series": series, "value": value}
            for series, value in values.items()
            if value is not None
        ]
    return pd.DataFrame(rows, columns=["round", "series", "value"])


def kinds_table(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The kind of each round's system and what it costs by the law, of runs that record them."""
    rows = [{name: each[name] for name in ("round", "cost", "kind")} for each in records if _has_kind(each)]
    return pd.DataFrame(rows, columns=["round", "cost", "kind"])


def _has_kind(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("kind"), str) and (number(record.get("cost")) or 0) > 0


def modifications_table(rounds: Rounds, labels: Mapping[str, str]) -> pd.DataFrame:
    """How often each modification, given by its name with its label, was kept and refused."""
    tried = Counter((record.action, bool(record.accepted)) for record in rounds if record.action in labels)
    rows = [
        {"modification": label, "verdict": verdict, "rounds": tried[name, kept]}
        for name, label in labels.items()
        for verdict, kept in (("kept", True), ("refused", False))
    ]
    return pd.DataFrame(rows if tried else [], columns=["modification", "verdict", "rounds"])


def modifications_of(config: Mapping[str, Any]) -> dict[str, str]:
    """The modifications that a run may try, with their labels; one that is not known here goes by its name."""
    names = str(config.get("modifications") or ",".join(MODIFICATIONS)).split(",")
    return {name: MODIFICATIONS[name].label if name in MODIFICATIONS else name for name in map(str.strip, names)}
