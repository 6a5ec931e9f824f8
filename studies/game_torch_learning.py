"""Do agents of the PyTorch backend learn as well as those of the kernel? Minutes a seed.

python -m studies.game_torch_learning [SEEDS]
"""

import sys

import numpy as np
import torch
from benchmarks.game_worker import NEED, OPTIONS, expressions

from ishango.game import play
from ishango.game.torch_backend import TorchAgents

START, STEPS = 1, 30_000


def main(seeds: int) -> None:
    torch.set_num_threads(1)
    for seed in range(seeds):
        torch.manual_seed(seed)
        agents, rng = TorchAgents.lstm(OPTIONS), np.random.default_rng(seed)
        round_ = play(agents, [expressions(START)], NEED, OPTIONS, STEPS, rng)
        print(f"start {START}, seed {seed}: {100 * round_.accuracy():.1f} % won in the last 500 steps", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
