"""Approximate and exact restricted numeral systems: what they cost, what is optimal, and agents that learn them."""

from ishango.restricted.bands import expression_bands, term_bands
from ishango.restricted.system import RestrictedKind, TermSystem

__all__ = ["RestrictedKind", "TermSystem", "expression_bands", "term_bands"]
