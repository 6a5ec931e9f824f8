"""How a language says its numbers: clauses such as `10-99:10`, and the expressions that they build."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ishango.errors import RequestError
from ishango.numerals import Expression, NumeralSystem, format_set, parse_set, word

FORMS = "NUMBERS:MULTIPLIER or NUMBERS:FACTOR*MULTIPLIER, with a final - for subtraction, as in 10-99:10"
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

    Factor and rest are numbers that are said by the same rules. A multiplier that is taken once stands alone
    where the grammar allows it (`10 + 2` under `hurford`); elsewhere, and where a clause gives the factor 1, it does
    not (`1 * 10 + 2` under `modified`).

    >>> french = NumeralSystem.parse("1-9 | 10,20", "hurford")
    >>> str(Clauses.parse("10-19,30-69:10 20-29:20 70-79:6*10 80-99:20").expressions(french, 99)[97])
    '4 * 20 + 10 + 7'
    """

    clauses: tuple[Clause, ...]

    @classmethod
    def parse(cls, text: str) -> Clauses:
        """Read clauses separated by spaces; `str` writes this form."""
        if not text.split():
            raise RequestError(f"The rules are empty; write {FORMS}.")
        return cls(tuple(Clause.parse(clause) for clause in text.split()))

    def __str__(self) -> str:
        return " ".join(map(str, self.clauses))

    @property
    def reach(self) -> int:
        """The largest number that a clause names."""
        return max(max(clause.numbers) for clause in self.clauses)

    def expressions(self, system: NumeralSystem, upto: int) -> dict[int, Expression]:
        """What is said for each number of 1..range, under the system's grammar."""
        clause_of: dict[int, Clause] = {}
        for clause in reversed(self.clauses):  # so that the first clause has the last word
            clause_of |= dict.fromkeys(clause.numbers, clause)
        digits = set(system.digits)
        said: dict[int, Expression] = {}
        for number in range(1, upto + 1):
            if number not in digits and number not in clause_of:
                raise RequestError(f"The rules do not tell how {number} is said.")
            said[number] = word(number) if number in digits else _say(number, clause_of[number], system, said)
        return said


def _say(number: int, clause: Clause, system: NumeralSystem, said: dict[int, Expression]) -> Expression:
    if clause.multiplier not in system.multipliers:
        raise RequestError(f"The rule {clause} needs the multiplier {clause.multiplier}, which is not in the set.")
    rules = system.rules
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
