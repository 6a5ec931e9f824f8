"""Lessons of a listener: the kernel against PyTorch side by side, on the same numerals and needs."""

import time

import numpy as np
import torch

from ishango.game import Agents, GameOptions, Lesson
from ishango.game.torch_backend import TorchAgents, TorchLesson
from ishango.numerals import Need, minimal_language

STEPS, FEWER, BLOCKS = 1000, 60, 4
OPTIONS = GameOptions(upto=99)
SYSTEMS = ("1-9 | 10", "1-4 | 5,20", "1-19 | 20", "1,2,4,7,13,23,37 | 5,11")
NEEDS = ("power:2", "uniform")


def compare(system: str, need: str) -> tuple[float, float]:
    """Seconds a step of the kernel and of PyTorch, in turns."""
    rng, words = np.random.default_rng(0), minimal_language(system, OPTIONS.upto).tokens()
    weights = Need.parse(need).weights(OPTIONS.upto)
    mine = Lesson(Agents.random(OPTIONS, rng).listener, words, weights, OPTIONS)
    theirs = TorchLesson(TorchAgents.lstm(OPTIONS), words, weights, OPTIONS)
    mine.teach(10, rng)
    theirs.teach(3, rng)
    taken = np.zeros(2)
    for _ in range(BLOCKS):
        began = time.perf_counter()
        mine.teach(STEPS, rng)
        between = time.perf_counter()
        theirs.teach(FEWER, rng)
        taken += (between - began) / STEPS, (time.perf_counter() - between) / FEWER
    return taken[0] / BLOCKS, taken[1] / BLOCKS


def main() -> None:
    """Print steps a second, and how many times as many the kernel does."""
    torch.set_num_threads(1)
    print(f"{'system':24}  {'need':8}  kernel  PyTorch  ratio (steps of {OPTIONS.batch} examples a second)")
    ratios: dict[str, list[float]] = {need: [] for need in NEEDS}
    for need in NEEDS:
        for system in SYSTEMS:
            mine, theirs = compare(system, need)
            ratios[need].append(theirs / mine)
            print(f"{system:24}  {need:8}  {1 / mine:6.0f}  {1 / theirs:7.0f}  {theirs / mine:5.1f}", flush=True)
    for need, found in ratios.items():
        print(f"geometric mean, {need}: {np.exp(np.mean(np.log(found))):.1f}")


if __name__ == "__main__":
    main()
