"""How many multipliers optimal systems have, and the paper's Table 4."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.frontier_figures import cardinalities_figure, minimal_languages_figure, multipliers_figure
from ishango.numerals import grammar as grammars
from ishango.report.data import Tables
from ishango.report.page_parts import Section, ShownTable, figure
from ishango.report.sections.frontier_section import LARGEST
from ishango.report.sections.systems_section import LEXICON
from ishango.report.systems import OVERLAP

TEXT = """\
The paper motivates its grammar by how many multipliers optimal languages have: one, where Hurford's grammar has
any number of them. Then the systems of size 12 of its Table 4, beside the proved optimum under Hurford's grammar."""

SECTION = Section(
    "multipliers",
    "Numbers of multipliers, and Table 4",
    TEXT,
    ("cardinalities", "multipliers", "size-twelve"),
    (
        ShownTable(
            "table4",
            {
                "system": "system",
                **LEXICON,
                "average_modified": "average, modified",
                "average_hurford": "average, Hurford",
                "gap": "gap under its grammar",
                "changes": "changes of base",
            },
        ),
    ),
)


@figure(
    "cardinalities",
    "how many optimal languages have how many multipliers (the paper's Figure 6)",
    "frontier",
    "languages",
    see="A size counts for each number of multipliers that one of its optima has. The paper finds Hurford's about"
    " uniform over the permitted range of one to five.",
)
def cardinalities_chart(data: Tables) -> alt.TopLevelMixin:
    """The comparison of |M| over Pareto-optimal languages."""
    optima = data["frontier"][(data["frontier"]["size"] <= LARGEST) & (data["frontier"]["series"] != OVERLAP)]
    return cardinalities_figure(optima, _people(data))


@figure(
    "multipliers",
    "how many multipliers optimal systems have at each size",
    "frontier",
    "languages",
    see="From the fewest to the most among the optima of a size, which are equally good; human languages on the right.",
)
def multipliers_chart(data: Tables) -> alt.TopLevelMixin:
    """How many multipliers optimal systems and languages have."""
    return multipliers_figure(data["frontier"][data["frontier"]["size"] <= LARGEST], _people(data))


def _people(data: Tables) -> pd.DataFrame:
    """How many human languages have how many multipliers."""
    languages = data["languages"][data["languages"]["grammar"] == grammars.HURFORD.name]
    counts = languages["multiplier_count"].value_counts().sort_index()
    return pd.DataFrame({"multipliers": counts.index, "languages": counts.array})


@figure(
    "size-twelve",
    "the minimal languages of the systems of Table 4, number by number",
    "size_twelve",
    fixed=True,
    see="Darker where more words are needed. In a predictable system one row looks like the next.",
)
def size_twelve_chart(data: Tables) -> alt.TopLevelMixin:
    """The minimal languages of Table 4."""
    return minimal_languages_figure(data["size_twelve"])
