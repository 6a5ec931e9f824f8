"""What a cost is, and the costs that ship."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ishango.costs._automaton import Automaton, automaton_of, canonical_automaton
from ishango.numerals import (
    Expression,
    MinimalLanguage,
    Need,
    NumeralSystem,
    changes,
    check_words,
    fill_tables,
    levels_of,
    minimal_language,
    outer_base,
    outer_bases,
    value_limit,
    words_of,
)
from ishango.registry import Labelled, Registry


@dataclass(frozen=True)
class Said:
    """A language as it is said: for the numbers 1..range the expression of each, whether or not it is the shortest."""

    system: NumeralSystem
    expressions: Mapping[int, Expression]
    need: Need
    upto: int
    operators: bool = False
    """Whether operators are spoken, so that they are letters of the automaton."""

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
        return all(number in self.expressions for number in range(1, self.upto + 1))

    @cached_property
    def automaton(self) -> Automaton:
        """The minimal automaton of the infix strings, without brackets."""
        numbers = range(1, self.upto + 1)
        strings = [heard(self.expressions[number], operators=self.operators) for number in numbers]
        return automaton_of(strings, self.need.weights(self.upto))

    @property
    def bases(self) -> list[int]:
        """The multiplier of the outermost phrase of each number; 0 where it is a bare digit."""
        return [outer_base(self.expressions[number], self.system) for number in range(1, self.upto + 1)]


class _Canonical(Said):
    """A minimal language of which the automaton is wanted, or its bases, and seldom more."""

    @cached_property
    def automaton(self) -> Automaton:
        found = canonical_automaton(self.system, self.need, self.upto)
        assert found is not None
        return found

    @property
    def bases(self) -> list[int]:
        check_words(self.system, self.upto)
        flags, words = self.system.rules.flags, words_of(self.system, self.upto)
        return outer_bases(levels_of(words, flags, self.upto, value_limit(self.upto)), flags, self.upto).tolist()


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
class Cost(Labelled):
    """One objective: less is better."""

    reference: str
    """Where it comes from, and what of it is ours."""
    unit: str
    measure: Callable[[Said], float]
    """Of a language that has an expression for every number."""

    def units(self, value: float) -> str:
        """The unit as it stands after a number: `1 step`, `2 steps`."""
        return self.unit.removesuffix("s") if value == 1 else self.unit


# The costs `states`, `transitions` and `irregularity`: how large the automaton is that knows the numerals.
#
# Regular languages need a small one, in which many numerals share their parts. The letters are words, and a word is one
# letter whether it is a digit or a multiplier, as people hear it; operators are letters only on request.

_REFERENCE = "Prasertsom, Silvi, Culbertson, Johansson, Dubhashi and Smith (2026), arXiv 2510.27049"

IRREGULARITY = Cost(
    name="irregularity",
    label="irregularity",
    sentence="the bits of the minimal automaton that accepts the numerals: transitions * (log2 letters + log2 states)",
    reference=f"{_REFERENCE}; this count of bits is ours",
    unit="bits",
    measure=lambda said: said.automaton.bits,
)
STATES = Cost(
    name="states",
    label="states",
    sentence="the states of that automaton, which is deterministic and has no sink",
    reference=_REFERENCE,
    unit="states",
    measure=lambda said: said.automaton.states,
)
TRANSITIONS = Cost(
    name="transitions",
    label="transitions",
    sentence="the transitions of that automaton",
    reference=_REFERENCE,
    unit="transitions",
    measure=lambda said: said.automaton.transitions,
)
HOMONYMS = Cost(
    name="homonyms",
    label="homonyms",
    sentence="the numbers that sound like another one: the automaton takes their strings for one",
    reference="ours: an automaton is small, too, where numerals cannot be told apart",
    unit="numbers",
    measure=lambda said: said.automaton.homonyms,
)


CHANGES = Cost(
    name="changes",
    label="changes of base",
    sentence="the steps from a number to the next on which the multiplier of the outermost phrase changes",
    reference="Silvi et al. (2025), who look at the structure of neighbouring numerals; the count is ours",
    unit="steps",
    measure=lambda said: changes(said.bases),
)


def is_packed(expression: Expression, system: NumeralSystem) -> bool:
    """Whether each phrase in the expression has the largest multiplier that fits into the number it heads.

    >>> french = NumeralSystem.parse("1-9 | 10,20", "hurford")
    >>> is_packed(Expression.parse("4 * 20 + 10 + 7"), french), is_packed(Expression.parse("3 * 10"), french)
    (True, False)
    """
    stack = [expression]
    while stack:
        node = stack.pop()
        phrase = node.left if node.operator in ("+", "-") and node.left else node
        if phrase.operator == "*" and phrase.left and phrase.right:
            multiplier = phrase.right.value
            stack.append(phrase.left)
        elif phrase.value in system.multipliers:
            multiplier = phrase.value
        else:
            continue  # a digit
        if multiplier != max((m for m in system.multipliers if m <= node.value), default=None):
            return False
        if phrase is not node and node.right:
            stack.append(node.right)
    return True


UNPACKED = Cost(
    name="unpacked",
    label="unpacked",
    sentence="the numbers in which some phrase lacks the largest multiplier that fits into what it heads",
    reference="the packing strategy of Hurford (1975), as far as it speaks of multipliers; the count is ours",
    unit="numbers",
    measure=lambda said: sum(not is_packed(said.expressions[n], said.system) for n in range(1, said.upto + 1)),
)


def suppletive_words(system: NumeralSystem) -> tuple[int, ...]:
    """The words that smaller words of the system compose, by its own grammar and without larger values in between.

    Larger values stay out because every digit of a base is the base less something: 9 is 10 - 1, and yet no word that
    people would call suppletive.

    >>> suppletive_words(NumeralSystem.parse("1-9,11 | 10"))
    (11,)
    """
    return tuple(word for word in system.words if _composed(word, system))


def _composed(word: int, system: NumeralSystem) -> bool:
    digits, multipliers = (tuple(w for w in words if w < word) for words in (system.digits, system.multipliers))
    if not multipliers or not (digits or system.rules.bare_number):
        return False
    tables = fill_tables(NumeralSystem(digits, multipliers, system.grammar), word, word)
    return bool(tables.number_level[word])


SUPPLETION = Cost(
    name="suppletion",
    label="suppletion",
    sentence="the words that are not composed though smaller words could compose them",
    reference="suppletive numerals as in Hurford (1975); that no larger value may occur in between is ours",
    unit="words",
    measure=lambda said: len(suppletive_words(said.system)),
)


def _average_length(said: Said) -> float:
    weights = said.need.weights(said.upto).tolist()
    return math.fsum(weight * said.expressions[n].complexity for n, weight in enumerate(weights, start=1))


LENGTH = Cost(
    name="length",
    label="length",
    sentence="the average complexity of what is said: symbols, operators included, weighted by the need",
    reference="Denić and Szymanik (2024)",
    unit="symbols",
    measure=_average_length,
)


SIZE = Cost(
    name="size",
    label="size",
    sentence="the number of words, |D| + |M|; a word in both sets counts twice",
    reference="Denić and Szymanik (2024)",
    unit="words",
    measure=lambda said: said.system.size,
)


# The cost `processing`: how much a listener must be told while a numeral goes by.
#
# At every state of the automaton the listener waits for one of the ways that lead on, an end of the numeral being one
# of them; each way is as good as any other, so a state costs the logarithm of their number. Since merging equal nodes
# of a tree leaves the ways that lead on as they are, the cost is the same in the tree of all numerals.

PROCESSING = Cost(
    name="processing",
    label="processing",
    sentence="the expected bits to follow a numeral through the automaton: at each state the log2 of the ways on",
    reference=(
        "in the spirit of Prasertsom et al. (2026), arXiv 2510.27049; ways of equal probability, the end as a way"
        " and the weighting by the need are ours"
    ),
    unit="bits",
    measure=lambda said: said.automaton.processing,
)


COSTS: Registry[Cost] = Registry("cost", "ishango.costs")

for _cost in (
    SIZE, LENGTH, IRREGULARITY, STATES, TRANSITIONS, HOMONYMS, PROCESSING, CHANGES, UNPACKED, SUPPLETION,
):  # fmt: skip
    COSTS.add(_cost)


MOST_LEAVES = 1_000_000
"""Languages with more words than this in all their numerals together are not measured: few words, a huge range."""


def all_costs(said: Said, names: Collection[str] | None = None) -> dict[str, float | None]:
    """Every cost of a language, or those named; only the size where a number lacks an expression, or all are too long.

    >>> from ishango.numerals import NumeralSystem, minimal_language
    >>> found = all_costs(Said.shortest(minimal_language(NumeralSystem.parse("1-9 | 10"))))
    >>> found["size"], found["states"], round(found["irregularity"], 1)
    (10, 4, 101.1)
    """
    if not said.covers or sum(each.leaves for each in said.expressions.values()) > MOST_LEAVES:
        return {name: said.system.size if name == "size" else None for name in names or COSTS}
    return {name: COSTS[name].measure(said) for name in names or COSTS}
