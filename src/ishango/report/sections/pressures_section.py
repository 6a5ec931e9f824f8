"""What it takes for communication to select: the study of pressures, which comes with the package."""

from __future__ import annotations

import altair as alt

from ishango.figures.learning_figures import pressures_figure
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure

TEXT = """\
In the paper's game nothing depends on length, and with its modifications a coin comes to the frontier by itself. Here
modifications may add and take any numeral, so that a coin leads away from the frontier, and pressures that the
literature names are switched on one by one: learners that are new in every round, a cost for every symbol, a cost for
every word, a judge of another kind. Costs are put in by hand: what agents add is the contrast to the costs alone. These
runs take hours and are not played here; the tables come with the package (docs/pressures.md)."""

SECTION = Section("pressures", "What it takes", TEXT, ("pressures",))


@figure(
    "pressures",
    "final gaps under each pressure, and how strongly shorter languages and smaller lexicons are preferred",
    "pressures",
    "pressures-runs",
    see="Every run is a point, with the middle half and the median of each cell. On the right the log odds that an"
    " alternative is kept for each symbol by which it is shorter and for each word by which its lexicon is smaller: a"
    " trade-off needs both above 0. Rules without exception have no such number.",
    fixed=True,
)
def pressures_chart(data: Tables) -> alt.TopLevelMixin:
    """Final gaps and selection on two axes, a row a cell."""
    return pressures_figure(data["pressures"], data["pressures-runs"])
