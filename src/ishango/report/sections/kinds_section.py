"""The paper's Figure 1: what numeral systems there are."""

from __future__ import annotations

import altair as alt

from ishango.figures.kinds_figures import bands_figure
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure

TEXT = """\
Chiquitano has words for one and for more, Awa Pit for one to four and for more, English for every number."""

SECTION = Section("kinds", "Three kinds of numeral systems", TEXT, ("bands",))


@figure(
    "bands",
    "three kinds of numeral systems as coloured bands over the numbers",
    "bands",
    fixed=True,
    see="A colour is a word; where a number needs several, they are stacked, and one sees ten run above the digits.",
)
def bands_chart(data: Tables) -> alt.TopLevelMixin:
    """Three kinds of numeral systems."""
    return bands_figure(data["bands"])
