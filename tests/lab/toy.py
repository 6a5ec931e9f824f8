"""A toy experiment: a random walk. `python -m tests.lab.toy DIR ROUNDS [forget|slow]...` plays one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from ishango.lab import About, ExperimentKind, Outcome, Progress, run


@dataclass
class Walk:
    rng: np.random.Generator
    place: np.ndarray


@dataclass
class Toy:
    config: Mapping[str, Any]
    forget: bool = False
    """Drop the random state on resume: what a careless `load` would do."""
    seconds: float = 0.0
    fail: dict[int, BaseException] = field(default_factory=dict)

    def start(self, progress: Progress) -> tuple[Walk, Outcome]:
        walk = Walk(np.random.default_rng(self.config["seed"]), np.zeros(self.config.get("width", 3)))
        return self.play(walk, 0, progress)

    def play(self, state: Walk, number: int, progress: Progress) -> tuple[Walk, Outcome]:
        if number in self.fail:
            raise self.fail[number]
        progress(0, 2)
        state.place += state.rng.normal(size=state.place.shape)
        time.sleep(self.seconds)
        progress(2, 2)
        record = {"round": number, "place": state.place.tolist()[:3], "mean": float(state.place.mean())}
        return state, Outcome(record, state.place[:2] if self.config.get("curve", True) else None)

    def save(self, state: Walk) -> dict[str, np.ndarray]:
        bits: Any = state.rng.bit_generator.state["state"]
        words = [bits[name] >> shift & (2**64 - 1) for name in ("state", "inc") for shift in (0, 64)]
        return {"place": state.place, "bits": np.array(words, np.uint64)}

    def load(self, arrays: Mapping[str, np.ndarray]) -> Walk:
        rng = np.random.default_rng(self.config["seed"])
        if not self.forget:
            a, b, c, d = map(int, arrays["bits"])
            bits: Any = rng.bit_generator.state
            rng.bit_generator.state = bits | {"state": {"state": a + (b << 64), "inc": c + (d << 64)}}
        return Walk(rng, arrays["place"].copy())


def toy(rounds: int = 5, **config: Any) -> Toy:
    return Toy({"rounds": rounds, "seed": 0, **config})


def from_config(config: dict[str, Any]) -> Toy:
    """The factory of the sweeps; some configs make the run fail or its process die."""
    experiment = Toy(config, seconds=config.get("seconds", 0.0))
    if "fail" in config:
        experiment.fail = {config["fail"]: ValueError("the toy broke")}
    if "die" in config:
        experiment.save = lambda _state: os.kill(os.getpid(), 9)
    return experiment


def with_threads(config: dict[str, Any]) -> Toy:
    """Writes the worker's thread settings into its config, where a test can read them."""
    names = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS")
    return from_config({**config, "threads": [os.environ.get(name) for name in names]})


@dataclass(frozen=True)
class ToyRecord:
    round: Annotated[int, About("its number")]
    place: Annotated[list[float], About("where the walk is")]
    mean: Annotated[float, About("the mean of the place")]


class OpenKind(ExperimentKind):
    """A kind without options of its own: configs are taken as they are."""

    def defaults(self, format: int | None = None) -> dict[str, Any]:  # noqa: ARG002
        return {}

    def options_from(self, config: Mapping[str, Any], format: int | None = None) -> dict[str, Any]:  # noqa: ARG002
        return dict(config)

    def complete(self, config: Mapping[str, Any], format: int | None = None) -> dict[str, Any]:  # noqa: ARG002
        return dict(config)


TOYS = OpenKind("toys", "toys", "random walks", dict, from_config, ToyRecord)
THREADS = OpenKind("threads", "threads", "random walks that tell their threads", dict, with_threads, ToyRecord)


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


class Interrupted:
    """A reporter that presses Ctrl-C after a round."""

    def __init__(self, after: int) -> None:
        self.after, self.calls = after, []

    def begin(self, config, rounds_done) -> None:
        self.calls.append(("begin", config["rounds"], rounds_done))

    def steps(self, round, done, of) -> None:
        self.calls.append(("steps", round, done, of))

    def round(self, record) -> None:
        self.calls.append(("round", record["round"]))
        if record["round"] == self.after:
            raise KeyboardInterrupt

    def end(self) -> None:
        self.calls.append(("end",))


def stopped_after(directory: Path, round: int, rounds: int = 5) -> None:
    """A run of five rounds that was interrupted after this one, each round checkpointed."""
    with suppress(KeyboardInterrupt):
        run(toy(rounds), directory, Interrupted(round), checkpoint_share=1.0)
    assert not (directory / "DONE").exists()


def slow_down_writes() -> None:
    """Let every write stop half-way, and every sync and rename take its time, so that kills hit them."""
    write, fsync, replace = os.write, os.fsync, os.replace

    def slow_write(descriptor: int, data: Any) -> int:
        time.sleep(0.002)
        return write(descriptor, data[: max(1, len(data) // 2)] if len(data) > 20 else data)

    def slow_fsync(descriptor: int) -> None:
        time.sleep(0.003)
        fsync(descriptor)

    def slow_replace(source: Any, target: Any) -> None:
        time.sleep(0.003)
        replace(source, target)
        time.sleep(0.003)

    os.write, os.fsync, os.replace = slow_write, slow_fsync, slow_replace


if __name__ == "__main__":
    directory, rounds, *words = sys.argv[1:]
    if "slow" in words:
        slow_down_writes()
    experiment = toy(int(rounds))
    experiment.forget, experiment.seconds = "forget" in words, 0.01
    run(experiment, directory, checkpoint_share=1.0)
