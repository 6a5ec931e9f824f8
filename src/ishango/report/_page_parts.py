"""What the page is made of: open choices, figures, sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import altair as alt

from ishango.errors import RequestError
from ishango.figures.look import Specification, save_specification, specification
from ishango.registry import refusal
from ishango.report._data import Explained, Tables
from ishango.report._outcomes import begun

CHOICES = (
    (
        "Which numeral m0 and m1 add",
        "the lowest free one",
        "docs/studies/evolution.md: agents come to the frontier under no other",
    ),
    ("Message vocabulary", "53 symbols: numbers 1 to 50 and three operators", "docs/studies/calibration.md"),
    ("Weight of the listener's entropy", "0.1", "docs/studies/calibration.md"),
    ("Weight of the speaker's entropy", "0", "docs/studies/calibration.md, docs/studies/game.md"),
    ("Baseline of REINFORCE", "none", "docs/studies/calibration.md"),
    ("Length of pre-training", "one round", "docs/studies/calibration.md"),
    ("Optimiser between rounds", "keeps its moments", "docs/studies/calibration.md"),
    ("Notation the speaker reads", "infix without brackets", "docs/studies/calibration.md"),
    ("Which shortest expression", "the first that the search meets", "docs/minimal.md"),
    ("Values in between", "integers from 1 to 200, the limit of the published work", "docs/minimal.md"),
    ("A tie of Q-values", "keeps the current grammar", "docs/studies/evolution.md"),
    ("Starting weights", "PyTorch's defaults", "docs/studies/game.md"),
    ("What the exponential need is", "n^-2; needs that do fall exponentially are ours", "docs/studies/reproduce.md"),
    ("What an epoch is", "one batch of 32 games", ""),
    ("What r is in the update of Q", "the mean reward of the batch", ""),
    (
        "How the alternative is drawn",
        "uniformly from the distinct systems that cover the range",
        "docs/studies/evolution.md",
    ),
    ("What must be covered", "the numbers 1 to 50 that are talked about, not 1 to 99", "docs/studies/evolution.md"),
    ("Parameters of the genetic algorithm", "2,000 children, 100 generations", "docs/studies/reproduce.md"),
)
"""What the paper leaves open, what we took, and where that is discussed in the project."""


# What the page is made of, by name: figures, and the sections that show them with words and tables.
#
# They are in `ishango.report._sections`.

Draw = Callable[[Tables], alt.TopLevelMixin]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Figure:
    """A figure of the page, which is also written as files of its name."""

    name: str
    """What its files are called."""
    sentence: str
    draw: Draw
    """From the tables it needs, and nothing else, to a chart."""
    needs: tuple[str, ...]
    """The names of these tables."""
    see: str = ""
    """What there is to see in it, in a sentence or two for its caption."""
    fixed: bool = False
    """Whether its words have their places in pixels, so that it cannot be drawn narrower for a phone."""
    studies: tuple[str, ...] = ()
    """Studies that must have a finished run, where that does not follow from a table that has no rows."""

    def can_be_drawn(self, data: Tables) -> bool:
        """Whether the runs behind it are there."""
        return begun(data, self.studies) and all(len(data[name]) for name in self.needs)

    def chart(self, data: Tables) -> alt.TopLevelMixin:
        """Draw it; it sees no table but those it says it needs."""
        return self.draw({name: data[name] for name in self.needs})


class ShownTable(NamedTuple):
    """A table as a section shows it."""

    name: str
    columns: Mapping[str, str]
    """Its columns with their headings."""
    query: str = ""
    """A condition on its rows; empty for all."""


@dataclass(frozen=True)
class Section:
    """A section of the page: what to see, and the figures and tables that show it."""

    name: str
    """What links to it end in."""
    title: str
    text: str
    """Its words; an empty line begins a new paragraph."""
    figures: tuple[str, ...] = ()
    """The names of its figures."""
    tables: tuple[ShownTable, ...] = ()

    @property
    def sentence(self) -> str:
        """A section's title says what it is."""
        return self.title


FIGURES: dict[str, Figure] = {}
"""Filled by `figure`."""
SECTIONS: dict[str, Section] = {}
"""In the order of the page; filled in `ishango.report._sections`."""


def figure(
    name: str, sentence: str, *needs: str, see: str = "", fixed: bool = False, studies: tuple[str, ...] = ()
) -> Callable[[Draw], Draw]:
    """Add a function from the tables that it needs to a chart to the figures."""

    def add(draw: Draw) -> Draw:
        if name in FIGURES:
            raise ValueError(f"there are two figures {name!r}")
        FIGURES[name] = Figure(name, sentence, draw, needs, see, fixed, studies)
        return draw

    return add


def draw_figures(data: Tables, directory: Path, say: Say = lambda _text: None) -> dict[str, Specification]:
    """Draw every figure whose runs are there into the directory, and give the charts back by name."""
    charts: dict[str, Specification] = {}
    for name, each in FIGURES.items():
        if not each.can_be_drawn(data):
            continue
        charts[name] = specification(each.chart(data))
        say(f"  {name}")
        save_specification(charts[name], directory, name)
    return charts


def check_page(tables: Mapping[str, Explained]) -> None:
    """Refuse figures, tables and sections that name what does not exist, before anything long is computed."""
    for each in FIGURES.values():
        for name in each.needs:
            if name not in tables:
                raise RequestError(f"The figure {each.name!r} needs the table {name!r}, which there is not.")
    for section in SECTIONS.values():
        _check_section(section, tables)


def _check_section(section: Section, tables: Mapping[str, Explained]) -> None:
    cannot = f"The section {section.name!r} cannot be shown:"
    for name in section.figures:
        if name not in FIGURES:
            raise RequestError(f"{cannot} {_inside(refusal('figure', name, FIGURES))}")
    for shown in section.tables:
        if shown.name not in tables:
            raise RequestError(f"{cannot} there is no table {shown.name!r}.")
        unknown = set(shown.columns) - set(tables[shown.name].columns)
        if unknown:
            raise RequestError(f"{cannot} the table {shown.name!r} has no column {min(unknown)!r}.")


def _inside(sentence: str) -> str:
    """A sentence as the second half of another."""
    return sentence[0].lower() + sentence[1:]
