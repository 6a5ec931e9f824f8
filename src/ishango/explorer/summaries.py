"""What the list shows of a run: how far it has come, and the study that it is of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, EVOLUTION, starting_system
from ishango.explorer.rounds import LONGEST, number, read_last
from ishango.explorer.shown import shown
from ishango.explorer.studies import study_of
from ishango.lab import RunView
from ishango.lab.directory import RUN
from ishango.lab.plain_files import plain_stamp
from ishango.lab.rounds import NAME as ROUNDS
from ishango.numerals import GRAMMARS

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
