"""Numerals of one's own from a CLDF dataset, through the library `pycldf`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ishango.cosinus.spoken import UPTO, Numeral, SpokenLanguage
from ishango.errors import RequestError
from ishango.extras import needs
from ishango.numerals import Expression

Row = Mapping[str, Any]
Lined = tuple[int, Row]

NUMBERS = ("NumberValue", "Number")
"""Columns of parameters that may hold the number; the first that is there counts."""
GLOSSES, EXPRESSION = "Morphemes", "Expression"
"""Columns of forms: glosses as in CoSiNuS, or an expression in Ishango's own notation, of which one must be there."""


def read_cldf(directory: str | Path) -> tuple[SpokenLanguage, ...]:
    """The languages of a CLDF dataset whose parameters are numbers; numbers above 99 are passed over.

    A form has glosses in a column `Morphemes`, or an expression such as `4 * 20 + 10` in a column `Expression`. The
    first form of a number counts. A row that cannot be used is refused with its file and line.
    """
    dataset = _dataset(Path(directory))
    number_of = {str(row["ID"]): _number(row, line) for line, row in _rows(dataset, "ParameterTable")}
    languages = {str(row["ID"]): row for _, row in _rows(dataset, "LanguageTable")}
    numerals: dict[str, dict[int, Numeral]] = {}
    for line, row in _rows(dataset, "FormTable"):
        language, parameter = str(row["Language_ID"]), str(row["Parameter_ID"])
        if language not in languages or parameter not in number_of:
            missing = language if language not in languages else parameter
            raise RequestError(f"forms, line {line}: {missing!r} is in no table of languages or parameters.")
        number = number_of[parameter]
        if number <= UPTO and number not in numerals.setdefault(language, {}):
            numerals[language][number] = _numeral(row, number, line)
    if not numerals:
        raise RequestError(f"The dataset {directory} has no forms of the numbers 1 to {UPTO}.")
    return tuple(_language(languages[key], numerals[key]) for key in sorted(numerals))


def _dataset(directory: Path) -> Any:
    needs("cldf", "CLDF datasets")
    pycldf: Any = import_module("pycldf")
    found = sorted(directory.glob("*-metadata.json"))
    if len(found) != 1:
        raise RequestError(f"{directory} has {len(found)} files *-metadata.json; a CLDF dataset has one.")
    try:
        dataset: Any = pycldf.Dataset.from_metadata(found[0])
        for component in ("FormTable", "LanguageTable", "ParameterTable"):
            if component not in dataset:
                raise RequestError(f"The dataset {found[0]} has no {component}.")
    except (OSError, ValueError, KeyError) as error:
        if isinstance(error, RequestError):
            raise
        raise RequestError(f"The dataset {found[0]} cannot be read ({error}).") from error
    return dataset


def _rows(dataset: Any, component: str) -> Iterator[Lined]:
    """The rows of a table with their lines, so that what is wrong can be found."""
    try:
        for _, line, row in dataset[component].iterdicts(with_metadata=True):
            yield int(line), row
    except (OSError, ValueError) as error:
        if isinstance(error, RequestError):
            raise
        raise RequestError(f"The {component} of the dataset cannot be read ({error}).") from error


def _number(row: Row, line: int) -> int:
    for column in NUMBERS:
        if row.get(column) not in (None, ""):
            text = str(row[column])
            if not text.isdecimal() or int(text) < 1:
                raise RequestError(f"parameters, line {line}: {text!r} is not a positive whole number.")
            return int(text)
    raise RequestError(f"parameters, line {line}: no number; give it in a column {' or '.join(NUMBERS)}.")


def _numeral(row: Row, number: int, line: int) -> Numeral:
    form = str(row.get("Form") or "")
    if row.get(EXPRESSION):
        try:
            expression = Expression.parse(str(row[EXPRESSION]))
        except RequestError as error:
            raise RequestError(f"forms, line {line}: {error}") from error
        if expression.value != number:
            raise RequestError(f"forms, line {line}: {row[EXPRESSION]} is {expression.value}, not {number}.")
        return Numeral(form, tuple(f"={word}" for word in expression.tokens()[::2]), expression)
    glosses = row.get(GLOSSES)
    if not glosses:
        raise RequestError(
            f"forms, line {line}: no glosses in {GLOSSES} and nothing in {EXPRESSION}; give one of them."
        )
    # A column with a separator is a list already.
    words = cast(list[object], glosses) if isinstance(glosses, list) else str(glosses).split()
    return Numeral(form, tuple(map(str, words)))


def _language(row: Row, numerals: dict[int, Numeral]) -> SpokenLanguage:
    name, code, family = (str(row.get(column) or "") for column in ("Name", "Glottocode", "Family"))
    return SpokenLanguage(name or str(row["ID"]), code, family, "", dict(sorted(numerals.items())))
