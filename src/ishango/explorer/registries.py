"""Grammars and modifications with their labels: the one place that knows how their rooms list them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, Protocol, cast

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
    "modified": ("modified (the paper's)", "the paper's, in which Phrase = Num * M"),
    "hurford": ("Hurford's", "Hurford's, in which a multiplier alone is a phrase too: Phrase = M | Num * M"),
    "m0": ("add a digit", "Add highest numeral not in D or M to D"),
    "m1": ("add a multiplier", "Add highest numeral not in D or M to M"),
    "m2": ("multiplier becomes digit", "Move lowest numeral in M to D"),
    "m3": ("digit becomes multiplier", "Move highest numeral in D to M"),
    "m4": ("drop the highest digit", "Remove highest numeral in D"),
    "m5": ("drop the highest multiplier", "Remove highest numeral in M"),
}


def grammars() -> Mapping[str, Labelled]:
    """The grammars by name."""
    return _labelled(numerals.GRAMMARS)


def modifications() -> Mapping[str, Labelled]:
    """The modifications of Algorithm 1 by name."""
    return _labelled(getattr(evolution, "MODIFICATIONS", None) or evolution.MUTATIONS)


def modifications_of(config: Mapping[str, Any]) -> dict[str, str]:
    """The modifications that a run may try, with their labels; one that is not known here goes by its name."""
    known = modifications()
    names = str(config.get("modifications") or ",".join(known)).split(",")
    return {name: known[name].label if name in known else name for name in map(str.strip, names)}


def _labelled(names: Collection[str]) -> Mapping[str, Labelled]:
    if isinstance(names, Mapping):
        entries = cast(Mapping[str, Labelled], names)
        if all(hasattr(each, "label") for each in entries.values()):
            return entries
    return {name: Words(name, *_WORDS[name]) for name in names}
