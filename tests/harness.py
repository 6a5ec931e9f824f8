"""Checks that every entry of every registry, and of every dictionary of entries, passes, whoever wrote it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from typing import Any

import pytest

from ishango.errors import RequestError
from ishango.registry import Registry, refusal, said, sentences

ROOMS = (
    "ishango.numerals", "ishango.game", "ishango.lab", "ishango.evolution", "ishango.costs",
)  # fmt: skip
"""Where the registries are found; what has one of its own is added here."""
DICTIONARIES = {
    "ADD_RULES": "ishango.evolution",
    "CLAIMS": "ishango.report.claims",
    "ENGINES": "ishango.lab",
    "ERROR_MEASURES": "ishango.kinds",
    "FIGURES": "ishango.report._sections",
    "JUDGES": "ishango.evolution",
    "LEARNERS": "ishango.evolution",
    "PLANS": "ishango.lab._plan",
    "SECTIONS": "ishango.report._sections",
}
"""What only this package has entries of, and where."""


def registries() -> dict[str, Registry[Any]]:
    """All registries, by the name of their entry-point group."""
    values = [value for room in ROOMS for value in vars(importlib.import_module(room)).values()]
    return {value.group: value for value in values if isinstance(value, Registry)}


def dictionaries() -> dict[str, Mapping[str, Any]]:
    """All dictionaries of entries, by name."""
    return {name: getattr(importlib.import_module(room), name) for name, room in DICTIONARIES.items()}


def check_entry(registry: Mapping[str, Any], name: str) -> None:
    """An entry can be found, chosen and explained by its name."""
    entry = registry[name]
    assert entry.name == name
    assert re.fullmatch(r"[a-z0-9][a-z0-9_.+-]*", name), "a name is one word that a shell and a plan take as it is"
    assert name in registry
    assert name in list(registry)
    check_text("sentence", entry.sentence)
    assert not entry.sentence.endswith("."), "sentences are joined in help texts: no final full stop"
    assert f"{said(registry)[list(registry).index(name)]}: {entry.sentence}" in sentences(registry)
    if hasattr(entry, "label"):
        check_text("label", entry.label)
    check_misspelling(registry, name)


def check_text(what: str, text: str) -> None:
    """Something to show on one line."""
    assert isinstance(text, str), what
    assert text.strip() == text, f"{what} has room around it"
    assert text, f"{what} is empty"
    assert text.isprintable(), f"{what} is more than one line"


def check_misspelling(registry: Mapping[str, Any], name: str) -> None:
    """A name with a letter too many is refused, and the right one is suggested."""
    name = said(registry)[list(registry).index(name)]
    wrong = next(wrong for letter in "xyzq" if (wrong := name + letter) not in registry)
    sentence = refusal("entry", wrong, registry)
    if isinstance(registry, Registry):
        with pytest.raises(RequestError) as refused:
            registry[wrong]
        sentence = str(refused.value)
    assert f"did you mean {name}?" in sentence
    assert repr(wrong) in sentence
    assert all(other in sentence for other in said(registry))
