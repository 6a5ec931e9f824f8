"""The paper's claims, and what we find: every number is computed from the tables of a reproduction alone."""

from ishango.report.claims import (
    evolution_claims,
    evolution_ends_claims,
    frontier_claims,
    learning_claims,
)
from ishango.report.claims.claim import CLAIMS, Claim, Verdict, claim, verdicts, verdicts_table

__all__ = ["CLAIMS", "FILES", "Claim", "Verdict", "claim", "verdicts", "verdicts_table"]

FILES = (evolution_claims, evolution_ends_claims, frontier_claims, learning_claims)
"""The files that have claims; importing one adds them to `CLAIMS`."""
