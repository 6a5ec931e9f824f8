"""The page and docs/studies/results.md: the answer first, then everything behind it."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pandas as pd
from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from ishango import __version__
from ishango._locks import LOCK, adding_to
from ishango.errors import RequestError, plural
from ishango.evolution import CHOOSERS
from ishango.figures import look
from ishango.lab import RunView
from ishango.report._columns import explained_tables
from ishango.report._data import PACKED, Data, Tables, write_tables
from ishango.report._outcomes import finished_runs, provenance, still_missing, studies_in, studies_played
from ishango.report._sections import FIGURES, SECTIONS, Section, ShownTable
from ishango.report._studies import Scale
from ishango.report.claims import Verdict, verdicts, verdicts_table
from ishango.report.claims._claim import CLAIMS, NOT_JUDGED, PAPER_STEPS, RULINGS, Ruling
from ishango.safe_files import move, remove, write

NAMED = 4
"""Claims that a sentence names; of more it tells how many."""

LEADS: dict[Ruling, tuple[str, str]] = {
    "holds": ("holds", "hold"),
    "so does a coin": (
        "is true of drift, too",
        "are true of drift, too, so that communication is not shown to be the cause",
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
    sentences = [[_part(found, ruling) for ruling in rulings] for rulings in SENTENCES]
    return [[part for part in parts if part.named] or parts[-1:] for parts in sentences]


def _part(found: Sequence[Verdict], ruling: Ruling) -> Part:
    known = [each for each in found if each.ruling == ruling]
    one, several = LEADS[ruling]
    lead = several if len(known) > 1 else one
    return Part(ruling, f"{len(known) or 'none'} {lead}", known[:NAMED], len(known[NAMED:]))


SHORT: dict[Ruling, str] = {
    "holds": "Yes, in these runs: languages become more efficient, and more so than by chance.",
    "so does a coin": "Not shown: languages come nearer to the frontier, but they do so by chance, too.",
    "does not hold": "No, not in these runs: languages do not become more efficient.",
    "too little data here": "Undecided here: these runs cannot tell agents from chance.",
}
"""The title's question answered by the ruling on the claim that communication makes languages more efficient."""
MEANT: dict[Ruling, str] = {
    "holds": "Holds: the whole interval lies where the claim puts it.",
    "so does a coin": "So does a coin: agents do what is claimed, a coin passes the same test, and more is not shown.",
    "does not hold": "Does not hold: the whole interval lies on the other side of what is claimed, or so near that the"
    " rest is of no interest.",
    "too little data here": "Too little data here: the interval reaches to both sides.",
}
"""The rule behind a ruling, beside the number to which it was applied."""
HEADLINES = ("toward-the-frontier", "more-than-drift", "selection")
TOPICS = {"evolution": "Where evolution leads", "learning": "What agents learn", "frontier": "What is optimal"}
"""The claims that come first, and the groups of the others, which are folded."""


def headlines(found: Sequence[Verdict]) -> tuple[list[Verdict], dict[str, list[Verdict]]]:
    """The claims that the page begins with, and all others by topic."""
    others: dict[str, list[Verdict]] = {}
    for each in found:
        if each.name not in HEADLINES:
            group = CLAIMS[each.name].group if each.name in CLAIMS else ""
            others.setdefault(TOPICS.get(group, group or "Others"), []).append(each)
    return [each for each in found if each.name in HEADLINES], others


PAPER = "https://escholarship.org/uc/item/3cc5053z"
"""Where the paper is, in the proceedings."""
EXPLORER = "http://127.0.0.1:8000/"
"""Where `ishango explore` answers."""

# The page: one file that can be read offline, with the charts, the tables and the verdicts.

NAME = "index.html"
MARKS: dict[Ruling, str] = {"holds": "●", "so does a coin": "◐", "does not hold": "▲", "too little data here": "○"}
"""A ruling at a glance, also without colours."""


def write_page(
    out: Path, scale: Scale, data: Tables, charts: Mapping[str, look.Specification], found: Sequence[Verdict]
) -> Path:
    shown = [_with_figures(each, charts) for each in SECTIONS.values()]
    numbers = {name: number for number, name in enumerate((name for each in shown for name in each.figures), start=1)}
    page = _template("page.html").render(
        scale=scale,
        sections=[each for each in shown if each.name != "answer"],
        hero=[name for each in shown if each.name == "answer" for name in each.figures],
        numbers=numbers,
        formats=look.FORMATS,
        answer=answer(found),
        short_answer=next((SHORT[each.ruling] for each in found if each.name == HEADLINES[1]), ""),
        headlines=headlines(found),
        meant=MEANT,
        version=__version__,
        paper=PAPER,
        explorer=EXPLORER,
        partial=still_missing(data),
        short=min((each.steps for each in found if each.steps), default=None),
        differing=sum(bool(each.alone) for each in found),
        tables={section.name: [_table(data, each) for each in section.tables] for section in shown},
        figures=FIGURES,
        specifications={name: Markup(_both(charts[name])) for section in shown for name in section.figures},
        verdicts=found,
        marks=MARKS,
        paper_steps=PAPER_STEPS,
        not_judged=NOT_JUDGED,
        made=provenance(out, scale),
        style=Markup(_file("page.css")),
        script=Markup(_file("page.js")),
        vega=Markup(look.vega_script()),
    )
    write(out / NAME, page.encode())
    return out / NAME


