"""The first screen's figure."""

from __future__ import annotations

import altair as alt

from ishango.evolution.modifications import LOWEST
from ishango.figures.evolution_figures import hero_figure
from ishango.numerals import grammar as grammars
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure
from ishango.report.systems import MODIFIED

SECTION = Section("answer", "The answer", "", ("answer",))
"""It has no words of its own: those are made from the verdicts, and stand above its figure."""


@figure(
    "answer",
    "where agents end, among human languages and drift, above the proved frontier",
    "frontier",
    "languages",
    "ends",
    see="Bars hold four fifths of the ends, at each size, of a coin that keeps half of the alternatives. Where the"
    " points of agents lie inside them, a coin gets there, too. Nothing can lie in the grey.",
    studies=("agents", "coin"),
)
def answer_chart(data: Tables) -> alt.TopLevelMixin:
    """Where agents and coin end."""
    plane = ["size", "average_complexity"]
    ends = data["ends"][data["ends"]["add"] == LOWEST.name]
    frontier = data["frontier"][data["frontier"]["series"] == MODIFIED]
    languages = data["languages"][data["languages"]["grammar"] == grammars.MODIFIED.name]
    agents = ends[ends["study"] == "agents"][["start", "seed", *plane]]
    return hero_figure(frontier[plane], languages[plane], agents, ends[ends["study"] == "coin"][plane])
