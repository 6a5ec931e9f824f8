"""Lessons of a listener: the kernel against PyTorch side by side, on the same numerals and needs.

Speeds are by processor time, which other work on the machine disturbs little. `least` is what the kernel's step cannot
go below: its products at the fastest rate that products of this size reach here, gates and Adam as fast as alone.
"""

import time
from typing import NamedTuple

import numpy as np
import torch

from benchmarks.game_phases import Floor, best
from benchmarks.game_products import _adam, _gates, normal
from ishango.game import Agents, GameOptions, Lesson
from ishango.game.torch_backend import TorchAgents, TorchLesson
from ishango.lab import play_in_memory
from ishango.learnability import LEARNABILITY
from ishango.numerals import Need, minimal_language

STEPS, FEWER, BLOCKS, BATCHES = 1000, 60, 5, 200
OPTIONS = GameOptions(upto=99)
SYSTEMS = ("1-9 | 10", "1-4 | 5,20", "1-19 | 20", "1,2,4,7,13,23,37 | 5,11")
NEEDS = ("power:2", "uniform")


class Compared(NamedTuple):
    """Seconds a step."""

    kernel: float
    torch: float
    least: float


class Least(NamedTuple):
    """The fastest that parts of a step are alone."""

    flops: float
    gates: float
    adam: float

    @classmethod
    def measured(cls) -> "Least":
        sums, gates, state = normal(4 * OPTIONS.hidden), normal(4 * OPTIONS.hidden), normal(4, OPTIONS.hidden)
        size = Agents.random(OPTIONS, np.random.default_rng(0)).listener.value.size
        vectors, steps = np.abs(normal(4, size)), np.zeros(1, np.int64)
        return cls(
            Floor.measured().flops,
            best(lambda: _gates(sums, gates, state, 200)) / 200,
            best(lambda: _adam(vectors, steps, 200)) / 200,
        )

    def seconds(self, words: dict[int, tuple[str, ...]], weights: np.ndarray) -> float:
        """Of a step: three products for each prefix below the first symbol and for each string, gates both ways."""
        rng, nodes, below, rows = np.random.default_rng(0), 0, 0, 0
        for _ in range(BATCHES):
            said = {words[n] for n in (1 + rng.choice(weights.size, OPTIONS.batch, p=weights)).tolist()}
            prefixes = {string[:length] for string in said for length in range(1, len(string) + 1)}
            nodes, rows = nodes + len(prefixes), rows + len(said)
            below += sum(len(each) > 1 for each in prefixes)
        products = 6 * OPTIONS.hidden * (below * 4 * OPTIONS.hidden + rows * OPTIONS.upto)
        return (products / self.flops + 2 * nodes * self.gates) / BATCHES + self.adam


def compare(system: str, need: str, least: Least) -> Compared:
    """The kernel and PyTorch, in turns."""
    rng, words = np.random.default_rng(0), minimal_language(system, OPTIONS.upto).tokens()
    weights = Need.parse(need).weights(OPTIONS.upto)
    mine = Lesson(Agents.random(OPTIONS, rng).listener, words, weights, OPTIONS)
    theirs = TorchLesson(TorchAgents.lstm(OPTIONS), words, weights, OPTIONS)
    mine.teach(10, rng)
    theirs.teach(3, rng)
    taken = np.zeros((BLOCKS, 2))
    for block in taken:
        began = time.process_time()
        mine.teach(STEPS, rng)
        between = time.process_time()
        theirs.teach(FEWER, rng)
        block[:] = (between - began) / STEPS, (time.process_time() - between) / FEWER
    return Compared(*np.median(taken, axis=0).tolist(), least.seconds(dict(words), weights))


def curve(need: str) -> float:
    """Seconds of a lesson of 4,000 steps and 20 tests, with all that is recorded."""
    lesson = LEARNABILITY.from_config({"system": SYSTEMS[0], "need": need, "game": {"range": OPTIONS.upto}})
    began = time.process_time()
    play_in_memory(lesson)
    return time.process_time() - began


def main() -> None:
    """Print steps a second, and how many times as many the kernel does."""
    torch.set_num_threads(1)
    least = Least.measured()
    print(f"Steps of {OPTIONS.batch} examples a second. {'':21}ratio to PyTorch")
    print(f"{'system':24}  {'need':8}  kernel  PyTorch  ratio  at most")
    ratios: dict[str, list[tuple[float, float]]] = {need: [] for need in NEEDS}
    for need in NEEDS:
        for system in SYSTEMS:
            mine, theirs, floor = compare(system, need, least)
            ratios[need].append((theirs / mine, theirs / floor))
            speeds = f"{1 / mine:6.0f}  {1 / theirs:7.0f}  {theirs / mine:5.1f}  {theirs / floor:7.1f}"
            print(f"{system:24}  {need:8}  {speeds}", flush=True)
    for need, found in ratios.items():
        mean, most = np.exp(np.log(found).mean(axis=0))
        print(f"geometric mean, {need}: {mean:.1f}, at most {most:.1f}; a lesson of 4,000 steps: {curve(need):.2f} s")


if __name__ == "__main__":
    main()
