"""Which kind a system is: by what is said under a law, not by which words there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ishango.kinds.law import Law, lengths_of, said
from ishango.kinds.open_system import OpenSystem, lexicons
from ishango.restricted import TermSystem

KindName = Literal["approximate", "exact restricted", "partly recursive", "recursive"]
KINDS: tuple[KindName, ...] = get_args(KindName)


@dataclass(frozen=True)
class Kind:
    """The kind of a system, and how far it is exact."""

    name: KindName
    exact_upto: int
    """The numbers 1..k are said exactly, and k + 1 is not; the range where all are."""

    def __str__(self) -> str:
        return f"{self.name}, exact up to {self.exact_upto}"


def kind_of(system: OpenSystem, law: Law) -> Kind:
    """The kind of a system in use.

    Recursive: every number is said exactly, and some by a multiplier. Partly recursive: some number is said by a
    multiplier, but not all exactly. Where multipliers are there and nobody says them, they do not count. Exact
    restricted: every word but the last means one number, from 1 on, and the last one all others (none are left where
    every number has a word). Approximate: everything else.

    >>> str(kind_of(OpenSystem.parse("1-4"), Law()))
    'exact restricted, exact up to 4'
    """
    chosen = said(system, law).tolist()
    lengths = lengths_of(lexicons([system], law.upto), law)[0]
    exact = [number == other for number, other in enumerate(chosen, start=1)]
    upto = exact.index(False) if False in exact else law.upto
    if any(lengths[other - 1] > 1 for other in chosen):
        return Kind("recursive" if all(exact) else "partly recursive", upto)
    return Kind("exact restricted" if _exact(chosen) else "approximate", upto)


def kind_of_extents(terms: TermSystem) -> KindName:
    """The kind of words that keep their extents, by the same rule."""
    return "exact restricted" if _exact(terms.word_map) else "approximate"


def _exact(chosen: Sequence[int]) -> bool:
    """Whether each number has a word of its own up to some number, and all that follow share one."""
    different = len(set(chosen)) - 1
    return len(set(chosen[:different])) == different and len(set(chosen[different:])) == 1
