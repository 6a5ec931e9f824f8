"""Grammar and need as options: their choices, forms and sentences come from the registries."""

from __future__ import annotations

from typing import Annotated

import tyro

from ishango.numerals.grammar import GRAMMARS
from ishango.numerals.grammar_files import SUFFIX
from ishango.numerals.need import NEEDS
from ishango.options import OneOf, explained


class _GrammarWord(OneOf):
    """The name of a grammar, rules written out, or a file: too many to be listed as choices."""

    choices = None  # type: ignore[assignment]

    @property
    def metavar(self) -> str:  # type: ignore[override]
        """How the help text shows them: the first two; the others stand in the explanation."""
        return "{" + ",".join([*self.registry][:2]) + ",...}|FILE" + SUFFIX


GrammarChoice = Annotated[str, _GrammarWord(GRAMMARS), explained(GRAMMARS)]
"""A grammar as `as_grammar` reads it."""


def _hint(default: str) -> str:
    """All forms of needs with their sentences, behind the option's own help."""
    return f"({'; '.join(f'{need.form}: {need.sentence}' for need in NEEDS.values())}; default: {default})"


NeedSpec = Annotated[str, tyro.conf.arg(help_behavior_hint=_hint)]
"""A need as `Need.parse` reads it."""
