"""`ishango selection --answer`: do agents prefer shorter languages? One number with its interval."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ishango.analysis.comparable import group_columns, modifies, uses_agents
from ishango.analysis.selection import Preference, preference
from ishango.cli.output import plural
from ishango.errors import RequestError
from ishango.report.claims.claim import Ruling, rule
from ishango.report.claims.estimates import Estimate
from ishango.report.claims.evolution_claims import RELEVANT_SHARE

ANSWERS: dict[Ruling, str] = {"holds": "yes", "does not hold": "no", "too little data here": "undecided"}
NOT_KNOWN = "unbounded (it takes six starts)"


def answers(rounds: pd.DataFrame) -> list[dict[str, Any]]:
    """For each group of finished runs in which agents decided between two systems: the number and what follows."""
    last = rounds.groupby("run")["round"].transform("max")
    finished = rounds[uses_agents(rounds) & modifies(rounds) & (last == rounds["rounds"])]
    if finished.empty:
        raise RequestError("No run in which agents decide is finished here; give directories of such runs.")
    by = [name for name in group_columns(finished) if name != "steps"]
    groups = finished.groupby(["steps", *by], dropna=False)
    return [_answer(dict(zip(["steps", *by], key, strict=True)), rows) for key, rows in groups]


def _answer(group: dict[str, Any], rows: pd.DataFrame) -> dict[str, Any]:
    found = preference(rows)
    ruling = rule(Estimate(found.value, found.low, found.high), above=0, margin=RELEVANT_SHARE)
    return {**group, "answer": ANSWERS[ruling], **found._asdict()}


def said(answer: dict[str, Any]) -> str:
    """The answer as a sentence or two."""
    found = Preference(**{name: answer[name] for name in Preference._fields})
    others = [f"{name} {value}" for name, value in answer.items()
              if name not in (*Preference._fields, "steps", "answer", "add", "choose") and value == value]  # fmt: skip
    setting = f" ({', '.join(others)})" if others else ""
    bounded = abs(found.low) < float("inf")
    interval = f"{found.low:+.3f} to {found.high:+.3f}" if bounded else NOT_KNOWN
    question = f"At {int(answer['steps']):,} steps a round{setting}, do agents prefer shorter languages?"
    left = f" A preference of more than {found.equivalent_within:.3f} either way can be excluded."
    excluded = left if answer["answer"] != "yes" and found.equivalent_within < float("inf") else ""
    return (
        f"{question} {answer['answer'].capitalize()}:"
        f" {found.value:+.3f}, 95 % interval over starts {interval}. That is the share of shorter alternatives kept"
        f" ({found.shorter_kept:,} of {found.shorter:,}) minus that of longer ones ({found.longer_kept:,} of"
        f" {found.longer:,}), mean over {plural(found.starts, 'start')} and {plural(found.runs, 'run')};"
        f" for these runs alone {found.here_low:+.3f} to {found.here_high:+.3f}.{excluded}"
    )
