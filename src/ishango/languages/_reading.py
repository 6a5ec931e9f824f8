"""Tables of languages as CSV: digits and multipliers a line, or what is said for a number a line."""

from __future__ import annotations

import csv
import difflib
import itertools
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ishango.errors import RequestError, damage, plural
from ishango.languages._arithmetic import SaidNumbers, read_expressions
from ishango.languages._language import Language, parse_terms, parse_written
from ishango.languages._rows import (
    COLUMNS,
    GLOSS,
    NUMBERS,
    cldf_tables,
    is_dataset,
    language_of_row,
    number_of_row,
    place_of,
)
from ishango.numerals import Expression, format_set, minimal_language
from ishango.safe_files import as_path

Row = dict[str, str]

_SHORT = {"d": "digits", "m": "multipliers", "expression": "expressions", "language": "name"}
_NEEDED = ("name", "digits", "multipliers")
_SAID = ("number", "expressions")
"""The columns that make a table one of expressions."""
_READ = (*COLUMNS, "other_words", "type")
_SAID_READ = ("id", "name", *_SAID, "glottocode", "family", "macroarea", "latitude", "longitude", "source")
"""Columns that are read, of tables of words and of expressions."""
_DATE = re.compile(r"\d[-/. ]+(?!none)[^\W\d_]{3}|\b(?!none)[^\W\d_]{3,4}[-/. ]+\d|\d+([-./])\d+\1\d")
_DATED = " A spreadsheet may have made a date of 1-9: give the column the format Text, or write 1 2 3 4 5 6 7 8 9."
USUAL_RANGE = 99
MOST_TOLD = 20
"""Lines whose errors are told at once, and languages that are named in one warning."""


def read_languages(path: str | Path) -> tuple[Language, ...]:
    """Read a table of languages, in the file's order: words a line, or what is said for a number a line.

    The header names the columns. A table of words has `name`, `digits` (or `D`) and `multipliers` (or `M`), and may
    have `kind`, `rules`, `terms`, `glottocode`, `family`, `base`, `other_words`, `type` and `source`; sets are written
    `1-9,11` or `1 2 3`. A table of expressions has `name` (or `id`), `number` and `expressions`, such as
    `(1 * 10) + 2`, variants separated by a bar; its digits and multipliers are those that Hurford's grammar needs.
    Other columns are passed over with a warning; empty lines and lines that start with # are passed over. Commas,
    semicolons or tabs separate cells.

    Args:
        path: the CSV file, in UTF-8 or, with a warning, in Windows-1252; or the directory of a CLDF dataset whose forms
            have arithmetic in a column `Gloss`, as Numeralbank's have (needs the extra cldf).

    Returns:
        The languages. Rows that cannot be used are refused together, each with its line; what is legal and odd (no word
        for 1, a word that is digit and multiplier, numbers that cannot be said) is reported in warnings with its line.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     file = Path(directory, "mine.csv")
    ...     _ = file.write_text("name,D,M\\nDozenal,1-11,12\\n")
    ...     (dozenal,) = read_languages(file)
    >>> dozenal.name, str(dozenal.system)
    ('Dozenal', '1-11 | 12')
    """
    path = as_path(path)
    if is_dataset(path):
        languages, odd, wrong = *dataset_languages(path), []
    else:
        languages, odd, wrong = _table_languages(path)
    for sentence in _together(odd):
        warnings.warn(f"{path}: {sentence}.", stacklevel=2)
    _refuse(wrong, str(path))
    return languages


