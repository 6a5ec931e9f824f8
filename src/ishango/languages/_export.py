"""Languages written for others: as CSV in our notation, and as a CLDF StructureDataset."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ishango.errors import RequestError
from ishango.languages._language import Language, format_terms
from ishango.numerals import format_set
from ishango.registry import needs

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


def write_cldf(languages: Sequence[Language], directory: Path) -> None:
    """Write a CLDF StructureDataset: a value for each language and each of `PARAMETERS`.

    The directory must be empty or not there, so that nothing of others is overwritten.
    """
    needs("cldf", "CLDF datasets")
    pycldf: Any = import_module("pycldf")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise RequestError(f"{directory} is not an empty directory; name another for the dataset.")
    directory.mkdir(parents=True, exist_ok=True)
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
