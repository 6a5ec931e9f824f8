"""The paper's claims, and what we find: every number is computed from the tables of a reproduction alone."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ishango.report.claims.evolution import evolution_verdicts
from ishango.report.claims.frontier import frontier_verdicts
from ishango.report.claims.learning import learning_verdicts
from ishango.report.claims.verdict import Verdict

__all__ = ["Verdict", "verdicts", "verdicts_table"]


def verdicts(data: Mapping[str, pd.DataFrame]) -> list[Verdict]:
    """All verdicts, in the paper's order."""
    return [*evolution_verdicts(data), *learning_verdicts(data), *frontier_verdicts(data)]


def verdicts_table(found: list[Verdict]) -> pd.DataFrame:
    """A row a verdict."""
    return pd.DataFrame([vars(verdict) for verdict in found])