def _template(name: str) -> Template:
    escaped = name.endswith(".html")
    environment = Environment(
        autoescape=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not escaped,
    )
    filters = cast(dict[str, Any], environment.filters)  # pyright: ignore[reportUnknownMemberType] - Jinja has no types
    filters |= {"number": number, "measured": measured, "contrast": contrasted, "cell": _cell, "hours": _hours}
    return environment.from_string(_file(name))


def _with_figures(section: Section, charts: Mapping[str, look.Specification]) -> Section:
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
    rows = data[shown.name].query(shown.query) if shown.query else data[shown.name]
    cells = [[_page_cell(value) for value in row] for row in rows[list(shown.columns)].itertuples(index=False)]
    return {"name": shown.name, "headings": list(shown.columns.values()), "rows": cells}


def _page_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "–" if value != value else f"{value:.4f}"
    return str(value)


def _both(chart: look.Specification) -> str:
    """The chart for a light and for a dark page; both use the data of the first."""
    light = look.shown_through(chart)
    bare = {name: value for name, value in light.items() if name != "datasets"}
    return look.as_json({"light": light, "dark": look.dark(bare)})


def _file(name: str) -> str:
    return (files("ishango.report") / "page_files" / name).read_text(encoding="utf-8")


# What both pages say of a verdict.


def measured(each: Verdict) -> str:
    return f"{number(each.value)} {'exact' if each.exact else f'[{number(each.low)}, {number(each.high)}]'}"


def contrasted(each: Verdict) -> str:
    """How agents differ from drift, with both p-values; where that is not shown, by how much they may at most."""
    if not each.beside_coin:
        return ""
    found = f"{number(each.contrast)} [{number(each.contrast_low)}, {number(each.contrast_high)}], p = {number(each.p)}"
    if each.p_holm == each.p_holm:
        found += f" ({number(each.p_holm)} for all contrasts together)"
    shown = each.contrast_low > 0 or each.contrast_high < 0
    bounded = not shown and abs(each.contrast_within) < float("inf")
    return f"{found}; no more than {number(each.contrast_within)} either way" if bounded else found


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _hours(minutes: float) -> str:
    return f"{minutes / 60:.2f}"


# The results of a reproduction as a page of the docs, with the tables behind it in little space.
#
# The page is a function of the tables that ship and of `made.json`, which says how they were made; so whoever has them
# can make it again, and a test does.

PACKAGE = Path(__file__).parents[1]
MADE = "made.json"
HALF = ".tmp"
"""How the name of a directory ends in which tables are while they are written."""
SHOWN = ("answer", "drift", "selection", "accuracy")
"""The figures that the page has, where their runs are there."""
MOST_BYTES = 5_000_000
"""What all tables together may take."""
PLACES = 6
"""Decimals of the numbers that ship."""
SYSTEMS = ["digits", "multipliers", "alternative"]
"""What the rounds of controls do without: there are hundreds of thousands, and no verdict reads it of them."""


def reproduced(out: Path) -> Data:
    """The tables of a reproduction; a directory that lacks some of them, or of their columns, is refused."""
    data = Data(out / "data")
    there = set(data)
    again = "let ishango reproduce make them again."
    for name, explained in explained_tables().items():
        if name not in there:
            raise RequestError(f"{out} holds no table{f' {name}' if there else 's'} of a reproduction; {again}")
        if lacks := [each for each in explained.columns if each not in data.columns(name)]:
            raise RequestError(f"The table {name} in {out / 'data'} has no column {lacks[0]}; {again}")
    return data


