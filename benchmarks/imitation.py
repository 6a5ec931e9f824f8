"""Steps of imitation: the kernel against PyTorch side by side, on the same demonstrations."""

import time

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from benchmarks.game_worker import NEED, OPTIONS, expressions
from ishango.game import Agents, demonstrate, imitate, play
from ishango.game._play import Demonstrations
from ishango.game.torch_backend import TorchAgents, to_torch

STEPS, FEWER, BLOCKS = 1000, 60, 4
EXAMPLES = 200


def torch_steps(twins: TorchAgents, shown: Demonstrations, steps: int, rng: np.random.Generator) -> None:
    """The same learning with PyTorch's modules, losses and optimisers."""
    for _ in range(steps):
        rows = rng.integers(0, len(shown.numbers), OPTIONS.batch)
        numbers, tokens, lengths, messages = (torch.from_numpy(each[rows]) for each in shown)
        longest = int(lengths.max())
        tokens, messages = tokens[:, :longest], messages[:, :longest]
        said = cross_entropy(twins.speaker(tokens, lengths).transpose(1, 2), messages, reduction="none")
        mask = torch.arange(longest) < lengths[:, None]
        loss = said.where(mask, 0).sum(-1).mean() + cross_entropy(twins.listener(messages, lengths), numbers)
        twins.speaker_optimiser.zero_grad()
        twins.listener_optimiser.zero_grad()
        loss.backward()
        twins.speaker_optimiser.step()
        twins.listener_optimiser.step()


def compare(start: int) -> tuple[float, float]:
    """Seconds a step of the kernel and of PyTorch, in turns."""
    rng, words = np.random.default_rng(0), expressions(start)
    parents, child = Agents.random(OPTIONS, rng), Agents.random(OPTIONS, rng)
    play(parents, [words], NEED, OPTIONS, 1000, rng)
    numbers = (rng.choice(NEED.size, EXAMPLES, p=NEED / NEED.sum()) + 1).tolist()
    shown, twins = demonstrate(parents, words, numbers, rng), to_torch(child, OPTIONS)
    imitate(child, shown, OPTIONS, 10, rng)
    torch_steps(twins, shown, 3, rng)
    taken = np.zeros(2)
    for _ in range(BLOCKS):
        began = time.perf_counter()
        imitate(child, shown, OPTIONS, STEPS, rng)
        between = time.perf_counter()
        torch_steps(twins, shown, FEWER, rng)
        taken += (between - began) / STEPS, (time.perf_counter() - between) / FEWER
    return taken[0] / BLOCKS, taken[1] / BLOCKS


def main() -> None:
    torch.set_num_threads(1)
    print("start   kernel  PyTorch  ratio (steps of imitation a second, 200 examples)")
    ratios = []
    for start in range(1, 9):
        mine, theirs = compare(start)
        ratios.append(theirs / mine)
        print(f"{start:5}  {1 / mine:7.0f}  {1 / theirs:7.0f}  {theirs / mine:5.1f}", flush=True)
    print(f"geometric mean {np.exp(np.mean(np.log(ratios))):.1f}")


if __name__ == "__main__":
    main()
