"""Rounds of a run as typed records, and runs in one line each."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

from pydantic import Field, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, EVOLUTION, RoundRecord, starting_system
from ishango.generations import GENERATIONS
from ishango.kinds import OPEN_GENERATIONS, SOCIETY
from ishango.lab import (
    EXPERIMENTS,
    ROUNDS,
    RUN,
    ExperimentKind,
    RunView,
    chosen,
    columns,
    flatten,
    parse_last_round,
    record_json,
    whole_records,
)
from ishango.learnability import LEARNABILITY
from ishango.numerals import GRAMMARS
from ishango.restricted import LEARNING
from ishango.safe_files import plain_stamp, read_parts, read_tail

ROUND = {column.name: column for column in columns(RoundRecord)}
LONGEST = 4 * 1024 * 1024
"""Bytes of a file of rounds that are read whole; of a longer one, rounds evenly over it and its end."""
PARTS, PART = 300, 16 * 1024
"""How many pieces of a longer one are looked at, and their bytes; a piece that no line fits into tells nothing."""
_TAIL = 64 * 1024
GREATEST = 1e12
"""What is larger is no measure of anything."""
SAFE = 2**53
"""The largest whole number up to which a browser reads all exactly."""
_NOT_MEASURED = dict.fromkeys(ROUND)
_RECORD, _TABLE = TypeAdapter(RoundRecord), TypeAdapter(dict[str, Any])


class _Described:
    """Gives the properties of a record in the schema the descriptions that its columns have."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        reference = handler(schema)
        properties = handler.resolve_ref_schema(reference)["properties"]
        for name, column in ROUND.items():
            properties[name]["description"] = column.description
        return reference


Round = Annotated[RoundRecord, _Described()]


class Lines(NamedTuple):
    """What was read of a run's rounds, and whether that is all of them."""

    records: list[dict[str, Any]]
    whole: bool


def read_lines(view: RunView, longest: int = LONGEST, parts: int = PARTS) -> Lines:
    """The rounds of a run up to a damaged line; of a file that is longer, in bytes, some of them from all over it."""
    stamp = plain_stamp(view.directory / ROUNDS)
    if stamp is None or stamp[1] <= longest:
        return Lines(list(takewhile(_fits, view.rounds())), True)
    try:
        pieces = read_parts(view.directory / ROUNDS, parts, PART)
    except OSError:
        return Lines([], True)
    # A piece begins anywhere in a line, but for the first.
    found = [whole_records(piece, skip=i > 0) for i, piece in enumerate(pieces)]
    records = [each for some in found[:-1] for each in islice(some, 1)] + list(found[-1])
    return Lines(list(takewhile(_fits, _rising(records))), False)


def read_last(view: RunView, is_lexicon: bool) -> dict[str, Any] | None:
    """The last round, from the end of its file; if that is damaged, the last one before the damage."""
    try:
        last = parse_last_round(read_tail(view.directory / ROUNDS, _TAIL))
    except OSError:
        return None
    good = _typed(last) if is_lexicon else last if _fits(last) else None
    if good is not None:
        return good
    before = read_lines(view).records
    return next((found for each in reversed(before) if (found := _typed(each) if is_lexicon else each)), None)


def as_in_round(name: str) -> FieldInfo:
    """The description of a field that means what it means in a round's record; another name is a mistake."""
    return Field(description=ROUND[name].description)


def typed_rounds(records: Iterable[object]) -> list[RoundRecord]:
    """Lines as records of lexicons, up to the first that is none."""
    rounds: list[RoundRecord] = []
    for line in records:
        record = typed_round(line)
        if record is None:
            break
        rounds.append(record)
    return rounds


def typed_round(record: object) -> RoundRecord | None:
    """A line of a run's records; nothing if it is no such record. What was not recorded in its day is null."""
    try:
        if not _fits(record):
            return None
        fields = _TABLE.validate_python(record)
        found = _RECORD.validate_python({**_NOT_MEASURED, **fields})
    except (ValidationError, RecursionError):
        return None
    # What was read must be what was written: 1 is not true, and "5" is not the number 5.
    same = all(_is_same(fields.get(name), value) for name, value in record_json(found).items())
    return found if same else None


