"""Studies: runs of one directory and one config that differ in nothing but their seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ishango.explorer.shown import shown
from ishango.lab import EXPERIMENTS
from ishango.lab.config import chosen, flatten

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
