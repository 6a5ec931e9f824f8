"""Make the tables of languages that ship: `python -m tools.catalogue FOLDER`.

FOLDER holds numeralbank_expressions.csv and numeralbank_languages.csv, of which the catalogue of the world's languages
is made, and cosinus_numerals_morphemes.csv, of which languages as people speak them. What ships are tables of our own
making: facts that are computed here, and no word forms. How many varieties are left out, and why, is printed.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ishango.cosinus import Numeral, SpokenLanguage, morpheme
from ishango.cosinus._spoken import TEEN, TY, UNKNOWN, WORDS, counts
from ishango.languages import Language, languages_csv
from ishango.languages._reading import said_languages

SHIPPED = Path(__file__).parents[1] / "src/ishango/languages/catalogue.csv.gz"
CITATION = (
    "# Numeral systems of the world, computed by Ishango from the glosses of Numeralbank (Bibiko, Koile, Barlow, Mamta,"
    " Korobzow, Appiah Tieku, Rzymski, List & Gray 2025), github.com/numeralbank/numeralbank-analysed, commit cc8a968\n"
    "# Licence of the source and of this table: CC-BY-4.0, creativecommons.org/licenses/by/4.0;"
    " docs/languages.md explains the columns\n"
)


def languages_of(folder: Path) -> tuple[tuple[Language, ...], list[tuple[str, str]]]:
    """The languages of the reference tables, and what is odd about which."""
    lines = (folder / "numeralbank_languages.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    about = {row["id"]: row | {"source": f"Numeralbank: {row['id'].split('-')[0]}"} for row in rows}
    text = (folder / "numeralbank_expressions.csv").read_text(encoding="utf-8")
    return said_languages(text, "numeralbank_expressions.csv", about)


def packed(languages: Iterable[Language]) -> bytes:
    """The table as gzipped CSV, the same bytes for the same languages."""
    ordered = sorted(languages, key=lambda each: (each.name.casefold(), each.id))
    return gzip.compress((CITATION + languages_csv(ordered)).encode("utf-8"), compresslevel=9, mtime=0)


# Languages as people speak them: the morphemes of CoSiNuS in our notation, without forms.

SPOKEN = Path(__file__).parents[1] / "src/ishango/cosinus/numerals.csv.gz"
SPOKEN_CITATION = (
    "# Numerals as people say them, computed by Ishango from the morpheme glosses of CoSiNuS (Rubehn et al. 2025),"
    " github.com/numeralbank/cosinus, commit ccd137e, doi 10.18653/v1/2025.sigtyp-1.4\n"
    "# Licence of the source and of this table: CC-BY-4.0; morphemes: =20 a word for 20, =20b another, =20.2 an"
    " allomorph, =x10 multiplies, =+10 adds, =- takes away, .a says nothing of the number\n"
)


def spoken(folder: Path) -> bytes:
    """The table of spoken numerals as gzipped CSV."""
    lines = (folder / "cosinus_numerals_morphemes.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    out = io.StringIO()
    out.write(SPOKEN_CITATION)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("name", "glottocode", "family", "base", "number", "morphemes", "opaque", "expression", "unread"))
    for name in sorted({row["language"] for row in rows}, key=str.casefold):
        # Of several forms CoSiNuS holds the first to be primary.
        own = [row for row in rows if row["language"] == name and row["form_id"].endswith("-1")]
        numerals = {int(row["number"]): Numeral("", tuple(row["morphemes"].split())) for row in own}
        facts = [own[0][column] for column in ("language", "glottocode", "family", "base")]
        language = SpokenLanguage(facts[0], facts[1], facts[2], facts[3], dict(sorted(numerals.items())))
        notation = _Notation()
        for number, numeral in language.numerals.items():
            morphemes = " ".join(map(notation.token, numeral.glosses))
            is_opaque = int(language.opaque.get(numeral.glosses) == number)
            expression = language.expressions.get(number, "")
            writer.writerow((*facts, number, morphemes, is_opaque, expression, language.unread.get(number, "")))
    return gzip.compress(out.getvalue().encode("utf-8"), compresslevel=9, mtime=0)


class _Notation:
    """The glosses of one language in our notation: what a morpheme means, and which of several it is."""

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {}
        self.allomorphs: dict[str, list[str]] = {}

    def token(self, gloss: str) -> str:
        """A gloss as it ships."""
        if gloss == UNKNOWN:
            return UNKNOWN
        name = morpheme(gloss)
        meaning = _meaning(name) if counts(gloss) else None
        which = _place(name if meaning else gloss, self.names.setdefault(meaning or ".", []))
        if meaning is None:
            return f".{_letters(which)}"
        allomorph = _place(gloss, self.allomorphs.setdefault(name, []))
        return f"={meaning}{_letters(which) if which else ''}{f'.{allomorph + 1}' if allomorph else ''}"


def _meaning(name: str) -> str:
    if name in WORDS:
        return str(WORDS[name])
    return "+10" if name == TEEN else "x10" if name in TY else "-"


def _place(each: str, among: list[str]) -> int:
    if each not in among:
        among.append(each)
    return among.index(each)


def _letters(number: int) -> str:
    return (chr(ord("a") + number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)


def main(arguments: list[str]) -> None:
    """Write the tables, and say what was left out."""
    SPOKEN.write_bytes(spoken(Path(arguments[0])))
    print(f"{SPOKEN.name}: {SPOKEN.stat().st_size / 1000:.0f} kB")
    languages, odd = languages_of(Path(arguments[0]))
    SHIPPED.write_bytes(packed(languages))
    print(f"{len(languages):,} varieties, {SHIPPED.stat().st_size / 1000:.0f} kB")
    for oddity, count in Counter(oddity for oddity, _ in odd).most_common():
        print(f"{count:>6,}  {oddity}")


if __name__ == "__main__":
    main(sys.argv[1:])
