"""Languages of CoSiNuS as people speak them: forms, glosses, and the expressions that are read off them."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from ishango.cosinus.glosses import UNKNOWN, counts, joined, morpheme, read
from ishango.languages import look_up
from ishango.numerals import HURFORD, Expression, NumeralSystem

UPTO = 99
"""CoSiNuS has the numbers from 1 to this one."""

SOURCE = "Rubehn et al. (2025), CoSiNuS, doi 10.18653/v1/2025.sigtyp-1.4, CC-BY-4.0"


@dataclass(frozen=True)
class Numeral:
    """How a number is said."""

    form: str
    glosses: tuple[str, ...]
    """A gloss for each morpheme; `=20` is the word for 20, where words are known and not their morphemes."""
    expression: Expression | None = None
    """What it says, where that is known and need not be read."""


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
        return tuple(f"={each}" if isinstance(each, int) else each for each in tokens if is_word(each))

    @cached_property
    def forms(self) -> frozenset[str]:
        """Words counted narrowly: every form of what says something of the number, allomorphs too."""
        return frozenset(form for number in self.numerals for form in self.heard(number))

    @property
    def morphemes(self) -> frozenset[str]:
        """Words counted broadly: allomorphs of a morpheme are one."""
        return frozenset(form if form.startswith("=") else morpheme(form) for form in self.forms)


def is_word(token: str | int) -> bool:
    """Whether a morpheme says something of the number; a word for a number does."""
    return isinstance(token, int) or token.startswith("=") or counts(token)


@cache
def spoken_languages() -> tuple[SpokenLanguage, ...]:
    """All languages of CoSiNuS, by name."""
    packed = files("ishango.cosinus").joinpath("table.csv.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    names = sorted({row["language"] for row in rows}, key=str.casefold)
    return tuple(_language([row for row in rows if row["language"] == name]) for name in names)


def spoken_language(name: str, languages: Iterable[SpokenLanguage] | None = None) -> SpokenLanguage:
    """The language of that name or glottocode; case and accents do not matter."""
    candidates = tuple(spoken_languages() if languages is None else languages)
    return look_up(name, {each.name: each for each in candidates}, {each.glottocode: each for each in candidates})


def _language(rows: list[dict[str, str]]) -> SpokenLanguage:
    numerals: dict[int, Numeral] = {}
    for row in rows:
        if row["form_id"].endswith("-1"):
            numerals[int(row["number"])] = Numeral(row["form"], tuple(row["morphemes"].split()))
    first = rows[0]
    return SpokenLanguage(
        first["language"], first["glottocode"], first["family"], first["base"], dict(sorted(numerals.items()))
    )
