"""What spoken languages cost, also those of a CLDF dataset of one's own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, cast

from ishango.cosinus._spoken import UPTO, Numeral, SpokenLanguage, morpheme, spoken_languages
from ishango.costs import Said, all_costs, automaton_of
from ishango.errors import RequestError, plural
from ishango.frontiers import frontier_value, problem_of
from ishango.languages import Language, cldf_tables, load_languages, number_of_row
from ishango.numerals import HURFORD, Expression, Need, NumeralSystem, average_complexity, format_set

Row = Mapping[str, Any]
GLOSSES, EXPRESSION = "Morphemes", "Expression"
"""Columns of forms: glosses as in CoSiNuS, or an expression in Ishango's own notation, of which one must be there."""
MOST_TOLD = 20
"""Lines whose errors are told at once."""


def read_cldf(directory: str | Path) -> tuple[SpokenLanguage, ...]:
    """The languages of a CLDF dataset whose parameters are numbers; numbers above 99 are passed over.

    A form has glosses in a column `Morphemes`, or an expression such as `4 * 20 + 10` in a column `Expression`. The
    first form of a number counts. Rows that cannot be used are refused together, with their files and lines.
    """
    tables = cldf_tables(Path(directory))
    number_of: dict[str, int] = {}
    languages = {str(row["ID"]): row for _, row in tables["LanguageTable"]}
    numerals: dict[str, dict[int, Numeral]] = {}
    wrong: list[str] = []
    for line, row in tables["ParameterTable"]:
        try:
            number_of[str(row["ID"])] = number_of_row(row)
        except RequestError as error:
            wrong.append(f"parameters, line {line}: {error}")
    known = {str(row["ID"]) for _, row in tables["ParameterTable"]}
    for line, row in tables["FormTable"]:
        language, parameter = str(row["Language_ID"]), str(row["Parameter_ID"])
        if missing := [each for each, there in ((language, languages), (parameter, known)) if each not in there]:
            wrong.append(f"forms, line {line}: {missing[0]!r} is in no table of languages or parameters.")
        elif (number := number_of.get(parameter, UPTO + 1)) <= UPTO and number not in numerals.setdefault(language, {}):
            try:
                numerals[language][number] = _numeral(row, number)
            except RequestError as error:
                wrong.append(f"forms, line {line}: {error}")
    if wrong:
        more = f" And {plural(len(wrong) - MOST_TOLD, 'more line')}." if len(wrong) > MOST_TOLD else ""
        raise RequestError(" ".join(wrong[:MOST_TOLD]) + more)
    if not numerals:
        raise RequestError(f"The dataset {directory} has no forms of the numbers 1 to {UPTO}.")
    return tuple(_language(languages[key], numerals[key]) for key in sorted(numerals))


def _numeral(row: Row, number: int) -> Numeral:
    form = str(row.get("Form") or "")
    if row.get(EXPRESSION):
        expression = Expression.parse(str(row[EXPRESSION]))
        if expression.value != number:
            raise RequestError(f"{row[EXPRESSION]} is {expression.value}, not {number}.")
        return Numeral(form, tuple(f"={word}" for word in expression.tokens()[::2]), expression)
    glosses = row.get(GLOSSES)
    if not glosses:
        raise RequestError(f"no glosses in {GLOSSES} and nothing in {EXPRESSION}; give one of them.")
    # A column with a separator is a list already.
    words = cast(list[object], glosses) if isinstance(glosses, list) else str(glosses).split()
    return Numeral(form, tuple(map(str, words)))


def _language(row: Row, numerals: dict[int, Numeral]) -> SpokenLanguage:
    name, code, family = (str(row.get(column) or "") for column in ("Name", "Glottocode", "Family"))
    return SpokenLanguage(name or str(row["ID"]), code, family, "", dict(sorted(numerals.items())))


# What spoken languages cost: words counted broadly and narrowly, length as said and as short as can be.

NO_FAMILY = "not given"


@dataclass(frozen=True)
class SpokenCosts:
    """A language that is read completely, and what it costs under Hurford's grammar over 1..99."""

    language: SpokenLanguage
    size: int
    """|D| + |M| of the words as they are read."""
    broad: int
    """Words counted broadly: morphemes that say something of the number."""
    narrow: int
    """Words counted narrowly: their forms."""
    said: float
    """Average complexity of what is said."""
    shortest: float | None
    """Average complexity of the shortest expressions of the same words, as far as these lie in the range."""
    morphemes_said: float
    """Average number of morphemes in a numeral, all of them counted."""
    gap_said: float | None
    """What is said above the proved frontier at `size` words."""
    gap_shortest: float | None
    """The shortest expressions above it."""
    gap_broad: float | None
    """The same where the frontier is allowed as many words as there are morphemes."""
    gap_narrow: float | None
    """The same where it is allowed as many words as there are forms."""
    irregularity_broad: float
    """Bits of the automaton of morphemes, in the order in which they are said."""
    irregularity_narrow: float
    """Bits of the automaton of all that is glossed, allomorphs, genders and cases included."""
    costs: dict[str, float | None]
    """All costs of the expressions, as for any other language."""

    @property
    def family(self) -> str:
        """The family, or that it is not given."""
        return self.language.family or NO_FAMILY