def ship(out: Path, tables: Path) -> None:
    """Write the tables of a reproduction, which are in `out/data`, compressed into a directory of their own.

    Tables of an earlier reproduction are replaced; a directory that holds anything else is refused.
    """
    data = reproduced(out)
    kept = {name: data[name] for name in data if name != "verdicts"}
    kept["rounds"] = _smaller(kept["rounds"])
    with adding_to(tables), TemporaryDirectory(dir=tables, prefix=".", suffix=HALF) as directory:
        _check_shipped_before(tables, kept)
        new = Path(directory)
        write_tables({name: table.round(PLACES) for name, table in kept.items()}, new, packed=True)
        # What is said is said of the tables that ship, not of those with more decimals.
        write_tables({"verdicts": verdicts_table(verdicts(Data(new)))}, new, packed=True)
        write(new / MADE, json.dumps(_made(out), indent=1).encode() + b"\n")
        length = sum(each.stat().st_size for each in new.iterdir())
        if length > MOST_BYTES:
            raise RequestError(f"The tables of {out} take {length:,} bytes, and should take {MOST_BYTES:,} at most.")
        for name in sorted(each.name for each in new.iterdir()):
            move(new / name, tables / name)


def _check_shipped_before(tables: Path, kept: Tables) -> None:
    """Refuse a directory of tables that holds anything but files that `ship` replaces."""
    there = {path.name for path in tables.iterdir() if not path.name.endswith(HALF)}
    written = {MADE, LOCK, *(f"{name}{PACKED}" for name in (*explained_tables(), *kept))}
    if others := sorted(there - written):
        raise RequestError(f"{tables} holds {others[0]}, which is no table that ships; choose another directory.")


def write_results(tables: Path, page: Path, figures: Path) -> list[Verdict]:
    """Write the page and its figures from the tables that `ship` wrote."""
    data = Data(tables)
    for name in SHOWN:
        if FIGURES[name].can_be_drawn(data):
            look.save_specification(look.specification(FIGURES[name].chart(data)), figures, f"results-{name}", ("svg",))
        else:
            remove(figures / f"results-{name}.svg")
    found = verdicts(data)
    write(page, page_text(data, found, _way(page, tables), _way(page, figures)).encode())
    return found


def page_text(data: Data, found: list[Verdict], tables: str, figures: str) -> str:
    """The page as Markdown; the last two are the ways from it to the tables and the figures."""
    made: dict[str, Any] = json.loads((data.directory / MADE).read_text(encoding="utf-8"))
    judged = [each for each in found if each.statistic != NOT_JUDGED]
    studies = studies_in(data)
    order = {ruling: place for place, ruling in enumerate(RULINGS)}
    return _template("results.md").render(
        scale=data["scale"]["name"].iloc[0],
        agents=next(each for each in studies if each.study == "agents"),
        missing=still_missing(data),
        answer=answer(judged),
        unjudged=len(found) - len(judged),
        not_judged=NOT_JUDGED,
        preference=next((each for each in found if each.name == "selection"), None),
        drawn={f"{figures}/results-{name}.svg": FIGURES[name] for name in SHOWN if FIGURES[name].can_be_drawn(data)},
        verdicts=sorted(found, key=lambda each: (each.statistic == NOT_JUDGED, order[each.ruling])),
        marks=MARKS,
        made=made,
        studies=studies,
        tables=tables,
        plural=plural,
    )


def _way(page: Path, directory: Path) -> str:
    return Path(os.path.relpath(directory.resolve(), page.resolve().parent)).as_posix()


def _smaller(rounds: pd.DataFrame) -> pd.DataFrame:
    silent = [name for name, chooser in CHOOSERS.items() if not chooser.uses_agents]
    kept = ~rounds["choose"].isin(silent)
    return rounds.assign(**{name: rounds[name].where(kept) for name in SYSTEMS})


def _made(out: Path) -> dict[str, Any]:
    views = [RunView(run) for run in finished_runs(out / "runs")]
    machines = Counter(f"{view.environment['platform']}, {view.environment['cpu'].split(' avx')[0]}" for view in views)
    versions = Counter(
        ", ".join(f"{name} {value}" for name, value in view.environment["versions"].items()) for view in views
    )
    return {
        "commit": commit(),
        "machines": dict(machines.most_common()),
        "versions": dict(versions.most_common()),
        "studies": {str(row["name"]): row for row in studies_played(out)},
    }


def commit(package: Path = PACKAGE) -> str:
    """The commit of the code that is running, or its version where it is not in its own repository."""
    try:
        top = Path(_git(package, "rev-parse", "--show-toplevel").stdout.strip())
        if (top / "src" / "ishango").resolve() != package.resolve():  # somebody's repository with an environment in it
            return f"ishango {__version__}"
        name = _git(package, "rev-parse", "--short=12", "HEAD").stdout.strip()
        changed = _git(package, "status", "--porcelain", "--", "*.py").stdout
    except (OSError, subprocess.SubprocessError):
        return f"ishango {__version__}"
    return f"{name}, with changes that are not committed" if changed else name


def _git(package: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", str(package), *words], capture_output=True, text=True, timeout=10, check=True)
