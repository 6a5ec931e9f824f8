"""A human language: its words, the rules of what is said, and what that costs."""

from __future__ import annotations

import math
import re
from dataclasses import InitVar, dataclass
from functools import cache
from typing import Literal, NamedTuple, get_args

from ishango.errors import RequestError
from ishango.numerals import (
    DEFAULT_GRAMMAR,
    HURFORD,
    Expression,
    Grammar,
    GrammarName,
    Need,
    NumeralSystem,
    as_grammar,
    derives,
    format_set,
    parse_set,
    word,
)


class Term(NamedTuple):
    """A word for the numbers from `first` to `last`; `last` is None where it has no upper end."""

    first: int
    last: int | None

    def __str__(self) -> str:
        if self.last is None:
            return f"{self.first}-"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def parse_terms(text: str) -> tuple[Term, ...]:
    """Read words and what they mean, as in `1|2-4|5-`: without holes, from 1 on, the last one open.

    >>> parse_terms("1|2-")
    (Term(first=1, last=1), Term(first=2, last=None))
    """
    terms = tuple(_parse_term(part.strip(), text) for part in text.split("|"))
    expected = 1
    for term in terms:
        if term.first != expected or (term.last is None) != (term is terms[-1]):
            raise RequestError(f"The terms {text!r} must follow one another from 1 on, the last one open: 1|2-4|5-.")
        expected = (term.last or term.first) + 1
    return terms


def format_terms(terms: tuple[Term, ...]) -> str:
    """Write terms the way `parse_terms` reads them."""
    return "|".join(map(str, terms))


def _parse_term(part: str, text: str) -> Term:
    match = re.fullmatch(r"([0-9]{1,5})(?:(-)([0-9]{1,5})?)?", part)
    if match is None or (match[3] and int(match[3]) < int(match[1])):
        raise RequestError(f"{part!r} in the terms {text!r} is not a word's extent; write them as in 1|2-4|5-.")
    if match[2] and not match[3]:
        return Term(int(match[1]), None)
    return Term(int(match[1]), int(match[3] or match[1]))


# How a language says its numbers: clauses such as `10-99:10`, and the expressions that they build.

FORMS = "NUMBERS:MULTIPLIER or NUMBERS:FACTOR*MULTIPLIER, with a final - for subtraction, as in 10-99:10"
LONGEST = 400
"""Numbers and signs of an expression."""
_HEAD = re.compile(r"(?:([1-9][0-9]{0,4})\*)?([1-9][0-9]{0,4})(-?)")


