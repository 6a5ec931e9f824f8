"""The table of human languages that ships with the package."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeVar

from ishango.errors import RequestError
from ishango.languages.language import Language
from ishango.languages.read import parse_languages

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
