"""The figures of the page, each from the tables alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.evolution.choosers import CHOOSERS, DRIFT
from ishango.figures.band_figures import bands_figure
from ishango.figures.evolution_figures import ends_figure, finals_figure, selection_figure, trajectories_figure
from ishango.figures.frontier_figures import (
    frontier_figure,
    genetic_figure,
    minimal_languages_figure,
    multipliers_figure,
)
from ishango.figures.game_figures import game_figure
from ishango.figures.learning_figures import learnability_figure, settings_figure
from ishango.figures.restricted_figures import (
    restricted_ends_figure,
    restricted_learning_figure,
    restricted_plane_figure,
)
from ishango.figures.save import save_chart
from ishango.report.data import Tables

LABELLED = ("English", "French", "Kunama", "Mixtec")
LARGEST = 25
"""Sizes up to which numbers of multipliers are drawn."""
SHOWN = ("1", "2", "3", "4", "5")
"""Starts whose paths are drawn, as in the paper."""


def draw(data: Tables, directory: Path, say: Callable[[str], None] = lambda _text: None) -> dict[str, Any]:
    """Draw every figure into the directory, and give the charts back by name."""
    charts = {}
    for name, make in FIGURES.items():
        charts[name] = make(data)
        say(f"  {name}")
        save_chart(charts[name], directory, name)
    return charts


def bands_chart(data: Tables) -> Any:
    """Three kinds of numeral systems."""
    return bands_figure(data["bands"])


def plane_chart(data: Tables) -> Any:
    """Restricted and recursive languages by complexity and communicative cost."""
    return restricted_plane_figure(*_over(data, 100))


def restricted_agents_chart(data: Tables) -> Any:
    """The same plane over 1 to 20, with agents that learned systems without recursion."""
    agents = data["restricted_agents"]
    return restricted_plane_figure(*_over(data, 20), agents[["kind", "complexity", "cost"]])


def restricted_ends_chart(data: Tables) -> Any:
    """How far above the frontier these agents end, beside random systems."""
    return restricted_ends_figure(data["restricted_agents"])


def restricted_learning_chart(data: Tables) -> Any:
    """How they come there."""
    return restricted_learning_figure(data["restricted_curves"])


def frontier_chart(data: Tables) -> Any:
    """The proved frontiers with human languages."""
    frontier = data["frontier"][data["frontier"]["series"].isin(["modified", "Hurford"])]
    return frontier_figure(frontier, _language_points(data))


def genetic_chart(data: Tables) -> Any:
    """The genetic algorithm above the proved frontiers."""
    return genetic_figure(data["genetic"][data["genetic"]["size"] <= LARGEST])


def game_chart(data: Tables) -> Any:
    """A communication round."""
    return game_figure(data["game"], data["game_guesses"])


def trajectories_chart(data: Tables) -> Any:
    """Paths of the first seed from the starts the paper shows."""
    rounds = data["rounds"]
    shown = rounds[(rounds["study"] == "agents") & rounds["start"].isin(SHOWN) & (rounds["seed"] == 0)]
    columns = ["run", "start", "round", "size", "average_complexity"]
    return trajectories_figure(shown[columns], _modified(data))


def finals_chart(data: Tables) -> Any:
    """Final languages of all starts and runs."""
    ends = data["ends"][data["ends"]["study"] == "agents"]
    columns = ["start", "seed", "size", "average_complexity"]
    return finals_figure(ends[columns], _modified(data), _modified_languages(data)[["size", "average_complexity"]])


def drift_chart(data: Tables) -> Any:
    """Final gaps beside those of the coin and the oracle, under both readings."""
    ends = data["ends"][data["ends"]["study"].isin(["agents", "coin", "oracle", "literal"])]
    ends = ends[["add", "choose", "start", "gap"]].assign(who=[CHOOSERS[name].label for name in ends["choose"]])
    drifted = ends["choose"] == DRIFT.name
    return ends_figure(ends[~drifted], ends[drifted])


def selection_chart(data: Tables) -> Any:
    """The strength of selection of agents, coin and oracle under both readings."""
    return selection_figure(data["selection"][["group", "strength", "low", "high"]])


def multipliers_chart(data: Tables) -> Any:
    """How many multipliers optimal systems and languages have."""
    languages = data["languages"][data["languages"]["grammar"] == "hurford"]
    counts = languages["multiplier_count"].value_counts().sort_index()
    optima = data["frontier"][data["frontier"]["size"] <= LARGEST]
    return multipliers_figure(optima, pd.DataFrame({"multipliers": counts.index, "languages": counts.array}))


def size_twelve_chart(data: Tables) -> Any:
    """The minimal languages of Table 4."""
    return minimal_languages_figure(data["size_twelve"])


def learning_chart(data: Tables) -> Any:
    """Games won after learning from scratch."""
    return learnability_figure(data["learning"])


def rewards_chart(data: Tables) -> Any:
    """Rewards, layers and batches."""
    table = data["rewards"]
    sizes = ", layers of " + table["hidden"].astype(str) + ", batches of " + table["batch"].astype(str)
    setting = table["reward"] + sizes
    systems = [f"start {start}" if start.isdigit() else f"optimum {start}" for start in table["start"].astype(str)]
    return settings_figure(table.assign(setting=setting, system=systems)[["setting", "system", "accuracy"]])


FIGURES: dict[str, Callable[[Tables], Any]] = {
    "bands": bands_chart,
    "plane": plane_chart,
    "restricted-agents": restricted_agents_chart,
    "restricted-ends": restricted_ends_chart,
    "restricted-learning": restricted_learning_chart,
    "frontier": frontier_chart,
    "genetic": genetic_chart,
    "game": game_chart,
    "trajectories": trajectories_chart,
    "finals": finals_chart,
    "drift": drift_chart,
    "selection": selection_chart,
    "learning": learning_chart,
    "rewards": rewards_chart,
    "multipliers": multipliers_chart,
    "size-twelve": size_twelve_chart,
}
"""Every figure by the name of its files, in the order of the page."""


def _language_points(data: Tables) -> pd.DataFrame:
    """Languages that share a point are one point; those the paper names are labelled."""
    grouped = data["languages"].groupby(["grammar", "size", "average_complexity"], as_index=False)["language"]
    points = grouped.agg(languages="count", names=", ".join)
    labels = points["names"].map(lambda names: next((each for each in LABELLED if each in names), ""))
    return points.assign(label=labels)


def _over(data: Tables, upto: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Frontiers and languages over 1 to the range."""
    frontier, languages = data["restricted_frontier"], data["restricted_languages"]
    return frontier[frontier["range"] == upto], languages[languages["range"] == upto]


def _modified(data: Tables) -> pd.DataFrame:
    rows = data["frontier"][data["frontier"]["series"] == "modified"]
    return rows[["size", "average_complexity"]]


def _modified_languages(data: Tables) -> pd.DataFrame:
    return data["languages"][data["languages"]["grammar"] == "modified"]