@dataclass(frozen=True, slots=True)
class Clause:
    """These numbers are said with this head: `factor * multiplier` plus (or minus) the rest.

    Without a factor the multiplier is taken as often as it fits (`10-99:10`): for a sum the quotient is rounded
    down, for a difference up. A factor of its own (`60-79:3*20`) is always said, even when it is 1.
    """

    numbers: tuple[int, ...]
    multiplier: int
    factor: int | None = None
    subtracts: bool = False

    @classmethod
    def parse(cls, text: str) -> Clause:
        """Read one clause; `str` writes this form."""
        numbers, colon, head = text.partition(":")
        match = _HEAD.fullmatch(head)
        if not colon or match is None or numbers == "none":
            raise RequestError(f"{text!r} is not a rule; write {FORMS}.")
        factor = int(match[1]) if match[1] else None
        return cls(parse_set(numbers), int(match[2]), factor, match[3] == "-")

    def __str__(self) -> str:
        factor = "" if self.factor is None else f"{self.factor}*"
        return f"{format_set(self.numbers)}:{factor}{self.multiplier}{'-' if self.subtracts else ''}"

    def split(self, number: int) -> tuple[int, int]:
        """The factor and the rest of a number: it is factor * multiplier plus or minus the rest."""
        factor = self.factor
        if factor is None:
            factor = -(-number // self.multiplier) if self.subtracts else number // self.multiplier
        rest = number - factor * self.multiplier
        return factor, -rest if self.subtracts else rest


@dataclass(frozen=True, slots=True)
class Clauses:
    """The clauses of a language in order: a number is its digit, or else what the first clause that names it says.

    A number that follows no clause is written out, `6=5+1`, and then said so even where a digit would do. Factor and
    rest are numbers that are said by the same rules. A multiplier that is taken once stands alone
    where the grammar allows it (`10 + 2` under `hurford`); elsewhere, and where a clause gives the factor 1, it does
    not (`1 * 10 + 2` under `modified`).

    >>> french = NumeralSystem.parse("1-9 | 10,20", "hurford")
    >>> str(Clauses.parse("10-19,30-69:10 20-29:20 70-79:6*10 80-99:20").expressions(french, 99)[97])
    '4 * 20 + 10 + 7'
    """

    clauses: tuple[Clause, ...]
    exact: tuple[tuple[int, Expression], ...] = ()
    """Numbers that are written out, under Hurford's grammar."""

    @classmethod
    @cache
    def parse(cls, text: str) -> Clauses:
        """Read clauses separated by spaces; `str` writes this form."""
        if not text.split():
            raise RequestError(f"The rules are empty; write {FORMS}.")
        exact = tuple(_exact(part) for part in text.split() if "=" in part)
        return cls(tuple(Clause.parse(part) for part in text.split() if "=" not in part), exact)

    def __str__(self) -> str:
        exact = (f"{number}={str(each).replace(' ', '')}" for number, each in self.exact)
        return " ".join((*map(str, self.clauses), *exact))

    @property
    def reach(self) -> int:
        """The largest number that a clause names or that is written out."""
        return max((*(max(clause.numbers) for clause in self.clauses), *(number for number, _ in self.exact)))

    def expressions(self, system: NumeralSystem, upto: int) -> dict[int, Expression]:
        """What is said for each number of 1..range, under the system's grammar."""
        clause_of: dict[int, Clause] = {}
        for clause in reversed(self.clauses):  # so that the first clause has the last word
            clause_of |= dict.fromkeys(clause.numbers, clause)
        digits, exact, rules = set(system.digits), dict(self.exact), system.rules
        said: dict[int, Expression] = {}
        for number in range(1, upto + 1):
            if number in exact:
                said[number] = _written_out(exact[number], system)
                continue
            if number not in digits and number not in clause_of:
                raise RequestError(f"The rules do not tell how {number} is said.")
            said[number] = word(number) if number in digits else _say(number, clause_of[number], system, rules, said)
        return said


def _exact(text: str) -> tuple[int, Expression]:
    number, _, written = text.partition("=")
    if not number.isdecimal():
        raise RequestError(f"{text!r} is not a rule: {number!r} is not a number.")
    expression = parse_written(written)
    if expression.value != int(number):
        raise RequestError(f"{text!r} is not a rule: {written} is {expression.value}.")
    return int(number), expression


def parse_written(text: str) -> Expression:
    """Read infix that needs no spaces; what is done with it goes as deep as it is long, so its length is limited."""
    tokens = re.findall(r"[0-9]+|\S", text)
    if len(tokens) > LONGEST:
        raise RequestError(f"{text[:20]}... has more than {LONGEST} numbers and signs.")
    return Expression.parse(" ".join(tokens))


def _written_out(expression: Expression, system: NumeralSystem) -> Expression:
    """The same under the system's grammar: where a multiplier may not stand alone, it is taken once."""
    found = _taken_once(expression, system, whole=True)
    if not derives(system, found):
        raise RequestError(f"The grammar {system.rules.name} does not derive {expression} from {system}.")
    return found


def _taken_once(expression: Expression, system: NumeralSystem, whole: bool) -> Expression:
    left, right = expression.left, expression.right
    if left is None or right is None:
        alone = system.rules.bare_number if whole else system.rules.bare_phrase
        is_digit = whole and expression.value in system.digits
        return expression if is_digit or alone or expression.value not in system.multipliers else word(1) * expression
    if expression.operator == "*":
        return _taken_once(left, system, whole=True) * right
    head, rest = _taken_once(left, system, whole=False), _taken_once(right, system, whole=True)
    return head + rest if expression.operator == "+" else head - rest


def _say(number: int, clause: Clause, system: NumeralSystem, rules: Grammar, said: dict[int, Expression]) -> Expression:
    if clause.multiplier not in system.multipliers:
        raise RequestError(f"The rule {clause} needs the multiplier {clause.multiplier}, which is not in the set.")
    factor, rest = clause.split(number)
    head = word(clause.multiplier)
    stands_alone = rules.bare_number if rest == 0 else rules.bare_phrase
    if factor != 1 or clause.factor == 1 or not stands_alone:
        if factor not in said:
            raise _misfit(clause, number)
        if rules.flat and said[factor].operator in ("+", "-"):
            raise RequestError(
                f"The rule {clause} does not fit {number}: the grammar {rules.name} has no sums inside products."
            )
        head = said[factor] * head
    if rest == 0:
        return head
    if rest not in said:
        raise _misfit(clause, number)
    if not (rules.minus if clause.subtracts else rules.plus):
        sign = "differences" if clause.subtracts else "sums"
        raise RequestError(f"The rule {clause} does not fit {number}: the grammar {rules.name} has no {sign}.")
    return head - said[rest] if clause.subtracts else head + said[rest]


def _misfit(clause: Clause, number: int) -> RequestError:
    """Factor and rest must be smaller than the number: what is said of it builds on smaller numbers only."""
    factor, rest = clause.split(number)
    sign = "-" if clause.subtracts else "+"
    return RequestError(
        f"The rule {clause} does not fit {number}: {factor} * {clause.multiplier} {sign} ({rest})"
        f" is not made of numbers from 1 to {number - 1}."
    )


@cache
def _check_rules(rules: Clauses, system: NumeralSystem) -> None:
    rules.expressions(system.with_grammar(HURFORD.name), rules.reach)


@cache
def _said(rules: Clauses, system: NumeralSystem, upto: int) -> dict[int, Expression] | None:
    """Hundreds of languages share their words and their rules."""
    try:
        return rules.expressions(system, upto)
    except RequestError:
        return None  # the rules themselves were found right: the grammar lacks what they take


# A human language and its numerals.

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
    id: str = ""
    """What the source calls the variety; several varieties may share a glottocode."""
    macroarea: str = ""
    place: tuple[float, float] | None = None
    """Latitude and longitude."""
    highest: int | None = None
    """The highest number that the source has; None where the table does not say."""
    outside: tuple[tuple[int, str], ...] = ()
    """Numbers that are known and have no expression in the grammar, each with the reason."""
    doubtful: tuple[int, ...] = ()
    """Words that could be digits as well as multipliers."""
    alternates: tuple[tuple[int, Expression], ...] = ()
    """Other ways to say a number that are not the ones of the rules."""
    tested: InitVar[bool] = False
    """Whether the rules are known to fit: those that ship are tested, and building thousands takes long."""

    def __post_init__(self, tested: bool) -> None:
        if not self.name.strip():
            raise RequestError("A language needs a name.")
        if self.kind not in KINDS:
            raise RequestError(f"There is no kind of language {self.kind!r}; choose one of {', '.join(KINDS)}.")
        if (self.kind == "recursive") != (self.system is not None):
            raise RequestError("A recursive language, and no other, has digits and multipliers.")
        if (self.kind == "recursive") != (not self.terms):
            raise RequestError("A restricted or approximate language, and no other, has terms.")
        if self.rules and self.system is None:
            raise RequestError("Only a recursive language has rules.")
        if self.rules and self.system and not tested:
            # Building what the rules say, under a grammar with all of them, is what finds their mistakes.
            _check_rules(self.rules, self.system)

    def system_under(self, grammar: GrammarName) -> NumeralSystem | None:
        """The system under a grammar; None where the language is not recursive or the grammar needs a digit."""
        if self.system is None or not (self.system.digits or as_grammar(grammar).bare_number):
            return None
        return self.system.with_grammar(grammar)

    def expressions(self, grammar: GrammarName = DEFAULT_GRAMMAR.name, upto: int = 99) -> dict[int, Expression] | None:
        """What the language actually says for 1..range; None where that is not known or the grammar has no way.

        `minimal_language(language.system_under(grammar))` is what it would say if it were as short as can be.
        """
        system = self.system_under(grammar)
        if system is None or self.rules is None or upto > self.rules.reach:
            return None
        said = _said(self.rules, system, upto)
        return None if said is None else dict(said)

    def says_all(self, upto: int = 99) -> bool:
        """Whether the source goes on to the last ten: what a language would say beyond its own would be made up."""
        return self.highest is None or self.highest >= upto - upto % 10

    def is_outside(self, number: int) -> bool:
        """Whether what is said for a number is known, and has no expression under the grammars: 50 in Danish.

        >>> from ishango import find_language
        >>> find_language("Danish").is_outside(50), find_language("Danish").is_outside(49)
        (True, False)
        """
        if self.outside or self.highest is not None:
            return any(number == each for each, _ in self.outside)
        return self.rules is not None and number > self.rules.reach

    def outside_numbers(self, upto: int = 99) -> tuple[int, ...]:
        """The numbers from 1 to `upto` that are outside the grammars: 50 to 99 in Danish."""
        return tuple(number for number in range(1, upto + 1) if self.is_outside(number))

    def average_complexity(
        self, grammar: GrammarName = DEFAULT_GRAMMAR.name, need: Need | str = "power:2", upto: int = 99
    ) -> float | None:
        """The need-weighted average complexity of the actual expressions; None where they are not known."""
        expressions = self.expressions(grammar, upto)
        if expressions is None:
            return None
        weights = Need.parse(need).weights(upto).tolist()
        return math.fsum(weights[number - 1] * each.complexity for number, each in expressions.items())
