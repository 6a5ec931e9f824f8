"""`ishango.costs_of`: everything that a language is known to cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from ishango.api.descriptions import system_of
from ishango.api.showing import Shown
from ishango.costs import COSTS, Said, all_costs
from ishango.errors import RequestError
from ishango.languages import Language
from ishango.numerals import HURFORD, Need, NumeralSystem, minimal_language


@dataclass(frozen=True, repr=False)
class Costs(Shown):
    """The costs of a language by name: `costs["irregularity"]`; None where it cannot be measured."""

    said: Said
    values: Mapping[str, float | None]

    def __getitem__(self, name: str) -> float | None:
        return self.values[COSTS[name].name]

    def facts(self) -> dict[str, str]:
        """The system and its costs with their units."""
        shown = {
            COSTS[name].label: "none" if value is None else f"{value:.6g} {COSTS[name].unit}"
            for name, value in self.values.items()
        }
        return {"system": str(self.said.system), "grammar": self.said.system.grammar, **shown}

    def to_frame(self) -> pd.DataFrame:
        """A row a cost: `cost`, `value`, `unit`, `sentence`, `reference`."""
        rows = [(name, value, *_told(name)) for name, value in self.values.items()]
        return pd.DataFrame(rows, columns=["cost", "value", "unit", "sentence", "reference"])


def _told(name: str) -> tuple[str, str, str]:
    return COSTS[name].unit, COSTS[name].sentence, COSTS[name].reference


def costs_of(
    system: NumeralSystem | Language | str,
    *,
    grammar: str | None = None,
    need: Need | str = "power:2",
    upto: int = 99,
    operators: bool = False,
) -> Costs:
    """What a language costs: size and length, irregularity, processing, changes of base, packing, suppletion.

    Args:
        system: a `NumeralSystem` or text such as `1-9,11 | 10`, whose minimal language is measured by the shipped tie
            rule; or a human language (`find_language`), of which that is measured which people say.
        grammar: the meta-grammar; if not given, the system's own (of a text the paper's, of a language Hurford's).
        need: how often each number is needed.
        upto: numbers from 1 to this one are measured.
        operators: whether operators are heard, and so are letters of the automaton.

    >>> round(costs_of("1-9 | 10")["irregularity"], 3)
    101.117
    """
    found = Need.parse(need)
    if isinstance(system, Language):
        name = grammar or HURFORD.name
        plain, expressions = system.system_under(name), system.expressions(name, upto)
        if plain is None or expressions is None:
            raise RequestError(f"How {system.name} says the numbers 1 to {upto} under {name} is not known.")
        said = Said(plain, expressions, found, upto, operators)
    else:
        said = Said.shortest(minimal_language(system_of(system, grammar), upto), found, operators=operators)
    return Costs(said, all_costs(said))
