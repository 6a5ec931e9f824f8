"""The paper's claims, and what we find: every number is computed from the tables of a reproduction alone."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from ishango.report.claims.evolution_claims import evolution_verdicts
from ishango.report.claims.frontier_claims import frontier_verdicts
from ishango.report.claims.learning_claims import learning_verdicts
from ishango.report.claims.verdict import Verdict
from ishango.report.data import Tables

__all__ = ["Verdict", "verdicts", "verdicts_table"]


PAPER_STEPS = 40_000
"""Steps of communication in a round of the paper."""


def verdicts(data: Tables) -> list[Verdict]:
    """All verdicts: on evolution, on learning, and on the frontier."""
    found = [*evolution_verdicts(data), *learning_verdicts(data), *frontier_verdicts(data)]
    return [_cautious(verdict) for verdict in found]


def _cautious(verdict: Verdict) -> Verdict:
    """Short rounds can bear a claim out, but that agents did not do something in them refutes nothing."""
    short = verdict.steps is not None and verdict.steps < PAPER_STEPS
    return replace(verdict, ruling="too little data here") if short and verdict.ruling == "does not hold" else verdict


def verdicts_table(found: list[Verdict]) -> pd.DataFrame:
    """A row a verdict."""
    return pd.DataFrame([vars(verdict) for verdict in found])
