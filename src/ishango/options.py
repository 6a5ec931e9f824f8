"""What fields of options carry beside their type: a name outside Python, and choices that are entries by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import tyro
from tyro.constructors import PrimitiveConstructorSpec

from ishango.errors import RequestError
from ishango.registry import Named, sentences

UpTo = Annotated[int, tyro.conf.arg(name="range")]
"""The largest number of a range from 1: `upto` in Python, where `range` is a builtin, and `range` everywhere else."""

OUTSIDE = {"upto": "range"}
"""Fields that the command line, plans, tables and JSON call by another name than Python does."""


class OneOf(PrimitiveConstructorSpec[str]):
    """Marks a field of text as the name of an entry: `Annotated[str, OneOf(GRAMMARS)]`.

    The choices are asked for when they are needed, so that what other packages add is among them.
    """

    nargs = 1

    def __init__(self, registry: Mapping[str, Any]) -> None:
        object.__setattr__(self, "registry", registry)

    registry: Mapping[str, Any]

    # `Annotated` hashes what it is given. The inherited way would look at the choices, and so load extensions in the
    # middle of the import of what they extend.
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names there are."""
        return tuple(self.registry)

    @property
    def metavar(self) -> str:  # type: ignore[override]
        """How the help text shows them."""
        return "{" + ",".join(self.registry) + "}"

    @staticmethod
    def instance_from_str(words: list[str]) -> str:  # type: ignore[override]
        """The word itself; tyro has checked that it is a choice."""
        return words[0]

    @staticmethod
    def str_from_instance(value: str) -> list[str]:  # type: ignore[override]
        """The word itself."""
        return [value]

    @staticmethod
    def is_instance(value: Any) -> bool:  # type: ignore[override]
        """Any text may be a default; `check` refuses one that is no choice."""
        return isinstance(value, str)


def explained(entries: Mapping[str, Named]) -> Any:
    """Puts the sentence of every entry behind the option's own help."""
    return tyro.conf.arg(help_behavior_hint=lambda default: f"({sentences(entries)}; default: {default})")


def check_choice(registry: Mapping[str, Any], field: str, value: object) -> None:
    """Refuse a value that is no entry of the registry, in one sentence that names the field."""
    if value not in registry:
        raise RequestError(f"{field} is {value!r}, but must be {alternatives(tuple(registry))}.")


def alternatives(names: tuple[str, ...]) -> str:
    """Names as a sentence has them.

    >>> alternatives(("bandit", "coin", "shorter"))
    'bandit, coin or shorter'
    """
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
