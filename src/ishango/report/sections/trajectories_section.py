"""The paths of languages that evolve, and where they end."""

from __future__ import annotations

import altair as alt
import pandas as pd

from ishango.figures.evolution_figures import accuracy_figure, finals_figure, trajectories_figure
from ishango.numerals import grammar as grammars
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure
from ishango.report.systems import MODIFIED

TEXT = """\
Languages move as agents talk: their paths, where they end, and how well the agents understand each other on the way.
Human languages are open circles here and everywhere; nothing can lie in the grey."""

SHOWN = ("1", "2", "3", "4", "5")
"""Starts whose paths are drawn, as in the paper."""

SECTION = Section(
    "trajectories",
    "Trajectories and final languages",
    TEXT,
    ("trajectories", "finals", "accuracy"),
)


@figure(
    "trajectories",
    "paths of languages from five starts to where they end",
    "rounds",
    "frontier",
    see="Open circles are starts 1 to 5, filled ones where the first seed ends; down is shorter, left is smaller.",
    studies=("agents",),
)
def trajectories_chart(data: Tables) -> alt.TopLevelMixin:
    """Paths of the first seed from the starts the paper shows."""
    played = data["rounds"][data["rounds"]["study"] == "agents"]
    shown = played[played["start"].isin(SHOWN) & (played["seed"] == 0)]
    if shown.empty:  # none of these is finished yet
        shown = played
    columns = ["run", "start", "round", "size", "average_complexity"]
    return trajectories_figure(shown[columns], _frontier(data))


@figure(
    "finals",
    "final languages of all starts and runs, among human languages",
    "ends",
    "frontier",
    "languages",
    see="Colours are starts, open circles human languages: do agents end among them, or at other sizes, too?",
    studies=("agents",),
)
def finals_chart(data: Tables) -> alt.TopLevelMixin:
    """Final languages of all starts and runs."""
    ends = data["ends"][data["ends"]["study"] == "agents"]
    languages = data["languages"][data["languages"]["grammar"] == grammars.MODIFIED.name]
    columns = ["start", "seed", "size", "average_complexity"]
    return finals_figure(ends[columns], _frontier(data), languages[["size", "average_complexity"]])


@figure(
    "accuracy",
    "games won over the rounds",
    "rounds",
    see="Every thin line is a run, the thick one their mean. Lines that stay level or fall mean that agents do not"
    " learn later what pre-training did not teach: numbers that share a message are never told apart, since nobody"
    " explores.",
    studies=("agents",),
)
def accuracy_chart(data: Tables) -> alt.TopLevelMixin:
    """How well agents understand each other, round by round."""
    rounds = data["rounds"]
    return accuracy_figure(rounds.loc[rounds["study"] == "agents", ["run", "start", "round", "accuracy"]])


def _frontier(data: Tables) -> pd.DataFrame:
    """The frontier of the grammar that agents speak."""
    rows = data["frontier"][data["frontier"]["series"] == MODIFIED]
    return rows[["size", "average_complexity"]]
