"""How runs of each experiment are shown: who decides, what a step costs, and which command plays one.

An experiment of another package has no entry here: its runs are listed with their state and what they record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, EVOLUTION, starting_system
from ishango.explorer.rounds import LONGEST, number, read_last
from ishango.generations import GENERATIONS
from ishango.kinds import OPEN_GENERATIONS, SOCIETY
from ishango.lab import EXPERIMENTS, RunView
from ishango.lab.config import chosen, flatten
from ishango.lab.directory import RUN
from ishango.lab.rounds import NAME as ROUNDS
from ishango.lab.rounds import plain_stamp
from ishango.numerals import GRAMMARS
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


# Studies: runs of one directory and one config that differ in nothing but their seed.

SEED = "seed"
LONGEST_TEXT = 200


def study_of(name: str, experiment: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The study of a run: its directory, who decides, and what its config has that is not as by default."""
    directory = name.rpartition("/")[0]
    flat = {field: _plain(value) for field, value in flatten(config).items() if field != SEED}
    usual, how = defaults(experiment), shown(experiment)
    who, means = how.who(config)
    identity = json.dumps([directory, experiment, flat], sort_keys=True)
    return {
        "id": hashlib.sha256(identity.encode()).hexdigest()[:12],
        "directory": directory,
        "experiment": experiment,
        "who": who,
        "means": means,
        "agents": how.agents(config),
        "config": chosen(flat, usual),
    }


@lru_cache(maxsize=64)
def defaults(experiment: str) -> dict[str, Any]:
    """The config of a run in which nothing was chosen, as one table with dotted names; empty where it is not known."""
    kind = next((each for each in EXPERIMENTS.values() if each.name == experiment), None)
    return {} if kind is None else {field: _plain(value) for field, value in flatten(kind.defaults()).items()}


def _plain(value: object) -> object:
    """A value that a page can show; what nobody wrote so is shown as text."""
    if isinstance(value, (bool, int)) or value is None:
        return value if value is None or abs(value) < 2**53 else str(value)[:LONGEST_TEXT]
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    return value if isinstance(value, float) and abs(value) < 1e300 else json.dumps(value, default=str)[:LONGEST_TEXT]


# What the list shows of a run: how far it has come, and the study that it is of.

STARTED = "explorer"
"""The directory, below the site's, of runs that were started from the page; these may be stopped from it."""
MEASURES = ("size", "average_complexity", "cost", "gap", "accuracy", "numbers_understood")
"""What the list shows of a run's last round, where it was recorded."""
LONGEST_REASON = 400


def look(path: Path) -> RunView | None:
    """The run in a directory, if it can be read and is of an experiment that is known here."""
    view = RunView.look(path)
    return view if view is not None and view.kind is not None else None


def was_started_here(name: str) -> bool:
    """Whether the run of that name was started from the page."""
    return name.startswith(f"{STARTED}/")


def has_agents(config: Mapping[str, Any]) -> bool:
    """Whether agents talk in a run of Algorithm 1; who decides may be of a package that is not installed here."""
    return config.get("choose") in CHOOSERS and CHOOSERS[config["choose"]].uses_agents


def unreadable(name: str, path: Path, reason: str) -> dict[str, Any]:
    """A run of which no more is known than that it is there."""
    stamp = plain_stamp(path / RUN)
    return {
        **blank(name),
        "state": "unreadable",
        "updated": stamp[0] / 1e9 if stamp else 0.0,
        "message": reason[:LONGEST_REASON],
    }


def blank(name: str) -> dict[str, Any]:
    """What every run in the list has."""
    return {
        "name": name,
        "study": None,
        "experiment": "",
        "state": "starting",
        "start": "",
        "grammar": "",
        "choose": "",
        **dict.fromkeys(("seed", "steps", "rounds"), 0),
        "round": -1,
        "digits": [],
        "multipliers": [],
        **dict.fromkeys(MEASURES),
        "updated": 0.0,
        "can_stop": False,
        "can_talk": False,
        "message": None,
    }


def summary_of(name: str, view: RunView) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the list shows of a run, and its study; a config that nobody wrote so raises what Python raises."""
    config, experiment, played_by = view.config, str(view.experiment), view.holder
    how = shown(experiment)
    if how.in_plane and config["grammar"] not in GRAMMARS:
        raise RequestError(GRAMMARS.refusal(config["grammar"]))
    study = study_of(name, experiment, config)
    last = read_last(view, how.in_plane) or {"round": -1}
    summary: dict[str, Any] = {
        **blank(name),
        "study": study["id"],
        "experiment": experiment,
        "state": view.state,
        "start": str(config.get("start", "")),
        "grammar": str(config["grammar"]) if how.in_plane else "",
        "choose": str(config["choose"]) if "choose" in config else study["who"],
        "seed": int(config["seed"]),
        "steps": _steps(config, study),
        "rounds": int(config["rounds"]),
        "round": int(last["round"]),
        **{field: _words(last.get(field)) for field in ("digits", "multipliers")},
        **{field: number(last.get(field)) for field in MEASURES},
        "updated": view.updated,
        "can_stop": played_by is not None and played_by.is_here and was_started_here(name),
        "can_talk": experiment == EVOLUTION.name and has_agents(config) and view.has_checkpoint(),
    }
    if summary["round"] < 0 and how.in_plane:
        summary |= first_words(config)
    for field in ("size", "numbers_understood"):
        summary[field] = None if summary[field] is None else int(summary[field])
    summary["message"] = view.message or _damage(view, summary)
    return summary, study


def first_words(config: Mapping[str, Any]) -> dict[str, Any]:
    """The words with which a run begins that has not recorded anything yet."""
    try:
        system = starting_system(str(config["start"]), str(config["grammar"]), int(config["game"]["range"]))
    except (RequestError, TypeError, ValueError, KeyError):
        return {}
    return {"digits": list(system.digits), "multipliers": list(system.multipliers)}


def _steps(config: Mapping[str, Any], study: Mapping[str, Any]) -> int:
    """Steps of communication in a round; nobody takes any where nobody talks."""
    return int(config.get("steps", 0)) if study["agents"] else 0


def _words(value: object) -> list[int]:
    return [each for each in cast(list[Any], value) if type(each) is int] if isinstance(value, list) else []


def _damage(view: RunView, summary: Mapping[str, Any]) -> str | None:
    """What is wrong with a run that is called done; its file is read only where its end is too early, if not huge."""
    if summary["state"] != "done" or summary["round"] >= summary["rounds"]:
        return None
    stamp = plain_stamp(view.directory / ROUNDS)
    if stamp is not None and stamp[1] > LONGEST:
        last, rounds = summary["round"], summary["rounds"]
        return f"It is called done, but the end of {ROUNDS} can be read up to round {last} of {rounds} only."
    damage = view.damage
    return f"{damage[0].upper()}{damage[1:]}." if damage else None
