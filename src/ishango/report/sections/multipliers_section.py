"""How many multipliers optimal systems have, and the paper's Table 4."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.frontier_figures import minimal_languages_figure, multipliers_figure
from ishango.numerals import grammar as grammars
from ishango.report.data import Tables
from ishango.report.page_parts import SECTIONS, Section, ShownTable, figure
from ishango.report.sections.frontier_section import LARGEST
from ishango.report.sections.systems_section import LEXICON

TEXT = """\
How many multipliers optimal systems have, from the fewest to the most among the optima of a size, and human
languages beside them. Then the three systems of size 12 of the paper's Table 4 and the proved optimum under
Hurford's grammar, number by number, darker where more words are needed."""

SECTIONS.add(
    Section(
        "multipliers",
        "Numbers of multipliers, and Table 4",
        TEXT,
        ("multipliers", "size-twelve"),
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
        after="learning",
    )
)


@figure("multipliers", "how many multipliers optimal systems and human languages have", "frontier", "languages")
def multipliers_chart(data: Tables) -> alt.TopLevelMixin:
    """How many multipliers optimal systems and languages have."""
    languages = data["languages"][data["languages"]["grammar"] == grammars.HURFORD.name]
    counts = languages["multiplier_count"].value_counts().sort_index()
    optima = data["frontier"][data["frontier"]["size"] <= LARGEST]
    return multipliers_figure(optima, pd.DataFrame({"multipliers": counts.index, "languages": counts.array}))


@figure("size-twelve", "the minimal languages of the systems of Table 4, number by number", "size_twelve")
def size_twelve_chart(data: Tables) -> alt.TopLevelMixin:
    """The minimal languages of Table 4."""
    return minimal_languages_figure(data["size_twelve"])
