"""Grammar and need as options: their choices, forms and sentences come from the registries."""

from __future__ import annotations

from typing import Annotated

import tyro

from ishango.numerals.grammar import GRAMMARS
from ishango.numerals.need import NEEDS
from ishango.options import OneOf, explained

GrammarChoice = Annotated[str, OneOf(GRAMMARS), explained(GRAMMARS)]
"""The name of a grammar."""


def _hint(default: str) -> str:
    """All forms of needs with their sentences, behind the option's own help."""
    return f"({'; '.join(f'{need.form}: {need.sentence}' for need in NEEDS.values())}; default: {default})"


NeedSpec = Annotated[str, tyro.conf.arg(help_behavior_hint=_hint)]
"""A need as `Need.parse` reads it."""
