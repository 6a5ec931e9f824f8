"""Verdicts on claims, a line each: what was ruled, and the claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ishango.cli.output import console

if TYPE_CHECKING:
    from ishango.report.claims import Verdict


def print_rulings(found: Sequence[Verdict]) -> None:
    """Print each ruling with its scope, and beside it the claim."""
    rulings = [" ".join(filter(None, (each.ruling, each.scope))) for each in found]
    width = max(map(len, rulings))
    for ruling, each in zip(rulings, found, strict=True):
        console().print(f"{ruling:<{width}}  {each.claim}", soft_wrap=True)
