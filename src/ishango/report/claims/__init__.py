"""The paper's claims, and what we find: every number is computed from the tables of a reproduction alone.

Every file registers its claims, so that a new one needs no other change.
"""

from ishango.report.claims.claim import CLAIMS, Claim, claim, verdicts
from ishango.report.claims.verdict import Verdict, verdicts_table
from ishango.report.discovery import import_modules

__all__ = ["CLAIMS", "Claim", "Verdict", "claim", "verdicts", "verdicts_table"]

import_modules(__name__, __path__)
