"""Agents beside neutral drift and an oracle."""

from __future__ import annotations

import altair as alt

from ishango.evolution.choosers import DRIFT
from ishango.figures.evolution_figures import ends_figure, selection_figure
from ishango.report.data import Tables
from ishango.report.outcomes import COMPARED
from ishango.report.page_parts import SECTIONS, Section, figure

TEXT = """\
What the paper does not show: final gaps of agents beside a coin that keeps each alternative with probability 1/2
(bar: middle half, line: median) and an oracle that keeps what is shorter. Where a coin ends as near to the frontier
as agents do, that a run ends there is no evidence that communication selects.

The second figure asks the sharper question: by how much do the odds that an alternative is kept rise for each
symbol by which it is shorter? A coin has strength 0; with a strength of 1, an alternative one symbol shorter has
2.7 times the odds of one that is as long. Runs of the literal reading (highest) have shorter rounds."""

SECTIONS.add(Section("drift", "Agents against drift", TEXT, ("drift", "selection"), after="trajectories"))


@figure("drift", "final gaps of agents and the oracle beside those of the coin, under both readings", "ends")
def drift_chart(data: Tables) -> alt.TopLevelMixin:
    """Final gaps beside those of the coin, under both readings."""
    ends = data["ends"][data["ends"]["study"].isin(COMPARED)][["add", "choose", "who", "start", "gap"]]
    drifted = ends["choose"] == DRIFT.name
    return ends_figure(ends[~drifted], ends[drifted])


@figure("selection", "the strength of selection of agents, coin and oracle under both readings", "selection")
def selection_chart(data: Tables) -> alt.TopLevelMixin:
    """The strength of selection under both readings."""
    return selection_figure(data["selection"][["group", "strength", "low", "high"]])
