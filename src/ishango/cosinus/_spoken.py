"""Languages as people speak them: their glosses, how these are read, and the table that ships.

All rules are here. A gloss is a row of morphemes such as `four twenty and ten2 seven`; the number that it stands for is
known, and decides between readings.

1. A number at the end of a gloss tells allomorphs apart (`ten2`, `two-2`, `six(2)`); it is no part of the meaning.
2. Words for numbers are those of English. `score` is 20, `twen` 2, `teen` 10 (added, never multiplied).
3. Morphemes for tens (`ty`, `tenstep`, `suff_pl`, ...) multiply by 10. Behind a word for ten or more they may add
   nothing (`thirty ty` is 30), and behind `ten` they may make 20, as the Semitic plural of ten does.
4. Morphemes for less (`minus`, `from`, `nearly`, ...) take what stands on one side from what stands on the other; with
   nothing on one side, one is taken away. `on` may add, too.
5. Neighbours combine to a product or a sum in either order. Of a product the multiplier is a single word, and larger
   than what it multiplies; of a sum or a difference the larger part is a phrase: a product, or a single word.
6. All other morphemes (`and`, genders, cases, ...) say nothing of the number. Neither does `?`, what CoSiNuS cannot
   analyse; but where a numeral with `?` has no reading, it is one word of its own, also inside other numerals.

What has no reading, or several, is not read.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal, NamedTuple

from ishango.languages import look_up
from ishango.numerals import HURFORD, Expression, NumeralSystem, word

UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
         "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
WORDS = {
    **{name: value for value, name in enumerate(UNITS, start=1)},
    **{name: 10 * value for value, name in enumerate(TENS, start=2)},
    "score": 20,
    "twen": 2,
    "one_hundred": 100,
}
TEEN = "teen"
TY = {"ty", "-ty", "-ty-", "tenstep", "tens", "tens_suff", "suff_pl"}
LESS = {"minus", "from", "nearly", "approach", "on"}
MAY_ADD = {"on"}
UNKNOWN = "?"

Part = Literal["whole", "times", "plus", "less"]
"""What a stretch of morphemes is: whole, or only good for multiplying, for adding, for taking away."""


class Reading(NamedTuple):
    """One meaning of a stretch of morphemes."""

    expression: Expression
    part: Part = "whole"


Readings = dict[str, Reading]
"""Readings without repetition, by what they are when written."""


def morpheme(gloss: str) -> str:
    """A gloss without what tells allomorphs apart.

    >>> [morpheme(gloss) for gloss in ("ten2", "two-2", "six(2)", "suff_gender1", "-ty-", "2")]
    ['ten', 'two', 'six', 'suff_gender', '-ty-', '2']
    """
    if gloss.startswith("="):
        return gloss.partition(".")[0]
    return re.sub(r"(?<=.)(-?\d+|\(\d+\))$", "", gloss)


def counts(gloss: str) -> bool:
    """Whether a gloss says something of the number."""
    name = morpheme(gloss)
    return name in WORDS or name == TEEN or name in TY or name in LESS - MAY_ADD


def read(glosses: Sequence[str], number: int, opaque: Mapping[tuple[str, ...], int] | None = None) -> list[Expression]:
    """All readings of a gloss that give the number; `opaque` are numerals that are one word each.

    >>> [str(each) for each in read("four twenty ten seven".split(), 97)]
    ['4 * 20 + 10 + 7']
    >>> [str(each) for each in read("minus twenty4".split(), 19)]
    ['20 - 1']
    """
    tokens = [token for token in joined(glosses, opaque or {}) if _is_less(token) or _says_a_number(token)]
    if not tokens:
        return []
    chart: dict[tuple[int, int], Readings] = {}
    for length in range(1, len(tokens) + 1):
        for first in range(len(tokens) - length + 1):
            last = first + length
            found = _readings(tokens, first, last, chart)
            chart[first, last] = {f"{each.part} {each.expression}": each for each in found}
    return [each for each in _wholes(chart[0, len(tokens)]) if each.value == number]


def _says_a_number(token: str | int) -> bool:
    return isinstance(token, int) or counts(token)


def joined(glosses: Sequence[str], opaque: Mapping[tuple[str, ...], int]) -> Iterator[str | int]:
    """The glosses, with numbers for the numerals that are one word each."""
    i = 0
    while i < len(glosses):
        found = next((key for key in opaque if tuple(glosses[i : i + len(key)]) == key), None)
        yield opaque[found] if found else glosses[i]
        i += len(found) if found else 1


def _readings(
    tokens: Sequence[str | int], first: int, last: int, chart: Mapping[tuple[int, int], Readings]
) -> Iterator[Reading]:
    if last == first + 1:
        yield from _single(tokens[first])
        return
    for middle in range(first + 1, last):
        for left in chart[first, middle].values():
            for right in chart[middle, last].values():
                yield from _pair(left, right)
        if middle + 1 < last and _is_less(tokens[middle]):
            for left in _wholes(chart[first, middle]):
                for right in _wholes(chart[middle + 1, last]):
                    yield from _difference(left, right)
                    yield from _difference(right, left)
    if _is_less(tokens[first]):
        for each in _wholes(chart[first + 1, last]):
            yield from _difference(each, word(1))


def _single(token: str | int) -> Iterator[Reading]:
    if isinstance(token, int):
        yield Reading(word(token))
        return
    name = morpheme(token)
    if name in WORDS:
        yield Reading(word(WORDS[name]))
    elif name == TEEN:
        yield Reading(word(10), "plus")
    elif name in TY:
        yield Reading(word(10), "times")
    elif name in MAY_ADD:
        yield Reading(word(1), "less")  # alone it is nothing; between two parts it may be passed over


def _is_less(token: str | int) -> bool:
    return isinstance(token, str) and morpheme(token) in LESS


def _wholes(readings: Readings) -> Iterable[Expression]:
    return [each.expression for each in readings.values() if each.part == "whole"]


def _pair(left: Reading, right: Reading) -> Iterator[Reading]:
    if right.part == "less" and left.part == "whole":
        yield left  # passed over
        return
    if left.part == "less" or right.part == "less":
        return
    for one, other in ((left, right), (right, left)):
        yield from _product(one, other)
        yield from _sum(one, other)
    if right.part == "times" and left.part == "whole" and left.expression.operator is None:
        if left.expression.value >= 10:
            yield left
        if left.expression.value == 10:
            yield Reading(word(20))


def _product(factor: Reading, multiplier: Reading) -> Iterator[Reading]:
    a, b = factor.expression, multiplier.expression
    if factor.part == "whole" and multiplier.part in ("whole", "times") and b.operator is None and a.value < b.value:
        yield Reading(a * b)


def _sum(head: Reading, rest: Reading) -> Iterator[Reading]:
    a, b = head.expression, rest.expression
    if rest.part == "whole" and head.part in ("whole", "plus") and _is_phrase(a) and a.value > b.value:
        yield Reading(a + b)


def _difference(head: Expression, rest: Expression) -> Iterator[Reading]:
    if _is_phrase(head) and head.value > rest.value:
        yield Reading(head - rest)


def _is_phrase(expression: Expression) -> bool:
    return expression.operator in (None, "*")


# Languages of CoSiNuS as people speak them: forms, glosses, and the expressions that are read off them.

UPTO = 99
"""CoSiNuS has the numbers from 1 to this one."""

SOURCE = "Rubehn et al. (2025), CoSiNuS, doi 10.18653/v1/2025.sigtyp-1.4, CC-BY-4.0"


@dataclass(frozen=True)
class Numeral:
    """How a number is said."""

    form: str
    glosses: tuple[str, ...]
    """A gloss for each morpheme, or in our notation, as in the table that ships: `=20` is a word for 20, `=20b` another
    one, `=20.2` an allomorph; `=x10` multiplies by 10, `=+10` adds it, `=-` takes away; `.a` says nothing of the
    number."""
    expression: Expression | None = None
    """What it says, where that is known and need not be read."""
    unread: str = ""
    """Why it cannot be read, where that is known."""
    opaque: bool = False
    """Whether it is one word for having a morpheme that nobody can analyse."""


@dataclass(frozen=True)
class SpokenLanguage:
    """A language of CoSiNuS; of several forms for a number the first is taken, which CoSiNuS holds to be primary.

    >>> spoken_language("French").expressions[97].tokens()
    ('4', '*', '20', '+', '10', '+', '7')
    """

    name: str
    glottocode: str
    family: str
    """Empty for two languages, of which CoSiNuS does not tell it."""
    base: str
    numerals: Mapping[int, Numeral]

    @cached_property
    def _read(self) -> tuple[dict[int, Expression], dict[int, str], dict[tuple[str, ...], int]]:
        """What was read, why the rest was not, and the numerals that are one word each."""
        found: dict[int, Expression] = {}
        why_not: dict[int, str] = {}
        opaque: dict[tuple[str, ...], int] = {}
        for number in range(1, UPTO + 1):
            numeral = self.numerals.get(number)
            if numeral is None:
                why_not[number] = "no form"
                continue
            if numeral.opaque:
                opaque[numeral.glosses] = number
            if numeral.unread:
                why_not[number] = numeral.unread
                continue
            readings = [numeral.expression] if numeral.expression else read(numeral.glosses, number, opaque)
            if not readings and UNKNOWN in numeral.glosses:
                opaque[numeral.glosses] = number
                readings = read(numeral.glosses, number, opaque)
            if len(readings) == 1:
                found[number] = readings[0]
            else:
                why_not[number] = f"{len(readings)} readings" if readings else "no reading"
        return found, why_not, opaque

    @property
    def expressions(self) -> dict[int, Expression]:
        """What is said, as far as it can be read off the glosses."""
        return self._read[0]

    @property
    def unread(self) -> dict[int, str]:
        """The numbers that cannot be read, with the reason."""
        return self._read[1]

    @property
    def whole(self) -> bool:
        """Whether every number is read."""
        return not self.unread

    @property
    def composes(self) -> bool:
        """Whether some numeral is composed; without that there is no system of digits and multipliers."""
        return any(each.operator for each in self.expressions.values())

    @cached_property
    def system(self) -> NumeralSystem:
        """The words that occur: what multiplies or heads a sum is a multiplier, any other word a digit."""
        multipliers: set[int] = set()
        numbers: set[int] = set()
        for expression in self.expressions.values():
            for node in expression.nodes():
                if node.operator is None:
                    numbers.add(node.value)
                elif node.left and node.right:
                    head = node.right if node.operator == "*" else node.left
                    if head.operator is None:
                        multipliers.add(head.value)
        return NumeralSystem(tuple(numbers - multipliers), tuple(multipliers), HURFORD.name)

    @property
    def opaque(self) -> dict[tuple[str, ...], int]:
        """The numerals with a morpheme that CoSiNuS cannot analyse, and that are words of their own for that reason."""
        return self._read[2]

    def heard(self, number: int) -> tuple[str, ...]:
        """The forms that say something of the number, in the order in which they are said."""
        tokens = joined(self.numerals[number].glosses, self.opaque)
        words = (f"={each}?" if isinstance(each, int) else each for each in tokens)
        return tuple(each for each in words if each.startswith("=") or counts(each))

    @cached_property
    def forms(self) -> frozenset[str]:
        """Words counted narrowly: every form of what says something of the number, allomorphs too."""
        return frozenset(form for number in self.numerals for form in self.heard(number))

    @property
    def morphemes(self) -> frozenset[str]:
        """Words counted broadly: allomorphs of a morpheme are one."""
        return frozenset(map(morpheme, self.forms))


@cache
def spoken_languages() -> tuple[SpokenLanguage, ...]:
    """All languages of CoSiNuS, by name; word forms do not ship, and come with the dataset (`read_cldf`)."""
    packed = files("ishango.cosinus").joinpath("numerals.csv.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    languages: dict[str, SpokenLanguage] = {}
    numerals: dict[str, dict[int, Numeral]] = {}
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        name = row["name"]
        if name not in languages:
            numerals[name] = {}
            languages[name] = SpokenLanguage(name, row["glottocode"], row["family"], row["base"], numerals[name])
        expression = Expression.parse(row["expression"]) if row["expression"] else None
        opaque = row["opaque"] == "1"
        numerals[name][int(row["number"])] = Numeral(
            "", tuple(row["morphemes"].split()), expression, row["unread"], opaque
        )
    return tuple(languages.values())


def spoken_language(name: str, languages: Iterable[SpokenLanguage] | None = None) -> SpokenLanguage:
    """The language of that name or glottocode; case and accents do not matter."""
    candidates = tuple(spoken_languages() if languages is None else languages)
    return look_up(name, {each.name: each for each in candidates}, {each.glottocode: each for each in candidates})
