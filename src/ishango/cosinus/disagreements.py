"""Where CoSiNuS and the table of human languages do not say a number in the same way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ishango.cosinus.spoken import UPTO, SpokenLanguage, spoken_languages
from ishango.languages import Language, load_languages
from ishango.numerals import HURFORD, Expression, format_set


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
