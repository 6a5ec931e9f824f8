"""Agents beside neutral drift and an oracle."""

from __future__ import annotations

import altair as alt

from ishango.evolution.choosers import BIASED, DRIFT
from ishango.figures.evolution_figures import ends_figure, selection_figure
from ishango.report.data import Tables
from ishango.report.outcomes import COMPARED
from ishango.report.page_parts import Section, figure

TEXT = """\
What the paper does not show: agents beside controls that do not talk. The coin keeps each alternative with probability
1/2; the biased coin keeps as many as each run of agents did; the oracle keeps what is shorter, the oracle on the gap
what lies nearer to the frontier of its size. Where a coin ends as near to the frontier as agents do, that a run ends
there is no evidence that communication selects."""

SECTION = Section("drift", "Agents against drift", TEXT, ("drift", "selection"))


@figure(
    "drift",
    "final gaps of agents and oracles beside those of the coin, under both readings of m0 and m1",
    "ends",
    see="Every run is a point, but of the coin only the middle half and the median are drawn. Runs of agents under the"
    " literal reading (highest) have shorter rounds.",
    studies=("agents", "coin"),
)
def drift_chart(data: Tables) -> alt.TopLevelMixin:
    """Final gaps beside those of the coin, under both readings."""
    ends = data["ends"][data["ends"]["study"].isin(COMPARED)][["add", "choose", "who", "start", "gap"]]
    drifted = ends["choose"] == DRIFT.name
    shown = ~drifted & (ends["choose"] != BIASED.name)  # which would hide the agents behind many points
    return ends_figure(ends[shown], ends[drifted])


@figure(
    "selection",
    "the strength of selection of agents and controls under both readings",
    "selection",
    see="By how much the log odds that an alternative is kept rise for each symbol by which it is shorter: 0 is a coin;"
    " with a strength of 1, an alternative one symbol shorter has 2.7 times the odds of one that is as long.",
)
def selection_chart(data: Tables) -> alt.TopLevelMixin:
    """The strength of selection under both readings."""
    return selection_figure(data["selection"][["group", "strength", "low", "high", "separated"]])
