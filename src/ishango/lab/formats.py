"""Runs that outlive the code: what is recorded of a run is read by the rules of the format it was made in.

A run keeps its format for life. Its checkpoints carry a digest of the format and of what differs from the defaults, so
that adding an option changes nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ishango.errors import RequestError
from ishango.lab.config import chosen, flatten, refuse_changes
from ishango.lab.experiments import FORMAT, OLDEST, ExperimentKind

Document = Mapping[str, Any]
"""The content of `run.json`."""


def new_document(config: Mapping[str, Any], kind: ExperimentKind | None) -> dict[str, Any]:
    """What `run.json` of a new run says of itself; where it is played is added."""
    name = {} if kind is None else {"experiment": kind.name}
    return {"format": FORMAT, **name, "config": dict(config), "seed": config["seed"]}


def format_of(document: Document) -> int:
    """The format a run was made in."""
    return document["format"]


def check_document(document: Any) -> None:
    """Refuse what is no `run.json` (with `TypeError`), and one of a format that this version does not know."""
    if not isinstance(document["config"], dict):
        raise TypeError("its config is not a table")
    rounds = document["config"].get("rounds", 0)
    if type(rounds) is not int or rounds < 0:
        raise TypeError(f"its rounds are {json.dumps(rounds)}, which is no number from 0 up")
    format = document.get("format", OLDEST - 1)  # `run.json` has had one since format 2
    if type(format) is not int or format < 1:
        raise TypeError("its format is not a number from 1 up")
    if format < OLDEST:
        raise UnknownFormatError(
            f"of a format before {OLDEST}, which this version of Ishango does not read; play it anew"
        )
    if format > FORMAT:
        raise UnknownFormatError(
            f"of format {format}, and this version of Ishango knows formats up to {FORMAT}; install a later version"
        )


class UnknownFormatError(Exception):
    """A run that this version cannot read; the message says which format it has and what to do."""


def filled(document: Document, kind: ExperimentKind | None) -> dict[str, Any]:
    """The recorded config; with every field where the kind is known."""
    return dict(document["config"]) if kind is None else kind.fill(document["config"], format_of(document))


def agreed(document: Document, asked: Mapping[str, Any], kind: ExperimentKind | None, where: str) -> dict[str, Any]:
    """The config to go on with, if what is asked agrees with the run in `where`; otherwise a refusal."""
    name = document.get("experiment")
    if kind is not None and name not in (None, kind.name):
        raise RequestError(
            f"The run in {where} is of the experiment {name}, and {kind.name} was asked for; choose another directory."
        )
    config = dict(asked) if kind is None else kind.settle(asked, document["config"], format_of(document))
    refuse_changes(filled(document, kind), config, where)
    return config


def digest(document: Document, kind: ExperimentKind | None) -> str:
    """What tells a run's checkpoints from another's: its config without `rounds`, which may grow."""
    format = format_of(document)
    if document.get("experiment") is None:
        kind = None
    defaults = {} if kind is None else flatten(kind.defaults(format))
    config = {name: value for name, value in flatten(filled(document, kind)).items() if name != "rounds"}
    content = {"format": format, "config": chosen(config, defaults)}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
