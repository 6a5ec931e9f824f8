"""Random generators of a run: where they begin, and how their state is kept as text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ishango.lab.config import chosen, flatten

Streams = Literal["run", "seed"]
"""Where the random numbers of a run come from: from its seed and everything else that makes it this run, or from its
seed alone, as before format 3. Runs that share a stream share their luck and are not independent."""

SAME_RUN = ("rounds", "seed", "streams")
"""Fields that do not make a run another one: it may grow longer, and its seed counts by itself."""


def run_generator(
    config: Mapping[str, Any], defaults: Mapping[str, Any], start: object | None = None
) -> np.random.Generator:
    """The generator from which all others of a run are spawned; `start` is the system that the config's start means.

    Two runs have the same only if seed and config are the same. What is at its default does not count, so that an
    option that is added later changes no run.

    >>> defaults = {"start": "1", "seed": 0, "streams": "run"}
    >>> one, other = (run_generator({**defaults, "start": start}, defaults) for start in ("1", "2"))
    >>> one.random() == other.random()
    False
    """
    if config["streams"] == "seed":
        return np.random.default_rng(config["seed"])
    own = {name: value for name, value in flatten(config).items() if name not in SAME_RUN}
    if start is not None:
        own["start"] = str(start)  # however it was written
    text = json.dumps(chosen(own, flatten(defaults)), sort_keys=True)
    words = np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint32)
    return np.random.default_rng([config["seed"], *words.tolist()])


def generator_state(generator: np.random.Generator) -> Mapping[str, Any]:
    """All that determines what the generator draws next, as JSON can hold it."""
    return generator.bit_generator.state


def generator_from(state: Mapping[str, Any]) -> np.random.Generator:
    """The generator with that state."""
    generator = np.random.default_rng()
    generator.bit_generator.state = state
    return generator
