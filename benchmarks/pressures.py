"""What pressures cost: steps with effort and with noise beside steps without, in turns, by processor time.

Noise breaks up the beginnings that messages share, so that the listener reads more of them.
"""

import time
from dataclasses import replace

import numpy as np

from benchmarks.game_worker import NEED, OPTIONS, expressions
from ishango.game import Agents, GameOptions, play

WARMUP, STEPS, BLOCKS = 2000, 500, 16
PRESSURES = {
    "none": OPTIONS,
    "effort in the score": replace(OPTIONS, effort=0.05),
    "effort in the reward": replace(OPTIONS, effort=0.05, effort_in="reward"),
    "noise": replace(OPTIONS, noise=0.05),
}


def block(agents: Agents, start: int, options: GameOptions, steps: int) -> float:
    """Seconds a step."""
    began = time.process_time()
    play(agents, [expressions(start)], NEED, options, steps, np.random.default_rng(1))
    return (time.process_time() - began) / steps


def compare(start: int) -> np.ndarray:
    """Seconds a step under each pressure, (blocks, pressures)."""
    pairs = [Agents.random(OPTIONS, np.random.default_rng(0)) for _ in PRESSURES]
    for agents, options in zip(pairs, PRESSURES.values(), strict=True):
        block(agents, start, options, WARMUP)
    taken = np.empty((BLOCKS, len(pairs)))
    for i in range(BLOCKS):
        for which in np.roll(np.arange(len(pairs)), i):  # nobody is always the first
            taken[i, which] = block(pairs[which], start, list(PRESSURES.values())[which], STEPS)
    return taken


def main() -> None:
    print(f"time a step over that without pressures, medians of {BLOCKS} blocks of {STEPS} steps (start: ratios)")
    print("start  " + "  ".join(f"{name:>20}" for name in list(PRESSURES)[1:]))
    ratios = []
    for start in range(1, 9):
        taken = compare(start)
        ratios.append(np.median(taken[:, 1:] / taken[:, :1], axis=0))
        print(f"{start:5}  " + "  ".join(f"{ratio:20.3f}" for ratio in ratios[-1]), flush=True)
    print(" mean  " + "  ".join(f"{ratio:20.3f}" for ratio in np.exp(np.mean(np.log(ratios), axis=0))))


if __name__ == "__main__":
    main()