def spoken_costs(language: SpokenLanguage, need: Need | str = "power:2") -> SpokenCosts | None:
    """Measure a language; None where some number cannot be read, or nothing is composed."""
    if not language.whole or not language.composes:
        return None
    found = Need.parse(need)
    system, weights = language.system, found.weights(UPTO).tolist()
    costs = all_costs(Said(system, language.expressions, found, UPTO))
    said = costs["length"]
    assert said is not None
    shortest = average_complexity(_inside(system), found, UPTO)
    broad, narrow = len(language.morphemes), len(language.forms)
    numbers = range(1, UPTO + 1)
    forms = [language.heard(n) for n in numbers]
    return SpokenCosts(
        language=language,
        size=system.size,
        broad=broad,
        narrow=narrow,
        said=said,
        shortest=shortest,
        morphemes_said=math.fsum(w * len(language.numerals[n].glosses) for n, w in zip(numbers, weights, strict=True)),
        gap_said=_above(said, system.size, found),
        gap_shortest=None if shortest is None else _above(shortest, system.size, found),
        gap_broad=_above(said, broad, found),
        gap_narrow=_above(said, narrow, found),
        irregularity_broad=automaton_of([tuple(map(morpheme, form)) for form in forms]).bits,
        irregularity_narrow=automaton_of([language.numerals[n].glosses for n in numbers]).bits,
        costs=costs,
    )


def _inside(system: NumeralSystem) -> NumeralSystem:
    """The system without words above the range, such as a hundred from which 99 is counted down."""
    digits, multipliers = (tuple(w for w in words if w <= UPTO) for words in (system.digits, system.multipliers))
    return NumeralSystem(digits, multipliers, system.grammar)


def _above(said: float, words: int, need: Need) -> float | None:
    least = frontier_value(words, problem_of(HURFORD.name, need, UPTO))
    return None if least is None else said - least


@dataclass(frozen=True)
class FamilyCosts:
    """The averages of a family's languages."""

    family: str
    languages: int
    size: float
    broad: float
    narrow: float
    said: float
    gap_said: float | None
    """Of the languages of which it is known; None where it is known of none. So with all that follow."""
    gap_broad: float | None
    gap_narrow: float | None
    irregularity: float | None
    processing: float | None


def by_family(measured: Iterable[SpokenCosts]) -> list[FamilyCosts]:
    """Averages by family, the largest family first."""
    families: dict[str, list[SpokenCosts]] = {}
    for each in measured:
        families.setdefault(each.family, []).append(each)
    found = [_average(family, members) for family, members in families.items()]
    return sorted(found, key=lambda each: (-each.languages, each.family))


def _average(family: str, members: list[SpokenCosts]) -> FamilyCosts:
    return FamilyCosts(
        family=family,
        languages=len(members),
        size=fmean(each.size for each in members),
        broad=fmean(each.broad for each in members),
        narrow=fmean(each.narrow for each in members),
        said=fmean(each.said for each in members),
        gap_said=_known_mean(each.gap_said for each in members),
        gap_broad=_known_mean(each.gap_broad for each in members),
        gap_narrow=_known_mean(each.gap_narrow for each in members),
        irregularity=_known_mean(each.costs["irregularity"] for each in members),
        processing=_known_mean(each.costs["processing"] for each in members),
    )


def _known_mean(values: Iterable[float | None]) -> float | None:
    """The average of what is known, if anything is."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


# Where CoSiNuS and the table of human languages do not say a number in the same way.


@dataclass(frozen=True)
class Comparison:
    """A language that both have."""

    language: SpokenLanguage
    ours: Language
    shared: int
    """Numbers for which both have an expression."""
    differing: dict[int, tuple[Expression, Expression]]
    """The numbers for which they differ: what is read off CoSiNuS, and what the table has."""

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        if not self.shared:
            return "the table does not tell how it says its numbers"
        if not self.differing:
            return f"the same for {self.shared} numbers"
        numbers = tuple(self.differing)
        spoken, ours = self.differing[numbers[0]]
        return f"{format_set(numbers)} of {self.shared} numbers, such as {numbers[0]}: {spoken}; in the table {ours}"


def compare(languages: Iterable[SpokenLanguage] | None = None) -> list[Comparison]:
    """Every language that both have, by glottocode or else by name; the table's words under Hurford's grammar."""
    own = [each for each in load_languages() if each.system]
    by_code, by_name = {each.glottocode: each for each in own}, {each.name: each for each in own}
    found: list[Comparison] = []
    for language in spoken_languages() if languages is None else languages:
        ours = by_code.get(language.glottocode) or by_name.get(language.name)
        if ours:
            found.append(_compare(language, ours))
    return found


def _compare(language: SpokenLanguage, ours: Language) -> Comparison:
    reach = min(UPTO, ours.rules.reach) if ours.rules else 0
    said = (ours.expressions(HURFORD.name, reach) if reach else None) or {}
    shared = [n for n in language.expressions if n in said]
    differing = {n: (language.expressions[n], said[n]) for n in shared if language.expressions[n] != said[n]}
    return Comparison(language, ours, len(shared), differing)
