"""The paper's claims, and what we find: every number is computed from the tables of a reproduction alone."""

from ishango.report.claims import _evolution_claims as evolution_claims
from ishango.report.claims import _frontier_claims as frontier_claims
from ishango.report.claims import _learning_claims as learning_claims
from ishango.report.claims._claim import CLAIMS, Claim, Estimate, Ruling, Verdict, claim, rule, verdicts, verdicts_table
from ishango.report.claims._evolution_claims import RELEVANT_SHARE

__all__ = [
    "CLAIMS", "FILES", "RELEVANT_SHARE", "Claim", "Estimate", "Ruling", "Verdict", "claim", "rule", "verdicts",
    "verdicts_table",
]  # fmt: skip

FILES = (evolution_claims, frontier_claims, learning_claims)
"""The files that have claims; importing one adds them to `CLAIMS`."""
