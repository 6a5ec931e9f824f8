"""What an objective is, and the language as it is said that objectives measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ishango.costs.automaton import Automaton, automaton_of, canonical_automaton
from ishango.numerals import Expression, MinimalLanguage, Need, NumeralSystem, minimal_language


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

    @classmethod
    def canonical(cls, system: NumeralSystem, need: Need | str = "power:2", upto: int = 99) -> Said:
        """The minimal language of a system that covers the range; its automaton is made without expressions, fast."""
        return _Canonical(system, _Expressions(system, upto), Need.parse(need), upto)

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


class _Canonical(Said):
    """A minimal language of which the automaton is wanted, and seldom more."""

    @cached_property
    def automaton(self) -> Automaton:
        found = canonical_automaton(self.system, self.need, self.upto)
        assert found is not None
        return found


class _Expressions(Mapping[int, Expression]):
    """The canonical expressions of a system, made when they are first asked for."""

    def __init__(self, system: NumeralSystem, upto: int) -> None:
        self.system, self.upto = system, upto

    @cached_property
    def _made(self) -> Mapping[int, Expression]:
        return minimal_language(self.system, self.upto).expressions

    def __getitem__(self, number: int) -> Expression:
        return self._made[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


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
