"""The proved frontier, human languages on it, and the genetic algorithm above it."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.frontier_figures import frontier_figure, genetic_figure
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure
from ishango.report.systems import HURFORD, MODIFIED

TEXT = """\
The least average complexity of each lexicon size over all lexicons with words up to 99, proved; the paper estimates it
with a genetic algorithm."""

LABELLED = ("English", "French", "Kunama", "Mixtec")
"""Languages that the paper names."""
LARGEST = 25
"""Sizes up to which estimates and numbers of multipliers are drawn."""

SECTION = Section("frontier", "The frontier, proved", TEXT, ("frontier", "genetic"))


@figure(
    "frontier",
    "the proved frontiers with human languages, one panel a grammar",
    "frontier",
    "languages",
    see="Nothing lies in the grey. Open circles are human languages, larger where several share a point: under the"
    " modified grammar most lie on the frontier or just above it.",
)
def frontier_chart(data: Tables) -> alt.TopLevelMixin:
    """The proved frontiers with human languages."""
    frontier = data["frontier"][data["frontier"]["series"].isin([MODIFIED, HURFORD])]
    return frontier_figure(frontier, _language_points(data["languages"]))


@figure(
    "genetic",
    "how far the genetic algorithm ends above the proved frontiers",
    "genetic",
    see="Dots are medians over seeds, bars reach from the least to the greatest. Sizes without a dot were not found.",
)
def genetic_chart(data: Tables) -> alt.TopLevelMixin:
    """The genetic algorithm above the proved frontiers."""
    return genetic_figure(data["genetic"][data["genetic"]["size"] <= LARGEST])


def _language_points(languages: pd.DataFrame) -> pd.DataFrame:
    """Languages that share a point are one point; those the paper names are labelled."""
    grouped = languages.groupby(["grammar", "size", "average_complexity"], as_index=False)["language"]
    points = grouped.agg(languages="count", names=", ".join)
    return points.assign(label=points["names"].map(_label))


def _label(names: str) -> str:
    return next((each for each in LABELLED if each in names), "")
