"""Make the catalogue of the world's languages from Numeralbank's expressions: `python -m tools.catalogue FOLDER`.

FOLDER holds numeralbank_expressions.csv and numeralbank_languages.csv. What ships is a table of our own making: facts
that are computed here from what each variety says, and no word forms. How many varieties are left out, and why, is
printed.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ishango.languages import Language, format_terms
from ishango.languages._tables import said_languages
from ishango.numerals import format_set

SHIPPED = Path(__file__).parents[1] / "src/ishango/languages/catalogue.csv.gz"
COLUMNS = ("id", "name", "glottocode", "family", "macroarea", "latitude", "longitude", "kind", "base", "digits",
           "multipliers", "rules", "terms", "highest", "outside", "doubtful", "alternates", "source")  # fmt: skip
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
    out = io.StringIO()
    out.write(CITATION)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in sorted(languages, key=lambda each: (each.name.casefold(), each.id)):
        writer.writerow(_row(each))
    return gzip.compress(out.getvalue().encode("utf-8"), compresslevel=9, mtime=0)


def _row(language: Language) -> tuple[object, ...]:
    system, place = language.system, language.place or ("", "")
    alternates = (f"{number}={str(each).replace(' ', '')}" for number, each in language.alternates)
    return (
        language.id,
        language.name,
        language.glottocode,
        language.family,
        language.macroarea,
        *(f"{degrees:.2f}" if degrees != "" else "" for degrees in place),
        language.kind,
        language.base,
        format_set(system.digits) if system else "",
        format_set(system.multipliers) if system else "",
        language.rules or "",
        format_terms(language.terms) if language.terms else "",
        language.highest,
        "; ".join(_reasons(language)),
        format_set(language.doubtful) if language.doubtful else "",
        " ".join(alternates),
        language.source,
    )


def _reasons(language: Language) -> Iterable[str]:
    reasons = dict.fromkeys(reason for _, reason in language.outside)
    return (f"{format_set(tuple(n for n, why in language.outside if why == reason))} {reason}" for reason in reasons)


def main(arguments: list[str]) -> None:
    """Write the catalogue, and say what was left out."""
    languages, odd = languages_of(Path(arguments[0]))
    SHIPPED.write_bytes(packed(languages))
    print(f"{len(languages):,} varieties, {SHIPPED.stat().st_size / 1000:.0f} kB")
    for oddity, count in Counter(oddity for oddity, _ in odd).most_common():
        print(f"{count:>6,}  {oddity}")


if __name__ == "__main__":
    main(sys.argv[1:])
