"""The paths of languages that evolve, and where they end."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.evolution_figures import finals_figure, trajectories_figure
from ishango.numerals import grammar as grammars
from ishango.report.data import Tables
from ishango.report.page_parts import SECTIONS, Section, figure
from ishango.report.systems import MODIFIED

TEXT = """\
Paths of the languages from starts 1 to 5 (open circles) to where they end (filled), first seed; then the final
languages of all starts and runs by start, with human languages as crosses. The grey region cannot be attained."""

SHOWN = ("1", "2", "3", "4", "5")
"""Starts whose paths are drawn, as in the paper."""

SECTIONS.add(
    Section("trajectories", "Trajectories and final languages", TEXT, ("trajectories", "finals"), after="game")
)


@figure("trajectories", "paths of languages from five starts to where they end", "rounds", "frontier")
def trajectories_chart(data: Tables) -> alt.TopLevelMixin:
    """Paths of the first seed from the starts the paper shows."""
    rounds = data["rounds"]
    shown = rounds[(rounds["study"] == "agents") & rounds["start"].isin(SHOWN) & (rounds["seed"] == 0)]
    columns = ["run", "start", "round", "size", "average_complexity"]
    return trajectories_figure(shown[columns], _frontier(data))


@figure("finals", "final languages of all starts and runs, among human languages", "ends", "frontier", "languages")
def finals_chart(data: Tables) -> alt.TopLevelMixin:
    """Final languages of all starts and runs."""
    ends = data["ends"][data["ends"]["study"] == "agents"]
    languages = data["languages"][data["languages"]["grammar"] == grammars.MODIFIED.name]
    columns = ["start", "seed", "size", "average_complexity"]
    return finals_figure(ends[columns], _frontier(data), languages[["size", "average_complexity"]])


def _frontier(data: Tables) -> pd.DataFrame:
    """The frontier of the grammar that agents speak."""
    rows = data["frontier"][data["frontier"]["series"] == MODIFIED]
    return rows[["size", "average_complexity"]]
