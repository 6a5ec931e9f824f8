"""A language as a row of a table, written and read, and CLDF datasets, written and read."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ishango._locks import LOCK, adding_to
from ishango.errors import RequestError, damage
from ishango.languages._language import Clauses, Kind, Language, format_terms, parse_terms
from ishango.numerals import HURFORD, MODIFIED, NumeralSystem, format_set, parse_set
from ishango.registry import needs
from ishango.safe_files import read_plain

COLUMNS = ("id", "name", "glottocode", "family", "macroarea", "latitude", "longitude", "kind", "base", "digits",
           "multipliers", "rules", "terms", "highest", "outside", "doubtful", "alternates", "source")  # fmt: skip

PARAMETERS = {
    "digits": "digits D of the numeral system, numbers 1 to 99",
    "multipliers": "multipliers M of the numeral system",
    "size": "number of words, |D| + |M|",
    "base": "base by which the language counts",
    "kind": "recursive, exact restricted or approximate",
    "rules": "how numbers are said, in Ishango's notation",
    "highest": "highest number that the source has",
}
"""What a dataset has of a language, each with its sentence."""


def languages_csv(languages: Iterable[Language]) -> str:
    """Languages as a table that `read_languages` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(_row, languages))
    return out.getvalue()


def _row(language: Language) -> tuple[object, ...]:
    system = language.system
    place = ("", "") if language.place is None else (f"{language.place[0]:.2f}", f"{language.place[1]:.2f}")
    alternates = (f"{number}={str(each).replace(' ', '')}" for number, each in language.alternates)
    return (
        language.id,
        language.name,
        language.glottocode,
        language.family,
        language.macroarea,
        *place,
        language.kind,
        language.base,
        format_set(system.digits) if system else "",
        format_set(system.multipliers) if system else "",
        language.rules or "",
        format_terms(language.terms) if language.terms else "",
        language.highest or "",
        "; ".join(_reasons(language)),
        format_set(language.doubtful) if language.doubtful else "",
        " ".join(alternates),
        language.source,
    )


def _reasons(language: Language) -> Iterator[str]:
    for reason in dict.fromkeys(reason for _, reason in language.outside):
        yield f"{format_set(tuple(n for n, why in language.outside if why == reason))} {reason}"


def language_of_row(row: Mapping[str, str], tested: bool = False) -> Language:
    """The language of a row; what cannot be is refused. `tested`: its rules are known to fit."""
    kind = cast(Kind, row.get("kind", "") or "recursive")  # Language refuses what is no kind
    terms = row.get("terms", "")
    rules = row.get("rules", "")
    return Language(
        name=row["name"],
        system=_system(row["digits"], row["multipliers"])
        if kind == "recursive" or row["digits"] or row["multipliers"]
        else None,
        rules=Clauses.parse(rules) if rules else None,
        kind=kind,
        terms=_terms(terms) if terms else (),
        glottocode=row.get("glottocode", ""),
        family=row.get("family", ""),
        base=row.get("base", ""),
        other_words=tuple(word.strip() for word in row.get("other_words", "").split(";") if word.strip()),
        type=row.get("type", ""),
        source=row.get("source", ""),
        id=row.get("id", ""),
        macroarea=row.get("macroarea", ""),
        place=place_of(row),
        highest=_highest(row.get("highest", "")),
        outside=tuple(_read_reasons(row.get("outside", ""))),
        doubtful=_set(row["doubtful"]) if row.get("doubtful") else (),
        alternates=Clauses.parse(row["alternates"]).exact if row.get("alternates") else (),
        tested=tested,
    )


def _highest(text: str) -> int | None:
    if text and not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise RequestError(f"The highest number {text!r} is not a positive whole number.")
    return int(text) if text else None


def place_of(row: Mapping[str, str]) -> tuple[float, float] | None:
    """Latitude and longitude, where both are given."""
    latitude, longitude = row.get("latitude", ""), row.get("longitude", "")
    if not latitude or not longitude:
        return None
    try:
        found = float(latitude), float(longitude)
    except ValueError:
        raise RequestError(f"The place {latitude}, {longitude} is not latitude and longitude in degrees.") from None
    if not (abs(found[0]) <= 90 and abs(found[1]) <= 180):
        raise RequestError(f"There is no place {latitude}, {longitude}; write degrees, latitude first.")
    return found


def _read_reasons(text: str) -> Iterator[tuple[int, str]]:
    """`40-49 why; 90 why` as numbers with their reasons."""
    for part in filter(None, map(str.strip, text.split(";"))):
        numbers, _, reason = part.partition(" ")
        yield from ((number, reason) for number in parse_set(numbers))


_terms = cache(parse_terms)


@cache
def _system(digits: str, multipliers: str) -> NumeralSystem:
    """The system of two sets; hundreds of languages share one."""
    return NumeralSystem(_set(digits), _set(multipliers), MODIFIED.name if _set(digits) else HURFORD.name)


@cache
def _set(text: str) -> tuple[int, ...]:
    """A set in the project's notation, or with spaces instead of commas."""
    parts = text.split(",") if "," in text else text.split()
    found = parse_set(",".join(parts))
    counted = Counter(word for part in parts for word in parse_set(part))
    if twice := [word for word in found if counted[word] > 1]:
        raise RequestError(f"The set {text} has {format_set(tuple(twice))} twice.")
    return found


