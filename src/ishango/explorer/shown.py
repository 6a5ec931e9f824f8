"""How runs of each experiment are shown: who decides, what a step costs, and which command plays one.

An experiment of another package has no entry here: its runs are listed with their state and what they record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ishango.evolution import CHOOSERS, EVOLUTION
from ishango.generations import GENERATIONS
from ishango.kinds import OPEN_GENERATIONS, SOCIETY
from ishango.lab import EXPERIMENTS
from ishango.restricted import LEARNING

Config = Mapping[str, Any]


@dataclass(frozen=True)
class Shown:
    """What pages say and draw of the runs of an experiment."""

    command: str | None
    """What plays such a run, after `ishango`."""
    across: str
    cost: str
    """The fields of a round that its path is drawn from, across and up."""
    axes: tuple[str, str]
    """What these are called."""
    unit: str
    """What the gap is counted in."""
    in_plane: bool
    """Whether its systems lie in the plane of sizes and average complexities."""
    who: Callable[[Config], tuple[str, str]]
    """Who decides, in a word or two, and what that means, as a sentence without a full stop."""
    agents: Callable[[Config], bool]
    """Whether agents talk."""


def _chooser(config: Config) -> tuple[str, str]:
    """Who decides may be of a package that is not installed here."""
    name = str(config["choose"])
    return (CHOOSERS[name].label, CHOOSERS[name].sentence) if name in CHOOSERS else (name, "")


def _talks(config: Config) -> bool:
    return config.get("choose") in CHOOSERS and CHOOSERS[config["choose"]].uses_agents


def _learners(config: Config) -> tuple[str, str]:
    pairs = int(config.get("population", 1))
    words = f"{config['agents']} learners" + (f", {pairs} pairs" if pairs > 1 else "")
    return words, "each generation knows the words that it heard from its parents, and may coin others"


_LAW = {
    "bandit": ("agents", "agents talk with both systems, and what is worth more to them is kept"),
    "coin": ("a coin", "a coin decides whether a change is kept"),
    "law": ("the law", "what costs less by the law is kept"),
}
_SIZE = "lexicon size |D| + |M|"
SHOWN = {
    EVOLUTION.name: Shown(
        "evolve",
        "size",
        "average_complexity",
        (_SIZE, "average complexity (symbols a numeral)"),
        "symbols",
        True,
        _chooser,
        _talks,
    ),
    GENERATIONS.name: Shown(
        "generations",
        "size",
        "average_complexity",
        (_SIZE, "average complexity (symbols a numeral)"),
        "symbols",
        True,
        _learners,
        lambda config: config.get("agents") == "neural",
    ),
    SOCIETY.name: Shown(
        "kinds evolve",
        "size",
        "cost",
        (_SIZE, "cost by the law (rewards)"),
        "rewards",
        False,
        lambda config: _LAW.get(str(config["choose"]), (str(config["choose"]), "")),
        lambda config: config.get("choose") == "bandit",
    ),
    OPEN_GENERATIONS.name: Shown(
        "kinds generations",
        "size",
        "cost",
        (_SIZE, "cost by the law"),
        "",
        False,
        lambda _config: ("ideal learners", "each generation knows the words that it heard, and may lose numbers"),
        lambda _config: False,
    ),
    LEARNING.name: Shown(
        "restricted train",
        "complexity",
        "cost",
        ("complexity (nodes of the rules)", "communicative cost (bits)"),
        "bits",
        False,
        lambda _config: ("agents", "two agents learn words for numbers, and nobody changes the rules"),
        lambda _config: True,
    ),
}


def shown(experiment: str) -> Shown:
    """How runs of an experiment are shown; one of another package by what it is called."""
    if experiment in SHOWN:
        return SHOWN[experiment]
    kind = next((each for each in EXPERIMENTS.values() if each.name == experiment), None)
    who = (kind.label, kind.sentence) if kind else (experiment, "")
    return Shown(None, "round", "cost", ("round", "cost"), "", False, lambda _config: who, lambda _config: False)
