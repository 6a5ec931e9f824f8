"""The table of human languages that ships with the package."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from ishango.errors import RequestError
from ishango.languages.language import Language
from ishango.languages.read import parse_languages


@cache
def load_languages() -> tuple[Language, ...]:
    """The languages of the table that ships with the package, by name."""
    text = files("ishango.languages").joinpath("table.csv").read_text(encoding="utf-8")
    return parse_languages(text, "the table of languages")


def find_language(name: str, languages: Iterable[Language] | None = None) -> Language:
    """The language of that name or glottocode, in the shipped table or among the languages given.

    Case and accents do not matter.

    >>> find_language("piraha").name
    'Pirahã'
    """
    found: dict[str, Language] = {}
    candidates = tuple(load_languages() if languages is None else languages)
    for language in candidates:
        found.setdefault(_plain(language.glottocode), language)
    found |= {_plain(language.name): language for language in candidates}
    if _plain(name) and _plain(name) in found:
        return found[_plain(name)]
    raise RequestError(f"There is no language {name!r} in the table; {_advice(name, candidates)}")


def _advice(name: str, candidates: tuple[Language, ...]) -> str:
    names = {_plain(language.name): language.name for language in candidates}
    plain = _plain(name)
    part_of = [each for each in names if each.startswith(plain) or (len(plain) > 2 and plain in each)]
    close = [names[each] for each in dict.fromkeys(part_of + difflib.get_close_matches(plain, names))]
    return f"did you mean {' or '.join(close[:4])}?" if close else f"it has {len(names)} others."


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