def _is_same(written: object, read: object) -> bool:
    if isinstance(written, list) and isinstance(read, list):
        one, other = cast(list[object], written), cast(list[object], read)
        return len(one) == len(other) and all(map(_is_same, one, other))
    numbers = isinstance(written, (int, float)) and isinstance(read, float) and not isinstance(written, bool)
    return written == read and (numbers or isinstance(written, bool) == isinstance(read, bool))


def number(value: object) -> float | None:
    """A number that JSON can say; nothing for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < GREATEST:
        return None
    return float(value)


def _typed(record: object) -> dict[str, Any] | None:
    found = typed_round(record)
    return {**cast(dict[str, Any], record), **{name: getattr(found, name) for name in ROUND}} if found else None


def _rising(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those whose round is later than any before."""
    found: list[dict[str, Any]] = []
    for each in records:
        if not found or each["round"] > found[-1]["round"]:
            found.append(each)
    return found


def _fits(value: object, levels: int = 100) -> bool:
    """Whether a browser can read it: no NaN, no infinities, no huge whole numbers, no half of a character, and nothing
    nested more deeply than any record is."""
    kind = type(value)
    if kind is float:
        return math.isfinite(cast(float, value))
    if kind is int:
        return abs(cast(int, value)) <= SAFE
    if kind is str:
        return cast(str, value).isascii() or is_text(cast(str, value))
    if kind is list:
        return levels > 0 and all(_fits(each, levels - 1) for each in cast(list[object], value))
    if kind is dict:
        table = cast(dict[str, object], value)
        return levels > 0 and all(map(_fits, table)) and all(_fits(each, levels - 1) for each in table.values())
    return True


def is_text(value: str) -> bool:
    """Whether it can be sent: JSON may write half of a character, which no encoding has."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_odd(view: RunView, last: Mapping[str, Any]) -> bool:
    """Whether the last whole line of a run's rounds is JSON and yet no record of a round; mostly it is the last one."""
    try:
        lines = read_tail(view.directory / ROUNDS, _TAIL).rstrip(b"\n").splitlines()
        record: object = json.loads(lines[-1]) if len(lines) > 1 else None
    except (OSError, ValueError, RecursionError):
        return False
    if isinstance(record, dict):
        table = cast(dict[str, object], record)
        if "round" in table and all(last.get(name) == each for name, each in table.items()):
            return False
    return record is not None and typed_round(cast(object, record)) is None


# How runs of each experiment are shown: who decides, what a step costs, and which command plays one.
#
# An experiment of another package has no entry here: its runs are listed with their state and what they record.

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
    won: str = "games won"
    """What the share is that its rounds record as accuracy."""


DRIFT = "drift"
_CONTROLS = {
    "coin": (DRIFT, "chance keeps half of what is tried"),
    "biased": ("biased drift", "chance keeps what is tried with the probability keep"),
}
"""How pages speak of the control, whose chooser is a coin."""


def who_decides(name: str) -> tuple[str, str]:
    """A chooser in a word or two and in a sentence; it may be of a package that is not installed here."""
    if name in _CONTROLS or name not in CHOOSERS:
        return _CONTROLS.get(name, (name, ""))
    return CHOOSERS[name].label, CHOOSERS[name].sentence


def _chooser(config: Config) -> tuple[str, str]:
    return who_decides(str(config["choose"]))


def has_agents(config: Config) -> bool:
    """Whether agents talk in a run of Algorithm 1; who decides may be of a package that is not installed here."""
    return config.get("choose") in CHOOSERS and CHOOSERS[config["choose"]].uses_agents


def _learners(config: Config) -> tuple[str, str]:
    pairs = int(config.get("population", 1))
    words = f"{config['agents']} learners" + (f", {pairs} pairs" if pairs > 1 else "")
    return words, "each generation knows the words that it heard from its parents, and may invent others"


def _are_neural(config: Config) -> bool:
    return config.get("agents") == "neural"


