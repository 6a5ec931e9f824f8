"""The answer of the first screen, made from the verdicts: what holds, what does not, and what is undecided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ishango.report.claims.verdict import Ruling, Verdict

NAMED = 4
"""Claims that a sentence names; of more it tells how many."""

LEADS: dict[Ruling, tuple[str, str]] = {
    "holds": ("holds", "hold"),
    "so does a coin": (
        "is true of a coin, too",
        "are true of a coin, too, so that communication is not shown to be the cause",
    ),
    "does not hold": ("does not hold", "do not hold"),
    "too little data here": ("is undecided here", "are undecided here"),
}
"""How a sentence about claims of each ruling begins, for one and for several."""

SENTENCES: tuple[tuple[Ruling, ...], ...] = (("holds",), ("so does a coin", "does not hold"), ("too little data here",))
"""What holds, what does not, what is undecided: which rulings each sentence tells of."""


@dataclass(frozen=True)
class Part:
    """The claims of one ruling as part of a sentence."""

    ruling: Ruling
    lead: str
    named: Sequence[Verdict]
    more: int
    """Further ones, which are not named."""


def answer(found: Sequence[Verdict]) -> list[list[Part]]:
    """Three sentences of one or two parts; the claims come in the order of the page, evolution first."""
    return [[part for ruling in rulings if (part := _part(found, ruling))] or [_nothing(rulings[-1])]
            for rulings in SENTENCES]  # fmt: skip


def _part(found: Sequence[Verdict], ruling: Ruling) -> Part | None:
    known = [each for each in found if each.ruling == ruling]
    if not known:
        return None
    one, several = LEADS[ruling]
    return Part(ruling, f"{len(known)} {one if len(known) == 1 else several}", known[:NAMED], len(known[NAMED:]))


def _nothing(ruling: Ruling) -> Part:
    return Part(ruling, f"none {LEADS[ruling][0]}", (), 0)
