"""What an objective is, and the language as it is said that objectives measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ishango.costs.automaton import Automaton, automaton_of
from ishango.numerals import Expression, MinimalLanguage, Need, NumeralSystem


@dataclass(frozen=True)
class Said:
    """A language as it is said: for the numbers 1..range the expression of each, whether or not it is the shortest."""

    system: NumeralSystem
    expressions: Mapping[int, Expression]
    need: Need
    upto: int
    operators: bool = False
    """Whether operators are heard, and so are letters of the automaton."""

    @classmethod
    def shortest(cls, language: MinimalLanguage, need: Need | str = "power:2", *, operators: bool = False) -> Said:
        """A minimal language, with its canonical expressions."""
        return cls(language.system, language.expressions, Need.parse(need), language.upto, operators)

    @property
    def covers(self) -> bool:
        """Whether every number has its expression."""
        return all(number in self.expressions for number in range(1, self.upto + 1))

    @cached_property
    def automaton(self) -> Automaton:
        """The minimal automaton of the infix strings, without brackets."""
        numbers = range(1, self.upto + 1)
        strings = [heard(self.expressions[number], operators=self.operators) for number in numbers]
        return automaton_of(strings, self.need.weights(self.upto))


def heard(expression: Expression, *, operators: bool = False) -> tuple[str, ...]:
    """The words of an expression in infix order, with or without what stands between them.

    >>> heard(Expression.parse("2 * 10 + 1"))
    ('2', '10', '1')
    """
    tokens = expression.tokens("infix")
    return tokens if operators else tokens[::2]


@dataclass(frozen=True)
class Cost:
    """One objective: less is better."""

    name: str
    label: str
    """What tables and pages call it."""
    sentence: str
    reference: str
    """Where it comes from, and what of it is ours."""
    unit: str
    measure: Callable[[Said], float]
    """Of a language that has an expression for every number."""
