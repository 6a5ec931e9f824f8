"""The paper's Figure 2: the languages of Xu, Liu and Regier (2020) by complexity and communicative cost."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.restricted_figures import restricted_plane_figure
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure

TEXT = """\
The 30 languages of Xu, Liu and Regier (2020): how many nodes the rules of a system have, against how many bits a
listener lacks. Recursive systems lose nothing, so that they cannot be compared this way; for them the paper takes
lexicon size against average complexity instead."""

SECTION = Section("plane", "Informativeness against simplicity", TEXT, ("plane",))


@figure(
    "plane",
    "restricted and recursive languages by complexity and communicative cost",
    "restricted_frontier",
    "restricted_languages",
    fixed=True,
    see="Lines are the optima of approximate and of exact restricted systems, tints what systems of these kinds can be."
    " Restricted languages lie near their line; recursive ones all cost 0 bits, with very different numbers of nodes.",
)
def plane_chart(data: Tables) -> alt.TopLevelMixin:
    """Languages over 1 to 100, with the frontiers of restricted systems."""
    return restricted_plane_figure(*over(data, 100))


def over(data: Tables, upto: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Frontiers and languages over the numbers from 1 to this one."""
    frontier, languages = data["restricted_frontier"], data["restricted_languages"]
    return frontier[frontier["range"] == upto], languages[languages["range"] == upto]
