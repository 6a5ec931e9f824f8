"""Whether two runs of one name are one run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ishango.lab.config import flatten


def differing(there: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """A field in which two `run.json` differ, with both values; the number of rounds may have grown.

    >>> differing({"config": {"seed": 1, "rounds": 5}}, {"config": {"seed": 2, "rounds": 7}})
    'seed is 1 and not 2'
    """
    old, new = (flatten({**each, "config": {**each["config"], "rounds": 0}}) for each in (there, ours))
    for name in [*new, *(name for name in old if name not in new)]:
        if new.get(name) != old.get(name):
            return f"{name.removeprefix('config.')} is {json.dumps(old.get(name))} and not {json.dumps(new.get(name))}"
    return None
