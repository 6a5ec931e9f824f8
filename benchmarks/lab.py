"""What a run costs beside the experiment's own time: with empty rounds, and in real runs."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ishango.evolution import Evolution, EvolutionOptions
from ishango.lab import Outcome, Progress, read_rounds, run

STATES = {"tiny state": 4, "1.2 MB of state": 150_000}
RECORD = {"digits": list(range(1, 10)), "multipliers": [10], "average_complexity": 1.19366, "action": "m0", "gap": 0.0}


@dataclass
class Empty:
    """Rounds that do nothing."""

    numbers: int
    rounds: int
    config: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.config = {"rounds": self.rounds, "seed": 0}

    def start(self, progress: Progress) -> tuple[np.ndarray, Outcome]:
        return self.play(np.random.default_rng(0).random(self.numbers), 0, progress)

    def play(self, state: np.ndarray, number: int, progress: Progress) -> tuple[np.ndarray, Outcome]:  # noqa: ARG002
        return state, Outcome({"round": number, **RECORD})

    def save(self, state: np.ndarray) -> dict[str, np.ndarray]:
        return {"numbers": state}

    def load(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        return arrays["numbers"]


def main() -> None:
    print("milliseconds a round of an experiment that does nothing; median of 5 runs")
    print("                     spaced checkpoints (1,000 rounds)   one a round (50 rounds)   ratio")
    for name, numbers in STATES.items():
        spaced, each = [], []
        for _ in range(5):  # alternating, so that both see the same noise of the machine
            spaced.append(milliseconds(Empty(numbers, 1000), 0.02))
            each.append(milliseconds(Empty(numbers, 50), 1.0))
        ratio = np.median(np.array(each) / np.array(spaced))
        print(f"  {name:<16} {np.median(spaced):27.3f} {np.median(each):30.2f} {ratio:11.0f}")

    overhead()


def overhead() -> None:
    """The share of a real run's time that its rounds do not account for: records, curve and checkpoints."""
    print("a run of 5 rounds: share of the time spent on records and checkpoints, median of 3 runs")
    for steps in (1000, 5000, 40_000):
        shares = []
        for seed in range(3):
            with tempfile.TemporaryDirectory() as directory:
                started = time.perf_counter()
                run(Evolution(EvolutionOptions(rounds=5, steps=steps, seed=seed)), directory)
                total = time.perf_counter() - started
                shares.append(1 - sum(record["seconds"] for record in read_rounds(Path(directory))) / total)
        print(f"  {steps:6} steps a round: {np.median(shares):.2%}")


def milliseconds(experiment: Empty, share: float) -> float:
    with tempfile.TemporaryDirectory() as directory:
        started = time.perf_counter()
        run(experiment, directory, checkpoint_share=share)
        return 1e3 * (time.perf_counter() - started) / experiment.rounds
