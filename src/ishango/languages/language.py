"""A human language and its numerals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from ishango.errors import RequestError
from ishango.languages.clauses import Clauses
from ishango.languages.terms import Term
from ishango.numerals import HURFORD, MODIFIED, Expression, GrammarName, Need, NumeralSystem, as_grammar

Kind = Literal["recursive", "exact restricted", "approximate"]
"""What numerals can do: name every number; the first few exactly; a few exactly or not and the rest roughly."""

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Language:
    """One row of a table of languages.

    A recursive language has a `system` (digits and multipliers) and, where they are known and the grammar derives
    them, `rules` for its actual numerals. Other languages have `terms` instead: the extents of their words.

    >>> from ishango.languages import find_language
    >>> french = find_language("French")
    >>> str(french.expressions("hurford")[97]), str(french.expressions("modified")[97])
    ('4 * 20 + 10 + 7', '4 * 20 + 1 * 10 + 7')
    """

    name: str
    system: NumeralSystem | None = None
    rules: Clauses | None = None
    kind: Kind = "recursive"
    terms: tuple[Term, ...] = ()
    glottocode: str = ""
    family: str = ""
    base: str = ""
    other_words: tuple[str, ...] = ()
    """Words that the language has and its D and M leave out, each as `number word`."""
    type: str = ""
    """The type in the classification of Denić and Szymanik (2024); empty for languages that are not in it."""
    source: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise RequestError("A language needs a name.")
        if self.kind not in KINDS:
            raise RequestError(f"There is no kind of language {self.kind!r}; choose one of {', '.join(KINDS)}.")
        if (self.kind == "recursive") != (self.system is not None):
            raise RequestError("A recursive language, and no other, has digits and multipliers.")
        if (self.kind == "recursive") != (not self.terms):
            raise RequestError("A restricted or approximate language, and no other, has terms.")
        if self.rules and self.system:
            # Building what the rules say, under a grammar with all of them, is what finds their mistakes.
            self.rules.expressions(self.system.with_grammar(HURFORD.name), self.rules.reach)
        elif self.rules:
            raise RequestError("Only a recursive language has rules.")

    def system_under(self, grammar: GrammarName) -> NumeralSystem | None:
        """The system under a grammar; None where the language is not recursive or the grammar needs a digit."""
        if self.system is None or not (self.system.digits or as_grammar(grammar).bare_number):
            return None
        return self.system.with_grammar(grammar)

    def expressions(self, grammar: GrammarName = MODIFIED.name, upto: int = 99) -> dict[int, Expression] | None:
        """What the language actually says for 1..range; None where that is not known or the grammar has no way.

        `minimal_language(language.system_under(grammar))` is what it would say if it were as short as can be.
        """
        system = self.system_under(grammar)
        if system is None or self.rules is None or upto > self.rules.reach:
            return None
        try:
            return self.rules.expressions(system, upto)
        except RequestError:
            return None  # the rules themselves were found right: the grammar lacks what they take

    def average_complexity(
        self, grammar: GrammarName = MODIFIED.name, need: Need | str = "power:2", upto: int = 99
    ) -> float | None:
        """The need-weighted average complexity of the actual expressions; None where they are not known."""
        expressions = self.expressions(grammar, upto)
        if expressions is None:
            return None
        weights = Need.parse(need).weights(upto).tolist()
        return math.fsum(weights[number - 1] * each.complexity for number, each in expressions.items())