def _table_languages(path: Path) -> tuple[tuple[Language, ...], list[tuple[str, str]], list[str]]:
    """The languages of a table, what is odd about which, and which lines are wrong."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise RequestError(
            f"The table of languages {path} cannot be read ({damage(error)}); name a CSV file."
        ) from error
    text = _decoded(data, path)
    if _is_said(text):
        languages, odd = said_languages(text, str(path))
        return languages, [*_unread(text, _SAID_READ), *odd], []
    found, wrong = _languages_by_line(text, str(path), tested=False)
    odd = [(oddity, f"{each.name} (line {line})") for line, each in found.items() for oddity in _oddities(each)]
    return tuple(found.values()), [*_unread(text, _READ), *odd], wrong


def _unread(text: str, known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Columns that nothing reads, as what is odd about which: some are meant as notes, some are misspelt."""
    for column in _first_columns(text):
        if column and column not in known:
            near = difflib.get_close_matches(column, known, n=1, cutoff=0.7)
            yield "is not read" + (f" (did you mean {near[0]}?)" if near else ""), f"the column {column}"


def _together(odd: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What is odd, each oddity once, with the languages that have it; oddities are worded for one language."""
    names: dict[str, list[str]] = {}
    for oddity, name in odd:
        names.setdefault(oddity, []).append(name)
    for oddity, having in names.items():
        more = f" and {len(having) - MOST_TOLD} more" if len(having) > MOST_TOLD else ""
        told = oddity if len(having) == 1 else _of_several(oddity)
        yield f"{', '.join(having[:MOST_TOLD])}{more} {told}"


def _of_several(oddity: str) -> str:
    """What is odd about one language, said of several."""
    for one, many in (("says", "say"), ("has", "have"), ("is", "are")):
        oddity = re.sub(f"^{one} ", f"{many} ", oddity)
    return oddity


def _decoded(data: bytes, path: Path) -> str:
    if b"\0" in data:
        raise RequestError(
            f"The table of languages {path} cannot be read (it is no text in UTF-8; save it as CSV UTF-8)."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        warnings.warn(f"{path} is not UTF-8 and is read as Windows-1252; look at its names.", stacklevel=4)
        return data.decode("cp1252", errors="replace")


def _oddities(language: Language) -> Iterator[str]:
    """What is legal in a system of words, and is rarely meant."""
    system = language.system
    if system is None:
        return
    if 1 not in system.words:
        yield "has no word for 1"
    if both := sorted({*system.digits} & {*system.multipliers}):
        yield f"has {format_set(tuple(both))} among the digits and among the multipliers, which counts twice"
    if missing := minimal_language(system, max(USUAL_RANGE, system.words[-1])).missing:
        yield f"cannot say {format_set(tuple(missing))} with these words"
    known = language.outside or language.highest is not None
    if language.rules and not known and language.rules.reach < USUAL_RANGE:
        yield f"has rules that end at {language.rules.reach}, so what is said has no average over 1 to {USUAL_RANGE}"
    told = {*system.digits, *(number for number, _ in language.rules.exact)} if language.rules else set[int]()
    for clause in language.rules.clauses if language.rules else ():
        if told.issuperset(clause.numbers):
            yield f"has the rule {clause}, whose numbers are said by digits or rules before it, so it is never used"
        told |= {*clause.numbers}


def parse_languages(text: str, name: str, tested: bool = False) -> tuple[Language, ...]:
    """Read the text of a table; `name` is how errors call it, `tested` says that its rules are known to fit."""
    found, wrong = _languages_by_line(text, name, tested)
    _refuse(wrong, name)
    return tuple(found.values())


def _languages_by_line(text: str, name: str, tested: bool) -> tuple[dict[int, Language], list[str]]:
    """The languages by the line on which each stands, and which lines are wrong."""
    languages: dict[int, Language] = {}
    lines_of: dict[str, int] = {}
    wrong: list[str] = []
    for line, row in _rows(text, name):
        try:
            if isinstance(row, str):
                raise RequestError(row)
            language = language_of_row(row, tested)
            key = language.id or language.name.casefold()
            if key in lines_of:
                raise RequestError(f"{language.name} is already on line {lines_of[key]}.")
        except RequestError as error:
            sets = f"{row.get('digits')} ; {row.get('multipliers')}" if isinstance(row, dict) else ""
            wrong.append(f"{line}: {error}{_DATED if _DATE.search(sets) else ''}")
            continue
        lines_of[key] = line
        languages[line] = language
    if not languages and not wrong:
        raise RequestError(f"{name} holds no languages; write a header name,digits,multipliers and one line for each.")
    return languages, wrong


def _refuse(wrong: list[str], name: str) -> None:
    """All lines that cannot be used are told at once, each on a line of its own."""
    if wrong:
        more = f"\nAnd {plural(len(wrong) - MOST_TOLD, 'more line')}." if len(wrong) > MOST_TOLD else ""
        raise RequestError(f"{name}, line " + "\nLine ".join(wrong[:MOST_TOLD]) + more)


def _rows(text: str, name: str) -> Iterator[tuple[int, Row | str]]:
    """Every line that holds something as a row keyed by the header, or as what is wrong with it, with its number."""
    # Comments become empty lines, which the reader passes over and yet counts.
    lines = ("" if line.lstrip().startswith("#") else line for line in text.splitlines(keepends=True))
    reader = csv.reader(lines, strict=True, delimiter=_delimiter(text))
    header: list[str] | None = None
    while True:
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            if header is None:
                raise RequestError(f"{name}, line {reader.line_num}: this is not CSV ({error}).") from error
            yield reader.line_num, f"This is not CSV ({error})."  # the reader goes on with the next line
            continue
        if not any(cells):
            continue
        if header is None:
            header = _header(cells, name, reader.line_num)
        elif len(cells) != len(header):
            yield reader.line_num, f"{plural(len(cells), 'cell')} where the header names {len(header)}."
        else:
            yield reader.line_num, dict(zip(header, cells, strict=True))


def _first_line(text: str) -> str:
    """The first line that is no comment: the header."""
    return next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")


def _delimiter(text: str) -> str:
    return max(",;\t", key=_first_line(text).count)


def _first_columns(text: str) -> list[str]:
    return _columns(next(csv.reader([_first_line(text)], delimiter=_delimiter(text)), list[str]()))


def _header(cells: list[str], name: str, line: int) -> list[str]:
    columns = _columns(cells)
    needed = _NEEDED
    if {*_SAID} <= {*columns}:
        needed = ("id" if "id" in columns else "name", *_SAID)
    missing = [column for column in needed if column not in columns]
    if missing:
        raise RequestError(
            f"{name}, line {line}: the header lacks {', '.join(missing)};"
            f" {', '.join(needed[:-1])} and {needed[-1]} are needed."
        )
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if twice:
        raise RequestError(f"{name}, line {line}: the header names the column {twice} twice.")
    return columns


def _columns(cells: Iterable[str]) -> list[str]:
    return [_SHORT.get(cell.strip().casefold(), cell.strip().casefold()) for cell in cells]


# Tables of expressions: a line a number.


@dataclass
class _Variety:
    """What the lines of a language say."""

    facts: Mapping[str, str]
    line: int
    given: dict[int, list[Expression]] = field(default_factory=dict[int, list[Expression]])


def _is_said(text: str) -> bool:
    return {*_SAID} <= {*_first_columns(text)}


def said_languages(
    text: str, name: str, about: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[tuple[Language, ...], list[tuple[str, str]]]:
    """The languages of a table of expressions, and what is odd about which of them.

    `about` has what is known of a language beside its numbers (name, family, place), by `id`.
    """
    varieties: dict[str, _Variety] = {}
    wrong: list[str] = []
    for line, row in _rows(text, name):
        try:
            if isinstance(row, str):
                raise RequestError(row)
            _add_line(varieties, row, line, about or {})
        except RequestError as error:
            wrong.append(f"{line}: {error}")
    _refuse(wrong, name)
    if not varieties:
        raise RequestError(f"{name} holds no languages; write a header name,number,expressions and one line a number.")
    return _used(varieties, name, " (line {})")


def _used(
    varieties: Mapping[str, _Variety], name: str, where: str = ""
) -> tuple[tuple[Language, ...], list[tuple[str, str]]]:
    """The languages that can be used, and what is odd about which; `where` tells on which line each begins."""
    languages: list[Language] = []
    odd: list[tuple[str, str]] = []
    for key, variety in varieties.items():
        language = language_of(variety.given, variety.facts)
        if isinstance(language, str):
            odd.append((language, (variety.facts.get("name") or key) + where.format(variety.line)))
            continue
        languages.append(language)
        odd += [(oddity, language.name + where.format(variety.line)) for oddity in _doubts(language)]
    if not languages:
        raise RequestError(f"{name} holds no language that can be used: {'; '.join(_together(odd))}.")
    return tuple(languages), odd


def _add_line(varieties: dict[str, _Variety], row: Row, line: int, about: Mapping[str, Mapping[str, str]]) -> None:
    key = row.get("id") or row.get("name", "")
    if not key:
        raise RequestError("A language needs a name.")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", row["number"]):
        raise RequestError(f"{row['number']!r} is not a positive whole number.")
    number = int(row["number"])
    written = row["expressions"].split("|")
    forms = [expression_of(form) for form in written]
    for form, text in zip(forms, written, strict=True):
        if form.value != number:
            raise RequestError(f"{text.strip()} is {form.value}, not {number}.")
    variety = varieties.setdefault(key, _Variety(about.get(key) or row, line))
    if number in variety.given:
        raise RequestError(f"{key} has {number} already; write variants in one line, separated by a bar.")
    variety.given[number] = forms


def dataset_languages(directory: Path) -> tuple[tuple[Language, ...], list[tuple[str, str]]]:
    """The languages of a CLDF dataset that glosses its forms as arithmetic, as Numeralbank does, and what is odd.

    What is no arithmetic, or gives another number, is passed over and counted among what is odd.
    """
    tables = cldf_tables(directory)
    about = {str(row["ID"]): _facts(row) for _, row in tables["LanguageTable"]}
    number_of = {str(row["ID"]): row for _, row in tables["ParameterTable"]}
    if not any(row.get(GLOSS) for _, row in tables["FormTable"]):
        raise RequestError(f"The forms of {directory} have no column {GLOSS} with arithmetic such as (1·10)+2.")
    varieties: dict[str, _Variety] = {}
    wrong: list[str] = []
    odd: list[tuple[str, str]] = []
    for line, row in tables["FormTable"]:
        key, parameter = str(row["Language_ID"]), str(row["Parameter_ID"])
        if missing := [each for each, known in ((key, about), (parameter, number_of)) if each not in known]:
            wrong.append(f"{line}: {missing[0]!r} is in no table of languages or parameters.")
        elif row.get(GLOSS) not in (None, "", "?"):
            try:
                own = {**number_of[parameter], **{name: row[name] for name in NUMBERS if row.get(name)}}
                if str(own.get(NUMBERS[0])) == "0":
                    continue  # Numeralbank has words for zero, too
                number = number_of_row(own)
            except RequestError as error:
                wrong.append(f"{line}: {error}")
                continue
            forms = varieties.setdefault(key, _Variety(about[key], line)).given.setdefault(number, [])
            try:
                expression = expression_of(str(row[GLOSS]))
            except RequestError:
                odd.append(("has glosses that are no arithmetic, which are passed over", about[key]["name"]))
                continue
            if expression.value != number:
                odd.append(("has glosses that give another number, which are passed over", about[key]["name"]))
            elif expression not in forms:
                forms.append(expression)
    _refuse(wrong, f"forms of {directory}")
    for each in varieties.values():
        each.given = {number: forms for number, forms in each.given.items() if forms}
    languages, more = _used(varieties, str(directory))
    return languages, [*dict.fromkeys(odd), *more]


def _facts(row: Mapping[str, Any]) -> dict[str, str]:
    """What a dataset has of a language beside its numbers, by the names of our columns."""
    names = {"id": "ID", "name": "Name", "glottocode": "Glottocode", "family": "Family", "macroarea": "Macroarea",
             "latitude": "Latitude", "longitude": "Longitude", "source": "Dataset"}  # fmt: skip
    found = {name: "" if row.get(column) is None else str(row[column]) for name, column in names.items()}
    return found | {"name": found["name"] or found["id"]}


_MARKS = re.compile(r"\{[^}]*\}|['\"’”′″‴⁗\[\]]|\+ *0(?![0-9])")
_SIGNS = str.maketrans({"·": "*", "⋅": "*", "∙": "*", "×": "*", "−": "-", "–": "-"})


@cache
def expression_of(written: str) -> Expression:
    """An expression as arithmetic, also as Numeralbank glosses it: `({PLU}10⋅2′)[+]1`.

    What stands in braces says nothing of the number, what stands in square brackets is meant and not said, primes tell
    allomorphs apart, and what adds 0 adds nothing. Of a difference the smaller part may be said first, `1−10`.

    >>> str(expression_of("({PLU}10⋅2′)[+]1")), str(expression_of("10+(1−10)"))
    ('10 * 2 + 1', '10 + 10 - 1')
    """
    plain = _MARKS.sub("", written).translate(_SIGNS)
    return _forward(parse_written(plain))


def _forward(expression: Expression) -> Expression:
    """The same with the larger part of each difference first."""
    if expression.left is None or expression.right is None:
        return expression
    left, right = _forward(expression.left), _forward(expression.right)
    if expression.operator == "-":
        return right - left if left.value < right.value else left - right
    return left * right if expression.operator == "*" else left + right


def language_of(given: Mapping[int, list[Expression]], facts: Mapping[str, str]) -> Language | str:
    """The language that says this, or in words why it cannot be used."""
    if 1 not in given:
        return "left out: nothing is given for 1"
    top = max(given)
    if any(number not in given for number in range(1, min(top, 20) + 1)):
        return "left out: numbers up to 20 are missing"
    if top >= 30 and any(number not in given for number in range(30, min(top, 99) + 1, 10)):
        return "left out: tens are missing"
    found = read_expressions(given)
    return _as_language(found, given, facts)


def _as_language(found: SaidNumbers, given: Mapping[int, list[Expression]], facts: Mapping[str, str]) -> Language:
    counted = next(number for number in itertools.count(1) if number not in given)
    words = tuple(parse_terms("|".join([*map(str, range(1, counted)), f"{counted}-"])))
    return Language(
        name=facts.get("name") or facts.get("id", ""),
        system=found.system,
        rules=found.rules,
        kind="recursive" if found.system else "exact restricted",
        terms=() if found.system else words,
        glottocode=facts.get("glottocode", ""),
        family=facts.get("family", ""),
        base=found.base if found.system else "restricted",
        source=facts.get("source", ""),
        id=facts.get("id", ""),
        macroarea=facts.get("macroarea", ""),
        place=place_of(facts),
        highest=found.highest,
        outside=tuple(sorted(found.outside.items())),
        doubtful=found.doubtful,
        alternates=tuple(_alternates(found, given)),
    )


def _alternates(found: SaidNumbers, given: Mapping[int, list[Expression]]) -> Iterator[tuple[int, Expression]]:
    """Variants that use other words than what is said, or use them otherwise."""
    for number, forms in sorted(given.items()):
        said = found.said.get(number)
        shown = {_leaves(said)} if said else set[tuple[int, ...]]()
        for form in forms if number <= USUAL_RANGE else ():
            if said and _leaves(form) not in shown:
                shown.add(_leaves(form))
                yield number, form


def _leaves(expression: Expression) -> tuple[int, ...]:
    return tuple(sorted(node.value for node in expression.nodes() if node.operator is None))


def _doubts(language: Language) -> Iterator[str]:
    if language.doubtful:
        yield "can be read with other multipliers"
    for reason in dict.fromkeys(reason for _, reason in language.outside):
        yield f"says numbers that the grammar does not have: it {reason}"
