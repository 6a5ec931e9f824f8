"""The answer of the first screen, made from the verdicts: what holds, what does not, and what is undecided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from ishango.figures.save import FORMATS, Specification, as_json, dark, shown_through, vega_script
from ishango.report.claims.claim import NOT_JUDGED, PAPER_STEPS, Ruling, Verdict
from ishango.report.data import Tables
from ishango.report.page_parts import CHOICES
from ishango.report.played import provenance, still_missing
from ishango.report.sections import FIGURES, SECTIONS, Section, ShownTable
from ishango.report.sections.run_sections import ANSWER_SECTION
from ishango.report.studies import Scale
from ishango.safe_files import write

NAMED = 4
"""Claims that a sentence names; of more it tells how many."""

LEADS: dict[Ruling, tuple[str, str]] = {
    "holds": ("holds", "hold"),
    "so does a coin": (
        "is true of a coin, too",
        "are true of a coin, too, so that communication is not shown to be the cause",
    ),
    "does not hold": ("does not hold", "do not hold"),
    "too little data here": ("is undecided here", "are undecided here"),
}
"""How a sentence about claims of each ruling begins, for one and for several."""

SENTENCES: tuple[tuple[Ruling, ...], ...] = (("holds",), ("so does a coin", "does not hold"), ("too little data here",))
"""What holds, what does not, what is undecided: which rulings each sentence tells of."""


@dataclass(frozen=True)
class Part:
    """The claims of one ruling as part of a sentence."""

    ruling: Ruling
    lead: str
    named: Sequence[Verdict]
    more: int
    """Further ones, which are not named."""


def answer(found: Sequence[Verdict]) -> list[list[Part]]:
    """Three sentences of one or two parts; the claims come in the order of the page, evolution first."""
    return [[part for ruling in rulings if (part := _part(found, ruling))] or [_nothing(rulings[-1])]
            for rulings in SENTENCES]  # fmt: skip


def _part(found: Sequence[Verdict], ruling: Ruling) -> Part | None:
    known = [each for each in found if each.ruling == ruling]
    if not known:
        return None
    one, several = LEADS[ruling]
    return Part(ruling, f"{len(known)} {one if len(known) == 1 else several}", known[:NAMED], len(known[NAMED:]))


def _nothing(ruling: Ruling) -> Part:
    return Part(ruling, f"none {LEADS[ruling][0]}", (), 0)


# The page: one file that can be read offline, with the charts, the tables and the verdicts.

NAME = "index.html"
MARKS: dict[Ruling, str] = {"holds": "●", "so does a coin": "◐", "does not hold": "▲", "too little data here": "○"}
"""A ruling at a glance, also without colours."""


def write_page(
    out: Path, scale: Scale, data: Tables, charts: Mapping[str, Specification], found: Sequence[Verdict]
) -> Path:
    """Write `index.html`; everything it needs is in it."""
    shown = [_with_figures(each, charts) for each in SECTIONS.values()]
    numbers = {name: number for number, name in enumerate((name for each in shown for name in each.figures), start=1)}
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["number"] = number  # pyright: ignore[reportUnknownMemberType]
    template = environment.from_string(_file("page.html"))
    page = template.render(
        scale=scale,
        sections=[each for each in shown if each.name != ANSWER_SECTION.name],
        hero=[name for each in shown if each.name == ANSWER_SECTION.name for name in each.figures],
        numbers=numbers,
        formats=FORMATS,
        answer=answer(found),
        partial=still_missing(data),
        short=min((each.steps for each in found if each.steps), default=None),
        tables={section.name: [_table(data, each) for each in section.tables] for section in shown},
        figures=FIGURES,
        specifications={name: Markup(_both(charts[name])) for section in shown for name in section.figures},
        verdicts=found,
        marks=MARKS,
        paper_steps=PAPER_STEPS,
        not_judged=NOT_JUDGED,
        choices=CHOICES,
        made=provenance(out, scale),
        style=Markup(_file("page.css")),
        script=Markup(_file("page.js")),
        vega=Markup(vega_script()),
    )
    write(out / NAME, page.encode())
    return out / NAME


def _with_figures(section: Section, charts: Mapping[str, Specification]) -> Section:
    """The section with those of its figures that could be drawn; where one could not, it says so."""
    missing = [name for name in section.figures if name not in charts]
    if not missing:
        return section
    sentences = " and ".join(FIGURES[name].sentence for name in missing)
    text = f"{section.text}\n\nNot drawn, because the runs behind it are not there: {sentences}."
    return replace(section, text=text.strip(), figures=tuple(name for name in section.figures if name in charts))


def number(value: float) -> str:
    """A number for people: three significant digits, a dash where it is unknown.

    >>> [number(value) for value in (0.12345, -0.0004, 12.0, 21667.7, float("-inf"), float("nan"))]
    ['0.123', '−0.0004', '12', '21,668', '−∞', '–']
    """
    if value != value:
        return "–"
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return ("0" if text == "-0" else text).replace("-", "−")


def _table(data: Tables, shown: ShownTable) -> dict[str, Any]:
    """The rows of a table that a section shows, under its own headings."""
    rows = data[shown.name].query(shown.query) if shown.query else data[shown.name]
    cells = [[_cell(value) for value in row] for row in rows[list(shown.columns)].itertuples(index=False)]
    return {"name": shown.name, "headings": list(shown.columns.values()), "rows": cells}


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "–" if value != value else f"{value:.4f}"
    return str(value)


def _both(chart: Specification) -> str:
    """The chart for a light and for a dark page; both use the data of the first."""
    light = shown_through(chart)
    bare = {name: value for name, value in light.items() if name != "datasets"}
    return as_json({"light": light, "dark": dark(bare)})


def _file(name: str) -> str:
    return (files("ishango.report") / "page_files" / name).read_text(encoding="utf-8")
