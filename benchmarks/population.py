"""Populations: what a step costs when a random speaker meets a random listener, over a step of a pair that is alone.

The two alternate in one process. Two more populations say where a difference comes from: one of a single pair, which
differs from a pair that is alone by the kernel only, and one of copies of the pair, which has as many weights as the
population that grew together, but begins to talk as the pair does.
"""

from collections.abc import Callable

import numpy as np

from benchmarks.game_worker import NEED, OPTIONS, WARMUP, expressions, seconds
from ishango.game import Agents, play
from ishango.game.population import Population, mingle

PAIRS, STEPS, BLOCKS = 8, 1000, 8


def mingling(population: Population, start: int, rng: np.random.Generator) -> Callable[[int], object]:
    arms = [expressions(start)] * len(population.pairs)
    return lambda steps: mingle(population, arms, NEED, OPTIONS, steps, rng)


def compare(start: int) -> np.ndarray:
    """Processor seconds a step: a pair that is alone, the same as a population, copies of it, pairs that grew together."""
    rng, words = np.random.default_rng(0), expressions(start)
    alone = Agents.random(OPTIONS, rng)
    play(alone, [words], NEED, OPTIONS, WARMUP, rng)
    together = Population([Agents.random(OPTIONS, rng) for _ in range(PAIRS)])
    players = [
        lambda steps: play(alone, [words], NEED, OPTIONS, steps, rng),
        mingling(Population([alone]), start, rng),
        mingling(Population([alone] * PAIRS), start, rng),
        mingling(together, start, rng),
    ]
    players[-1](WARMUP * PAIRS)
    taken = np.zeros((BLOCKS, len(players)))
    for block in taken:
        for i, player in enumerate(players):
            block[i] = seconds(lambda player=player: player(STEPS)) / STEPS
    return np.median(taken, axis=0)


def main() -> None:
    pair = Agents.random(OPTIONS, np.random.default_rng(0))
    size = sum(each.nbytes for each in pair.to_arrays().values())
    print(f"{PAIRS} pairs have {PAIRS * size / 1e6:.1f} MB of weights and moments, one has {size / 1e6:.1f} MB")
    print("start  alone (us)  one of a population  eight copies  eight that grew together (times alone)")
    ratios = []
    for start in range(1, 9):
        alone, *others = compare(start)
        ratios.append(np.array(others) / alone)
        print(f"{start:5}  {alone * 1e6:10.0f}" + "".join(f"  {each:12.2f}" for each in ratios[-1]), flush=True)
    print("geometric means: " + ", ".join(f"{each:.2f}" for each in np.exp(np.mean(np.log(ratios), axis=0))))


if __name__ == "__main__":
    main()
