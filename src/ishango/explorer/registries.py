"""Grammars and modifications as records with a label: the one place that knows how their rooms list them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol, cast

from ishango import evolution, numerals


class Labelled(Protocol):
    """What an entry must have to be shown on the page."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def label(self) -> str: ...  # noqa: D102
    @property
    def sentence(self) -> str: ...  # noqa: D102


class Words(NamedTuple):
    """A name in words."""

    name: str
    label: str
    sentence: str


_WORDS = {
    "modified": ("modified (the paper’s)", "a multiplier stands only behind a numeral"),
    "hurford": ("Hurford’s", "a multiplier may stand alone"),
    "m0": ("add a digit", "a numeral that is in neither set is added to D"),
    "m1": ("add a multiplier", "a numeral that is in neither set is added to M"),
    "m2": ("multiplier becomes digit", "the lowest numeral in M moves to D"),
    "m3": ("digit becomes multiplier", "the highest numeral in D moves to M"),
    "m4": ("drop the highest digit", "the highest numeral in D is removed"),
    "m5": ("drop the highest multiplier", "the highest numeral in M is removed"),
}


def grammars() -> Mapping[str, Labelled]:
    """The grammars by name."""
    return _labelled(numerals.GRAMMARS)


def modifications() -> Mapping[str, Labelled]:
    """The modifications of Algorithm 1 by name."""
    return _labelled(getattr(evolution, "MODIFICATIONS", None) or evolution.MUTATIONS)


def _labelled(names: Collection[str]) -> Mapping[str, Labelled]:
    if isinstance(names, Mapping):
        entries = cast(Mapping[str, Labelled], names)
        if all(hasattr(each, "label") for each in entries.values()):
            return entries
    return {name: Words(name, *_WORDS[name]) for name in names}
