"""Populations: what a step costs when a random speaker meets a random listener, over a step of a pair that is alone.

They alternate in one process. Pairs that grew up together talk otherwise than a pair that is alone, and what is said
decides how much there is to compute; so the cost of having eight times the weights is also measured on its own: the
pair against eight copies of it, all with a learning rate of 0, so that they go on talking alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.game_worker import NEED, OPTIONS, WARMUP, expressions, seconds
from ishango.game import Agents, GameOptions, Population, mingle, play
from ishango.generations import GenerationOptions, Generations
from ishango.generations._upbringing import similarity, system_of

PAIRS, STEPS, BLOCKS = 8, 1000, 6
FROZEN = replace(OPTIONS, learning_rate=0.0)

Player = Callable[[int], object]
"""Plays so many steps."""


def alone(pair: Agents, start: int, options: GameOptions) -> Player:
    rng, words = np.random.default_rng(1), expressions(start)
    return lambda steps: play(pair, [words], NEED, options, steps, rng)


def together(pairs: Sequence[Agents], start: int, options: GameOptions) -> Player:
    population, rng, arms = Population(pairs), np.random.default_rng(1), [expressions(start)] * len(pairs)
    return lambda steps: mingle(population, arms, NEED, options, steps, rng)


def compare(start: int) -> np.ndarray:
    """Processor seconds a step: a pair and eight that learn; the pair, the pair as a population, and eight copies."""
    rng = np.random.default_rng(0)
    pair, *pairs = (Agents.random(OPTIONS, rng) for _ in range(1 + PAIRS))
    learning = [alone(pair, start, OPTIONS), together(pairs, start, OPTIONS)]
    learning[0](WARMUP)
    learning[1](WARMUP * PAIRS)
    still = pair.copy()
    frozen = [alone(still, start, FROZEN), together([still], start, FROZEN), together([still] * PAIRS, start, FROZEN)]
    taken = np.zeros((BLOCKS, len(learning) + len(frozen)))
    for block in taken:
        for i, player in enumerate([*learning, *frozen]):
            block[i] = seconds(lambda player=player: player(STEPS)) / STEPS
    return np.median(taken, axis=0)


def measuring() -> tuple[float, float]:
    """Processor seconds of a generation of a chain, and of the topographic similarity that is measured in it."""
    options = GenerationOptions(agents="neural", pretraining=WARMUP)
    experiment = Generations(options)
    states = [experiment.start(lambda *_: None)[0]]
    taken = seconds(lambda: states.append(experiment.play(states[-1], len(states), lambda *_: None)[0]))
    assert states[-1].population is not None
    pair, system = states[-1].population.pairs[0], system_of(states[-1].lexicons[0], options.grammar)
    return taken, seconds(lambda: [similarity(pair, system, options) for _ in range(20)]) / 20


def main() -> None:
    size = sum(each.nbytes for each in Agents.random(OPTIONS, np.random.default_rng(0)).to_arrays().values())
    print(f"a pair has {size / 1e6:.1f} MB of weights and moments, {PAIRS} pairs {PAIRS * size / 1e6:.1f} MB")
    print("                      that learn           that talk alike (learning rate 0)")
    print("start   a pair (us)  eight (times)   a pair (us)  as a population  eight copies (times)")
    ratios = []
    for start in range(1, 9):
        pair, eight, still, one, copies = compare(start)
        ratios.append([eight / pair, one / still, copies / still])
        a, b, c = ratios[-1]
        print(f"{start:5}  {pair * 1e6:12.0f}  {a:13.2f}  {still * 1e6:12.0f}  {b:15.2f}  {c:12.2f}", flush=True)
    means = np.exp(np.mean(np.log(ratios), axis=0))
    print("geometric means: eight that learn {:.2f}, as a population {:.2f}, eight copies {:.2f}".format(*means))
    generation, measure = measuring()
    print(f"a generation of a chain takes {generation * 1e3:.0f} ms, its topographic similarity {measure * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