def write_cldf(languages: Sequence[Language], directory: Path) -> None:
    """Write a CLDF StructureDataset: a value for each language and each of `PARAMETERS`.

    The directory must be empty or not there, so that nothing of others is overwritten.
    """
    needs("cldf", "CLDF datasets")
    pycldf: Any = import_module("pycldf")
    with adding_to(directory):
        if any(each.name != LOCK for each in directory.iterdir()):
            raise RequestError(f"{directory} is not an empty directory; name another for the dataset.")
        ids = [_identifier(each, at) for at, each in enumerate(languages, start=1)]
        dataset = pycldf.StructureDataset.in_dir(directory)
        dataset.properties["dc:title"] = "Numeral systems of human languages, computed by Ishango"
        dataset.properties["dc:license"] = "https://creativecommons.org/licenses/by/4.0/"
        dataset.add_component("LanguageTable", "Family")
        dataset.add_component("ParameterTable")
        dataset.write(
            LanguageTable=[_language(key, each) for key, each in zip(ids, languages, strict=True)],
            ParameterTable=[{"ID": name, "Name": name, "Description": text} for name, text in PARAMETERS.items()],
            ValueTable=[row for key, each in zip(ids, languages, strict=True) for row in _values(key, each)],
        )


def _identifier(language: Language, at: int) -> str:
    """CLDF allows letters, digits, hyphens and underscores."""
    name = language.id or f"{language.glottocode or 'language'}-{at}"
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_" for letter in name)


def _language(key: str, language: Language) -> dict[str, Any]:
    latitude, longitude = language.place or (None, None)
    return {"ID": key, "Name": language.name, "Glottocode": language.glottocode or None, "Family": language.family,
            "Macroarea": language.macroarea or None, "Latitude": latitude, "Longitude": longitude}  # fmt: skip


def _values(key: str, language: Language) -> Iterator[dict[str, str]]:
    cells: dict[str, object] = dict(zip(COLUMNS, _row(language), strict=True))
    cells["size"] = language.system.size if language.system else ""
    for name in PARAMETERS:
        if cells[name] != "":
            yield {"ID": f"{key}-{name}", "Language_ID": key, "Parameter_ID": name, "Value": str(cells[name]),
                   "Comment": language.source}  # fmt: skip


# Datasets of others.

Lined = tuple[int, Mapping[str, Any]]
"""A row with its line, so that what is wrong can be found."""
COMPONENTS = ("FormTable", "LanguageTable", "ParameterTable")
GLOSS = "Gloss"
"""The column in which a form is glossed as arithmetic."""
NUMBERS = ("NumberValue", "Number")
"""Columns that may hold the number; the first that is there counts."""


def cldf_tables(directory: Path) -> dict[str, list[Lined]]:
    """The forms, languages and parameters of a CLDF dataset, each row with its line."""
    dataset = _dataset(directory)
    return {component: list(_rows(dataset, component)) for component in COMPONENTS}


def _dataset(directory: Path) -> Any:
    needs("cldf", "CLDF datasets")
    pycldf: Any = import_module("pycldf")
    if not directory.is_dir():
        raise RequestError(f"There is no directory {directory}, and no file of that name.")
    found = sorted(directory.glob("*-metadata.json"))
    if len(found) != 1:
        raise RequestError(f"{directory} has {len(found)} files *-metadata.json; a CLDF dataset has one.")
    try:
        _check_names(json.loads(read_plain(found[0])), directory)
        dataset: Any = pycldf.Dataset.from_metadata(found[0])
        for component in COMPONENTS:
            if component not in dataset:
                raise RequestError(f"The dataset {found[0]} has no {component}.")
    except RequestError:
        raise
    except (OSError, ValueError, KeyError, RecursionError) as error:
        raise RequestError(f"The dataset {found[0]} cannot be read ({damage(error)}).") from error
    return dataset


NAMED = ("url", "dc:source", "tableSchema", "dialect", "@base")
"""Properties of metadata whose text names a file, or where files are looked for."""


def _check_names(part: object, directory: Path) -> None:
    """Refuse metadata that names anything but plain files beside it: an address, a path, a link, a pipe."""
    if isinstance(part, list):
        for each in cast(list[object], part):
            _check_names(each, directory)
    elif isinstance(part, dict):
        for key, value in cast(dict[str, object], part).items():
            if key in NAMED and isinstance(value, str):
                _check_file(value, directory)
            else:
                _check_names(value, directory)


def _check_file(name: str, directory: Path) -> None:
    if not re.fullmatch(r"\w[\w. -]*", name):
        raise RequestError(f"The metadata in {directory} name {name!r}; a dataset may name files beside them only.")
    for file in (directory / name, directory / f"{name}.zip"):
        if file.is_symlink() or (file.exists() and not file.is_file()):
            raise RequestError(f"{file} is not a plain file; put the file itself there.")


def _rows(dataset: Any, component: str) -> Iterator[Lined]:
    try:
        for _, line, row in dataset[component].iterdicts(with_metadata=True):
            yield int(line), row
    except RequestError:
        raise
    except (OSError, ValueError) as error:
        raise RequestError(f"The {component} of the dataset cannot be read ({damage(error)}).") from error


def is_dataset(path: Path) -> bool:
    return "\0" not in str(path) and any(path.glob("*-metadata.json"))


def glosses_arithmetic(path: Path) -> bool:
    """Whether a path is a dataset whose forms are glossed as arithmetic, in a column `Gloss`."""
    return is_dataset(path) and GLOSS in _dataset(path)["FormTable"].tableSchema.columndict


def number_of_row(row: Mapping[str, Any]) -> int:
    """The number that a row of parameters, or of forms, is about."""
    for column in NUMBERS:
        if row.get(column) not in (None, ""):
            text = str(row[column])
            if not text.isdecimal() or int(text) < 1:
                raise RequestError(f"{text!r} is not a positive whole number.")
            return int(text)
    raise RequestError(f"no number; give it in a column {' or '.join(NUMBERS)}.")
