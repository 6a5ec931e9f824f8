"""`ishango.describe`: what a numeral system costs, number by number."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ishango.api.showing import Shown, decimal
from ishango.costs import Said, all_costs
from ishango.errors import RequestError
from ishango.frontiers import Measures, measure_language
from ishango.languages import Language
from ishango.numerals import MinimalLanguage, Need, NumeralSystem, minimal_language
from ishango.numerals.grammar import MODIFIED


@dataclass(frozen=True, repr=False)
class Description(Shown):
    """A numeral system with its minimal language and what it costs."""

    language: MinimalLanguage
    need: Need
    measures: Measures

    @property
    def system(self) -> NumeralSystem:
        """The system that is described."""
        return self.language.system

    @property
    def size(self) -> int:
        """|D| + |M|."""
        return self.measures.size

    @property
    def average_complexity(self) -> float | None:
        """The need-weighted average length of the shortest expressions, in symbols; None where a number has none."""
        return self.measures.average_complexity

    @property
    def gap(self) -> float | None:
        """Average complexity above the proved frontier of that size; None where there is no such value."""
        return self.measures.gap

    @property
    def costs(self) -> dict[str, float | None]:
        """All costs of the canonical expressions, by name; `ishango.costs_of` tells what they are."""
        return all_costs(Said.shortest(self.language, self.need))

    def facts(self) -> dict[str, str]:
        """System, grammar, costs, and what is missing."""
        missing = self.language.missing
        return {
            "system": str(self.system),
            "grammar": self.system.grammar,
            "numbers": f"1 to {self.language.upto}" + (f", {len(missing)} of them without expression" * bool(missing)),
            "size": str(self.size),
            "average complexity": f"{decimal(self.average_complexity)} (need {self.need})",
            "gap": decimal(self.gap),
        }

    def to_frame(self) -> pd.DataFrame:
        """A row a number that has an expression: `number`, `expression`, `complexity`, `ties`."""
        language = self.language
        rows = [(n, str(language.expression(n)), language.complexity(n), language.ties(n)) for n in language]
        return pd.DataFrame(rows, columns=["number", "expression", "complexity", "ties"])


def describe(
    system: NumeralSystem | Language | str,
    *,
    grammar: str | None = None,
    need: Need | str = "power:2",
    upto: int = 99,
) -> Description:
    """Describe a numeral system: its minimal expressions, size, average complexity and gap.

    Args:
        system: a `NumeralSystem`, a human language (`find_language`), or text such as `1-9,11 | 10`.
        grammar: the meta-grammar; if not given, the system's own (of a text or a language: the paper's).
        need: how often each number is needed.
        upto: numbers from 1 to this one are described.

    Returns:
        A description that prints, shows in a notebook, and gives a table with `to_frame()`.

    >>> english = describe("1-9,11 | 10", grammar="hurford")
    >>> english.size, round(english.average_complexity, 6)
    (11, 1.135064)
    >>> english.to_frame().expression[20]
    '10 + 11'
    """
    plain = system_of(system, grammar)
    found = Need.parse(need)
    language = minimal_language(plain, upto)
    return Description(language, found, measure_language(language, found))


def system_of(system: NumeralSystem | Language | str, grammar: str | None) -> NumeralSystem:
    """The numeral system that is meant, under the grammar if one is given."""
    if isinstance(system, Language):
        found = system.system_under(grammar or MODIFIED.name)
        if found is None:
            raise RequestError(f"{system.name} has no digits and multipliers under that grammar; see its `terms`.")
        return found
    if isinstance(system, str):
        return NumeralSystem.parse(system, grammar or MODIFIED.name)
    return system.with_grammar(grammar) if grammar else system
