"""Tables of languages as CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from ishango.errors import RequestError
from ishango.languages.clauses import Clauses
from ishango.languages.language import Kind, Language
from ishango.languages.terms import parse_terms
from ishango.numerals import HURFORD, MODIFIED, NumeralSystem, parse_set

Row = dict[str, str]

_SHORT = {"d": "digits", "m": "multipliers"}
_NEEDED = ("name", "digits", "multipliers")


def read_languages(path: str | Path) -> tuple[Language, ...]:
    """Read a CSV table of languages, one a line, in the file's order.

    The header names the columns: `name`, `digits` (or `D`) and `multipliers` (or `M`) must be there; `kind`,
    `rules`, `terms`, `glottocode`, `family`, `base`, `other_words`, `type` and `source` may be; others are passed
    over. Sets are written `1-9,11` or `1 2 3`. Lines that start with # and empty lines are passed over.

    Args:
        path: the CSV file.

    Returns:
        The languages; a row that cannot be used is refused with its file and line.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     file = Path(directory, "mine.csv")
    ...     _ = file.write_text("name,D,M\\nDozenal,1-11,12\\n")
    ...     (dozenal,) = read_languages(file)
    >>> dozenal.name, str(dozenal.system)
    ('Dozenal', '1-11 | 12')
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise RequestError(f"The table of languages {path} cannot be read ({error}).") from error
    return parse_languages(text, str(path))


def parse_languages(text: str, name: str) -> tuple[Language, ...]:
    """Read the text of a table; `name` is how errors call it."""
    languages: list[Language] = []
    lines_of: dict[str, int] = {}
    for line, row in _rows(text, name):
        try:
            language = _language(row)
        except RequestError as error:
            raise RequestError(f"{name}, line {line}: {error}") from error
        key = language.name.casefold()
        if key in lines_of:
            raise RequestError(f"{name}, line {line}: {language.name} is already on line {lines_of[key]}.")
        lines_of[key] = line
        languages.append(language)
    if not languages:
        raise RequestError(f"{name} holds no languages; write a header name,digits,multipliers and one line for each.")
    return tuple(languages)


def _rows(text: str, name: str) -> Iterator[tuple[int, Row]]:
    """Every line that holds something as a row keyed by the header, with its number."""
    # Comments become empty lines, which the reader passes over and yet counts.
    lines = ("" if line.lstrip().startswith("#") else line for line in text.splitlines(keepends=True))
    reader = csv.reader(lines, strict=True)
    header: list[str] | None = None
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells]
            if not any(cells):
                continue
            if header is None:
                header = _header(cells, name, reader.line_num)
            elif len(cells) != len(header):
                raise RequestError(
                    f"{name}, line {reader.line_num}: {len(cells)} cells where the header names {len(header)}."
                )
            else:
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise RequestError(f"{name}, line {reader.line_num}: this is not CSV ({error}).") from error


def _header(cells: list[str], name: str, line: int) -> list[str]:
    columns = [_SHORT.get(cell.casefold(), cell.casefold()) for cell in cells]
    missing = [column for column in _NEEDED if column not in columns]
    if missing:
        raise RequestError(
            f"{name}, line {line}: the header lacks {', '.join(missing)}; name, digits and multipliers are needed."
        )
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if twice:
        raise RequestError(f"{name}, line {line}: the header names the column {twice} twice.")
    return columns


def _language(row: Row) -> Language:
    kind = cast(Kind, row.get("kind", "") or "recursive")  # Language refuses what is no kind
    terms = row.get("terms", "")
    rules = row.get("rules", "")
    return Language(
        name=row["name"],
        system=_system(row) if kind == "recursive" or row["digits"] or row["multipliers"] else None,
        rules=Clauses.parse(rules) if rules else None,
        kind=kind,
        terms=parse_terms(terms) if terms else (),
        glottocode=row.get("glottocode", ""),
        family=row.get("family", ""),
        base=row.get("base", ""),
        other_words=tuple(word.strip() for word in row.get("other_words", "").split(";") if word.strip()),
        type=row.get("type", ""),
        source=row.get("source", ""),
    )


def _system(row: Row) -> NumeralSystem:
    digits, multipliers = (_set(row[column]) for column in ("digits", "multipliers"))
    return NumeralSystem(digits, multipliers, MODIFIED.name if digits else HURFORD.name)


def _set(text: str) -> tuple[int, ...]:
    """A set in the project's notation, or with spaces instead of commas."""
    return parse_set(text if "," in text else ",".join(text.split()))