_LAW = {
    "bandit": ("agents", "agents talk with both systems, and what is worth more to them is kept"),
    "coin": (DRIFT, "a coin decides whether a change is kept"),
    "law": ("the law", "what costs less by the law is kept"),
}
_SIZE = "lexicon size |D| + |M|"
_EVOLUTION = Shown(
    "evolve",
    "size",
    "average_complexity",
    (_SIZE, "average complexity (symbols a numeral)"),
    "symbols",
    True,
    _chooser,
    has_agents,
)
SHOWN = {
    EVOLUTION.name: _EVOLUTION,
    GENERATIONS.name: replace(_EVOLUTION, command="generations", who=_learners, agents=_are_neural),
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
    LEARNABILITY.name: Shown(
        "learnability",
        "steps_learned",
        "accuracy",
        ("steps of learning", "share of numbers understood"),
        "",
        False,
        lambda config: (str(config["learner"]), "a learner from scratch learns one numeral system"),
        lambda config: config["learner"] != "listener",
        "understood, by need",
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


def kind_of(experiment: str) -> ExperimentKind | None:
    return next((each for each in EXPERIMENTS.values() if each.name == experiment), None)


def shown(experiment: str) -> Shown:
    """How runs of an experiment are shown; one of another package by what it is called."""
    if experiment in SHOWN:
        return SHOWN[experiment]
    kind = kind_of(experiment)
    who = (kind.label, kind.sentence) if kind else (experiment, "")
    return Shown(
        None, "round", "cost", ("round", "cost"), "", False, lambda _config: who, lambda _config: False, "accuracy"
    )


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
        "won": how.won,
        "config": chosen(flat, usual),
    }


@lru_cache(maxsize=64)
def defaults(experiment: str) -> dict[str, Any]:
    """The config of a run in which nothing was chosen, as one table with dotted names; empty where it is not known."""
    kind = kind_of(experiment)
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
MEASURES = ("size", "average_complexity", "cost", "gap", "accuracy", "numbers_understood", "messages")
"""What the list shows of a run's last round, where it was recorded."""
LONGEST_REASON = 400
ODD = f"The last line of {ROUNDS} is no record of a round (a value has another type); what comes before it is shown."
LONGEST_PART = 40
"""Characters of a part of a title: a start may be a whole lexicon."""


def was_started_here(name: str) -> bool:
    return name.startswith(f"{STARTED}/")


def unreadable(name: str, path: Path, reason: str) -> dict[str, Any]:
    """A run of which no more is known than that it is there."""
    stamp = plain_stamp(path / RUN)
    return {
        **blank(name),
        "state": "unreadable",
        "updated": stamp[0] / 1e9 if stamp else 0.0,
        "message": reason.encode("utf-8", "backslashreplace").decode()[:LONGEST_REASON],
    }


def blank(name: str) -> dict[str, Any]:
    """What every run in the list has."""
    return {
        "name": name,
        "title": name.rpartition("/")[2],
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
    if not _fits(view.recorded) or not is_text(str(view.experiment)):
        raise ValueError("a number or a text that cannot be shown")
    config, experiment, played_by = view.config, str(view.experiment), view.holder
    how = shown(experiment)
    if how.in_plane and config["grammar"] not in GRAMMARS:
        raise RequestError(GRAMMARS.refusal(config["grammar"]))
    study = study_of(name, experiment, config)
    last = read_last(view, how.in_plane) or {"round": -1}
    summary: dict[str, Any] = {
        **blank(name),
        "title": title_of(study["who"], config),
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
    if isinstance(guesses := last.get("guesses"), list):  # of a learner who was asked for every number
        found = enumerate(cast(list[object], guesses), start=1)
        summary["numbers_understood"] = sum(guess == asked for asked, guess in found)
    if summary["round"] < 0 and how.in_plane:
        summary |= first_words(config)
    for field in ("size", "numbers_understood", "messages"):
        summary[field] = None if summary[field] is None else int(summary[field])
    message = view.message or _damage(view, summary) or (ODD if how.in_plane and is_odd(view, last) else None)
    summary["message"] = message and message.encode("utf-8", "backslashreplace").decode()
    return summary, study


def title_of(who: str, config: Mapping[str, Any]) -> str:
    """The name that people read.

    >>> title_of("agents", {"start": "5", "seed": 3})
    'Agents, start 5, seed 3'
    """
    parts = [f"{field} {config[field]}"[:LONGEST_PART] for field in ("start", SEED) if field in config]
    return ", ".join([f"{who[:1].upper()}{who[1:]}", *parts])


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
