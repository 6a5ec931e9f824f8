"""What the lab asks of an experiment and of whoever watches it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

import numpy as np

from ishango.lab.config import chosen, flatten

Progress = Callable[[int, int], None]
"""Called during a round with the steps done and the steps of the round."""


def counted(progress: Progress, steps: int) -> Callable[[int], None]:
    """From steps just played, which players report, to progress in a round of so many steps."""
    done = 0

    def report(played: int) -> None:
        nonlocal done
        done += played
        progress(done, steps)

    return report


@dataclass(frozen=True)
class Outcome:
    """What one round leaves behind."""

    record: dict[str, Any]
    """One line of `rounds.jsonl`; its field `round` is the round's number.

    Only `seconds` and `steps_per_second` may differ between two runs of one config.
    """
    curve: np.ndarray | None = None
    """The reward per block of steps, one-dimensional, or nothing where nobody plays for rewards."""


StateT = TypeVar("StateT")


class Experiment(Protocol[StateT]):
    """Rounds from a config and a seed, with a state that can be saved.

    What a run writes is a function of the config alone: all randomness comes from the seed, and the random state is
    part of what `save` returns. `play` may change the state it is given.
    """

    @property
    def config(self) -> Mapping[str, Any]:
        """All that determines the run, as JSON can hold it; `rounds` and `seed` are integers."""
        ...

    def start(self, progress: Progress) -> tuple[StateT, Outcome]:
        """Play round 0: what comes before the first round proper, such as pre-training."""
        ...

    def play(self, state: StateT, number: int, progress: Progress) -> tuple[StateT, Outcome]:
        """Play round `number`, from 1 to `rounds`."""
        ...

    def save(self, state: StateT) -> dict[str, np.ndarray]:
        """The whole state, random state included, as arrays without Python objects."""
        ...

    def load(self, arrays: Mapping[str, np.ndarray]) -> StateT:
        """The state that `save` gave away."""
        ...


class Reporter(Protocol):
    """Watches one run. The calls come in this order, `end` also after a failure."""

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        """The run starts or goes on; `rounds_done` counts round 0, so it is 0 for a new run."""
        ...

    def steps(self, round: int, done: int, of: int) -> None:
        """The round has played `done` of its `of` steps."""
        ...

    def round(self, record: Mapping[str, Any]) -> None:
        """A round is over."""
        ...

    def end(self) -> None:
        """Nothing more comes."""
        ...


class Silent:
    """The reporter that says nothing."""

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        """Say nothing."""

    def steps(self, round: int, done: int, of: int) -> None:
        """Say nothing."""

    def round(self, record: Mapping[str, Any]) -> None:
        """Say nothing."""

    def end(self) -> None:
        """Say nothing."""


# Random generators of a run: where they begin, and how their state is kept as text.

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
