"""The languages that ship, finding one, and how like a human lexicon a system is."""

from __future__ import annotations

import difflib
import gzip
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from ishango.errors import RequestError, require
from ishango.languages._language import Language
from ishango.languages._reading import parse_languages
from ishango.numerals import HURFORD, Expression, format_set

if TYPE_CHECKING:
    import pandas as pd

# The table of human languages that ships with the package.

Found = TypeVar("Found")
Shipped = Literal["core", "world"]
"""The languages checked by hand against the literature, or those and everything that is read off Numeralbank."""


def load_languages(which: Shipped = "core") -> tuple[Language, ...]:
    """The languages that ship with the package, by name.

    Args:
        which: `core`, languages that were checked by hand against the literature, or `world`, the catalogue of the
            world's languages that was read off Numeralbank's glosses by rule.

    Returns:
        All of them; they are read once.

    >>> languages = load_languages()
    >>> [each.name for each in languages if each.base == "vigesimal"]
    ['Ainu', 'Yoruba', 'Yucatec']
    """
    require(which in get_args(Shipped), "which", which, "core or world")
    return _shipped(which)


@cache
def _shipped(which: Shipped) -> tuple[Language, ...]:
    folder = files("ishango.languages")
    if which == "core":
        text = folder.joinpath("table.csv").read_text(encoding="utf-8")
        return parse_languages(text, "the table of languages")
    text = gzip.decompress(folder.joinpath("catalogue.csv.gz").read_bytes()).decode("utf-8")
    return parse_languages(text, "the catalogue of languages", tested=True)


def load_languages_beside(own: Iterable[Language]) -> tuple[Language, ...]:
    """Languages of one's own and, behind them, the shipped ones; of a language that both have, one's own is taken."""
    mine = tuple(own)
    taken = {_plain(each.name) for each in mine}
    return (*mine, *(each for each in load_languages() if _plain(each.name) not in taken))


def find_language(name: str, languages: Iterable[Language] | None = None) -> Language:
    """The language of that name or glottocode: of the shipped ones those checked by hand come first.

    Args:
        name: a name, a glottocode, or what the source calls a variety; case and accents do not matter. A name of
            the catalogue may be given without the country that stands behind it.
        languages: where to look instead, such as what `read_languages` gives.

    >>> find_language("piraha").name, find_language("Dampelas").glottocode
    ('Pirahã', 'damp1237')
    """
    if languages is not None:
        candidates = tuple(languages)
        return look_up(name, {each.name: each for each in candidates}, {each.glottocode: each for each in candidates})
    core = load_languages()
    plain = _plain(name)
    if found := next((each for each in core if plain in (_plain(each.name), each.glottocode)), None):
        return found
    world = load_languages("world")
    keys: tuple[Callable[[Language], str], ...] = (
        lambda each: each.id.casefold(),
        lambda each: _plain(each.name),
        lambda each: each.glottocode,
        lambda each: _plain(re.split(r" *[,(]", each.name)[0]),  # before the country or the dialect: Nisga'a, Canada
    )
    for key in keys:
        found = [each for each in world if plain and key(each) == plain]
        if len({_plain(each.name) for each in found}) > 1:
            ids = ", ".join(f"{each.id} ({each.name})" for each in found[:8])
            raise RequestError(f"There are {len(found)} varieties {name!r}; say which by its id: {ids}.")
        if found:
            return max(found, key=_how_much)
    return look_up(name, {each.name: each for each in (*core, *world)}, {})


def _how_much(language: Language) -> tuple[int, str]:
    """Of two lists of one variety the one that reaches farther."""
    return language.highest or 0, language.id


def search_languages(
    languages: Iterable[Language], text: str = "", *, family: str = "", area: str = ""
) -> tuple[Language, ...]:
    """The languages whose name or code has the text, of a family, of an area; case and accents do not matter.

    >>> found = search_languages(load_languages("world"), family="Kartvelian")
    >>> sorted({each.glottocode for each in found})
    ['lazz1240', 'ming1252', 'nucl1302', 'svan1243']
    """
    wanted = _plain(text)

    def fits(each: Language) -> bool:
        named = not wanted or wanted in _plain(each.name) or wanted in (each.glottocode, each.id.casefold())
        related = not family or _plain(each.family) == _plain(family)
        return named and related and (not area or _plain(each.macroarea) == _plain(area))

    return tuple(each for each in languages if fits(each))


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
    decomposed = unicodedata.normalize("NFKD", str(text).strip().casefold())
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


