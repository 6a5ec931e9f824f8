"""The table of human languages, tables of one's own, and finding a language."""

from __future__ import annotations

import csv
import difflib
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar, cast

import pandas as pd

from ishango.errors import RequestError
from ishango.languages._language import Clauses, Kind, Language, parse_terms
from ishango.numerals import HURFORD, MODIFIED, NumeralSystem, format_set, minimal_language, parse_set

Row = dict[str, str]

_SHORT = {"d": "digits", "m": "multipliers"}
_NEEDED = ("name", "digits", "multipliers")
USUAL_RANGE = 99
MOST_TOLD = 20
"""Lines whose errors are told at once."""


def read_languages(path: str | Path) -> tuple[Language, ...]:
    """Read a CSV table of languages, one a line, in the file's order.

    The header names the columns: `name`, `digits` (or `D`) and `multipliers` (or `M`) must be there; `kind`,
    `rules`, `terms`, `glottocode`, `family`, `base`, `other_words`, `type` and `source` may be; others are passed
    over. Sets are written `1-9,11` or `1 2 3`. Lines that start with # and empty lines are passed over. Commas,
    semicolons or tabs separate cells, as spreadsheets of different countries write them.

    Args:
        path: the CSV file, in UTF-8 or, with a warning, in Windows-1252.

    Returns:
        The languages. Rows that cannot be used are refused together, each with its line; what is legal and odd (no word
        for 1, a word that is digit and multiplier, numbers that cannot be said) is told in warnings.

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
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise RequestError(f"The table of languages {path} cannot be read ({error}).") from error
    languages = parse_languages(_decoded(data, path), str(path))
    for language in languages:
        for oddity in _oddities(language):
            warnings.warn(f"{path}: {language.name} {oddity}.", stacklevel=2)
    return languages


def _decoded(data: bytes, path: Path) -> str:
    if b"\0" in data:
        raise RequestError(
            f"The table of languages {path} cannot be read (it is no text in UTF-8; save it as CSV UTF-8)."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        warnings.warn(f"{path} is not UTF-8 and is read as Windows-1252; look at its names.", stacklevel=3)
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


def parse_languages(text: str, name: str) -> tuple[Language, ...]:
    """Read the text of a table; `name` is how errors call it."""
    languages: list[Language] = []
    lines_of: dict[str, int] = {}
    wrong: list[str] = []
    for line, row in _rows(text, name):
        try:
            if isinstance(row, str):
                raise RequestError(row)
            language = _language(row)
            key = language.name.casefold()
            if key in lines_of:
                raise RequestError(f"{language.name} is already on line {lines_of[key]}.")
        except RequestError as error:
            wrong.append(f"{line}: {error}")
            continue
        lines_of[key] = line
        languages.append(language)
    if wrong:
        more = f" And {len(wrong) - MOST_TOLD} more lines." if len(wrong) > MOST_TOLD else ""
        raise RequestError(f"{name}, line {' Line '.join(wrong[:MOST_TOLD])}{more}")
    if not languages:
        raise RequestError(f"{name} holds no languages; write a header name,digits,multipliers and one line for each.")
    return tuple(languages)


def _rows(text: str, name: str) -> Iterator[tuple[int, Row | str]]:
    """Every line that holds something as a row keyed by the header, or as what is wrong with it, with its number."""
    # Comments become empty lines, which the reader passes over and yet counts.
    lines = ("" if line.lstrip().startswith("#") else line for line in text.splitlines(keepends=True))
    reader = csv.reader(lines, strict=True, delimiter=_delimiter(text))
    header: list[str] | None = None
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells]
            if not any(cells):
                continue
            if header is None:
                header = _header(cells, name, reader.line_num)
            elif len(cells) != len(header):
                yield reader.line_num, f"{len(cells)} cells where the header names {len(header)}."
            else:
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise RequestError(f"{name}, line {reader.line_num}: this is not CSV ({error}).") from error


def _delimiter(text: str) -> str:
    """What separates the cells of the first line that is no comment."""
    header = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    return max(",;\t", key=header.count)


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


# The table of human languages that ships with the package.

Found = TypeVar("Found")


@cache
def load_languages() -> tuple[Language, ...]:
    """The languages of the table that ships with the package, by name.

    Returns:
        All of them; they are read once.

    >>> languages = load_languages()
    >>> [each.name for each in languages if each.base == "vigesimal"]
    ['Ainu', 'Yoruba', 'Yucatec']
    """
    text = files("ishango.languages").joinpath("table.csv").read_text(encoding="utf-8")
    return parse_languages(text, "the table of languages")


def load_languages_beside(own: Iterable[Language]) -> tuple[Language, ...]:
    """Languages of one's own and, behind them, the shipped ones; of a language that both have, one's own is taken."""
    mine = tuple(own)
    taken = {_plain(each.name) for each in mine}
    return (*mine, *(each for each in load_languages() if _plain(each.name) not in taken))


def find_language(name: str, languages: Iterable[Language] | None = None) -> Language:
    """The language of that name or glottocode, in the shipped table or among the languages given.

    Args:
        name: a name or a glottocode; case and accents do not matter.
        languages: where to look instead, such as what `read_languages` gives.

    >>> find_language("piraha").name
    'Pirahã'
    """
    candidates = tuple(load_languages() if languages is None else languages)
    return look_up(name, {each.name: each for each in candidates}, {each.glottocode: each for each in candidates})


def look_up(name: str, by_name: Mapping[str, Found], by_code: Mapping[str, Found]) -> Found:
    """What has that name or else that code; case and accents do not matter. A name that is not there gets advice."""
    plain = _plain(name)
    found = {_plain(code): each for code, each in by_code.items()}
    found |= {_plain(other): each for other, each in by_name.items()}
    if plain and plain in found:
        return found[plain]
    raise RequestError(f"There is no language {name!r} in the table; {_advice(plain, by_name)}")


def _advice(plain: str, candidates: Iterable[str]) -> str:
    names = {_plain(name): name for name in candidates}
    part_of = [each for each in names if each.startswith(plain) or (len(plain) > 2 and plain in each)]
    close = [names[each] for each in dict.fromkeys(part_of + difflib.get_close_matches(plain, names))]
    return f"did you mean {' or '.join(close[:4])}?" if close else f"it has {len(names)} others."


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


# How like a human lexicon a system is: the languages nearest to it, and what human systems have in common.


@dataclass(frozen=True)
class Likeness:
    """Traits of a system by which it can be compared with human ones."""

    size: int
    """Its words, |D| + |M|, whatever a multiplier costs under its grammar."""
    multipliers: int
    single: bool
    """Whether it has one multiplier."""
    based: bool
    """Whether some multiplier is one more than the digits below it, which are all there: counting up to a base."""
    distance: int
    """Words to add or to take away to have the nearest human lexicon; a change of role counts twice."""
    nearest: str
    """The language that has it."""


def nearest_languages(digits: Iterable[int], multipliers: Iterable[int], count: int = 1) -> list[tuple[int, Language]]:
    """The languages whose lexicon differs least, with how many words to add or to take away; ties by name.

    >>> [(distance, language.name) for distance, language in nearest_languages(range(1, 10), [10])][0][0]
    0
    """
    mine = {("D", word) for word in digits} | {("M", word) for word in multipliers}
    found = sorted((len(mine ^ words), language.name) for language, words in _lexicons())
    by_name = {language.name: language for language, _ in _lexicons()}
    return [(distance, by_name[name]) for distance, name in found[:count]]


def likeness(digits: Iterable[int], multipliers: Iterable[int]) -> Likeness:
    """The traits of a system.

    >>> likeness([*range(1, 10), 30], [10]).based
    True
    >>> likeness([1, 2, 4], [5]).based
    False
    """
    d, m = set(digits), set(multipliers)
    distance, language = nearest_languages(d, m)[0]
    based = any(all(n in d for n in range(1, base)) for base in m)
    return Likeness(len(d) + len(m), len(m), len(m) == 1, based, distance, language.name)


@cache
def recursive_languages() -> tuple[Language, ...]:
    """The languages that have digits and multipliers."""
    return tuple(language for language in load_languages() if language.system)


@cache
def _lexicons() -> tuple[tuple[Language, frozenset[tuple[str, int]]], ...]:
    systems = ((each, each.system) for each in recursive_languages())
    return tuple(
        (each, frozenset({("D", word) for word in system.digits} | {("M", word) for word in system.multipliers}))
        for each, system in systems
        if system
    )


# The lexicons with which runs end, and how like human ones they are.


def last_lexicons(rounds: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """One row a run: the columns `by`, the size that it recorded last, and what its last lexicon is like.

    What a lexicon's size is the grammar says: under some a multiplier costs more than a word.
    """
    last = rounds.sort_values(["run", "round"]).drop_duplicates("run", keep="last")
    traits = pd.DataFrame([vars(likeness(d, m)) for d, m in zip(last["digits"], last["multipliers"], strict=True)])
    return pd.concat([last[["run", *by, "size"]].reset_index(drop=True), traits.drop(columns="size")], axis=1)