def nearest_languages(
    digits: Iterable[int], multipliers: Iterable[int], count: int = 1, which: Shipped = "core"
) -> list[tuple[int, Language]]:
    """The languages whose lexicon differs least, with how many words to add or to take away; ties by name.

    Of the world's languages that share a lexicon one stands for all, one that was checked by hand if there is any.

    >>> [(distance, language.name) for distance, language in nearest_languages(range(1, 10), [10])][0][0]
    0
    >>> [(distance, language.name) for distance, language in nearest_languages(range(1, 6), [6], which="world")]
    [(1, 'Wanji (Vwanji), Tanzania')]
    """
    mine = _roles(digits, multipliers)
    found = [(len(mine ^ words), language) for language, words in _lexicons(which)]
    # What was checked by hand has no id, and is better known.
    return sorted(found, key=lambda each: (each[0], bool(each[1].id), each[1].name))[:count]


def _roles(digits: Iterable[int], multipliers: Iterable[int]) -> frozenset[tuple[str, int]]:
    """The words of a lexicon, each with the set that it is in."""
    return frozenset([*(("D", word) for word in digits), *(("M", word) for word in multipliers)])


def likeness(digits: Iterable[int], multipliers: Iterable[int], which: Shipped = "world") -> Likeness:
    """The traits of a system; its nearest lexicon is sought among those of the world, or of what was checked by hand.

    >>> likeness([*range(1, 10), 30], [10]).based
    True
    >>> likeness([1, 2, 4], [5]).based
    False
    """
    d, m = set(digits), set(multipliers)
    distance, language = nearest_languages(d, m, which=which)[0]
    based = any(all(n in d for n in range(1, base)) for base in m)
    return Likeness(len(d) + len(m), len(m), len(m) == 1, based, distance, language.name)


@cache
def recursive_languages(which: Shipped = "core") -> tuple[Language, ...]:
    """The languages that have digits and multipliers: those checked by hand, then, if asked for, the world's others."""
    core = tuple(language for language in load_languages() if language.system)
    if which == "core":
        return core
    codes = {each.glottocode for each in core} - {""}
    return (*core, *(each for each in load_languages("world") if each.system and each.glottocode not in codes))


@cache
def _lexicons(which: Shipped) -> tuple[tuple[Language, frozenset[tuple[str, int]]], ...]:
    """The lexicons of languages that say every number; of the world's each once."""
    found = [
        (each, _roles(each.system.digits, each.system.multipliers))
        for each in recursive_languages(which)
        if each.system and each.says_all()
    ]
    if which == "core":
        return tuple(found)
    once = {words: each for each, words in reversed(found)}
    return tuple((each, words) for words, each in once.items())


# The lexicons with which runs end, and how like human ones they are.


def last_lexicons(rounds: pd.DataFrame, by: Sequence[str], which: Shipped = "world") -> pd.DataFrame:
    """One row a run: the columns `by`, the size that it recorded last, and what its last lexicon is like.

    What a lexicon's size is the grammar says: under some a multiplier costs more than a word.
    """
    import pandas as pd

    last = rounds.sort_values(["run", "round"]).drop_duplicates("run", keep="last")
    traits = pd.DataFrame(
        [vars(likeness(d, m, which)) for d, m in zip(last["digits"], last["multipliers"], strict=True)]
    )
    return pd.concat([last[["run", *by, "size"]].reset_index(drop=True), traits.drop(columns="size")], axis=1)


# Where the catalogue, read by rule, and the languages checked by hand do not agree.


@dataclass(frozen=True)
class Disagreement:
    """A language that both have, and that they do not describe in the same way."""

    core: Language
    world: Language
    numbers: tuple[int, ...]
    """What both tell how to say, and tell otherwise."""

    @property
    def sentence(self) -> str:
        """The difference in words."""
        parts: list[str] = []
        if self.core.system_under(HURFORD.name) != self.world.system_under(HURFORD.name):
            parts.append(f"words {self.world.system}, by hand {self.core.system}")
        if self.numbers:
            first = self.numbers[0]
            here, there = (said[first] for said in _both_said(self.world, self.core))
            parts.append(f"{format_set(self.numbers)} said otherwise, such as {first}: {here}, by hand {there}")
        return "; ".join(parts)


def disagreements() -> tuple[list[Disagreement], int]:
    """The languages that the catalogue describes otherwise than the table checked by hand, and how many both have."""
    world: dict[str, list[Language]] = {}
    for each in load_languages("world"):
        if each.system:
            world.setdefault(each.glottocode, []).append(each)
    shared = [(core, max(world[core.glottocode], key=_how_much)) for core in recursive_languages()
              if core.glottocode in world]  # fmt: skip
    found = [Disagreement(core, other, _differing(core, other)) for core, other in shared]
    return [each for each in found if each.sentence], len(shared)


def _both_said(one: Language, other: Language) -> tuple[dict[int, Expression], dict[int, Expression]]:
    reach = min(each.rules.reach if each.rules else 0 for each in (one, other))
    said = [each.expressions(HURFORD.name, reach) or {} for each in (one, other)]
    return said[0], said[1]


def _differing(one: Language, other: Language) -> tuple[int, ...]:
    here, there = _both_said(one, other)
    return tuple(number for number in here if number in there and here[number] != there[number])
